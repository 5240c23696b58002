import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixSQLite

/// A message whose file is written to helix's hidden mailbox, where it stays invisible until a change moves it to a mailbox.
public struct StagedMessage: Sendable {
    let account: Account
    let file: String
    let flags: MessageFlags
    let summary: MessageSummary

    /// The subject.
    public var subject: String { summary.subject }
}

extension Store {
    /// Writes a message's file to the hidden mailbox, to be moved to a mailbox of the account.
    ///
    /// - Parameter body: produces the bytes.
    /// - Throws: ``HelixError``, for example if the disk is full, and what `body` throws.
    public func stageMessage(
        for account: Account, flags: MessageFlags, _ body: (([UInt8]) throws -> Void) throws -> Void
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

    /// Assigns an ID to a staged message and keeps it hidden, for a message that is still being written.
    /// - Throws: ``HelixError``.
    public func keepAside(_ staged: StagedMessage) throws -> EntityID {
        try writeDerived { db in
            try Change(store: self, db: db, command: "", summary: "").register(staged).id
        }
    }

    /// Deletes a message permanently from the hidden mailbox; a message in another mailbox is kept.
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

    /// Whether a message is in helix's hidden mailbox, which lists omit.
    /// - Throws: ``HelixError``.
    public func isKept(_ id: EntityID) throws -> Bool {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT b.role FROM message m JOIN mailbox b ON b.n = m.mailbox WHERE m.id = ?",
                arguments: [id.text]) == Mailbox.deletedRole
        }
    }

    /// The account of a message.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func account(of message: EntityID) throws -> Account {
        let number = try read { db in
            try Int64.fetchOne(db, sql: "SELECT account FROM message WHERE id = ?", arguments: [message.text])
        }
        guard let found = try mailAccounts().first(where: { $0.number == number }) else {
            throw HelixError(.notFound, "unknown message \(message.text)")
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

    /// The message with a Message-ID; nil if it is not stored locally.
    /// - Throws: ``HelixError``.
    public func message(withID messageID: String, in account: Account) throws -> EmailMessage? {
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

    /// The IDs of the messages of all accounts with a Message-ID, except deleted ones.
    /// - Throws: ``HelixError``.
    public func messages(withID messageID: String) throws -> [EntityID] {
        try mailAccounts().compactMap { try message(withID: messageID, in: $0)?.id }
    }
}

extension Change {
    /// Moves a staged message to a mailbox of its account.
    ///
    /// - Parameter former: a message to be replaced, whose ID is kept: an older version of a draft. It is moved to the hidden
    ///   mailbox, and `helix undo` swaps them back.
    /// - Returns: the ID of the message.
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

    /// The row of a staged message in the hidden mailbox.
    fileprivate func register(_ staged: StagedMessage) throws -> MessageState {
        let account = staged.account.number
        let keeping = try mailbox(.deleted, of: account)
        // Another process that indexes mail may have found it already.
        if let known = try version(named: staged.file, in: keeping) { return known }
        let name = staged.file + ":2," + staged.flags.maildir()
        var arrival = MailArrival(mailbox: keeping, entry: MaildirEntry(name: name, isNew: false))
        arrival.summary = staged.summary
        _ = try MailWriter(db: db, now: store.now).insert([arrival], accounts: [keeping: (account, staged.account.id)])
        guard let new = try version(named: staged.file, in: keeping) else {
            throw HelixError(.unexpected, "a message that was just written is missing")
        }
        return new
    }

    /// The version of a message with a file name in the hidden mailbox.
    func version(_ file: String, of message: MessageState) throws -> MessageState {
        guard let found = try version(named: file, in: try mailbox(.deleted, of: message.account)) else {
            throw HelixError(
                .conflict, "that version of the message no longer exists", hint: "Old versions are kept for 30 days.")
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

    /// Replaces a message with another version, which gets its ID, mailbox and labels; the replaced version is kept.
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
