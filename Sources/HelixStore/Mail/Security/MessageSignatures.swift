import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// Stores the result of a verification, for `is:verified`.
    /// - Throws: ``HelixError``.
    public func recordVerdict(
        _ verdict: SignatureVerdict, of message: Int64, signer: String, fingerprint: String
    ) throws {
        if isReadOnly || branch != nil || database.isConfined { return }
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO message_signature (n, verdict, signer, fingerprint, checked_at)
                    SELECT n, ?2, ?3, ?4, ?5 FROM message WHERE n = ?1
                    """, arguments: [message, verdict.rawValue, signer, fingerprint, now.seconds])
        }
    }

    /// The number of signed messages whose signatures were never verified.
    /// - Throws: ``HelixError``.
    public func unverifiedCount() throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM message WHERE traits & \(MessageSummary.Traits.isSigned.rawValue) <> 0
                        AND n NOT IN (SELECT n FROM message_signature)
                    """) ?? 0
        }
    }

    /// Whether the signatures of a message were verified.
    /// - Throws: ``HelixError``.
    public func isVerified(_ message: Int64) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM message_signature WHERE n = ?)", arguments: [message]) ?? false
        }
    }

    /// Adds the text of a decrypted message to the index.
    /// - Throws: ``HelixError``.
    public func indexDecrypted(_ message: Int64, subject: String, text: String, snippet: String) throws {
        if isReadOnly || branch != nil || database.isConfined { return }
        try writeDerived { db in
            try reindex(db, message, subject: subject, text: text, snippet: snippet)
            try db.execute(
                sql: "INSERT OR IGNORE INTO message_decrypted (n) SELECT n FROM message WHERE n = ?",
                arguments: [message])
        }
    }

    /// Removes the texts of decrypted messages from the index.
    /// - Returns: the number of messages.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func forgetDecrypted() throws -> Int {
        let numbers = try read { try Int64.fetchAll($0, sql: "SELECT n FROM message_decrypted ORDER BY n") }
        if numbers.isEmpty || isReadOnly { return 0 }
        return try writeDerived { db in
            for n in numbers {
                try reindex(db, n, subject: nil, text: "", snippet: "")
                try db.execute(sql: "DELETE FROM message_decrypted WHERE n = ?", arguments: [n])
            }
            return numbers.count
        }
    }

    /// Changes the words of a message in the index.
    func reindex(
        _ db: Database, _ message: Int64, subject: String?, text: String, snippet: String?
    ) throws {
        func words() throws -> [DatabaseValue]? {
            let row = try Statement(
                db, "SELECT subject, sender, people, attachments, body FROM message_content WHERE n = ?1")
            row.bind(1, message)
            var found: [DatabaseValue]?
            while try row.step() { found = (0..<5).map { row.value($0) } }
            return found
        }
        guard let old = try words() else { return }
        let columns = "rowid, subject, sender, people, attachments, body"
        try db.execute(
            sql: "INSERT INTO message_text (message_text, \(columns)) VALUES ('delete', ?, ?, ?, ?, ?, ?)",
            arguments: StatementArguments([.int64(message)] + old))
        try db.execute(
            sql: "UPDATE message SET subject = ifnull(?, subject), snippet = ifnull(?, snippet) WHERE n = ?",
            arguments: [subject, snippet, message])
        try db.execute(sql: "UPDATE message_body SET body = ? WHERE n = ?", arguments: [text, message])
        guard let new = try words() else { return }
        try db.execute(
            sql: "INSERT INTO message_text (\(columns)) VALUES (?, ?, ?, ?, ?, ?)",
            arguments: StatementArguments([.int64(message)] + new))
    }
}
