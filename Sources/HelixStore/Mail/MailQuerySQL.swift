import HelixMail
import HelixModel
import HelixSQLite

/// A mail query compiled for SQLite: words for the full-text index, and a condition on the rows.
struct MailQuerySQL {
    /// The query for the full-text index; nil if there are no words at the top level.
    private(set) var match: String?
    /// The condition on message `m`.
    private(set) var condition = "1"
    private(set) var arguments: [DatabaseValue] = []
    /// Whether only unread messages match: the index of these is by far the smallest, which SQLite cannot know.
    private(set) var isUnread = false
    let db: Database

    /// - Throws: ``HelixError`` of code `notFound` for an unknown mailbox or account.
    init(_ query: MailQuery, _ db: Database) throws {
        self.db = db
        let parts = Self.conjuncts(query)
        // Parts that contain only words are passed to the index as a whole; it joins lists faster than rows can be read.
        let words = parts.compactMap(Self.words)
        let others = parts.filter { Self.words($0) == nil }
        // FTS5 has no query that only excludes.
        let positive = words.filter { !$0.hasPrefix("NOT ") }
        if !positive.isEmpty {
            match =
                positive.joined(separator: " AND ")
                + words.filter { $0.hasPrefix("NOT ") }.map { " " + $0 }.joined()
        }
        let rest = positive.isEmpty ? parts : others
        isUnread = rest.contains(.has(.unread))
        var conditions = try rest.map { try sql($0) }.filter { $0 != "1" }
        // Deleted messages are hidden.
        let hidden = try Int64.fetchAll(db, sql: "SELECT n FROM mailbox WHERE role = 'deleted'")
        if !hidden.isEmpty {
            conditions.append("m.mailbox NOT IN (\(hidden.map { "\($0)" }.joined(separator: ",")))")
        }
        if !conditions.isEmpty { condition = ConditionTree.joined(conditions, by: "AND") }
        // The index alone also knows what a profile does not see.
        if db.isConfined, condition == "1" { condition = "1 = 1" }
    }

    /// The query in FTS5 syntax if it contains only words; an exclusion begins with NOT.
    private static func words(_ query: MailQuery) -> String? {
        switch query {
        case .words(let text, let field, let isPrefix):
            // A NUL would truncate an FTS5 query.
            let plain = text.replacing("\u{0}", with: " ").replacing("\"", with: "\"\"")
            let quoted = "\"" + plain + "\"" + (isPrefix ? " *" : "")
            return field.map { "{\($0.rawValue)} : \(quoted)" } ?? quoted
        case .all(let list):
            let parts = list.compactMap(words)
            let positive = parts.filter { !$0.hasPrefix("NOT ") }
            guard parts.count == list.count, !positive.isEmpty else { return nil }
            return "(" + positive.joined(separator: " AND ")
                + parts.filter { $0.hasPrefix("NOT ") }.map { " " + $0 }.joined() + ")"
        case .any(let list):
            let parts = list.compactMap(words)
            guard parts.count == list.count, !parts.contains(where: { $0.hasPrefix("NOT ") }) else { return nil }
            return "(" + parts.joined(separator: " OR ") + ")"
        case .not(let inner):
            guard let words = words(inner), !words.hasPrefix("NOT ") else { return nil }
            return "NOT (" + words + ")"
        default: return nil
        }
    }

    /// The queries that must all match.
    private static func conjuncts(_ query: MailQuery) -> [MailQuery] {
        if case .all(let list) = query { list.flatMap(conjuncts) } else { [query] }
    }

    /// The condition that one of some columns, which have an address in each line, has an address.
    private mutating func addressed(_ address: String, _ columns: [String]) -> String {
        let conditions = columns.map { column in
            arguments += [.string("<\(address)>\n"), .string("\n\(address)\n")]
            let lines = "char(10) || lower(ifnull(\(column), '')) || char(10)"
            return "instr(\(lines), ?) > 0 OR instr(\(lines), ?) > 0"
        }
        return "(\(conditions.joined(separator: " OR ")))"
    }

