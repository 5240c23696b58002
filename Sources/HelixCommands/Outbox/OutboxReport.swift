import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A queued message in a report.
struct OutgoingItem: DescribedItem {
    let message: OutgoingMessage
    /// The name of its account.
    let account: String
    /// Its text, for `outbox show`.
    var text: String?
    /// Whether its account can send.
    var canSend = false
    /// Whether this command has sent it.
    var isSent = false

    /// The first recipient, and the number of the others: `→ Ana Ruiz +2`.
    var target: String {
        let isMail = message.kind == .mail
        // A message of an agent is released by its addresses: a name could be anybody's.
        let isAgents = message.author != nil
        let first =
            message.recipients.first.map {
                isMail ? (isAgents ? MailAddress(text: $0).address : MailAddress(text: $0).label) : $0
            } ?? ""
        return "→ " + first + (message.recipients.count > 1 ? " +\(message.recipients.count - 1)" : "")
    }

    /// The subject, or words for a message without one.
    var subject: String {
        message.subject.isEmpty ? (message.kind == .mail ? "(no subject)" : "(a file)") : message.subject
    }

    static let described = list {
        Field("kind", .choice(OutgoingMessage.Kind.allCases.map(\.rawValue)), "The kind of the item.") {
            $0.message.kind.rawValue
        }
        Field("id", .id, "Its identity.") { $0.message.id.text }
        Field("by", .string, required: false, "The agent that wrote it.") { $0.message.author }
        Field(
            "state", .choice(OutgoingMessage.State.allCases.map(\.rawValue) + ["sent"]), "The state of the message."
        ) { $0.isSent ? "sent" : $0.message.state.rawValue }
        Field(
            "sync_status", .choice(["pending", "syncing", "held", "failed", "synced"]),
            "The state in the words of other clients: queued, being sent, held back, stopped, or sent."
        ) {
            if $0.isSent { return "synced" }
            return switch $0.message.state {
            case .queued: "pending"
            case .leaving: "syncing"
            case .held: "held"
            case .parked: "failed"
            }
        }
        Field("priority", .integer, "The order of sending: messages leave before changes, which have larger numbers.") {
            _ in 1
        }
        Field("account", .string, "The account that sends it.") { $0.account }
        Field("message_id", .string, "Message-ID of RFC 5322, without brackets.") { $0.message.messageID }
        Field("from", .string, "The sender, 'Name <address>'.") { $0.message.sender }
        Field("recipients", .array(.string), "All recipients.") { $0.message.recipients }
        Field("subject", .string, "Subject.") { $0.message.subject }
        Field("made_at", .time, "When it was queued.") { $1.iso($0.message.madeAt) }
        Field("leaves_at", .time, "The earliest time of sending.") { $1.iso($0.message.leavesAt) }
        Field("follow_up", .time, required: false, "When its sender is told if nobody has answered.") { item, viewer in
            item.message.followUp.map(viewer.iso)
        }
        Field("tries", .integer, "Number of attempts.") { $0.message.tries }
        Field("problem", .string, required: false, "Why it was not sent.") { $0.message.problem }
        Field("size", .integer, "Bytes.") { $0.message.size }
        Field("text", .string, required: false, "Its text, with show.") { $0.text }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }

    /// The reason why it is still queued, in words.
    func reason(for viewer: Viewer) -> StyledText {
        switch message.state {
        case .held:
            let later = message.leavesAt > viewer.now ? " (\(viewer.soon(message.leavesAt)))" : ""
            return StyledText("held" + later, TextStyle(.yellow))
        case .parked: return StyledText("stopped", TextStyle(.red))
        case .leaving: return StyledText("sending", TextStyle(.cyan))
        case .queued:
            if message.leavesAt <= viewer.now { return StyledText("queued", .dim) }
            return StyledText("scheduled " + viewer.soon(message.leavesAt), TextStyle(.cyan))
        }
    }
}

/// The outbox, or the messages in it that were changed.
struct OutboxReport: CuttableReport {
    static let schema = "helix.outbox/1"
    var items: [OutgoingItem]
    var isTruncated = false
    /// The action, as a past participle; empty for a list.
    var verb = ""
    /// The changes beside messages that are not synced yet.
    var unsynced: [UnsyncedChanges] = []

