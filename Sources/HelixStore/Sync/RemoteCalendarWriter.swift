import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixSQLite

/// Writes the state of the last sync of calendars.
public struct RemoteCalendarWriter {
    let db: Database

    /// Records the state of an object as synced.
    /// - Throws: ``HelixError``.
    public func save(_ object: SyncedObject, in calendar: RemoteCalendar) throws {
        let row = try Statement(
            db,
            """
            INSERT OR REPLACE INTO remote_object (calendar, href, etag, event, task, text, is_sent, contact)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """)
        row.bind(1, calendar.number)
        row.bind(2, object.href)
        row.bind(3, object.etag)
        row.bind(4, object.item.flatMap { $0.kind == .event ? $0.id.text : nil })
        row.bind(5, object.item.flatMap { $0.kind == .task ? $0.id.text : nil })
        row.bind(6, object.text)
        row.bind(7, object.isSent ? 1 : 0)
        row.bind(8, object.item.flatMap { $0.kind == .contact ? $0.id.text : nil })
        try row.run()
    }

    /// Records that the remote has listed objects that were written to it.
    /// - Throws: ``HelixError``.
    public func noteListed(_ hrefs: [String], in calendar: RemoteCalendar) throws {
        for href in hrefs {
            try db.execute(
                sql: "UPDATE remote_object SET is_sent = 0 WHERE calendar = ? AND href = ?",
                arguments: [calendar.number, href])
        }
    }

    /// Forgets the sync state of an object.
    /// - Throws: ``HelixError``.
    public func forget(_ href: String, in calendar: RemoteCalendar) throws {
        for table in ["remote_object", "sync_conflict"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE calendar = ? AND href = ?", arguments: [calendar.number, href])
        }
    }

    /// The remote addresses of an event, a task or a contact.
    /// - Throws: ``HelixError``.
    public func addresses(of item: SyncedItem) throws -> [String] {
        let column = item.kind == .task ? "task" : item.kind == .contact ? "contact" : "event"
        return try String.fetchAll(
            db, sql: "SELECT href FROM remote_object WHERE \(column) = ?", arguments: [item.id.text])
    }

    /// Forgets a remote calendar, but remembers its local counterpart in case it is added again.
    /// - Throws: ``HelixError``.
    public func forget(_ calendar: RemoteCalendar) throws {
        try RemoteCalendarWriter.remember(db, where: "c.n = ?", calendar.number)
        try db.execute(sql: "DELETE FROM remote_calendar WHERE n = ?", arguments: [calendar.number])
    }

    /// Remembers the local counterparts of remote calendars.
    static func remember(_ db: Database, where condition: String, _ number: Int64) throws {
        for kind in ["calendar", "board", "book"] {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO setting (name, value)
                    SELECT 'former-\(kind) ' || a.path || ' ' || c.href, c.\(kind)
                    FROM remote_calendar c JOIN account a ON a.n = c.account
                    WHERE \(condition) AND c.\(kind) IS NOT NULL
                    """, arguments: [number])
        }
    }

    /// Writes the state of a calendar.
    /// - Throws: ``HelixError``.
    public func save(_ calendar: RemoteCalendar) throws {
        try db.execute(
            sql: """
                UPDATE remote_calendar SET calendar = ?, board = ?, book = ?, marker = ?, token = ?, is_read_only = ?, seen = ?, schedules = ?,
                    appearance = ?
                WHERE n = ?
                """,
            arguments: [
                calendar.calendar?.text, calendar.board?.text, calendar.book?.text, calendar.marker, calendar.token,
                calendar.isReadOnly,
                calendar.seen,
                calendar.schedules,
                try calendar.appearance.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
                calendar.number,
            ])
    }

    /// Sets the address of a calendar that was created on the remote.
    /// - Throws: ``HelixError``.
    public func place(_ calendar: RemoteCalendar, at href: String) throws {
        try db.execute(sql: "UPDATE remote_calendar SET href = ? WHERE n = ?", arguments: [href, calendar.number])
    }

    /// Queues a calendar, a board or an address book for creation on the remote.
    /// - Throws: ``HelixError``.
    public func addWaiting(
        calendar: EntityID?, board: EntityID?, book: EntityID? = nil, of account: Account
    ) throws {
        try add(
            RemoteCalendar.waiting + EntityID().text, calendar: calendar, board: board, book: book, of: account,
            isReadOnly: false)
    }

    /// Adds a remote calendar or address book.
    /// - Throws: ``HelixError``.
    public func add(
        _ href: String, calendar: EntityID?, board: EntityID?, book: EntityID? = nil, of account: Account,
        isReadOnly: Bool
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO remote_calendar (account, href, calendar, board, book, is_read_only) VALUES (?, ?, ?, ?, ?, ?)
                """,
            arguments: [account.number, href, calendar?.text, board?.text, book?.text, isReadOnly])
    }
}

extension Change {
    /// A writer of sync state in the transaction of this change.
    public var remoteCalendars: RemoteCalendarWriter { RemoteCalendarWriter(db: db) }

    /// Replaces the components of an event. Callers must know the previous ones.
    /// - Throws: ``HelixError``.
    public func setEventText(_ id: EntityID, _ text: String, zones: String?) throws {
        try update(.event, id, JournalFields(["text": text.databaseValue, "zones": zones.databaseValue]))
    }

    /// Moves an event to another calendar unchanged.
    /// - Throws: ``HelixError``.
    public func placeEvent(_ id: EntityID, in calendar: EntityID) throws {
        try update(.event, id, JournalFields(["calendar": calendar.text.databaseValue]))
    }

    /// The event with a UID in a calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String, in calendar: EntityID) throws -> LocalObject? {
        try Row.fetchOne(
            db, sql: "SELECT id, uid, text, zones FROM event WHERE calendar = ? AND uid = ?",
            arguments: [calendar.text, uid]
        ).map {
            LocalObject(item: SyncedItem(.event, EntityID(stored: $0[0])), uid: $0[1], text: $0[2], zones: $0[3])
        }
    }

    /// The event with a UID in any calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String) throws -> (id: EntityID, calendar: EntityID)? {
        try Row.fetchOne(db, sql: "SELECT id, calendar FROM event WHERE uid = ? ORDER BY n LIMIT 1", arguments: [uid])
            .map { (EntityID(stored: $0[0]), EntityID(stored: $0[1])) }
    }

    /// An event with this change applied.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func storedEvent(_ id: EntityID) throws -> LocalObject {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT uid, text, zones FROM event WHERE id = ?", arguments: [id.text])
        else { throw HelixError(.notFound, "unknown event \(id.text)") }
        return LocalObject(item: SyncedItem(.event, id), uid: row[0], text: row[1], zones: row[2])
    }

    /// Links two entities, if they are not linked yet.
    /// - Throws: ``HelixError``.
    public func addLinkOnce(_ a: EntityID, _ b: EntityID) throws {
        if try !Store.links(db, of: a).contains(where: { $0.a == b || $0.b == b }) { _ = try addLink(a, b, .related) }
    }
}

extension EventGroup {
    /// The time zones of the components that must be stored: those that no zone of the system replaces.
    public var keptZones: String? {
        EventImporter.zones(components.compactMap { try? EventComponent($0.text, zones: zones) })
    }
}
