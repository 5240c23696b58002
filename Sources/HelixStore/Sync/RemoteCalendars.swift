import FoundationEssentials
import HelixModel
import HelixSQLite

/// A calendar or address book on a server or in a folder, with its local counterpart: a calendar, a board, or both, or an address
/// book.
public struct RemoteCalendar: Hashable, Sendable {
    /// The number of its row in the store.
    public var number: Int64
    /// Its remote address.
    public var href: String
    /// The local calendar; nil for a list that has only tasks.
    public var calendar: EntityID?
    /// The local board; nil until it contains a task.
    public var board: EntityID?
    /// The local address book; nil for a calendar.
    public var book: EntityID?
    /// The remote's marker of its state.
    public var marker: String?
    /// The sync token that asks the remote for the changes since (RFC 6578).
    public var token: String?
    /// True if the remote calendar is read-only.
    public var isReadOnly: Bool
    /// The last change set that was checked for changed tasks.
    public var seen: Int64
    /// True if the server sends invitations and replies itself (RFC 6638); nil until the server was asked.
    public var schedules: Bool?
    /// Name and color on both sides as of the last sync; nil if not known yet.
    public var appearance: Appearance?

    /// The name and the color of a calendar on both sides. The names differ if the remote's is already in use locally.
    public struct Appearance: Hashable, Sendable, Codable {
        /// The remote name.
        public var name: String
        /// The local name.
        public var localName: String
        /// The remote color, if it has one.
        public var color: CalendarColor?
        /// The local color.
        public var localColor: CalendarColor

        /// Creates an appearance with a name and a color on each side.
        public init(name: String, localName: String, color: CalendarColor?, localColor: CalendarColor) {
            (self.name, self.localName, self.color, self.localColor) = (name, localName, color, localColor)
        }
    }

    /// The prefix of the address of a local calendar that is not yet created on the remote.
    public static let waiting = "new:"
}

/// The local item of a calendar object.
public struct SyncedItem: Hashable, Sendable {
    /// `event`, `task` or `contact`.
    public var kind: EntityKind
    /// The ID of the item.
    public var id: EntityID

    /// Creates an item.
    public init(_ kind: EntityKind, _ id: EntityID) {
        self.kind = kind
        self.id = id
    }
}

/// An object that exists on both sides, as of the last sync.
public struct SyncedObject: Hashable, Sendable {
    /// Its remote address.
    public var href: String
    /// The entity tag of this state.
    public var etag: String
    /// The local item; nil for kinds that helix does not store.
    public var item: SyncedItem?
    /// Its components.
    public var text: String?
    /// True if it was written to the remote and the remote has not listed it since.
    public var isSent = false

    /// Creates an object.
    public init(href: String, etag: String, item: SyncedItem?, text: String?) {
        self.href = href
        self.etag = etag
        self.item = item
        self.text = text
    }
}

/// The local state of an event, a task or a contact.
public struct LocalObject: Hashable, Sendable {
    /// The item.
    public var item: SyncedItem
    /// The UID of RFC 5545 or RFC 6350.
    public var uid: String
    /// Its components.
    public var text: String
    /// The VTIMEZONEs that no zone of the system replaces.
    public var zones: String?
}

/// The local changes to a calendar since the last sync.
public struct LocalObjectChanges: Sendable {
    /// Objects that the remote is not known to have.
    public var new: [LocalObject] = []
    /// Objects that were changed locally.
    public var changed: [(former: SyncedObject, object: LocalObject)] = []
    /// Objects that were deleted locally.
    public var gone: [SyncedObject] = []

    /// Creates an empty list of changes.
    public init() {}

    /// True if there are no changes.
    public var isEmpty: Bool { new.isEmpty && changed.isEmpty && gone.isEmpty }
}

