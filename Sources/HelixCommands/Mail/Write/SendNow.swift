import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

extension CommandContext {
    /// Sends queued messages at once, and reports which were sent. Those of accounts without a server for sending stay queued.
    /// - Throws: ``HelixError``.
    func sendNow(_ queued: [OutgoingMessage], of accounts: [Account]) throws {
        let store = try store()
        let senders = accounts.filter(\.settings.canSend)
        if senders.isEmpty { return try presentOutbox(queued, verb: "queued") }
        let ids = Set(senders.map(\.id))
        let before = try store.outbox().filter { ids.contains($0.account) }
        var reasons: [String] = []
        for account in senders {
            let outcome = AccountSync(store, account, syncOptions).send()
            if let reason = outcome.failure?.message ?? outcome.problems.first { reasons.append(reason) }
        }
        let waiting = Set(try store.outbox().map(\.id))
        // The server is asked once for all that is due.
        let own = Set(queued.map(\.id))
        for message in before where !waiting.contains(message.id) && !own.contains(message.id) {
            explain("Also sent, as it was due: '\(message.subject)' to \(message.recipients.joined(separator: ", ")).")
        }
        for message in queued where !waiting.contains(message.id) {
            note(StyledText("Sent to \(message.recipients.joined(separator: ", ")).", TextStyle(.green)))
        }
        let rest = queued.filter { waiting.contains($0.id) }
        if output.isMachine {
            // A program gets all of them; a person has been told which were sent.
            let present = try queued.map { waiting.contains($0.id) ? try store.outgoing($0.id) : $0 }
            var items = try outgoingItems(present)
            for place in items.indices { items[place].isSent = !waiting.contains(items[place].message.id) }
            try self.present(OutboxReport(items: items, verb: "queued", unsynced: []), ids: rest.map(\.id))
        } else if !rest.isEmpty {
            try presentOutbox(try rest.map { try store.outgoing($0.id) }, verb: "queued")
        }
        if rest.isEmpty { return }
        let reason = reasons.first ?? "no server accepted it"
        note(StyledText("Not sent yet: \(reason). 'helix sync' tries again.", TextStyle(.yellow)))
    }
}
