import HelixModel
import HelixSQLite

/// A calendar: a named set of events.
public struct CalendarRecord: Hashable, Sendable {
    /// The ID of the calendar.
    public var id: EntityID
    /// The unique, case-insensitive name.
    public var name: String
    /// The colour.
    public var color: CalendarColor
    /// Whether views omit it.
    public var isHidden: Bool
    /// Whether it is the default calendar for new events.
    public var isDefault: Bool
    /// Whether it belongs to a server or folder that is not written to.
    public var isReadOnly = false

    /// The ID, name and colour.
    public var ref: CalendarRef { CalendarRef(id: id, name: name, color: color) }
}

/// The calendars that a query reads.
public enum CalendarSelection: Sendable {
    /// The calendars that are not hidden.
    case visible
    case all
    case only([EntityID])
}

extension Store {
    /// The calendars, in order of creation.
    /// - Throws: ``HelixError``.
    public func calendars() throws -> [CalendarRecord] { try read(Store.calendars) }

    static func calendars(_ db: Database) throws -> [CalendarRecord] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, name, color, is_hidden, is_default,
                    EXISTS (SELECT 1 FROM remote_calendar r WHERE r.calendar = calendar.id AND r.is_read_only)
                        AS is_read_only
                FROM calendar ORDER BY position, name
                """
        ).compactMap { row in
            try EntityID(row["id"] as String).map { id in
                try CalendarRecord(
                    id: id, name: row["name"], color: CalendarColor(rawValue: row["color"]) ?? .gray,
                    isHidden: row["is_hidden"], isDefault: row["is_default"], isReadOnly: row["is_read_only"])
            }
        }
    }

    /// The numbers of events of the calendars that have any.
    /// - Throws: ``HelixError``.
    public func eventCounts() throws -> [EntityID: Int] {
        try read { db in
            var counts: [EntityID: Int] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT calendar, COUNT(*) FROM event GROUP BY calendar") {
                counts[EntityID(stored: row[0])] = row[1]
            }
            return counts
        }
    }

    /// The calendar called `name`, or whose ID begins with `name`.
    /// - Throws: ``HelixError`` of code `notFound` that lists the existing calendars.
    public func calendar(named name: String) throws -> CalendarRecord {
        try Store.calendar(named: name, among: try calendars())
    }

    static func calendar(named name: String, among all: [CalendarRecord]) throws -> CalendarRecord {
        if let exact = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return exact }
        let prefix = EntityPrefix(name).text
        let byID = name.count >= 4 ? all.filter { $0.id.text.hasPrefix(prefix) } : []
        if byID.count == 1 { return byID[0] }
        let known = all.map { "'\($0.name)'" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "unknown calendar '\(name)'",
            hint: known.isEmpty ? "Add one with 'helix cal calendars add NAME'." : "Use one of: \(known).")
    }
}

extension CalendarRecord {
    /// The name of the calendar that the first event of a store creates.
    public static let firstName = "personal"
}

extension Change {
    /// The calendars, including uncommitted changes.
    /// - Throws: ``HelixError``.
    public func calendars() throws -> [CalendarRecord] { try Store.calendars(db) }

    /// Adds a calendar; the first one is the default.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func addCalendar(_ name: String, color: CalendarColor? = nil, isDefault: Bool = false) throws
        -> CalendarRecord
    {
        let all = try Store.calendars(db)
        try checkName(name, "calendar", among: all.map(\.name))
        let used = Set(all.map(\.color))
        let chosen =
            color ?? CalendarColor.allCases.first { !used.contains($0) } ?? CalendarColor.allCases[all.count % 7]
        let record = CalendarRecord(
            id: EntityID(), name: name, color: chosen, isHidden: false, isDefault: isDefault || all.isEmpty)
        try create(
            .calendar, record.id,
            JournalFields([
                "name": name.databaseValue, "color": chosen.rawValue.databaseValue, "is_hidden": 0.databaseValue,
                "is_default": (record.isDefault ? 1 : 0).databaseValue, "position": all.count.databaseValue,
            ]))
        return record
    }

    /// The calendar for new events, created if there is none.
    /// - Throws: ``HelixError``.
    public func defaultCalendar() throws -> CalendarRecord {
        let all = try Store.calendars(db)
        if let found = all.first(where: \.isDefault) ?? all.first { return found }
        return try addCalendar(CalendarRecord.firstName)
    }

    /// Renames a calendar.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func renameCalendar(_ id: EntityID, to name: String) throws {
        try checkName(name, "calendar", among: try Store.calendars(db).filter { $0.id != id }.map(\.name))
        try update(.calendar, id, JournalFields(["name": name.databaseValue]))
    }

    /// Changes the colour of a calendar.
    /// - Throws: ``HelixError``.
    public func colorCalendar(_ id: EntityID, _ color: CalendarColor) throws {
        try update(.calendar, id, JournalFields(["color": color.rawValue.databaseValue]))
    }

    /// Hides a calendar from views, or shows it again.
    /// - Throws: ``HelixError``.
    public func hideCalendar(_ id: EntityID, _ isHidden: Bool) throws {
        try update(.calendar, id, JournalFields(["is_hidden": (isHidden ? 1 : 0).databaseValue]))
    }

    /// Sets the default calendar for new events.
    /// - Throws: ``HelixError``.
    public func setDefaultCalendar(_ id: EntityID) throws {
        for calendar in try Store.calendars(db) where calendar.isDefault != (calendar.id == id) {
            try update(
                .calendar, calendar.id, JournalFields(["is_default": (calendar.id == id ? 1 : 0).databaseValue]))
        }
    }

    /// Deletes a calendar with all its events.
    /// - Throws: ``HelixError``.
    public func deleteCalendar(_ id: EntityID) throws {
        let events = try String.fetchAll(
            db, sql: "SELECT id FROM event WHERE calendar = ? ORDER BY n DESC", arguments: [id.text])
        for event in events.compactMap({ EntityID($0) }) { try delete(.event, event) }
        let wasDefault = try Store.calendars(db).first { $0.id == id }?.isDefault ?? false
        try delete(.calendar, id)
        if wasDefault, let next = try Store.calendars(db).first { try setDefaultCalendar(next.id) }
    }
}