extension Store {
    /// The calendars of an account.
    /// - Throws: ``HelixError``.
    public func remoteCalendars(_ account: Account) throws -> [RemoteCalendar] {
        try read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT n, href, calendar, board, marker, token, is_read_only, seen, schedules, appearance, book
                    FROM remote_calendar WHERE account = ? ORDER BY n
                    """, arguments: [account.number]
            ).map {
                RemoteCalendar(
                    number: $0[0], href: $0[1], calendar: ($0[2] as String?).map(EntityID.init(stored:)),
                    board: ($0[3] as String?).map(EntityID.init(stored:)),
                    book: ($0[10] as String?).map(EntityID.init(stored:)), marker: $0[4], token: $0[5],
                    isReadOnly: $0[6], seen: $0[7], schedules: $0[8],
                    appearance: ($0[9] as String?).flatMap {
                        try? JSONDecoder().decode(RemoteCalendar.Appearance.self, from: Data($0.utf8))
                    })
            }
        }
    }

    /// The account whose server notifies the attendees of an event, so that helix sends no mail; nil if there is none.
    ///
    /// - Parameter mustBeThere: True if the server must have the event, as for replies to an invitation.
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

    /// The local calendars whose remote is read-only.
    /// - Throws: ``HelixError``.
    public func readOnlyCalendars() throws -> Set<EntityID> {
        try read { db in
            Set(
                try String.fetchAll(
                    db, sql: "SELECT calendar FROM remote_calendar WHERE is_read_only AND calendar IS NOT NULL"
                ).map { EntityID(stored: $0) })
        }
    }

    /// The account that accepts tasks in a local calendar which has no board yet; nil if there is none.
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

    /// The objects of a calendar that both sides have, by address.
    /// - Throws: ``HelixError``.
    public func syncedObjects(_ calendar: RemoteCalendar) throws -> [String: SyncedObject] {
        try read { db in
            var found: [String: SyncedObject] = [:]
            let row = try Statement(
                db, "SELECT href, etag, event, task, text, is_sent, contact FROM remote_object WHERE calendar = ?1")
            row.bind(1, calendar.number)
            while try row.step() {
                let item =
                    row.id(2).map { SyncedItem(.event, $0) } ?? row.id(3).map { SyncedItem(.task, $0) }
                    ?? row.id(6).map { SyncedItem(.contact, $0) }
                let href = row.text(0) ?? ""
                var object = SyncedObject(href: href, etag: row.text(1) ?? "", item: item, text: row.text(4))
                object.isSent = row.integer(5) != 0
                found[href] = object
            }
            return found
        }
    }

    /// The local calendar or board that an address had before its calendar or account was removed and added again; nil if it
    /// no longer exists or another remote calendar uses it.
    /// - Throws: ``HelixError``.
    public func former(_ kind: EntityKind, _ href: String, of account: Account) throws -> EntityID? {
        let column = kind == .board ? "board" : kind == .addressBook ? "book" : "calendar"
        let table = EntityDescriptor.of(kind).table.name
        return try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT s.value FROM setting s JOIN \(table) c ON c.id = s.value
                    WHERE s.name = ? AND NOT EXISTS (SELECT 1 FROM remote_calendar r WHERE r.\(column) = c.id)
                    """, arguments: ["former-\(column) \(account.path) \(href)"]
            ).flatMap { EntityID($0) }
        }
    }

    /// The number of objects of an account that both sides have.
    /// - Throws: ``HelixError``.
    public func syncedCount(_ account: Account) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM remote_object e JOIN remote_calendar c ON c.n = e.calendar WHERE c.account = ?
                    """, arguments: [account.number]) ?? 0
        }
    }

    /// The local changes to a calendar since the last sync.
    ///
    /// - Parameter zone: the zone of tasks' floating times.
    /// - Throws: ``HelixError``.
    public func localChanges(_ calendar: RemoteCalendar, zone: Zone) throws -> LocalObjectChanges {
        try read { db in
            var changes = LocalObjectChanges()
            if let own = calendar.calendar { try addChanged(.event, in: "calendar", own, db, calendar, &changes) }
            if calendar.board != nil { try addChangedTasks(db, calendar, zone, &changes) }
            if let own = calendar.book { try addChanged(.contact, in: "book", own, db, calendar, &changes) }
            // Objects that must not be written are not deleted on the remote either.
            changes.gone.removeAll { $0.text == nil }
            // Objects with an unresolved conflict are not sent.
            let held = Set(
                try String.fetchAll(
                    db, sql: "SELECT href FROM sync_conflict WHERE calendar = ?", arguments: [calendar.number]))
            if !held.isEmpty {
                changes.changed.removeAll { held.contains($0.former.href) }
            }
            return changes
        }
    }

    /// Adds the local changes of events or contacts, whose rows have their text.
    /// - Parameters:
    ///   - column: the column with the ID of what they belong to.
    ///   - owner: the ID.
    private func addChanged(
        _ kind: EntityKind, in column: String, _ owner: EntityID, _ db: Database, _ calendar: RemoteCalendar,
        _ changes: inout LocalObjectChanges
    ) throws {
        let table = EntityDescriptor.of(kind).table.name
        let zones = kind == .event ? "e.zones" : "NULL"
        let row = try Statement(
            db,
            """
            SELECT r.href, r.etag, r.\(table), r.text, e.id, e.uid, CASE WHEN e.text <> r.text THEN e.text END, \(zones)
            FROM remote_object r LEFT JOIN \(table) e ON e.id = r.\(table) AND e.\(column) = ?2
            WHERE r.calendar = ?1 AND r.\(table) IS NOT NULL
            """)
        row.bind(1, calendar.number)
        row.bind(2, owner.text)
        while try row.step() {
            let isGone = row.isNull(4)
            if !isGone, row.isNull(6) { continue }
            let former = SyncedObject(
                href: row.text(0) ?? "", etag: row.text(1) ?? "", item: row.id(2).map { SyncedItem(kind, $0) },
                text: row.text(3))
            guard !isGone, let id = row.id(4) else {
                changes.gone.append(former)
                continue
            }
            let object = LocalObject(
                item: SyncedItem(kind, id), uid: row.text(5) ?? "", text: row.text(6) ?? "", zones: row.text(7))
            changes.changed.append((former, object))
        }
        let new = try Statement(
            db,
            """
            SELECT id, uid, text, \(zones) FROM \(table) e WHERE \(column) = ?2
                AND NOT EXISTS (SELECT 1 FROM remote_object r WHERE r.\(table) = e.id AND r.calendar = ?1)
            """)
        new.bind(1, calendar.number)
        new.bind(2, owner.text)
        while try new.step() {
            guard let id = new.id(0) else { continue }
            changes.new.append(
                LocalObject(
                    item: SyncedItem(kind, id), uid: new.text(1) ?? "", text: new.text(2) ?? "", zones: new.text(3)))
        }
    }

    /// Writes the state of the last sync.
    /// - Throws: what `body` throws; ``HelixError``.
    public func writeRemoteCalendars(_ body: (RemoteCalendarWriter) throws -> Void) throws {
        try writeDerived { db in try body(RemoteCalendarWriter(db: db)) }
    }
}
