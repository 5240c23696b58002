import HelixMail
import HelixModel
import HelixSQLite

/// The columns of a message's row that are derived from its file only.
struct MessageFacts {
    let traits: Int64
    let sender: String
    let recipients: String
    let cc: String
    let bcc: String
    let attachments: String
    private let summary: MessageSummary

    /// - Parameter isReply: True if its subject marks it as a reply.
    init(_ summary: MessageSummary, isReply: Bool) {
        func lines(_ list: [MailAddress]) -> String { list.map(\.text).joined(separator: "\n") }
        self.summary = summary
        let isLost = isReply && summary.references.isEmpty
        traits = Int64(summary.traits.rawValue | (isLost ? MailWriter.isReplyBit : 0))
        (sender, recipients, cc, bcc) = (
            lines(summary.from), lines(summary.to), lines(summary.cc), lines(summary.bcc)
        )
        attachments = summary.attachments.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
            .joined(separator: "\n")
    }

    /// The columns for ``values``.
    static let columns = [
        "size", "message_id", "refs", "sender", "recipients", "cc", "bcc", "reply_to", "subject", "list", "attachments",
        "snippet",
    ]

    var values: [DatabaseValue] {
        func optional(_ text: String) -> DatabaseValue { text.isEmpty ? .null : .string(text) }
        return [
            .int64(Int64(summary.size)), summary.messageID.databaseValue,
            optional(summary.references.joined(separator: " ")), .string(sender), .string(recipients), optional(cc),
            optional(bcc), optional(summary.replyTo.map(\.text).joined(separator: "\n")), .string(summary.subject),
            summary.list.databaseValue, optional(attachments), summary.snippet.databaseValue,
        ]
    }
}

extension Store {
    private static let rereadBatch = 500

    /// Reads the files of all messages, and corrects rows that differ. Flags, labels, links, conversations and IDs are kept; the
    /// caller rebuilds the full-text index afterwards.
    /// - Throws: ``HelixError``.
    func rereadMail(progress: ((Int, Int) -> Void)? = nil) throws {
        var paths: [Int64: String] = [:]
        var arrivals: [(n: Int64, arrival: MailArrival)] = []
        try read { db in
            for row in try Row.fetchAll(
                db, sql: "SELECT b.n, a.path, b.path FROM mailbox b JOIN account a ON a.n = b.account")
            {
                paths[row[0]] = Mailbox.folder(account: row[1], path: row[2])
            }
            let row = try Statement(db, "SELECT n, mailbox, file, is_new, flags, letters FROM message ORDER BY n")
            while try row.step() {
                let isNew = row.integer(3) != 0
                let letters = MessageFlags(rawValue: Int(row.integer(4))).maildir(with: row.text(5) ?? "")
                let name = (row.text(2) ?? "") + (isNew ? "" : ":2," + letters)
                arrivals.append(
                    (
                        row.integer(0),
                        MailArrival(mailbox: row.integer(1), entry: MaildirEntry(name: name, isNew: isNew))
                    ))
            }
        }
        let batches = stride(from: 0, to: arrivals.count, by: Store.rereadBatch).map {
            arrivals[$0..<min($0 + Store.rereadBatch, arrivals.count)]
        }
        let reading = MailReading(batches.map { $0.map(\.arrival) }, paths: paths)
        for (place, batch) in batches.enumerated() {
            let found = Array(zip(batch.map(\.n), reading.next(place)))
            try writeDerived { db in
                for (n, arrival) in found {
                    guard let summary = arrival.summary else { continue }
                    try rewrite(db, n, summary, date: summary.date ?? MaildirFolder.delivered(arrival.entry.name))
                }
            }
            progress?(min(arrivals.count, (place + 1) * Store.rereadBatch), arrivals.count)
        }
    }

    private func rewrite(_ db: Database, _ n: Int64, _ summary: MessageSummary, date: Instant?) throws {
        // Decrypted text is not in the file.
        let isDecrypted = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM message_decrypted WHERE n = ?)", arguments: [n])
        if isDecrypted == true { return }
        let isReply = ThreadSubject.base(summary.subject).isReply
        let facts = MessageFacts(summary, isReply: isReply)
        let known = try Statement(
            db, "SELECT \(MessageFacts.columns.joined(separator: ", ")), traits FROM message WHERE n = ?1")
        known.bind(1, n)
        let wanted = facts.values + [.int64(facts.traits)]
        var isSame = true
        while try known.step() { isSame = (0..<known.columnCount).map { known.value($0) } == wanted }
        if !isSame {
            let names = (MessageFacts.columns + ["traits"]).map { "\($0) = ?" }.joined(separator: ", ")
            try db.execute(
                sql: "UPDATE message SET \(names) WHERE n = ?",
                arguments: StatementArguments(wanted + [.int64(n)]))
        }
        if let date {
            try db.execute(
                sql: "UPDATE message SET date = ?1 WHERE n = ?2 AND date <> ?1", arguments: [max(1, date.seconds), n])
        }
        try db.execute(
            sql: """
                INSERT INTO message_body (n, body) VALUES (?1, ?2)
                ON CONFLICT (n) DO UPDATE SET body = ?2 WHERE body <> ?2
                """, arguments: [n, summary.text])
        // The words of attached files were among them.
        guard db.changedRows > 0 else { return }
        try db.execute(
            sql:
                "INSERT OR IGNORE INTO attachment_pending (n) SELECT n FROM message WHERE n = ? AND \(Schema.hasReadableFiles)",
            arguments: [n])
    }
}
