import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks

/// The content of an object of the other side.
struct ParsedObject {
    /// `event` or `task`.
    var kind: EntityKind
    /// The UID of RFC 5545.
    var uid: String
    /// Its components, as the store keeps them.
    var text: String
    /// VTIMEZONEs that have no equal zone in the system's database.
    var zones: String?
    /// The event as an import reads it; nil for a task.
    var group: EventGroup?
    /// Whether it contains more than one event or task.
    var hasMore = false

    /// Parses the event or task of a calendar file; nil if it contains none.
    /// - Throws: ``HelixError``.
    static func read(_ bytes: [UInt8]) throws -> ParsedObject? {
        var reader = CalendarFileReader(bytes)
        var found: EventGroup?
        var hasMore = false
        var hasTask = false
        var hasOther = false
        while let part = try reader.next() {
            switch part {
            case .events(let group):
                if found == nil {
                    found = group
                } else if found?.uid == group.uid {
                    found?.components += group.components
                } else {
                    hasMore = true
                }
            case .other(let raw):
                if raw.name == "VTODO" { hasTask = true } else { hasOther = true }
            case .calendarBegin, .calendarProperty, .timezone, .defect, .calendarEnd: break
            }
        }
        if let found {
            return ParsedObject(
                kind: .event, uid: found.uid, text: String(decoding: found.text, as: UTF8.self),
                zones: found.keptZones, group: found, hasMore: hasMore || hasTask || hasOther)
        }
        guard hasTask, var task = try task(bytes) else { return nil }
        task.hasMore = task.hasMore || hasOther
        return task
    }

    /// Whether it contains nothing readable: neither an event or task, nor another component.
    static func isBroken(_ bytes: [UInt8]) -> Bool {
        var reader = CalendarFileReader(bytes)
        while let part = try? reader.next() {
            switch part {
            case .other(let raw) where raw.name != "VTODO": return false
            case .defect: return true
            case .other, .events, .calendarBegin, .calendarProperty, .timezone, .calendarEnd: break
            }
        }
        return true
    }

    private static func task(_ bytes: [UInt8]) throws -> ParsedObject? {
        let tasks = try VTodoFormat(now: Instant(0), zone: .utc).read(bytes, name: "").tasks
        guard let first = tasks.first, let uid = first.task.uid, let source = first.task.source else { return nil }
        let zones = VTodoFormat.zones(of: source)
        return ParsedObject(
            kind: .task, uid: uid, text: String(source.dropFirst(zones?.count ?? 0)), zones: zones,
            hasMore: tasks.count > 1)
    }
}
