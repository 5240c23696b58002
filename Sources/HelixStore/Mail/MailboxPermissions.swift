import HelixMail
import HelixModel
import HelixSQLite

/// The restrictions of mailboxes that were already read for a change set.
private final class RestrictionCache: ChangeState {
    var restrictions: [Int64: Change.Restriction?] = [:]
}

extension Change {
    /// The permissions that a server denies in a mailbox, with the names of mailbox and account.
    struct Restriction {
        var denied: MailboxRights
        var mailbox: String
        var account: String
    }

    /// Rejects a change of a message that its server would reject: a change that is only local would differ from the server
    /// permanently, and stop each sync.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireRights(_ old: MessageState, _ new: MessageState) throws {
        if old.mailbox != new.mailbox {
            if let target = try restriction(new.mailbox), target.denied.contains(.sync) {
                throw HelixError(
                    .conflict,
                    "'\(target.mailbox)' is left out of the sync of '\(target.account)', whose server would lose the message",
                    hint: "Set the synced mailboxes with 'helix account edit \(target.account) --mailboxes LIST'.")
            }
            if let target = try restriction(new.mailbox), target.denied.contains(.insert) {
                throw refusal(target, "add messages to")
            }
            if let source = try restriction(old.mailbox), source.denied.contains(.remove) {
                throw refusal(source, "remove messages from")
            }
            return
        }
        guard let place = try restriction(old.mailbox) else { return }
        let flags = old.flags.symmetricDifference(new.flags)
        if flags.contains(.seen), place.denied.contains(.keepSeen) {
            throw refusal(place, "mark messages as read or unread in")
        }
        let isMarked = !flags.subtracting(.seen).isEmpty || old.labels != new.labels
        if isMarked, place.denied.contains(.keepFlags) { throw refusal(place, "mark or label messages in") }
    }

    private func refusal(_ place: Restriction, _ what: String) -> HelixError {
        HelixError(
            .notAllowed, "the server of '\(place.account)' does not let you \(what) '\(place.mailbox)'",
            hint: "Nothing was changed. If your permissions have changed: helix sync \(place.account) --full.")
    }

    func restriction(_ mailbox: Int64) throws -> Restriction? {
        let cache = state(RestrictionCache.self)
        if let known = cache.restrictions[mailbox] { return known }
        let row = try Statement(
            db,
            """
            SELECT ifnull(r.denied, 0), b.name, a.name, a.settings, b.role FROM mailbox b JOIN account a ON a.n = b.account
            LEFT JOIN remote_mailbox r ON r.account = b.account AND r.path = b.path
            WHERE b.n = ?1 AND (r.denied <> 0 OR instr(a.settings, '"mailboxes"') > 0)
            """)
        row.bind(1, mailbox)
        var found: Restriction?
        while try row.step() {
            let name = row.text(1) ?? ""
            var denied = MailboxRights(rawValue: Int(row.integer(0)))
            let selection = try? AccountSettings(stored: row.text(3)).mailboxSelection
            let isKept =
                row.text(4) == Mailbox.deletedRole
                || selection.map { $0.usesSubscriptions || $0.includes(name) } ?? true
            if !isKept { denied.insert(.sync) }
            if !denied.isEmpty { found = Restriction(denied: denied, mailbox: name, account: row.text(2) ?? "") }
        }
        cache.restrictions[mailbox] = .some(found)
        return found
    }
}

extension Store {
    /// Rejects renaming or deleting a mailbox if the server does not allow it.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireRight(_ what: String, _ mailbox: Mailbox, of account: Account) throws {
        let denied = try read { db in
            try Int.fetchOne(
                db, sql: "SELECT denied FROM remote_mailbox WHERE account = ? AND path = ?",
                arguments: [account.number, mailbox.path]) ?? 0
        }
        guard MailboxRights(rawValue: denied).contains(.delete) else { return }
        throw HelixError(
            .notAllowed, "the server of '\(account.name)' does not let you \(what) '\(mailbox.name)'",
            hint: "Nothing was changed. If your permissions have changed: helix sync \(account.name) --full.")
    }
}

extension Mailbox {
    /// Rejects a name that the account's server would parse as several levels, and any name if the server has labels instead.
    /// - Throws: ``HelixError`` of code `usage`.
    static func requireOneLevel(_ name: String, account: Int64, _ db: Database) throws {
        let isLabelled = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM remote_mailbox WHERE account = ? AND name LIKE '\\All')",
            arguments: [account])
        if isLabelled == true {
            throw HelixError(
                .notAllowed, "cannot name a mailbox '\(name)': Gmail has labels instead of mailboxes",
                hint: "helix mail label ID +\(name.replacing(" ", with: "_"))")
        }
        let sign = try String.fetchOne(
            db, sql: "SELECT delimiter FROM remote_mailbox WHERE account = ? AND delimiter <> '/' LIMIT 1",
            arguments: [account])
        guard let sign, !sign.isEmpty, name.contains(sign) else { return }
        throw HelixError(
            .usage, "cannot use '\(sign)' in the mailbox name '\(name)': the server separates levels with it",
            hint: "Use another sign, such as '\(name.replacing(sign, with: "-"))', or '/' between levels.")
    }
}
