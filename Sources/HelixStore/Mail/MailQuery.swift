import HelixModel
import HelixSQLite

extension Store {
    static let messageColumns = """
        m.n, m.id, m.message_id, m.thread, a.name, b.name, m.date, m.subject, m.sender, m.recipients, m.cc, m.flags,
        m.traits, m.labels, m.attachments, m.snippet, m.size, m.bcc
        """
    /// The joins of a message `m` with its mailbox and account.
    static let messageJoins = "CROSS JOIN mailbox b ON b.n = m.mailbox CROSS JOIN account a ON a.n = m.account"
    static let messageTables = "message m " + messageJoins

    static func messages(_ db: Database, _ condition: String, _ arguments: [DatabaseValue]) throws -> [EmailMessage] {
        let row = try Statement(db, "SELECT \(messageColumns) FROM \(messageTables) \(condition)")
        row.bind(arguments)
        var list: [EmailMessage] = []
        while try row.step() { list.append(message(row)) }
        return list
    }

    /// The messages of a whole statement, whose columns are ``messageColumns``, optionally followed by a snippet.
    static func found(
        _ db: Database, _ sql: String, _ arguments: [DatabaseValue], hasSnippet: Bool
    ) throws -> [EmailMessage] {
        let row = try Statement(db, sql)
        row.bind(arguments)
        var list: [EmailMessage] = []
        while try row.step() {
            var message = message(row)
            if hasSnippet, let text = row.text(18) { message.snippet = text }
            list.append(message)
        }
        return list
    }

    private static func message(_ row: Statement) -> EmailMessage {
        EmailMessage(
            number: row.integer(0), id: row.id(1) ?? EntityID(stored: ""), messageID: row.text(2),
            thread: row.integer(3),
            account: row.text(4) ?? "", mailbox: row.text(5) ?? "", date: Instant(row.integer(6)),
            subject: row.text(7) ?? "", from: row.text(8) ?? "", to: row.text(9) ?? "", cc: row.text(10) ?? "",
            flags: MessageFlags(rawValue: Int(row.integer(11))), traits: Int(row.integer(12)),
            labels: (row.text(13) ?? "").split(separator: " ").map(String.init),
            attachments: (row.text(14) ?? "").split(separator: "\n").map(String.init), snippet: row.text(15) ?? "",
            size: Int(row.integer(16)), bcc: row.text(17) ?? "")
    }

    /// The message with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func message(_ id: EntityID) throws -> EmailMessage {
        try read { db in
            guard let found = try Store.messages(db, "WHERE m.id = ?", [.string(id.text)]).first else {
                throw HelixError(.notFound, "unknown message \(id.text)")
            }
            return found
        }
    }

    /// The messages with some IDs, in that order; deleted ones are left out.
    /// - Throws: ``HelixError``.
    public func messages(ids: [EntityID]) throws -> [EmailMessage] {
        try read { db in try ids.flatMap { try Store.messages(db, "WHERE m.id = ?", [.string($0.text)]) } }
    }

    /// The messages of a conversation, in order of time.
    /// - Throws: ``HelixError``.
    public func thread(_ thread: Int64) throws -> [EmailMessage] {
        try read { db in
            try Store.messages(db, "WHERE m.thread = ? AND b.role IS NOT 'deleted' ORDER BY m.n", [.int64(thread)])
        }
    }

    /// The Message-IDs that each message of a conversation refers to, the direct parent last.
    /// - Throws: ``HelixError``.
    public func references(in thread: Int64) throws -> [EntityID: [String]] {
        try read { db in
            let row = try Statement(db, "SELECT id, refs FROM message WHERE thread = ?1")
            row.bind(1, thread)
            var references: [EntityID: [String]] = [:]
            while try row.step() {
                references[row.id(0) ?? EntityID(stored: "")] = (row.text(1) ?? "").split(separator: " ").map(
                    String.init)
            }
            return references
        }
    }

    /// The path of a message's file.
    /// - Throws: ``HelixError`` of code `notFound` if there is no such message, or if its file is missing.
    public func messageFile(_ id: EntityID) throws -> String {
        let place = try read { db -> (folder: String, file: String, isNew: Bool, flags: Int64, letters: String)? in
            let row = try Statement(
                db,
                """
                SELECT a.path, b.path, m.file, m.is_new, m.flags, m.letters FROM \(Store.messageTables) WHERE m.id = ?1
                """)
            row.bind(1, id.text)
            var found: (folder: String, file: String, isNew: Bool, flags: Int64, letters: String)?
            while try row.step() {
                let path = row.text(1) ?? ""
                let folder = Mailbox.folder(account: row.text(0) ?? "", path: path)
                found = (folder, row.text(2) ?? "", row.integer(3) != 0, row.integer(4), row.text(5) ?? "")
            }
            return found
        }
        guard let place else { throw HelixError(.notFound, "unknown message \(id.text)") }
        let letters = MessageFlags(rawValue: Int(place.flags)).maildir(with: place.letters)
        if let scratch,
            let tried = try HelixError.ifFound({
                try MaildirFolder.find(place.file, in: scratch + "/mail", isNew: place.isNew, letters: letters)
            })
        {
            return tried
        }
        do {
            return try MaildirFolder.find(place.file, in: place.folder, isNew: place.isNew, letters: letters)
        } catch {
            // A proposed move is not made on the disk.
            guard branch != nil, let path = try movedFile(id, place.file, letters: letters) else { throw error }
            return path
        }
    }

    /// The path of a message's file in any mailbox of its account; nil if there is none.
    private func movedFile(_ id: EntityID, _ file: String, letters: String) throws -> String? {
        let folders = try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT a.path, o.path FROM message m JOIN mailbox b ON b.n = m.mailbox
                    JOIN mailbox o ON o.account = b.account JOIN account a ON a.n = b.account WHERE m.id = ?
                    """, arguments: [id.text]
            ).map { Mailbox.folder(account: $0[0], path: $0[1]) }
        }
        for folder in folders {
            for isNew in [false, true] {
                let path = try HelixError.ifFound {
                    try MaildirFolder.find(file, in: folder, isNew: isNew, letters: letters)
                }
                if let path { return path }
            }
        }
        return nil
    }
}
