import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixTasks

/// The content of an object of the other side.
struct ParsedObject {
    /// `event`, `task` or `contact`.
    var kind: EntityKind
    /// The UID of RFC 5545 or RFC 6350.
    var uid: String
    /// Its components, as the store keeps them.
    var text: String
    /// VTIMEZONEs that have no equal zone in the system's database.
    var zones: String?
    /// The event as an import reads it; nil for a task.
    var group: EventGroup?
    /// Whether it contains more than one event or task.
    var hasMore = false

    /// Parses the event or task of a calendar file, or the contact of a vCard file; nil if it contains none.
    /// - Throws: ``HelixError``.
    static func read(_ bytes: [UInt8]) throws -> ParsedObject? {
        if isCard(bytes) { return try contact(bytes) }
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
        if isCard(bytes) { return (try? contact(bytes)) == nil }
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

    /// Whether a file begins as one of vCards does.
    private static func isCard(_ bytes: [UInt8]) -> Bool {
        // The letters of a file in UTF-16 have a zero beside each.
        let head = bytes.prefix(120).filter { $0 != 0 && $0 < 0x80 }
        return String(decoding: head, as: UTF8.self).trimmingBlanks().uppercased().hasPrefix("BEGIN:VCARD")
    }

    private static func contact(_ bytes: [UInt8]) throws -> ParsedObject? {
        var reader = VCardReader(bytes)
        var found: VCard?
        var hasMore = false
        while let piece = try reader.next() {
            guard case .card(let card, _) = piece else { continue }
            if found == nil { found = card } else { hasMore = true }
        }
        guard var found else { return nil }
        if found.uid == nil {
            // Derived from its text as it is, so that it is the same in each sync.
            let digest = String(StableHash.of(bytes), radix: 16)
            found.set("UID", ICalendarProperty("UID", text: "helix-\(digest)"))
        }
        return ParsedObject(kind: .contact, uid: found.uid ?? "", text: found.text, hasMore: hasMore)
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
