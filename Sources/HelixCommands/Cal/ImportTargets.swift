import HelixCalendar
import HelixModel
import HelixStore

/// The calendars that an import fills: one for all events, or those that the files name.
struct ImportTargets {
    private let change: Change
    /// The name of the only calendar, as the user gave it.
    private let only: String?
    private var importers: [String: (name: String, importer: EventImporter)] = [:]
    private var order: [String] = []
    private var created: [String: Int] = [:]

    /// The default calendar before the import; nil if there was no calendar.
    private let standard: CalendarRecord?

    /// - Throws: ``HelixError``.
    init(_ change: Change, only: String?) throws {
        (self.change, self.only) = (change, only)
        standard = try change.calendars().isEmpty ? nil : change.defaultCalendar()
    }

    /// The importer of a calendar: the one that the user named, else the one with this name, else the default one.
    /// - Throws: ``HelixError``.
    mutating func importer(_ name: String?) throws -> EventImporter {
        let key = key(name)
        if let known = importers[key] { return known.importer }
        let calendar = try self.calendar(key)
        let importer = try EventImporter(change, calendar: calendar.id)
        importers[key] = (calendar.name, importer)
        order.append(key)
        return importer
    }

    private func key(_ name: String?) -> String {
        if let only { return only }
        // Names of foreign files may have anything in them.
        let plain = String(
            (name ?? "").unicodeScalars.filter { $0.value >= 0x20 && $0.value != 0x7F }.map(Character.init))
        return String(plain.trimmingBlanks().prefix(100))
    }

    private func calendar(_ name: String) throws -> CalendarRecord {
        if name.isEmpty, let standard { return standard }
        let name = name.isEmpty ? CalendarRecord.firstName : name
        do {
            return try change.calendar(named: name)
        } catch let error as HelixError where error.code == .notFound {
            return try change.addCalendar(name)
        }
    }

    /// Counts a new event of a calendar.
    mutating func count(_ name: String?) { created[key(name), default: 0] += 1 }

    /// The name of the first calendar, even if no event came.
    var first: String {
        if let key = order.first, let known = importers[key] { return known.name }
        return only ?? standard?.name ?? CalendarRecord.firstName
    }

    /// The numbers of new events, by the name of their calendar.
    var counts: [(name: String, created: Int)] {
        order.compactMap { key in importers[key].map { ($0.name, created[key] ?? 0) } }
    }

    /// The defects of all importers.
    var defects: [ICalendarDefect] { order.flatMap { importers[$0]?.importer.defects ?? [] } }

    /// The number of components that were rejected.
    var rejectedCount: Int { order.reduce(0) { $0 + (importers[$1]?.importer.rejectedCount ?? 0) } }
}
