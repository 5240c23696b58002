import Foundation
import HelixMail
import HelixModel
import HelixSQLite

/// A message whose file is written, in helix's own keeping: nobody sees it until a change puts it into a mailbox.
public struct StagedMessage: Sendable {
    let account: MailAccount
    let file: String
    let flags: MessageFlags
    let summary: MessageSummary
}

extension Store {
    /// Writes a message's file aside, to be put into a mailbox of the account.
    ///
    /// - Parameter body: gives the bytes.
    /// - Throws: ``HelixError``: the disk is full, say; and what `body` throws.
    public func stageMessage(
        for account: MailAccount, flags: MessageFlags, _ body: (([UInt8]) throws -> Void) throws -> Void
    ) throws -> StagedMessage {
        let kept = try read { db in
            try String.fetchOne(
                db, sql: "SELECT path FROM mailbox WHERE account = ? AND role = 'deleted'", arguments: [account.number])
        }
        let folder = scratch.map { $0 + "/mail" } ?? kept ?? deletedMail + "/" + account.id.text
        let delivery = try MailDelivery(folder: folder)
        let base = try delivery.deliver(at: now, flags: flags, body)
        delivery.finish()
        let path = try MaildirFolder.find(base, in: folder, isNew: false, letters: flags.maildir())
        return StagedMessage(account: account, file: base, flags: flags, summary: try MessageSummary(path: path))
    }

    /// Gives a staged message an identity, and leaves it where nobody sees it: what somebody is writing just now.
    /// - Throws: ``HelixError``.
    public func keepAside(_ staged: StagedMessage) throws -> EntityID {
        try writeDerived { db in
            try Change(store: self, db: db, command: "", summary: "").register(staged).id
        }
    }

    /// Takes a message out of helix's own keeping for good; nothing happens if it lies in a mailbox.
    /// - Throws: ``HelixError``.
    public func dropKept(_ id: EntityID) throws {
        guard try isKept(id) else { return }
        let file = try? messageFile(id)
        try writeDerived { db in
            let n = try Int64.fetchOne(db, sql: "SELECT n FROM message WHERE id = ?", arguments: [id.text])
            if let n { try MailWriter(db: db, now: now).remove(n) }
        }
        if let file { unlink(file) }
    }

    /// Whether a message lies in helix's own keeping, where no list shows it.
    /// - Throws: ``HelixError``.
    public func isKept(_ id: EntityID) throws -> Bool {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT b.role FROM message m JOIN mailbox b ON b.n = m.mailbox WHERE m.id = ?",
                arguments: [id.text]) == Mailbox.deletedRole
        }
    }

    /// The account that a message lies in.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func account(of message: EntityID) throws -> MailAccount {
        let number = try read { db in
            try Int64.fetchOne(db, sql: "SELECT account FROM message WHERE id = ?", arguments: [message.text])
        }
        guard let found = try mailAccounts().first(where: { $0.number == number }) else {
            throw HelixError(.notFound, "there is no message \(message.text)")
        }
        return found
    }

    /// The drafts of all accounts, the latest first.
    /// - Throws: ``HelixError``.
    public func drafts(limit: Int) throws -> [EmailMessage] {
        try read { db in
            try Store.messages(
                db,
                """
                WHERE b.role IS NOT 'deleted' AND b.role IS NOT 'trash' AND (b.role = 'drafts' OR m.flags & 8)
                ORDER BY m.n DESC LIMIT ?
                """, [.int64(Int64(limit))])
        }
    }

    /// The message of that Message-ID, if it is here.
    /// - Throws: ``HelixError``.
    public func message(withID messageID: String, in account: MailAccount) throws -> EmailMessage? {
        try read { db in
            let thread = try Int64.fetchOne(
                db, sql: "SELECT thread FROM thread_reference WHERE key = ?",
                arguments: [MailArrival.key(messageID, in: account.number)])
            guard let thread else { return nil }
            return try Store.messages(
                db, "WHERE m.thread = ? AND m.message_id = ? AND b.role IS NOT 'deleted' LIMIT 1",
                [.int64(thread), .string(messageID)]
            ).first
        }
    }
}

extension Change {
    /// Puts a staged message into a mailbox of its account.
    ///
    /// - Parameter former: a message that it takes the place of, with its identity: another version of a draft. The former
    ///   one goes into helix's own keeping, and `helix undo` changes them back.
    /// - Returns: its identity.
    /// - Throws: ``HelixError``.
    public func place(
        _ staged: StagedMessage, in target: MessageEdit.Target, replacing former: EntityID? = nil
    ) throws -> EntityID {
        let new = try register(staged)
        guard let former, let old = try messageState(former) else {
            var edit = MessageEdit()
            edit.target = target
            try editMessages([new.id], edit)
            return new.id
        }
        try exchange(old, with: new)
        return former
    }

    /// The row of a staged message in helix's own keeping.
    fileprivate func register(_ staged: StagedMessage) throws -> MessageState {
        let account = staged.account.number
        let keeping = try mailbox(.deleted, of: account)
        // Somebody who looked for new mail may have found it by now.
        if let known = try version(named: staged.file, in: keeping) { return known }
        let name = staged.file + ":2," + staged.flags.maildir()
        var arrival = MailArrival(mailbox: keeping, entry: MaildirEntry(name: name, isNew: false))
        arrival.summary = staged.summary
        _ = try MailWriter(db: db, now: store.now).insert([arrival], accounts: [keeping: (account, staged.account.id)])
        guard let new = try version(named: staged.file, in: keeping) else {
            throw HelixError(.unexpected, "a message that was just written is gone")
        }
        return new
    }

    /// The version of a message that lies in helix's own keeping under that name.
    func version(_ file: String, of message: MessageState) throws -> MessageState {
        guard let found = try version(named: file, in: try mailbox(.deleted, of: message.account)) else {
            throw HelixError(
                .conflict, "that version of the message is gone", hint: "helix keeps what was replaced for 30 days.")
        }
        return found
    }

    private func version(named file: String, in mailbox: Int64) throws -> MessageState? {
        let row = try Statement(
            db, "SELECT \(MessageState.columns) FROM message WHERE mailbox = ?1 AND file = ?2")
        row.bind(1, mailbox)
        row.bind(2, file)
        var state: MessageState?
        while try row.step() { state = MessageState(row) }
        return state
    }

    /// Puts a version in the place of a message: it gets the identity, mailbox and labels; the other one is kept.
    func exchange(_ old: MessageState, with version: MessageState) throws {
        var (kept, shown) = (old, version)
        (kept.mailbox, kept.file, kept.labels) = (version.mailbox, MaildirName.withoutUID(old.file), [])
        (shown.mailbox, shown.labels) = (old.mailbox, old.labels)
        let update = try Statement(
            db, "UPDATE message SET id = ?2, mailbox = ?3, file = ?4, labels = ?5 WHERE n = ?1")
        for (state, id) in [(kept, "~"), (shown, old.id.text), (kept, version.id.text)] {
            update.bind(1, state.n)
            update.bind(2, id)
            update.bind(3, state.mailbox)
            update.bind(4, state.file)
            update.bind(5, MessageState.labelText(state.labels))
            try update.run()
        }
        try record(
            .message, old.id, "update", before: JournalFields(["file": kept.file.databaseValue]),
            after: JournalFields(["file": shown.file.databaseValue]))
        messageFiles.add(from: try place(of: old), to: try place(of: kept))
        messageFiles.add(from: try place(of: version), to: try place(of: shown))
    }
}