    private mutating func sql(_ query: MailQuery) throws -> String {
        switch query {
        case .address(let text, let field):
            return addressed(text, field == .from ? ["m.sender"] : ["m.recipients", "m.cc", "m.bcc"])
        case .everything: return "1"
        case .words:
            arguments.append(.string(Self.words(query) ?? ""))
            return "m.n IN (SELECT rowid FROM message_text WHERE message_text MATCH ?)"
        case .all(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "AND")
        case .any(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "OR")
        case .not(.has(let trait)): return try inSight(trait) ?? "NOT " + condition(trait)
        case .not(let inner): return "NOT " + (try sql(inner))
        case .has(let trait): return condition(trait)
        case .mailbox(let name): return "m.mailbox IN (\(try mailboxes(name)))"
        case .messageID(let id):
            arguments.append(.string(id))
            return "m.message_id = ?"
        case .oneOf(let ids): return "m.id IN (\(ids.map { "'\($0.text)'" }.joined(separator: ",")))"
        case .thread(let number): return "m.thread = \(number)"
        case .account(let name):
            guard let account = try Store.mailAccounts(db).first(where: { $0.name.lowercased() == name.lowercased() })
            else { throw HelixError(.notFound, "unknown account '\(name)'", hint: "helix account list") }
            return "m.account = \(account.number)"
        case .label(let label):
            let isBegun = label.hasSuffix("*")
            let name = Self.escaped(isBegun ? String(label.dropLast()) : label)
            arguments.append(.string(isBegun ? "% \(name)%" : "% \(name) %"))
            return "(m.labels IS NOT NULL AND m.labels LIKE ? ESCAPE '\\')"
        case .list(let text):
            arguments.append(.string("%\(Self.escaped(text))%"))
            return "ifnull(m.list, '') LIKE ? ESCAPE '\\'"
        case .dated(let from, let to):
            var parts: [String] = []
            // A row's number is its date, or a little more: it gives the start of the scan.
            if let from { parts.append("m.n >= \(from.seconds) AND m.date >= \(from.seconds)") }
            if let to { parts.append("m.date < \(to.seconds)") }
            return "(" + parts.joined(separator: " AND ") + ")"
        case .size(let least, let most):
            return least.map { "m.size >= \($0)" } ?? "m.size <= \(most ?? 0)"
        case .id(let prefix):
            let text = EntityPrefix(prefix).text
            arguments += [.string(text), .string(text + "~"), .string(text), .string(text + "~")]
            return """
                (m.id >= ? AND m.id < ? OR m.thread IN (SELECT thread FROM message WHERE id >= ? AND id < ?))
                """
        }
    }

    /// The time in the label of a snoozed message.
    static let snoozedUntil = """
        substr(m.labels, instr(m.labels, '\(MessageAway.snoozedMark)') + \(MessageAway.snoozedMark.utf8.count), \(MessageAway.stampLength))
        """

    func condition(_ trait: MailQuery.Trait) -> String {
        switch trait {
        case .unread: "m.flags & 1 = 0"
        case .flag(let flag): "m.flags & \(flag.rawValue) <> 0"
        case .trait(let trait): "m.traits & \(trait.rawValue) <> 0"
        case .snoozed(let now):
            """
            ifnull(instr(m.labels, '\(MessageAway.snoozedMark)') > 0 AND \(Self.snoozedUntil) > '\(now)', 0)
            """
        case .muted:
            "m.thread IN (SELECT thread FROM message WHERE instr(labels, '\(MessageAway.mutedMark)') > 0)"
        case .awaiting: "(\(Store.awaitsAnswer))"
        case .verified: "m.n IN (SELECT n FROM message_signature WHERE verdict = 'valid')"
        }
    }

    /// The numbers of the mailboxes with a name or a role, or below a name.
    private func mailboxes(_ name: String) throws -> String {
        let word = name.lowercased()
        let row = try Statement(db, "SELECT n, name, role FROM mailbox")
        var found: [Int64] = []
        var names: Set<String> = []
        while try row.step() {
            let own = (row.text(1) ?? "")
            if !own.isEmpty { names.insert(own) }
            if own.lowercased() == word || row.text(2) == word || own.lowercased().hasPrefix(word + "/") {
                found.append(row.integer(0))
            }
        }
        // Before anything has arrived, the inbox is empty.
        if found.isEmpty, word == "inbox" { return "" }
        guard !found.isEmpty else {
            throw HelixError(
                .notFound, "unknown mailbox '\(name)'",
                hint: names.isEmpty
                    ? "helix account add NAME maildir PATH" : "Use one of: \(names.sorted().joined(separator: ", ")).")
        }
        return found.map { "\($0)" }.joined(separator: ", ")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("%", with: "\\%").replacing("_", with: "\\_")
    }
}