    var remarks: [String] {
        let queued = items.filter { $0.message.state == .queued && $0.message.kind == .mail }
        let silent = Set(queued.filter { !$0.canSend }.map(\.account)).sorted()
        var remarks = silent.map { name in
            "The account '\(name)' cannot send mail yet: its messages stay queued."
                + " Set its server: helix account edit \(name) --smtp-host HOST."
        }
        if queued.contains(where: { $0.canSend && $0.message.leavesAt <= $0.message.madeAt + 86_400 }) {
            remarks.append(items.count == 1 ? "'helix sync' sends it." : "'helix sync' sends queued messages.")
        }
        if items.contains(where: { $0.message.kind == .chat && $0.message.state == .queued }), remarks.isEmpty {
            remarks.append("'helix sync' sends queued messages.")
        }
        return remarks
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No queued messages.", .dim)) }
        defer { drawUnsynced(on: &canvas) }
        if items.isEmpty { return }
        let wide = canvas.width >= 60
        var table = Table([
            .init(), .init(), .init(minimum: wide ? 10 : 6), .init(minimum: wide ? 12 : 8), .init(),
            .init(importance: 1),
        ])
        for item in items {
            table.row([
                StyledText(viewer.short(item.message.id), .dim), StyledText(verb, TextStyle(.green)),
                canvas.cell(StyledText(item.target), most: 28), StyledText(item.subject), item.reason(for: viewer),
                StyledText(item.message.author.map { "by \($0)" } ?? "", TextStyle(.magenta)),
            ])
        }
        table.draw(on: &canvas)
        // The reason why a message was not sent is printed in full: it has the remedy.
        for item in items {
            guard let problem = item.message.problem else { continue }
            canvas.paragraph("\(viewer.short(item.message.id))  \(problem)", indent: 2, style: TextStyle(.red))
        }
        if !verb.isEmpty,
            let later = items.first(where: { $0.message.state == .queued && $0.message.leavesAt > viewer.now })
        {
            let instant = later.message.leavesAt
            let places = ([viewer] + [viewer.atHome].compactMap { $0 }).map {
                "\($0.day($0.zone.date(instant))) \($0.clock(instant)) \($0.zone.identifier)"
            }
            canvas.paragraph("Scheduled for \(places.joined(separator: ", which is ")).")
        }
        for remark in remarks { canvas.paragraph(remark, style: .dim) }
    }

    private func drawUnsynced(on canvas: inout Canvas) {
        guard !unsynced.isEmpty else { return }
        let parts = unsynced.map { changes in
            "\(changes.kind.counted(changes.count)) (\(changes.account))"
        }
        canvas.paragraph(
            "Not synced yet: \(parts.joined(separator: ", ")). 'helix outbox changes' lists them, 'helix sync' sends them."
        )
    }
}

extension CommandContext {
    /// Prints queued messages.
    /// - Throws: ``HelixError``.
    func presentOutbox(
        _ messages: [OutgoingMessage], verb: String = "", text: String? = nil, unsynced: [UnsyncedChanges] = []
    ) throws {
        let items = try outgoingItems(messages, text: text)
        // Removed messages no longer have a short id.
        let live = Set(try store().outbox().map(\.id) + store().chatOutbox().map(\.id))
        let ids = messages.map(\.id).filter { live.contains($0) }
        try present(OutboxReport(items: items, verb: verb, unsynced: unsynced), ids: ids)
    }

    /// Queued messages, with the names of their accounts.
    /// - Throws: ``HelixError``.
    func outgoingItems(_ messages: [OutgoingMessage], text: String? = nil) throws -> [OutgoingItem] {
        if messages.isEmpty { return [] }
        let accounts = try store().accounts()
        return messages.map { message in
            let account = accounts.first { $0.id == message.account }
            return OutgoingItem(
                message: message, account: account?.name ?? "", text: text,
                canSend: account?.settings.canSend ?? false)
        }
    }
}
