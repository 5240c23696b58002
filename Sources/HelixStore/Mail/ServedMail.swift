import HelixMail
import HelixModel
import HelixSQLite

/// A message as a gateway serves it to the devices of its user.
public struct ServedMessage: Sendable {
    /// The id; see ``ServedMessageID``.
    public var id: String
    /// The message.
    public var message: EntityID
    /// The number of its mailbox.
    public var mailbox: Int64
    /// The flags.
    public var flags: MessageFlags
    /// The labels.
    public var labels: [String]
    /// The date.
    public var date: Instant
    /// The size of its file in bytes.
    public var size: Int
    /// The Message-ID, without brackets.
    public var messageID: String?
    /// Whether only its headers are stored.
    public var isPartial: Bool
}

/// The changes of an account's messages between two states.
public struct ServedChanges: Sendable {
    /// The ids of new messages.
    public var created: [String] = []
    /// The ids of messages with other flags, labels or mailbox.
    public var updated: [String] = []
    /// The ids of removed messages.
    public var destroyed: [String] = []
    /// The state after these changes.
    public var state = ""
    /// Whether there are further changes.
    public var hasMore = false
}

/// The id of a served message: that of the message, and the number of its row, because the content of an id never changes
/// (RFC 8621 §4) and a replaced draft keeps the former.
struct ServedMessageID {
    var id: String
    var row: Int64

    init?(_ text: String) {
        let parts = text.split(separator: ".")
        guard parts.count == 2, let row = Int64(parts[1]) else { return nil }
        (id, self.row) = (String(parts[0]), row)
    }
}

/// The states of an account's messages, for devices that ask for the changes since their last sync.
extension Store {
    /// The number of changes to remember; a device that is further behind compares everything.
    private static let mostRounds = 5_000
    private static let mostGone = 20_000