/// The order of found messages.
public enum MailOrder: String, Sendable, CaseIterable {
    /// The newest first.
    case date
    /// The best match first (BM25), with the highest weight for the subject.
    case rank
}

extension Store {
    /// The messages that match a query.
    ///
    /// - Parameter snippets: True to return excerpts with the matches.
    /// - Throws: ``HelixError``.
    public func messages(
        _ query: MailQuery, order: MailOrder = .date, limit: Int, snippets: Bool = false
    ) throws -> [EmailMessage] {
        try read { db in
            let asked = try MailQuerySQL(query, db)
            guard let match = asked.match else {
                return try Store.messages(
                    db, "WHERE \(asked.condition) ORDER BY m.n DESC LIMIT \(limit)", asked.arguments)
            }
            let snippets = snippets && query.asksText
            // Only from the body: the subject is shown anyway, and searching every column took a third longer.
            let snippet = snippets ? ", helix_excerpt(message_text, 4)" : ""
            if order == .date {
                return try Store.found(
                    db,
                    """
                    SELECT \(Store.messageColumns)\(snippet) FROM message_text x
                        CROSS JOIN message m ON m.n = x.rowid \(Store.messageJoins)
                    WHERE message_text MATCH ? AND \(asked.condition) ORDER BY x.rowid DESC LIMIT \(limit)
                    """, [.string(match)] + asked.arguments, hasSnippet: snippets)
            }
            // Rows are read only if there are conditions on them: else the index alone gives the best matches and their
            // positions.
            let isBare = asked.condition == "1"
            let best = isBare ? try Store.best(db, match, limit) : nil
            let numbers = try best?.rows ?? Store.ranked(db, match, asked, limit)
            if numbers.isEmpty { return [] }
            var texts: [Int64: String] = [:]
            if snippets {
                texts = try best.map { try Store.excerpts(db, match, $0) } ?? Store.excerpts(db, match, numbers)
            }
            let list = numbers.map { "\($0)" }.joined(separator: ",")
            let rows = try Store.messages(db, "WHERE m.n IN (\(list))", [])
            let byNumber = Dictionary(uniqueKeysWithValues: rows.map { ($0.number, $0) })
            return numbers.compactMap { number in
                guard var message = byNumber[number] else { return nil }
                if let text = texts[number] { message.snippet = text }
                return message
            }
        }
    }

    /// The best matching rows for a query of one phrase, with the positions from the index; nil for any other query.
    private static func best(
        _ db: Database, _ match: String, _ limit: Int
    ) throws -> (rows: [Int64], places: String)? {
        let row = try Statement(
            db, "SELECT helix_best(message_text, ?2, 4) FROM message_text WHERE message_text MATCH ?1 LIMIT 1")
        row.bind(1, match)
        row.bind(2, Int64(limit))
        defer { row.reset() }
        guard try row.step() else { return ([], "") }
        guard let places = row.text(0) else { return nil }
        return (places.split(separator: " ").compactMap { Int64($0.prefix { $0 != ":" }) }, places)
    }

    /// The best matching rows for any query.
    private static func ranked(
        _ db: Database, _ match: String, _ asked: MailQuerySQL, _ limit: Int
    ) throws -> [Int64] {
        let row = try Statement(
            db,
            """
            SELECT x.rowid FROM message_text x \(asked.condition == "1" ? "" : "CROSS JOIN message m ON m.n = x.rowid")
            WHERE message_text MATCH ? AND \(asked.condition) ORDER BY helix_rank(message_text) LIMIT \(limit)
            """)
        row.bind([.string(match)] + asked.arguments)
        var numbers: [Int64] = []
        while try row.step() { numbers.append(row.integer(0)) }
        return numbers
    }

