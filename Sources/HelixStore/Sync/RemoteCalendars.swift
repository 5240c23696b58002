import HelixCalendar
import HelixModel
import HelixSQLite

/// A calendar of a server or a folder, and the one here that it is.
public struct RemoteCalendar: Hashable, Sendable {
    /// The number of its row.
    public var number: Int64
    /// Its address on the other side.
    public var href: String
    /// The calendar here.
    public var calendar: EntityID
    /// What the other side said of its state.
    public var marker: String?
    /// What the other side wants to hear to tell what changed since (RFC 6578).
    public var token: String?
    /// Whether nothing can be written there.
    public var isReadOnly: Bool
}

/// An event that is on both sides, as it was when they last agreed.
public struct RemoteEvent: Hashable, Sendable {
    /// Its address on the other side.
    public var href: String
    /// What tells this state of it from others.
    public var etag: String
    /// The event here; nil of kinds that helix does not keep.
    public var event: EntityID?
    /// Its components.
    public var text: String?

    /// Such an event.
    public init(href: String, etag: String, event: EntityID?, text: String?) {
        self.href = href
        self.etag = etag
        self.event = event
        self.text = text
    }
}

/// An event as it is here.
public struct LocalEvent: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// The UID of RFC 5545.
    public var uid: String
    /// Its components.
    public var text: String
    /// VTIMEZONEs that the system's zones cannot stand in for.
    public var zones: String?
}

/// What is different in a calendar here since both sides agreed.
public struct LocalEventChanges: Sendable {
    /// Events that the other side is not known to have.
    public var new: [LocalEvent] = []
    /// Events that are others.
    public var changed: [(former: RemoteEvent, event: LocalEvent)] = []
    /// Events that are here no more.
    public var gone: [RemoteEvent] = []
}

extension Store {
    /// The calendars of an account.
    /// - Throws: ``HelixError``.
    public func remoteCalendars(_ account: MailAccount) throws -> [RemoteCalendar] {
        try read { db in
            try Row.fetchAll(
                db,
                sql:
                    "SELECT n, href, calendar, marker, token, is_read_only FROM remote_calendar WHERE account = ? ORDER BY n",
                arguments: [account.number]
            ).map {
                RemoteCalendar(
                    number: $0[0], href: $0[1], calendar: EntityID(stored: $0[2]), marker: $0[3], token: $0[4],
                    isReadOnly: $0[5])
            }
        }
    }

    /// The events of a calendar that are on both sides, by their addresses.
    /// - Throws: ``HelixError``.
    public func remoteEvents(_ calendar: RemoteCalendar) throws -> [String: RemoteEvent] {
        try read { db in
            var found: [String: RemoteEvent] = [:]
            let row = try Statement(db, "SELECT href, etag, event, text FROM remote_event WHERE calendar = ?1")
            row.bind(1, calendar.number)
            while try row.step() {
                let href = row.text(0) ?? ""
                found[href] = RemoteEvent(href: href, etag: row.text(1) ?? "", event: row.id(2), text: row.text(3))
            }
            return found
        }
    }