    /// Compares an account's messages with their last served state, and returns the new state.
    /// - Throws: ``HelixError``.
    public func servedState(of account: Account) throws -> String {
        let known = try read { try Store.lastRound($0, account.number) }
        let hasChanged = try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (\(Store.newServed)) OR EXISTS (\(Store.goneServed))",
                arguments: [account.number]) == true
        }
        if let known, !hasChanged { return "\(known.last).\(known.tag)" }
        return try writeDerived { db in
            var number = try Store.lastRound(db, account.number)?.last ?? 0
            let write = try Statement(
                db,
                """
                INSERT INTO served_message (id, n, account, mailbox, flags, labels, created, changed)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)
                ON CONFLICT (id, n) DO UPDATE SET account = excluded.account, mailbox = excluded.mailbox,
                    flags = excluded.flags, labels = excluded.labels, changed = excluded.changed,
                    created = CASE is_gone WHEN 1 THEN excluded.created ELSE created END, is_gone = 0
                """)
            typealias Row = (id: String, n: Int64, mailbox: Int64, flags: Int64, labels: String?)
            var rows: [Row] = []
            let new = try Statement(db, Store.newServed)
            new.bind(1, account.number)
            while try new.step() {
                rows.append((new.text(0) ?? "", new.integer(1), new.integer(2), new.integer(3), new.text(4)))
            }
            for row in rows {
                number += 1
                write.bind(1, row.id)
                write.bind(2, row.n)
                write.bind(3, account.number)
                write.bind(4, row.mailbox)
                write.bind(5, row.flags)
                write.bind(6, row.labels)
                write.bind(7, number)
                try write.run()
            }
            var gone: [(id: String, n: Int64)] = []
            let old = try Statement(db, Store.goneServed)
            old.bind(1, account.number)
            while try old.step() { gone.append((old.text(0) ?? "", old.integer(1))) }
            for row in gone {
                number += 1
                try db.execute(
                    sql: "UPDATE served_message SET is_gone = 1, changed = ? WHERE id = ? AND n = ?",
                    arguments: [number, row.id, row.n])
            }
            let tag = String(UInt32.random(in: 1...UInt32.max), radix: 36)
            number = max(number, 1)
            try db.execute(
                sql: "INSERT OR REPLACE INTO served_round (account, last, tag) VALUES (?, ?, ?)",
                arguments: [account.number, number, tag])
            try Store.forgetServed(db, account.number)
            return "\(number).\(tag)"
        }
    }

    /// The messages whose served state is outdated.
    private static let newServed = """
        SELECT m.id, m.n, m.mailbox, m.flags, m.labels FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
            LEFT JOIN served_message s ON s.id = m.id AND s.n = m.n
        WHERE m.account = ?1 AND b.role IS NOT 'deleted' AND (s.id IS NULL OR s.is_gone OR s.mailbox <> m.mailbox
            OR s.flags <> m.flags OR s.labels IS NOT m.labels)
        """
    /// The served messages that were removed since.
    private static let goneServed = """
        SELECT s.id, s.n FROM served_message s WHERE s.account = ?1 AND NOT s.is_gone AND NOT EXISTS (
            SELECT 1 FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
            WHERE m.n = s.n AND m.id = s.id AND m.account = s.account AND b.role IS NOT 'deleted')
        """

    private static func lastRound(_ db: Database, _ account: Int64) throws -> (last: Int64, tag: String)? {
        let row = try Statement(
            db, "SELECT last, tag FROM served_round WHERE account = ?1 ORDER BY last DESC LIMIT 1")
        row.bind(1, account)
        var found: (Int64, String)?
        while try row.step() { found = (row.integer(0), row.text(1) ?? "") }
        return found
    }

    /// Forgets old rounds and removed messages: a device with an older state compares everything.
    private static func forgetServed(_ db: Database, _ account: Int64) throws {
        var floor =
            try Int64.fetchOne(
                db, sql: "SELECT last FROM served_round WHERE account = ? ORDER BY last DESC LIMIT 1 OFFSET ?",
                arguments: [account, mostRounds]) ?? 0
        let gone = try Int64.fetchOne(
            db,
            sql: """
                SELECT changed FROM served_message WHERE account = ? AND is_gone ORDER BY changed DESC LIMIT 1 OFFSET ?
                """, arguments: [account, mostGone])
        floor = max(floor, gone ?? 0)
        if floor == 0 { return }
        try db.execute(
            sql: "DELETE FROM served_round WHERE account = ? AND last <= ?", arguments: [account, floor])
        try db.execute(
            sql: "DELETE FROM served_message WHERE account = ? AND is_gone AND changed <= ?",
            arguments: [account, floor])
    }

    /// The changes since a state; nil if that state is unknown, and everything must be compared.
    /// - Parameter most: the maximum number of changes.
    /// - Throws: ``HelixError``.
    public func servedChanges(of account: Account, since text: String, most: Int) throws -> ServedChanges? {
        let state = try servedState(of: account)
        let parts = text.split(separator: ".")
        guard parts.count == 2, let since = Int64(parts[0]) else { return nil }
        return try read { db in
            // A page may end within a round.
            func tag(of number: Int64) throws -> String? {
                try String.fetchOne(
                    db, sql: "SELECT tag FROM served_round WHERE account = ? AND last >= ? ORDER BY last LIMIT 1",
                    arguments: [account.number, number])
            }
            guard try tag(of: since) == String(parts[1]) else { return nil }
            var changes = ServedChanges()
            let row = try Statement(
                db,
                """
                SELECT id, n, created, changed, is_gone FROM served_message WHERE account = ?1 AND changed > ?2
                ORDER BY changed LIMIT ?3
                """)
            row.bind(1, account.number)
            row.bind(2, since)
            row.bind(3, Int64(most + 1))
            var (last, count) = (since, 0)
            while try row.step() {
                count += 1
                if count > most { continue }
                let id = "\(row.text(0) ?? "").\(row.integer(1))"
                last = row.integer(3)
                switch (row.integer(4) != 0, row.integer(2) > since) {
                case (true, let isNew): if !isNew { changes.destroyed.append(id) }
                case (false, true): changes.created.append(id)
                case (false, false): changes.updated.append(id)
                }
            }
            changes.hasMore = count > most
            changes.state = changes.hasMore ? "\(last).\(try tag(of: last) ?? "")" : state
            return changes
        }
    }

    /// Messages of an account by their served ids; unknown ones are left out.
    /// - Throws: ``HelixError``.
    public func servedMessages(_ ids: [String], of account: Account) throws -> [ServedMessage] {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT m.id, m.n, m.mailbox, m.flags, m.labels, m.date, m.size, m.message_id, m.traits
                FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
                WHERE m.n = ?1 AND m.id = ?2 AND m.account = ?3 AND b.role IS NOT 'deleted'
                """)
            row.bind(3, account.number)
            var found: [ServedMessage] = []
            for text in ids {
                guard let id = ServedMessageID(text) else { continue }
                row.bind(1, id.row)
                row.bind(2, id.id)
                while try row.step() {
                    found.append(
                        ServedMessage(
                            id: text, message: EntityID(stored: id.id), mailbox: row.integer(2),
                            flags: MessageFlags(rawValue: Int(row.integer(3))),
                            labels: (row.text(4) ?? "").split(separator: " ").map(String.init),
                            date: Instant(row.integer(5)), size: Int(row.integer(6)), messageID: row.text(7),
                            isPartial: row.integer(8) & Int64(MessageSummary.Traits.isPartial.rawValue) != 0))
                }
            }
            return found
        }
    }

    /// The served ids of an account's messages, the newest first.
    ///
    /// - Parameters:
    ///   - mailbox: only those of this mailbox.
    ///   - messageID: only those with this Message-ID.
    ///   - position: the number of messages to skip.
    /// - Throws: ``HelixError``.
    public func servedIDs(
        of account: Account, mailbox: Int64?, messageID: String?, position: Int, most: Int
    ) throws -> (ids: [String], total: Int) {
        try read { db in
            let condition = """
                FROM message m CROSS JOIN mailbox b ON b.n = m.mailbox
                WHERE m.account = ?1 AND b.role IS NOT 'deleted' AND (?2 IS NULL OR m.mailbox = ?2)
                    \(messageID == nil ? "AND ?3 IS NULL" : "AND m.thread = ?6 AND m.message_id = ?3")
                """
            let thread = try messageID.flatMap {
                try Int64.fetchOne(
                    db, sql: "SELECT thread FROM thread_reference WHERE key = ?",
                    arguments: [MailArrival.key($0, in: account.number)])
            }
            if messageID != nil, thread == nil { return ([], 0) }
            func statement(_ sql: String) throws -> Statement {
                let row = try Statement(db, sql)
                row.bind([account.number.databaseValue, mailbox.databaseValue, messageID.databaseValue])
                if let thread { row.bind(6, thread) }
                return row
            }
            var total = 0
            let count = try statement("SELECT COUNT(*) \(condition)")
            while try count.step() { total = Int(count.integer(0)) }
            var ids: [String] = []
            let row = try statement("SELECT m.id, m.n \(condition) ORDER BY m.n DESC LIMIT ?4 OFFSET ?5")
            row.bind(4, Int64(most))
            row.bind(5, Int64(position))
            while try row.step() { ids.append("\(row.text(0) ?? "").\(row.integer(1))") }
            return (ids, total)
        }
    }
}