    /// Excerpts with the matches in some rows. They are queried separately: the ranking statement would compute them for every
    /// row that was temporarily among the best, and fetch the text of each.
    private static func excerpts(_ db: Database, _ match: String, _ numbers: [Int64]) throws -> [Int64: String] {
        let excerpt = try Statement(
            db, "SELECT helix_excerpt(message_text, 4) FROM message_text WHERE message_text MATCH ?1 AND rowid = ?2")
        excerpt.bind(1, match)
        var texts: [Int64: String] = [:]
        for number in numbers {
            excerpt.bind(2, number)
            while try excerpt.step() { texts[number] = excerpt.text(0) }
        }
        return texts
    }

    /// Excerpts whose positions are known from the index: it is opened at one row only, for its tokenizer.
    private static func excerpts(
        _ db: Database, _ match: String, _ best: (rows: [Int64], places: String)
    ) throws -> [Int64: String] {
        let list = best.rows.map { "\($0)" }.joined(separator: ",")
        let excerpt = try Statement(
            db,
            """
            SELECT b.n, helix_excerpt(message_text, b.n, b.body, ?2) FROM message_text x
                CROSS JOIN message_body b ON b.n IN (\(list))
            WHERE message_text MATCH ?1 AND x.rowid = ?3
            """)
        excerpt.bind(1, match)
        excerpt.bind(2, best.places)
        excerpt.bind(3, best.rows.first ?? 0)
        var texts: [Int64: String] = [:]
        while try excerpt.step() { texts[excerpt.integer(0)] = excerpt.text(1) }
        return texts
    }

    /// The conversations with messages that match a query, each represented by the newest match, with the numbers of all and of
    /// unread messages.
    /// - Throws: ``HelixError``.
    public func conversations(
        _ query: MailQuery, limit: Int
    ) throws -> ([EmailMessage], counts: [Int64: (all: Int, unread: Int)]) {
        var found: [EmailMessage] = []
        var known: Set<Int64> = []
        // Conversations have few messages in a list, so a slightly higher limit mostly suffices.
        var asked = limit * 3
        while true {
            let messages = try messages(query, limit: asked)
            (found, known) = ([], [])
            for message in messages where found.count < limit && known.insert(message.thread).inserted {
                found.append(message)
            }
            if found.count == limit || messages.count < asked { break }
            asked = min(asked * 4, 100_000_000)
        }
        return try read { db in
            var counts: [Int64: (all: Int, unread: Int)] = [:]
            let row = try Statement(
                db,
                """
                SELECT COUNT(*), SUM(m.flags & 1 = 0) FROM message m JOIN mailbox b ON b.n = m.mailbox
                WHERE m.thread = ?1 AND b.role IS NOT 'deleted'
                """)
            for thread in known {
                row.bind(1, thread)
                while try row.step() { counts[thread] = (Int(row.integer(0)), Int(row.integer(1))) }
            }
            return (found, counts)
        }
    }

    /// The result of ``messageCount(_:)``, cached until the store changes.
    /// - Throws: ``HelixError``.
    public func knownMessageCount(_ query: MailQuery) throws -> Int {
        let mark: Database.ChangeMark
        do { mark = try database.changeMark() } catch { throw HelixError.store(error, path: path) }
        if let counted, counted.mark == mark, let known = counted.counts[query] { return known }
        let count = try messageCount(query)
        if counted?.mark != mark || counted?.counts.count ?? 0 > 100 { counted = (mark, [:]) }
        counted?.counts[query] = count
        return count
    }

    /// The number of messages that match a query.
    /// - Throws: ``HelixError``.
    public func messageCount(_ query: MailQuery) throws -> Int {
        try read { db in
            let asked = try MailQuerySQL(query, db)
            let isBare = asked.condition == "1"
            let sql =
                switch (asked.match != nil, isBare) {
                case (true, true): "SELECT COUNT(*) FROM message_text WHERE message_text MATCH ?"
                case (true, false):
                    """
                    SELECT COUNT(*) FROM message_text x CROSS JOIN message m ON m.n = x.rowid
                    WHERE message_text MATCH ? AND \(asked.condition)
                    """
                case (false, _):
                    "SELECT COUNT(*) FROM message m\(asked.isUnread ? " INDEXED BY message_unread" : "")"
                        + " WHERE \(asked.condition)"
                }
            let row = try Statement(db, sql)
            row.bind((asked.match.map { [.string($0)] } ?? []) + asked.arguments)
            var count = 0
            while try row.step() { count = Int(row.integer(0)) }
            return count
        }
    }
}
