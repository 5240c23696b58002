import HelixModel
import HelixStore

/// Compares the server's contents with the store, by other requests than a sync uses: a sync that reports "nothing new" for a
/// full mailbox would not detect that itself.
extension AccountSteps {
    /// Counts the messages of the synced mailboxes.
    mutating func countMessages(_ server: any MailRemote, _ boxes: [ServerMailbox]) {
        let (account, store) = (account, store)
        _ = attempt(account.kind == .imap ? "IMAP messages" : "JMAP messages") {
            let bases = try store?.remoteMailboxes(account) ?? []
            var (total, unfetched) = (0, 0)
            var differences: [String] = []
            for box in boxes where box.refusal == nil {
                let present = try server.count(byNumber: box.name)
                total += present.numbers.count
                if present.claimed != present.numbers.count {
                    differences.append(
                        "the server reports \(present.claimed) messages in '\(box.label)', but lists \(present.numbers.count)"
                    )
                }
                guard let base = bases.first(where: { $0.name == box.name }), base.uidValidity == present.uidValidity
                else {
                    unfetched += present.numbers.count
                    continue
                }
                let known = Set(try store?.remoteMessages(base).keys.map { $0 } ?? [])
                let rest = present.numbers.subtracting(known)
                let missing = rest.filter { !server.isNew($0, in: base) }.count
                unfetched += rest.count - missing
                if missing > 0 {
                    differences.append(
                        "\(missing) of the \(present.numbers.count) messages in '\(box.label)' are missing locally")
                }
            }
            for box in boxes {
                if let refusal = box.refusal { differences.append("'\(box.label)' cannot be opened: \(refusal.text)") }
            }
            if !differences.isEmpty {
                throw HelixError(
                    .conflict, differences.joined(separator: "; "),
                    hint: "Fetch them: helix sync \(account.name) --full")
            }
            return AccountSteps.counted(total, unfetched, "message", of: account, isSynced: !bases.isEmpty)
        }
    }

    /// Counts the objects of the synced calendars.
    mutating func countObjects(_ remote: CalDAVRemote, _ collections: [RemoteCollection]) {
        let (account, store) = (account, store)
        _ = attempt(account.kind == .carddav ? "contacts" : "events and tasks") {
            let calendars = try store?.remoteCalendars(account) ?? []
            var (total, unfetched) = (0, 0)
            var differences: [String] = []
            for collection in collections {
                let present = Set(try remote.listed(collection).keys)
                total += present.count
                guard let calendar = calendars.first(where: { $0.href == collection.href }) else {
                    unfetched += present.count
                    continue
                }
                let known = Set(try store?.syncedObjects(calendar).keys.map { $0 } ?? [])
                let rest = present.subtracting(known)
                if rest.isEmpty { continue }
                let changes = try remote.changes(in: collection, since: calendar.token, isFirst: false)
                let news = calendar.token == nil ? [] : rest.intersection(changes.changed.keys)
                unfetched += news.count
                let missing = rest.count - news.count
                if missing > 0 {
                    differences.append("\(missing) of the \(present.count) in '\(collection.name)' are missing locally")
                }
            }
            if !differences.isEmpty {
                throw HelixError(
                    .conflict, differences.joined(separator: "; "),
                    hint: "Fetch them: helix sync \(account.name) --full")
            }
            return AccountSteps.counted(total, unfetched, "object", of: account, isSynced: !calendars.isEmpty)
        }
    }

    private static func counted(
        _ total: Int, _ unfetched: Int, _ what: String, of account: Account, isSynced: Bool
    ) -> String {
        let count = "\(total) \(what)\(total == 1 ? "" : "s") on the server"
        if !isSynced { return count }
        return unfetched == 0
            ? count + ", all of them stored locally" : count + ", \(unfetched) of them new: helix sync \(account.name)"
    }
}
