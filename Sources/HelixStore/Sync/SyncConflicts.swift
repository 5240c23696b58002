import HelixModel
import HelixSQLite

/// A conflict: an object that was changed on both sides and must be resolved by the user.
public struct HeldChange: Sendable {
    /// The account's name.
    public var account: String
    /// The remote calendar.
    public var calendar: RemoteCalendar
    /// The state as of the last sync.
    public var synced: SyncedObject
    /// The local item.
    public var item: SyncedItem
    /// The entity tag of the remote state.
    public var etag: String
    /// The components of the remote state.
    public var theirs: String
    /// The VTIMEZONEs of the remote state that no zone of the system replaces.
    public var zones: String?
    /// The time at which the conflict was found.
    public var foundAt: Instant
}

extension Store {
    /// The unresolved conflicts, oldest first.
    /// - Throws: ``HelixError``.
    public func heldChanges() throws -> [HeldChange] {
        let calendars = try accounts().flatMap { account in
            try remoteCalendars(account).map { (account.name, $0) }
        }
        return try read { db in
            try calendars.flatMap { name, calendar in
                try Row.fetchAll(
                    db,
                    sql: """
                        SELECT o.href, o.etag, o.event, o.task, o.text, c.etag, c.theirs, c.zones, c.found_at
                        FROM sync_conflict c JOIN remote_object o ON o.calendar = c.calendar AND o.href = c.href
                        WHERE c.calendar = ?
                        """, arguments: [calendar.number]
                ).compactMap { row -> HeldChange? in
                    let event = (row[2] as String?).map { SyncedItem(.event, EntityID(stored: $0)) }
                    let task = (row[3] as String?).map { SyncedItem(.task, EntityID(stored: $0)) }
                    guard let item = event ?? task else { return nil }
                    return HeldChange(
                        account: name, calendar: calendar,
                        synced: SyncedObject(href: row[0], etag: row[1], item: item, text: row[4]), item: item,
                        etag: row[5], theirs: row[6], zones: row[7], foundAt: Instant(row[8]))
                }
            }.sorted { $0.foundAt < $1.foundAt }
        }
    }
}

extension RemoteCalendarWriter {
    /// Stores a conflict with the remote state until the user resolves it.
    /// - Throws: ``HelixError``.
    public func hold(
        _ href: String, etag: String, theirs: String, zones: String?, in calendar: RemoteCalendar, at now: Instant
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO sync_conflict (calendar, href, etag, theirs, zones, found_at) VALUES (?, ?, ?, ?, ?, ?)
                ON CONFLICT (calendar, href) DO UPDATE SET etag = excluded.etag, theirs = excluded.theirs,
                    zones = excluded.zones
                """, arguments: [calendar.number, href, etag, theirs, zones, now.seconds])
    }

    /// Removes a resolved conflict.
    /// - Throws: ``HelixError``.
    public func release(_ href: String, in calendar: RemoteCalendar) throws {
        try db.execute(
            sql: "DELETE FROM sync_conflict WHERE calendar = ? AND href = ?", arguments: [calendar.number, href])
    }

    /// The objects of a calendar that have an unresolved conflict.
    /// - Throws: ``HelixError``.
    public func held(in calendar: RemoteCalendar) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db, sql: "SELECT href FROM sync_conflict WHERE calendar = ?", arguments: [calendar.number]))
    }
}
