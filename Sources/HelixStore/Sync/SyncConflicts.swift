import HelixModel
import HelixSQLite

/// Something that was changed on both sides, and waits for a person to choose.
public struct HeldChange: Sendable {
    /// The account's name.
    public var account: String
    /// The calendar of the other side.
    public var calendar: RemoteCalendar
    /// What both sides agreed on before.
    public var agreed: AgreedObject
    /// What it is here.
    public var item: SyncedItem
    /// The other side's state.
    public var etag: String
    /// What the other side says.
    public var theirs: String
    /// The zones of that which the system's cannot stand in for.
    public var zones: String?
    /// When both changes met.
    public var foundAt: Instant
}

extension Store {
    /// What waits for a person to choose, the oldest first.
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
                        agreed: AgreedObject(href: row[0], etag: row[1], item: item, text: row[4]), item: item,
                        etag: row[5], theirs: row[6], zones: row[7], foundAt: Instant(row[8]))
                }
            }.sorted { $0.foundAt < $1.foundAt }
        }
    }
}

extension RemoteCalendarWriter {
    /// Keeps what the other side says until a person has chosen.
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

    /// Nobody has to choose any more.
    /// - Throws: ``HelixError``.
    public func release(_ href: String, in calendar: RemoteCalendar) throws {
        try db.execute(
            sql: "DELETE FROM sync_conflict WHERE calendar = ? AND href = ?", arguments: [calendar.number, href])
    }

    /// The objects of a calendar that wait for a person to choose.
    /// - Throws: ``HelixError``.
    public func held(in calendar: RemoteCalendar) throws -> Set<String> {
        Set(
            try String.fetchAll(
                db, sql: "SELECT href FROM sync_conflict WHERE calendar = ?", arguments: [calendar.number]))
    }
}
