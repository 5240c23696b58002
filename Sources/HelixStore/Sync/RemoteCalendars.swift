import Foundation
import HelixModel
import HelixSQLite

/// A calendar of a server or a folder, and what it is here: a calendar, a board, or both.
public struct RemoteCalendar: Hashable, Sendable {
    /// The number of its row.
    public var number: Int64
    /// Its address on the other side.
    public var href: String
    /// The calendar here; nil of a list for tasks alone.
    public var calendar: EntityID?
    /// The board here; nil until there is a task in it.
    public var board: EntityID?
    /// What the other side said of its state.
    public var marker: String?
    /// What the other side wants to hear to tell what changed since (RFC 6578).
    public var token: String?
    /// Whether nothing can be written there.
    public var isReadOnly: Bool
    /// The last change set that was looked at for changed tasks.
    public var seen: Int64
    /// Whether the server sends invitations and answers by itself (RFC 6638); nil as long as it was not asked.
    public var schedules: Bool?
    /// Name and colour on both sides when they last agreed; nil as long as nobody looked.
    public var look: Look?

    /// The name and the colour of a calendar on both sides. A name that is taken here differs from the other side's.
    public struct Look: Hashable, Sendable, Codable {
        /// The name on the other side.
        public var name: String
        /// The name here.
        public var localName: String
        /// The colour on the other side, if it has one.
        public var color: CalendarColor?
        /// The colour here.
        public var localColor: CalendarColor

        /// A look with a name and a color on each side.
        public init(name: String, localName: String, color: CalendarColor?, localColor: CalendarColor) {
            (self.name, self.localName, self.color, self.localColor) = (name, localName, color, localColor)
        }
    }

    /// What the address of one begins with that was made here, and that the other side has not heard of.
    public static let waiting = "new:"
}

/// What an object of a calendar is here.
public struct SyncedItem: Hashable, Sendable {
    /// `event` or `task`.
    public var kind: EntityKind
    /// Its identity.
    public var id: EntityID

    /// Such an item.
    public init(_ kind: EntityKind, _ id: EntityID) {
        self.kind = kind
        self.id = id
    }
}

/// An object that is on both sides, as it was when they last agreed.
public struct AgreedObject: Hashable, Sendable {
    /// Its address on the other side.
    public var href: String
    /// What tells this state of it from others.
    public var etag: String
    /// What it is here; nil of kinds that helix does not keep.
    public var item: SyncedItem?
    /// Its components.
    public var text: String?
    /// Whether it was written from here, and the other side has not listed it since.
    public var isSent = false

    /// Such an object.
    public init(href: String, etag: String, item: SyncedItem?, text: String?) {
        self.href = href
        self.etag = etag
        self.item = item
        self.text = text
    }
}

/// An event or a task as it is here.
public struct LocalObject: Hashable, Sendable {
    /// What it is.
    public var item: SyncedItem
    /// The UID of RFC 5545.
    public var uid: String
    /// Its components.
    public var text: String
    /// VTIMEZONEs that the system's zones cannot stand in for.
    public var zones: String?
}

/// What is different in a calendar here since both sides agreed.
public struct LocalObjectChanges: Sendable {
    /// What the other side is not known to have.
    public var new: [LocalObject] = []
    /// What is different.
    public var changed: [(former: AgreedObject, object: LocalObject)] = []
    /// What is here no more.
    public var gone: [AgreedObject] = []

    /// Nothing is.
    public init() {}

    /// Whether nothing is different.
    public var isEmpty: Bool { new.isEmpty && changed.isEmpty && gone.isEmpty }
}

