import HelixMail
import HelixModel
import HelixSQLite

/// A writer of indexed messages: rows, conversations and the full-text index.
struct MailWriter {
    let db: Database
    let now: Instant

    /// Inserts messages in order of their dates, as required by the full-text index.
    /// - Returns: the number of broken messages.
    func insert(_ arrivals: [MailArrival], accounts: [Int64: (number: Int64, id: EntityID)]) throws -> Int {
        var broken = 0
        let readable = arrivals.filter { $0.summary != nil }
        let hasLost = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM lost_label)") ?? false
        let hasSent = try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM sent_label)") ?? false
        var rows: [(n: Int64, arrival: MailArrival)] = []
        var taken: Set<Int64> = []
        for arrival in readable.sorted(by: { date($0) < date($1) }) {
            rows.append((try freeNumber(from: date(arrival), &taken), arrival))
        }
        // The full text comes after all rows: a row fires triggers, before each of which FTS5 would flush its pending words,
        // and merge the segments of single messages again; that took a quarter of the time.
        var words: [Words] = []
        for (n, arrival) in rows.sorted(by: { $0.n < $1.n }) {
            guard let summary = arrival.summary, let account = accounts[arrival.mailbox] else { continue }
            if summary.traits.contains(.isBroken) { broken += 1 }
            words.append(try insert(n, arrival, summary, account, hasLostLabels: hasLost))
            if hasSent { try takeSentLabel(n) }
        }
        for words in words { try insert(words) }
        return broken
    }

    /// The texts of a message for the full-text index.
    private struct Words {
        var n: Int64
        var subject: String
        var sender: String
        var people: String
        var attachments: String?
        var body: String
    }

    private func insert(_ words: Words) throws {
        let row = try Statement(
            db,
            """
            INSERT INTO message_text (rowid, subject, sender, people, attachments, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            """)
        row.bind(1, words.n)
        row.bind(2, words.subject)
        row.bind(3, words.sender)
        row.bind(4, words.people)
        row.bind(5, words.attachments)
        row.bind(6, words.body)
        try row.run()
    }

    /// The date in seconds; for a message without a date, its delivery time or now.
    private func date(_ arrival: MailArrival) -> Int64 {
        max(1, (arrival.summary?.date ?? MaildirFolder.delivered(arrival.entry.name) ?? now).seconds)
    }

    /// The first free row number from a date on.
    private func freeNumber(from date: Int64, _ taken: inout Set<Int64>) throws -> Int64 {
        let row = try Statement(db, "SELECT 1 FROM message WHERE n = ?1")
        var n = date
        var step: Int64 = 1
        while true {
            var isTaken = taken.contains(n)
            if !isTaken {
                row.bind(1, n)
                while try row.step() { isTaken = true }
            }
            if !isTaken { break }
            n += step
            // Thousands of messages of one second, as from a program without dates: random steps instead of one by one.
            if n - date > 64 { step = Int64.random(in: 1...4096) }
        }
        taken.insert(n)
        return n
    }

    private func insert(
        _ n: Int64, _ arrival: MailArrival, _ summary: MessageSummary, _ account: (number: Int64, id: EntityID),
        hasLostLabels: Bool
    ) throws -> Words {
        let name = MaildirName(arrival.entry.name)
        let id = try freeIdentity(summary, account: account.id)
        let (base, isReply) = ThreadSubject.base(summary.subject)
        let subjectKey = base.isEmpty ? nil : MailArrival.key(base, in: account.number)
        let thread = try thread(
            of: summary, id: id, account: account.number, subjectKey: subjectKey, isReply: isReply, date: date(arrival))
        func optional(_ text: String) -> String? { text.isEmpty ? nil : text }
        let facts = MessageFacts(summary, isReply: isReply)
        let row = try Statement(
            db,
            """
            INSERT INTO message (n, id, account, mailbox, file, is_new, letters, flags, traits, date, thread, subject_key,
                size, message_id, refs, sender, recipients, cc, bcc, reply_to, subject, list, attachments, snippet)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24)
            """)
        let flags = MessageFlags(maildir: name.letters.utf8)
        let letters = name.letters.utf8.filter { MessageFlags(maildir: [$0]).isEmpty }
        row.bind(1, n)
        row.bind(2, id.text)
        row.bind(3, account.number)
        row.bind(4, arrival.mailbox)
        row.bind(5, name.base)
        row.bind(6, arrival.entry.isNew ? 1 : 0 as Int64)
        row.bind(7, optional(String(decoding: letters, as: UTF8.self)))
        row.bind(8, Int64(flags.rawValue))
        row.bind(9, facts.traits)
        row.bind(10, date(arrival))
        row.bind(11, thread)
        row.bind(12, subjectKey)
        for (index, value) in facts.values.enumerated() { row.bind(Int32(13 + index), value) }
        try row.run()
        if hasLostLabels {
            try db.execute(
                sql: "UPDATE message SET labels = (SELECT labels FROM lost_label WHERE id = ?) WHERE n = ?",
                arguments: [id.text, n])
            try db.execute(sql: "DELETE FROM lost_label WHERE id = ?", arguments: [id.text])
        }
        if let key = summary.autocrypt, let date = summary.date {
            let isJunk = try Bool.fetchOne(
                db, sql: "SELECT role IS 'junk' FROM mailbox WHERE n = ?", arguments: [arrival.mailbox])
            if isJunk != true { try Store.take(key, at: date, db, now: now) }
        }
        // A damaged store may still contain the text without its message.
        let body = try Statement(db, "INSERT OR REPLACE INTO message_body (n, body) VALUES (?1, ?2)")
        body.bind(1, n)
        body.bind(2, summary.text)
        try body.run()
        return Words(
            n: n, subject: summary.subject, sender: facts.sender,
            people: facts.recipients + " " + facts.cc + " " + facts.bcc, attachments: optional(facts.attachments),
            body: summary.text)
    }

    private func freeIdentity(_ summary: MessageSummary, account: EntityID) throws -> EntityID {
        let row = try Statement(db, "SELECT 1 FROM message WHERE id = ?1")
        var copy = 0
        while true {
            let id = MailArrival.id(summary, account: account, copy: copy)
            row.bind(1, id.text)
            var isTaken = false
            while try row.step() { isTaken = true }
            if !isTaken { return id }
            copy += 1
        }
    }

    /// The conversation of a message: that of the messages that it answers, or of its replies, which may have arrived before it.
    /// Conversations that turn out to be one are merged into that of the answered message.
    private func thread(
        of summary: MessageSummary, id: EntityID, account: Int64, subjectKey: Int64?, isReply: Bool, date: Int64
    ) throws -> Int64 {
        var keys = summary.references.map { MailArrival.key($0, in: account) }
        if let own = summary.messageID { keys.append(MailArrival.key(own, in: account)) }
        let known = try Statement(db, "SELECT thread FROM thread_reference WHERE key = ?1")
        var threads: [Int64] = []
        var missing: [Int64] = []
        for key in keys {
            known.bind(1, key)
            var isKnown = false
            while try known.step() {
                isKnown = true
                if !threads.contains(known.integer(0)) { threads.append(known.integer(0)) }
            }
            if !isKnown { missing.append(key) }
        }
        if threads.isEmpty, let subjectKey, summary.references.isEmpty {
            // For lists and programs that drop references: by the subject, within a month.
            let month: Int64 = 31 * 86_400
            let range = isReply ? (date - month, date) : (date, date + month)
            let same = try Statement(
                db,
                """
                SELECT thread FROM message WHERE subject_key = ?1 AND n BETWEEN ?2 AND ?3 AND (?4 OR traits & \(MailWriter.isReplyBit)) ORDER BY n DESC LIMIT 1
                """)
            same.bind(1, subjectKey)
            same.bind(2, range.0)
            same.bind(3, range.1)
            same.bind(4, isReply ? 1 : 0 as Int64)
            while try same.step() { threads.append(same.integer(0)) }
        }
        let thread = threads.first ?? id.head
        for other in threads.dropFirst() { try join(other, to: thread, account: account) }
        let add = try Statement(db, "INSERT OR IGNORE INTO thread_reference (key, thread) VALUES (?1, ?2)")
        for key in missing {
            add.bind(1, key)
            add.bind(2, thread)
            try add.run()
        }
        return thread
    }

    /// Merges two conversations. The Message-IDs of the other one are found in its messages, which name them all.
    private func join(_ other: Int64, to thread: Int64, account: Int64) throws {
        let names = try Statement(db, "SELECT message_id, refs FROM message WHERE thread = ?1")
        names.bind(1, other)
        var ids: Set<String> = []
        while try names.step() {
            if let own = names.text(0) { ids.insert(own) }
            for id in (names.text(1) ?? "").split(separator: " ") { ids.insert(String(id)) }
        }
        let move = try Statement(db, "UPDATE thread_reference SET thread = ?2 WHERE key = ?1")
        for id in ids {
            move.bind(1, MailArrival.key(id, in: account))
            move.bind(2, thread)
            try move.run()
        }
        try db.execute(sql: "UPDATE message SET thread = ? WHERE thread = ?", arguments: [thread, other])
    }

    /// The trait of a reply without references.
    static let isReplyBit = 1 << 20

    /// Deletes a message and its full text. Its labels, which are stored nowhere else, are kept in case it returns.
    func remove(_ n: Int64) throws {
        try db.execute(
            sql: """
                INSERT OR REPLACE INTO lost_label (id, labels)
                SELECT id, labels FROM message WHERE n = ? AND labels IS NOT NULL
                """, arguments: [n])
        let row = try Statement(
            db, "SELECT subject, sender, people, attachments, body FROM message_content WHERE n = ?1")
        row.bind(1, n)
        var words: [DatabaseValue] = []
        while try row.step() { words = (0..<5).map { row.value($0) } }
        if !words.isEmpty {
            try Statement(
                db,
                """
                INSERT INTO message_text (message_text, rowid, subject, sender, people, attachments, body)
                VALUES ('delete', ?, ?, ?, ?, ?, ?)
                """
            ).execute(arguments: StatementArguments([.int64(n)] + words))
        }
        try db.execute(sql: "DELETE FROM message_body WHERE n = ?", arguments: [n])
        try db.execute(sql: "DELETE FROM message WHERE n = ?", arguments: [n])
    }

    /// Deletes the index of an account's mail. The files are not changed.
    static func forget(_ db: Database, account: EntityID) throws {
        guard
            let number = try Int64.fetchOne(db, sql: "SELECT n FROM account WHERE id = ?", arguments: [account.text])
        else { return }
        let writer = MailWriter(db: db, now: Instant(0))
        for n in try Int64.fetchAll(db, sql: "SELECT n FROM message WHERE account = ? ORDER BY n", arguments: [number])
        {
            try writer.remove(n)
        }
        try db.execute(sql: "DELETE FROM mailbox WHERE account = ?", arguments: [number])
        try db.execute(sql: "DELETE FROM mail_folder WHERE account = ?", arguments: [number])
        // The state of the last sync is recovered from the names of files.
        for table in ["remote_mailbox", "remote_mail_state", "remote_email", "served_message", "served_round"] {
            try db.execute(sql: "DELETE FROM \(table) WHERE account = ?", arguments: [number])
        }
        // The calendars are kept; if the account is added again, they are recognized.
        try RemoteCalendarWriter.remember(db, where: "a.n = ?", number)
        try db.execute(sql: "DELETE FROM remote_calendar WHERE account = ?", arguments: [number])
        try db.execute(sql: "DELETE FROM sync_state WHERE account = ?", arguments: [number])
        try db.execute(sql: "DELETE FROM sync_failure WHERE account = ?", arguments: [number])
    }
}

extension MaildirFolder {
    /// The delivery time of a message, from its file name, which begins with the second.
    static func delivered(_ name: String) -> Instant? {
        let digits = name.prefix { $0.isASCII && $0.isNumber }
        guard (9...10).contains(digits.count), let seconds = Int64(digits), name.dropFirst(digits.count).hasPrefix(".")
        else { return nil }
        return Instant(seconds)
    }
}
