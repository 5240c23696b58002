import HelixModel
import HelixSQLite

extension Store {
    /// The names of the settings with what the watch has looked at.
    private enum WatchMark {
        static let since = "watch.since"
        static let seen = "watch.seen"
        static let chat = "watch.chat"
        static let changes = "watch.changes"
    }

    /// The most failed runs of a hook.
    private static let hookTries = 3
    /// The seconds that notices are kept.
    private static let noticeAge = 60 * 86_400

    /// Begins to watch, at the first call: what is here already is not announced.
    /// - Returns: the time up to which was looked.
    /// - Throws: ``HelixError``.
    public func beginWatch() throws -> Instant {
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO setting (name, value) VALUES ('\(WatchMark.since)', ?1), ('\(WatchMark.seen)', ?1),
                        ('\(WatchMark.chat)', (SELECT ifnull(MAX(n), 0) FROM chat_message)),
                        ('\(WatchMark.changes)', (SELECT ifnull(MAX(n), 0) FROM change_set))
                    """, arguments: ["\(now.seconds)"])
            return Instant(try Store.watchMark(db, WatchMark.seen))
        }
    }

    private static func watchMark(_ db: Database, _ name: String) throws -> Int64 {
        try Int64.fetchOne(db, sql: "SELECT CAST(value AS INTEGER) FROM setting WHERE name = ?", arguments: [name]) ?? 0
    }

    /// The mail, chat messages and finished tasks since the watch looked last, up to a number of each kind.
    /// - Throws: ``HelixError``.
    public func arrivals(limit: Int) throws -> Arrivals {
        try read { db in
            let chat = try Store.watchMark(db, WatchMark.chat)
            let changes = try Store.watchMark(db, WatchMark.changes)
            let seen = try Store.watchMark(db, WatchMark.seen)
            var found = Arrivals(
                changes: try Int64.fetchOne(db, sql: "SELECT ifnull(MAX(n), 0) FROM change_set") ?? 0, chat: chat)
            try Store.addMail(to: &found, after: seen, limit: limit, db)
            try Store.addChat(to: &found, after: chat, limit: limit, db)
            try Store.addDoneTasks(to: &found, after: changes, db)
            found.isAhead = found.chat > chat || found.changes > changes
            return found
        }
    }

    private static func addMail(to found: inout Arrivals, after seen: Int64, limit: Int, _ db: Database) throws {
        // Old messages of a new account are no news.
        let mail = try Statement(
            db,
            """
            SELECT i.message, m.date >= \(seen - 86_400) FROM mail_intake i LEFT JOIN message m ON m.id = i.message
            ORDER BY m.n LIMIT \(limit)
            """)
        while try mail.step() {
            guard let id = mail.id(0) else { continue }
            found.looked.append(id)
            if mail.integer(1) != 0 { found.mail.append(id) }
        }
    }

    private static func addChat(to found: inout Arrivals, after chat: Int64, limit: Int, _ db: Database) throws {
        let messages = try Statement(
            db,
            """
            SELECT m.n, m.id, c.name, m.sender, m.content, m.sent_at, m.is_mention, c.id
            FROM chat_message m JOIN conversation c ON c.id = m.conversation
            WHERE m.n > \(chat) AND NOT m.is_mine AND NOT m.is_deleted AND m.role = 'user' AND m.content <> ''
                AND (m.is_mention OR c.kind = 'direct') AND NOT c.is_muted AND NOT c.is_archived
                AND (m.seq IS NULL OR m.seq > c.read_up_to)
            ORDER BY m.n LIMIT \(limit)
            """)
        while try messages.step() {
            guard let id = messages.id(1) else { continue }
            found.chat = max(found.chat, messages.integer(0))
            found.messages.append(
                Arrivals.ChatLine(
                    id: id, conversation: messages.text(2) ?? "", sender: messages.text(3) ?? "",
                    text: messages.text(4) ?? "", time: Instant(messages.integer(5)),
                    isMention: messages.integer(6) != 0))
        }
        if found.messages.count < limit {
            let last = try Int64.fetchOne(db, sql: "SELECT ifnull(MAX(n), 0) FROM chat_message") ?? 0
            found.chat = max(found.chat, last)
        }
    }

    private static func addDoneTasks(to found: inout Arrivals, after changes: Int64, _ db: Database) throws {
        let done = try Statement(
            db,
            """
            SELECT t.id, t.title, s.n, s.made_at FROM change_set s JOIN change c ON c.change_set = s.n
                JOIN task t ON t.id = c.entity
            WHERE s.n > \(changes) AND c.kind = 'task' AND json_extract(c.after, '$.state') = 'done'
                AND t.state = 'done' AND c.operation <> 'delete'
            ORDER BY s.n, c.ordinal
            """)
        while try done.step() {
            guard let id = done.id(0) else { continue }
            found.done.append(
                Arrivals.DoneTask(
                    id: id, title: done.text(1) ?? "", change: done.integer(2), time: Instant(done.integer(3))))
        }
    }

    /// The notices that are not stored yet, in their order.
    /// - Throws: ``HelixError``.
    public func unknown(_ notices: [Notice]) throws -> [Notice] {
        try read { db in
            let row = try Statement(db, "SELECT 1 FROM notice WHERE key = ?1")
            return try notices.filter { notice in
                row.bind(1, notice.key)
                defer { row.reset() }
                return try !row.step()
            }
        }
    }

    /// Stores notices, each once, and that everything up to now was looked at.
    ///
    /// - Parameters:
    ///   - hooked: the kinds that have a hook.
    ///   - arrivals: what they were made of.
    /// - Returns: the number of new ones.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func keep(_ notices: [Notice], hooked: Set<Notice.Kind>, lookedAt arrivals: Arrivals) throws -> Int {
        try writeDurably { db in
            var count = 0
            for notice in notices where notice.kind.isForPeople || hooked.contains(notice.kind) {
                try db.execute(
                    sql: """
                        INSERT OR IGNORE INTO notice (key, kind, entity, title, detail, at, until, told_at, hooked_at)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        notice.key, notice.kind.rawValue, notice.entity?.text, notice.title, notice.detail,
                        notice.time.seconds, notice.until?.seconds,
                        notice.kind.isForPeople ? nil : now.seconds, hooked.contains(notice.kind) ? nil : now.seconds,
                    ])
                count += db.changedRows
            }
            for id in arrivals.looked {
                try db.execute(sql: "DELETE FROM mail_intake WHERE message = ?", arguments: [id.text])
            }
            for (name, value) in [
                (WatchMark.seen, now.seconds), (WatchMark.chat, arrivals.chat), (WatchMark.changes, arrivals.changes),
            ] {
                try db.execute(
                    sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", arguments: [name, "\(value)"])
            }
            try db.execute(
                sql: "DELETE FROM notice WHERE at < ? AND told_at IS NOT NULL AND hooked_at IS NOT NULL",
                arguments: [now.seconds - Int64(Store.noticeAge)])
            return count
        }
    }

    /// The notices that people are to be told, in order.
    /// - Throws: ``HelixError``.
    public func untoldNotices(limit: Int) throws -> [Notice] {
        try notices("told_at IS NULL ORDER BY n LIMIT \(limit)")
    }

    /// The notices whose hooks are to run now, in order: none passes another one that failed and waits for its next run.
    /// - Throws: ``HelixError``.
    public func unhookedNotices(limit: Int) throws -> [Notice] {
        let found = try notices("hooked_at IS NULL ORDER BY n LIMIT \(limit)")
        let retries = try read { db in
            try Int64.fetchOne(
                db, sql: "SELECT retry_at FROM notice WHERE hooked_at IS NULL ORDER BY n LIMIT 1") ?? 0
        }
        return retries > now.seconds ? [] : found
    }

    /// Whether hooks are to run, now or later.
    /// - Throws: ``HelixError``.
    public func hasUnhookedNotices() throws -> Bool {
        try read { try Int64.fetchOne($0, sql: "SELECT 1 FROM notice WHERE hooked_at IS NULL LIMIT 1") != nil }
    }

    /// The latest notices, the newest first.
    /// - Throws: ``HelixError``.
    public func notices(limit: Int) throws -> [Notice] { try notices("1 ORDER BY n DESC LIMIT \(limit)") }

    private func notices(_ condition: String) throws -> [Notice] {
        try read { db in
            let row = try Statement(
                db,
                """
                SELECT n, key, kind, entity, title, detail, at, until, told_at, hooked_at, tries, problem
                FROM notice WHERE \(condition)
                """)
            var found: [Notice] = []
            while try row.step() {
                // A newer helix may know more kinds.
                guard let kind = Notice.Kind(rawValue: row.text(2) ?? "") else { continue }
                func instant(_ column: Int32) -> Instant? {
                    row.isNull(column) ? nil : Instant(row.integer(column))
                }
                var notice = Notice(
                    kind, key: "", entity: row.id(3), title: row.text(4) ?? "", detail: row.text(5) ?? "",
                    time: Instant(row.integer(6)), until: instant(7))
                (notice.number, notice.key) = (row.integer(0), row.text(1) ?? "")
                (notice.toldAt, notice.hookedAt) = (instant(8), instant(9))
                (notice.tries, notice.problem) = (Int(row.integer(10)), row.text(11))
                found.append(notice)
            }
            return found
        }
    }

    /// Records that people were told.
    /// - Throws: ``HelixError``.
    public func markTold(_ notices: [Notice]) throws {
        try writeDurably { db in
            for notice in notices {
                try db.execute(
                    sql: "UPDATE notice SET told_at = ? WHERE n = ?", arguments: [now.seconds, notice.number])
            }
        }
    }

    /// Records that the hooks of a notice ran, or why they failed; after the third time they are given up.
    /// - Returns: whether they are given up.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func markHooked(_ notice: Notice, problem: String?) throws -> Bool {
        try writeDurably { db in
            let tries = notice.tries + (problem == nil ? 0 : 1)
            let isOver = problem == nil || tries >= Store.hookTries
            try db.execute(
                sql: "UPDATE notice SET hooked_at = ?, tries = ?, retry_at = ?, problem = ? WHERE n = ?",
                arguments: [
                    isOver ? now.seconds : nil, tries, now.seconds + Int64(30 * tries), problem, notice.number,
                ])
            return isOver && problem != nil
        }
    }
}

/// Mail, chat messages and finished tasks since the watch looked last.
public struct Arrivals: Sendable {
    /// A chat message of somebody else.
    public struct ChatLine: Sendable {
        /// The message.
        public var id: EntityID
        /// The name of its conversation.
        public var conversation: String
        /// The name of its sender.
        public var sender: String
        /// The text.
        public var text: String
        /// When it was sent.
        public var time: Instant
        /// Whether it mentions the user.
        public var isMention: Bool
    }

    /// A task that was done.
    public struct DoneTask: Sendable {
        /// The task.
        public var id: EntityID
        /// Its title.
        public var title: String
        /// The number of the change.
        public var change: Int64
        /// When it was changed.
        public var time: Instant
    }

    /// The messages that arrived, and are new enough to be news.
    public var mail: [EntityID] = []
    /// All messages that were looked at.
    public var looked: [EntityID] = []
    /// Chat messages that mention the user, or are in a direct conversation.
    public var messages: [ChatLine] = []
    /// Tasks that were done.
    public var done: [DoneTask] = []
    /// Whether there are changes or chat messages that the watch has not passed, also such as are no news.
    public var isAhead = false
    /// The number of the last change.
    public var changes: Int64
    /// The number of the last chat message.
    public var chat: Int64
}