extension Store {
    /// The calendars of an account.
    /// - Throws: ``HelixError``.
    public func remoteCalendars(_ account: MailAccount) throws -> [RemoteCalendar] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT n, href, calendar, board, marker, token, is_read_only, seen, schedules, look
                    FROM remote_calendar WHERE account = ? ORDER BY n
                    """, arguments: [account.number]
            ).map {
                RemoteCalendar(
                    number: $0[0], href: $0[1], calendar: ($0[2] as String?).map(EntityID.init(stored:)),
                    board: ($0[3] as String?).map(EntityID.init(stored:)), marker: $0[4], token: $0[5],
                    isReadOnly: $0[6], seen: $0[7], schedules: $0[8],
                    look: ($0[9] as String?).flatMap {
                        try? JSONDecoder().decode(RemoteCalendar.Look.self, from: Data($0.utf8))
                    })
            }
        }
    }

    /// The account whose server tells the people of an event, instead of helix by mail; nil where none does.
    ///
    /// - Parameter event: one that the server has, for answers to somebody else's invitation.
    /// - Throws: ``HelixError``.
    public func schedulingAccount(of event: EntityID, mustBeThere: Bool) throws -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT a.name FROM event e JOIN remote_calendar c ON c.calendar = e.calendar
                    JOIN account a ON a.n = c.account
                    WHERE e.id = ?1 AND c.schedules AND NOT c.is_read_only
                        AND (?2 = 0 OR EXISTS (SELECT 1 FROM remote_object o WHERE o.calendar = c.n AND o.event = ?1))
                    """, arguments: [event.text, mustBeThere ? 1 : 0])
        }
    }

    /// The calendars here of which nothing is ever written to the other side.
    /// - Throws: ``HelixError``.
    public func readOnlyCalendars() throws -> Set<EntityID> {
        try read { db in
            Set(
                try String.fetchAll(
                    db, sql: "SELECT calendar FROM remote_calendar WHERE is_read_only AND calendar IS NOT NULL"
                ).map { EntityID(stored: $0) })
        }
    }

    /// The account whose calendar here takes tasks, and has no board yet; nil if there is none.
    /// - Throws: ``HelixError``.
    public func accountTakingTasks(into calendar: EntityID) throws -> String? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT a.name FROM remote_calendar r JOIN account a ON a.n = r.account
                    WHERE r.calendar = ? AND r.board IS NULL AND NOT r.is_read_only
                    """, arguments: [calendar.text])
        }
    }

    /// The objects of a calendar that are on both sides, by their addresses.
    /// - Throws: ``HelixError``.
    public func agreedObjects(_ calendar: RemoteCalendar) throws -> [String: AgreedObject] {
        try read { db in
            var found: [String: AgreedObject] = [:]
            let row = try Statement(
                db, "SELECT href, etag, event, task, text, is_sent FROM remote_object WHERE calendar = ?1")
            row.bind(1, calendar.number)
            while try row.step() {
                let item = row.id(2).map { SyncedItem(.event, $0) } ?? row.id(3).map { SyncedItem(.task, $0) }
                let href = row.text(0) ?? ""
                var object = AgreedObject(href: href, etag: row.text(1) ?? "", item: item, text: row.text(4))
                object.isSent = row.integer(5) != 0
                found[href] = object
            }
            return found
        }
    }

    /// The calendar or board that one of an account's was, before it or the account was taken away and came again; nil if
    /// there is none, or it is another one's by now.
    /// - Throws: ``HelixError``.
    public func former(_ kind: EntityKind, _ href: String, of account: MailAccount) throws -> EntityID? {
        let column = kind == .board ? "board" : "calendar"
        return try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT s.value FROM setting s JOIN \(column) c ON c.id = s.value
                    WHERE s.name = ? AND NOT EXISTS (SELECT 1 FROM remote_calendar r WHERE r.\(column) = c.id)
                    """, arguments: ["former-\(column) \(account.path) \(href)"]
            ).flatMap { EntityID($0) }
        }
    }

    /// How many objects of an account are on both sides.
    /// - Throws: ``HelixError``.
    public func agreedCount(_ account: MailAccount) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM remote_object e JOIN remote_calendar c ON c.n = e.calendar WHERE c.account = ?
                    """, arguments: [account.number]) ?? 0
        }
    }

    /// What is different in a calendar here since both sides agreed.
    ///
    /// - Parameter zone: the zone of tasks' floating times.
    /// - Throws: ``HelixError``.
    public func localChanges(_ calendar: RemoteCalendar, zone: Zone) throws -> LocalObjectChanges {
        try read { db in
            var changes = LocalObjectChanges()
            if calendar.calendar != nil { try addChangedEvents(db, calendar, &changes) }
            if calendar.board != nil { try addChangedTasks(db, calendar, zone, &changes) }
            // What must not be written is not taken away either.
            changes.gone.removeAll { $0.text == nil }
            // What waits for somebody to choose is not sent.
            let held = Set(
                try String.fetchAll(
                    db, sql: "SELECT href FROM sync_conflict WHERE calendar = ?", arguments: [calendar.number]))
            if !held.isEmpty {
                changes.changed.removeAll { held.contains($0.former.href) }
            }
            return changes
        }
    }

    private func addChangedEvents(_ db: Database, _ calendar: RemoteCalendar, _ changes: inout LocalObjectChanges)
        throws
    {
        let row = try Statement(
            db,
            """
            SELECT r.href, r.etag, r.event, r.text, e.id, e.uid, CASE WHEN e.text <> r.text THEN e.text END, e.zones
            FROM remote_object r LEFT JOIN event e ON e.id = r.event AND e.calendar = ?2
            WHERE r.calendar = ?1 AND r.event IS NOT NULL
            """)
        row.bind(1, calendar.number)
        row.bind(2, calendar.calendar?.text)
        while try row.step() {
            let isGone = row.isNull(4)
            if !isGone, row.isNull(6) { continue }
            let former = AgreedObject(
                href: row.text(0) ?? "", etag: row.text(1) ?? "", item: row.id(2).map { SyncedItem(.event, $0) },
                text: row.text(3))
            guard !isGone, let id = row.id(4) else {
                changes.gone.append(former)
                continue
            }
            let event = LocalObject(
                item: SyncedItem(.event, id), uid: row.text(5) ?? "", text: row.text(6) ?? "", zones: row.text(7))
            changes.changed.append((former, event))
        }
        let new = try Statement(
            db,
            """
            SELECT id, uid, text, zones FROM event e WHERE calendar = ?2
                AND NOT EXISTS (SELECT 1 FROM remote_object r WHERE r.event = e.id AND r.calendar = ?1)
            """)
        new.bind(1, calendar.number)
        new.bind(2, calendar.calendar?.text)
        while try new.step() {
            guard let id = new.id(0) else { continue }
            changes.new.append(
                LocalObject(
                    item: SyncedItem(.event, id), uid: new.text(1) ?? "", text: new.text(2) ?? "", zones: new.text(3)))
        }
    }

    /// Writes down what both sides agree on.
    /// - Throws: what `body` throws; ``HelixError``.
    public func writeRemoteCalendars(_ body: (RemoteCalendarWriter) throws -> Void) throws {
        try writeDerived { db in try body(RemoteCalendarWriter(db: db)) }
    }
}