    /// The calendar that was this one of an account's, before the account was taken away and added again; nil if there is none,
    /// or it is another one's by now.
    /// - Throws: ``HelixError``.
    public func formerCalendar(_ href: String, of account: MailAccount) throws -> EntityID? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT s.value FROM setting s JOIN calendar c ON c.id = s.value
                    WHERE s.name = ? AND NOT EXISTS (SELECT 1 FROM remote_calendar r WHERE r.calendar = c.id)
                    """, arguments: ["former-calendar \(account.path) \(href)"]
            ).flatMap { EntityID($0) }
        }
    }

    /// How many events of an account are on both sides.
    /// - Throws: ``HelixError``.
    public func remoteEventCount(_ account: MailAccount) throws -> Int {
        try read { db in
            try Int.fetchOne(
                db,
                sql: """
                    SELECT COUNT(*) FROM remote_event e JOIN remote_calendar c ON c.n = e.calendar WHERE c.account = ?
                    """, arguments: [account.number]) ?? 0
        }
    }

    /// What is different in a calendar here since both sides agreed.
    /// - Throws: ``HelixError``.
    public func localEventChanges(_ calendar: RemoteCalendar) throws -> LocalEventChanges {
        try read { db in
            var changes = LocalEventChanges()
            let row = try Statement(
                db,
                """
                SELECT r.href, r.etag, r.event, r.text, e.id, e.uid, CASE WHEN e.text <> r.text THEN e.text END, e.zones
                FROM remote_event r LEFT JOIN event e ON e.id = r.event AND e.calendar = ?2
                WHERE r.calendar = ?1 AND r.event IS NOT NULL
                """)
            row.bind(1, calendar.number)
            row.bind(2, calendar.calendar.text)
            while try row.step() {
                let isGone = row.isNull(4)
                if !isGone, row.isNull(6) { continue }
                let former = RemoteEvent(
                    href: row.text(0) ?? "", etag: row.text(1) ?? "", event: row.id(2), text: row.text(3))
                guard !isGone, let id = row.id(4) else {
                    changes.gone.append(former)
                    continue
                }
                changes.changed.append(
                    (former, LocalEvent(id: id, uid: row.text(5) ?? "", text: row.text(6) ?? "", zones: row.text(7))))
            }
            let new = try Statement(
                db,
                """
                SELECT id, uid, text, zones FROM event e WHERE calendar = ?2
                    AND NOT EXISTS (SELECT 1 FROM remote_event r WHERE r.event = e.id AND r.calendar = ?1)
                """)
            new.bind(1, calendar.number)
            new.bind(2, calendar.calendar.text)
            while try new.step() {
                guard let id = new.id(0) else { continue }
                changes.new.append(
                    LocalEvent(id: id, uid: new.text(1) ?? "", text: new.text(2) ?? "", zones: new.text(3)))
            }
            return changes
        }
    }

    /// Writes down what both sides agree on.
    /// - Throws: what `body` throws; ``HelixError``.
    public func writeRemoteCalendars(_ body: (RemoteCalendarWriter) throws -> Void) throws {
        try writeDerived { db in try body(RemoteCalendarWriter(db: db)) }
    }
}

/// Writes down what both sides agree on.
public struct RemoteCalendarWriter {
    let db: Database

    /// Writes down that an event is on both sides like this.
    /// - Throws: ``HelixError``.
    public func save(_ event: RemoteEvent, in calendar: RemoteCalendar) throws {
        let row = try Statement(
            db, "INSERT OR REPLACE INTO remote_event (calendar, href, etag, event, text) VALUES (?1, ?2, ?3, ?4, ?5)")
        row.bind(1, calendar.number)
        row.bind(2, event.href)
        row.bind(3, event.etag)
        row.bind(4, event.event?.text)
        row.bind(5, event.text)
        try row.run()
    }

    /// Forgets that an event is on both sides.
    /// - Throws: ``HelixError``.
    public func forget(_ href: String, in calendar: RemoteCalendar) throws {
        try db.execute(
            sql: "DELETE FROM remote_event WHERE calendar = ? AND href = ?", arguments: [calendar.number, href])
    }

    /// Forgets a calendar.
    /// - Throws: ``HelixError``.
    public func forget(_ calendar: RemoteCalendar) throws {
        try db.execute(sql: "DELETE FROM remote_calendar WHERE n = ?", arguments: [calendar.number])
    }

    /// Writes down what is known of a calendar.
    /// - Throws: ``HelixError``.
    public func save(_ calendar: RemoteCalendar) throws {
        try db.execute(
            sql: "UPDATE remote_calendar SET marker = ?, token = ?, is_read_only = ? WHERE n = ?",
            arguments: [calendar.marker, calendar.token, calendar.isReadOnly, calendar.number])
    }

    /// Writes a calendar down for the first time.
    /// - Throws: ``HelixError``.
    public func add(_ href: String, as calendar: EntityID, of account: MailAccount, isReadOnly: Bool) throws {
        try db.execute(
            sql: "INSERT INTO remote_calendar (account, href, calendar, is_read_only) VALUES (?, ?, ?, ?)",
            arguments: [account.number, href, calendar.text, isReadOnly])
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

    /// The event of that UID in a calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String, in calendar: EntityID) throws -> LocalEvent? {
        try Row.fetchOne(
            db, sql: "SELECT id, uid, text, zones FROM event WHERE calendar = ? AND uid = ?",
            arguments: [calendar.text, uid]
        ).map { LocalEvent(id: EntityID(stored: $0[0]), uid: $0[1], text: $0[2], zones: $0[3]) }
    }
}

extension Change {
    /// The event of that UID in any calendar.
    /// - Throws: ``HelixError``.
    public func event(uid: String) throws -> (id: EntityID, calendar: EntityID)? {
        try Row.fetchOne(db, sql: "SELECT id, calendar FROM event WHERE uid = ? ORDER BY n LIMIT 1", arguments: [uid])
            .map {
                (EntityID(stored: $0[0]), EntityID(stored: $0[1]))
            }
    }

    /// An event as it is once this change is saved.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func storedEvent(_ id: EntityID) throws -> LocalEvent {
        guard
            let row = try Row.fetchOne(db, sql: "SELECT uid, text, zones FROM event WHERE id = ?", arguments: [id.text])
        else { throw HelixError(.notFound, "there is no event \(id.text)") }
        return LocalEvent(id: id, uid: row[0], text: row[1], zones: row[2])
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
