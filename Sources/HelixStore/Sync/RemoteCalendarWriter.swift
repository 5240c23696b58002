import Foundation
import HelixCalendar
import HelixModel
import HelixSQLite

/// Writes down what both sides agree on.
public struct RemoteCalendarWriter {
    let db: Database

    /// Writes down that an object is on both sides like this.
    /// - Throws: ``HelixError``.
    public func save(_ object: AgreedObject, in calendar: RemoteCalendar) throws {
        let row = try Statement(
            db,
            """
            INSERT OR REPLACE INTO remote_object (calendar, href, etag, event, task, text, is_sent)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """)
        row.bind(1, calendar.number)
        row.bind(2, object.href)
        row.bind(3, object.etag)
        row.bind(4, object.item.flatMap { $0.kind == .event ? $0.id.text : nil })
        row.bind(5, object.item.flatMap { $0.kind == .task ? $0.id.text : nil })
        row.bind(6, object.text)
        row.bind(7, object.isSent ? 1 : 0)
        try row.run()
    }

    /// Writes down that the other side has listed what was written to it.
    /// - Throws: ``HelixError``.
    public func noteListed(_ hrefs: [String], in calendar: RemoteCalendar) throws {
        for href in hrefs {
            try db.execute(
                sql: "UPDATE remote_object SET is_sent = 0 WHERE calendar = ? AND href = ?",
                arguments: [calendar.number, href])
        }
    }

    /// Forgets that an object is on both sides.
    /// - Throws: ``HelixError``.
    public func forget(_ href: String, in calendar: RemoteCalendar) throws {
        for table in ["remote_object", "sync_conflict"] {
            try db.execute(
                sql: "DELETE FROM \(table) WHERE calendar = ? AND href = ?", arguments: [calendar.number, href])
        }
    }

    /// The addresses that an event or a task has on other sides.
    /// - Throws: ``HelixError``.
    public func addresses(of item: SyncedItem) throws -> [String] {
        let column = item.kind == .task ? "task" : "event"
        return try String.fetchAll(
            db, sql: "SELECT href FROM remote_object WHERE \(column) = ?", arguments: [item.id.text])
    }

    /// Forgets a calendar of the other side. If it comes again, what it is here is known again.
    /// - Throws: ``HelixError``.
    public func forget(_ calendar: RemoteCalendar) throws {
        try RemoteCalendarWriter.remember(db, where: "c.n = ?", calendar.number)
        try db.execute(sql: "DELETE FROM remote_calendar WHERE n = ?", arguments: [calendar.number])
    }

    /// Remembers what calendars of the other side were here.
    static func remember(_ db: Database, where condition: String, _ number: Int64) throws {
        for kind in ["calendar", "board"] {
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO setting (name, value)
                    SELECT 'former-\(kind) ' || a.path || ' ' || c.href, c.\(kind)
                    FROM remote_calendar c JOIN account a ON a.n = c.account
                    WHERE \(condition) AND c.\(kind) IS NOT NULL
                    """, arguments: [number])
        }
    }

    /// Writes down what is known of a calendar.
    /// - Throws: ``HelixError``.
    public func save(_ calendar: RemoteCalendar) throws {
        try db.execute(
            sql: """
                UPDATE remote_calendar SET calendar = ?, board = ?, marker = ?, token = ?, is_read_only = ?, seen = ?, schedules = ?,
                    look = ?
                WHERE n = ?
                """,
            arguments: [
                calendar.calendar?.text, calendar.board?.text, calendar.marker, calendar.token, calendar.isReadOnly,
                calendar.seen,
                calendar.schedules,
                try calendar.look.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) },
                calendar.number,
            ])
    }

    /// Notes the address of a calendar that the other side has heard of now.
    /// - Throws: ``HelixError``.
    public func place(_ calendar: RemoteCalendar, at href: String) throws {
        try db.execute(sql: "UPDATE remote_calendar SET href = ? WHERE n = ?", arguments: [href, calendar.number])
    }

    /// Notes that a calendar or a board is to be made on the other side.
    /// - Throws: ``HelixError``.
    public func addWaiting(calendar: EntityID?, board: EntityID?, of account: MailAccount) throws {
        try add(
            RemoteCalendar.waiting + EntityID().text, calendar: calendar, board: board, of: account, isReadOnly: false)
    }

    /// Writes a calendar down for the first time.
    /// - Throws: ``HelixError``.
    public func add(
        _ href: String, calendar: EntityID?, board: EntityID?, of account: MailAccount, isReadOnly: Bool
    ) throws {
        try db.execute(
            sql: "INSERT INTO remote_calendar (account, href, calendar, board, is_read_only) VALUES (?, ?, ?, ?, ?)",
            arguments: [account.number, href, calendar?.text, board?.text, isReadOnly])
    }
}

extension Change {
    /// Writes down what both sides agree on, together with the change.
    public var remoteCalendars: RemoteCalendarWriter { RemoteCalendarWriter(db: db) }

    /// Puts other components in the place of an event's; whoever asks has what it was.
    /// - Throws: ``HelixError``.
    public func setEventText(_ id: EntityID, _ text: String, zones: String?) throws {
        try update(.event, id, JournalFields(["text": text.databaseValue, "zones": zones.databaseValue]))
    }

    /// Puts an event into another calendar as it is.
    /// - Throws: ``HelixError``.
    public func placeEvent(_ id: EntityID, in calendar: EntityID) throws {
        try update(.event, id, JournalFields(["calendar": calendar.text.databaseValue]))
    }

    /// The event of that UID in a calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String, in calendar: EntityID) throws -> LocalObject? {
        try Row.fetchOne(
            db, sql: "SELECT id, uid, text, zones FROM event WHERE calendar = ? AND uid = ?",
            arguments: [calendar.text, uid]
        ).map {
            LocalObject(item: SyncedItem(.event, EntityID(stored: $0[0])), uid: $0[1], text: $0[2], zones: $0[3])
        }
    }

    /// The event of that UID in any calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String) throws -> (id: EntityID, calendar: EntityID)? {
        try Row.fetchOne(db, sql: "SELECT id, calendar FROM event WHERE uid = ? ORDER BY n LIMIT 1", arguments: [uid])
            .map { (EntityID(stored: $0[0]), EntityID(stored: $0[1])) }
    }

    /// An event as it is once this change is saved.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func storedEvent(_ id: EntityID) throws -> LocalObject {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT uid, text, zones FROM event WHERE id = ?", arguments: [id.text])
        else { throw HelixError(.notFound, "there is no event \(id.text)") }
        return LocalObject(item: SyncedItem(.event, id), uid: row[0], text: row[1], zones: row[2])
    }

    /// Links two entities, if they are not linked yet.
    /// - Throws: ``HelixError``.
    public func addLinkOnce(_ a: EntityID, _ b: EntityID) throws {
        if try !Store.links(db, of: a).contains(where: { $0.a == b || $0.b == b }) { _ = try addLink(a, b, .related) }
    }
}

extension EventGroup {
    /// The zones of the components as the store keeps them: those that the system's cannot stand in for.
    public var keptZones: String? {
        EventImporter.zones(components.compactMap { try? EventComponent($0.text, zones: zones) })
    }
}
