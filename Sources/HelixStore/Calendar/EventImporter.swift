import HelixCalendar
import HelixModel
import HelixSQLite

/// An importer of events from calendar files into one calendar, within one change set.
public final class EventImporter {
    /// The result of importing a group of components.
    public enum Outcome: Hashable, Sendable {
        case created(EntityID)
        case updated(EntityID)
        case unchanged
        /// The store has a newer version, by SEQUENCE or LAST-MODIFIED.
        case older
        case rejected
    }

    private let change: Change
    private let calendar: EntityID
    private let calendarNumber: Int64
    /// The UIDs seen in this import: a second group with the same UID adds to the first.
    private var met: Set<String> = []
    /// Components that could not be imported, and defects that were ignored in the others.
    public private(set) var defects: [ICalendarDefect] = []
    /// The name of the file that is imported, for the defects.
    public var file: String?
    /// The number of components that could not be imported.
    public private(set) var rejectedCount = 0

    /// Creates an importer into `calendar`.
    /// - Throws: ``HelixError`` of code `notFound`.
    public init(_ change: Change, calendar: EntityID) throws {
        self.change = change
        self.calendar = calendar
        let number = try Int64.fetchOne(
            change.db, sql: "SELECT n FROM calendar WHERE id = ?", arguments: [calendar.text])
        guard let number else { throw HelixError(.notFound, "unknown calendar \(calendar.text)") }
        calendarNumber = number
    }

    /// Imports the components of one UID.
    /// - Throws: ``HelixError`` for errors of the store; errors in the file are added to ``defects``.
    public func add(_ group: EventGroup) throws -> Outcome {
        let isAgain = !met.insert(group.uid).inserted
        if let held = try held(group) {
            if held.isSame { return .unchanged }
            let outcome = try merge(group, into: held, isAgain: isAgain)
            // After an older copy, another one is no second event of the UID either.
            if outcome == .older { met.remove(group.uid) }
            return outcome
        }
        let (pieces, components) = usable(group)
        guard !pieces.isEmpty else { return .rejected }
        let id = EntityID()
        let insert = try Statement(
            change.db, "INSERT INTO event (id, calendar, uid, text, zones) VALUES (?, ?, ?, ?, ?)")
        insert.bind(1, id.text)
        insert.bind(2, calendar.text)
        insert.bind(3, group.uid)
        insert.bind(4, utf8: pieces.count == 1 ? pieces[0] : Array(pieces.joined()))
        insert.bind(5, EventImporter.zones(components))
        try insert.run()
        let owner = EventIndex.Owner(
            event: change.db.lastInsertedRowID, id: id, uid: group.uid, calendar: calendarNumber)
        try EventIndex(store: change.store, db: change.db).add(owner, components)
        try change.didCreate(.event, id)
        return .created(id)
    }

    private struct Held {
        var id: EntityID
        var isSame: Bool
    }

    private func held(_ group: EventGroup) throws -> Held? {
        let sql = "SELECT id, text = ? FROM event WHERE calendar = ? AND uid = ?"
        let text = String(decoding: group.text, as: UTF8.self)
        guard let row = try Row.fetchOne(change.db, sql: sql, arguments: [text, calendar.text, group.uid]),
            let id = EntityID(row[0] as String)
        else { return nil }
        return Held(id: id, isSame: row[1])
    }

    /// The usable components, as text and parsed.
    private func usable(_ group: EventGroup) -> (pieces: [[UInt8]], components: [EventComponent]) {
        var pieces: [[UInt8]] = []
        var components: [EventComponent] = []
        var lines: [Int] = []
        for raw in group.components {
            do throws(EventComponentError) {
                let component = try raw.readEvent(group.zones)
                for warning in component.warnings {
                    note(raw.line, "note", warning, group.uid)
                }
                // Several events of one UID are versions of one: the newest is imported, and the others are reported.
                if component.recurrenceID == nil, let place = components.firstIndex(where: { $0.recurrenceID == nil }) {
                    if pieces[place] == raw.text { continue }
                    let isNewer = EventSeries.isNewer(component, than: components[place])
                    reject(isNewer ? lines[place] : raw.line, group.uid, for: isNewer ? raw.line : lines[place])
                    if isNewer { (pieces[place], components[place], lines[place]) = (raw.text, component, raw.line) }
                    continue
                }
                pieces.append(raw.text)
                components.append(component)
                lines.append(raw.line)
            } catch {
                note(raw.line, raw.name, error.reason, group.uid)
                rejectedCount += 1
            }
        }
        return (pieces, components)
    }

    private func note(_ line: Int, _ part: String, _ reason: String, _ uid: String) {
        var defect = ICalendarDefect(line: line, part: part, reason: reason, uid: uid)
        defect.file = file
        defects.append(defect)
    }

    private func reject(_ line: Int, _ uid: String, for other: Int) {
        let reason = "the event of line \(other) has its UID, '\(uid)'"
        note(line, "VEVENT", reason, uid)
        rejectedCount += 1
    }

    private func merge(_ group: EventGroup, into held: Held, isAgain: Bool) throws -> Outcome {
        let (pieces, components) = usable(group)
        guard !pieces.isEmpty else { return .rejected }
        guard
            let row = try Row.fetchOne(
                change.db, sql: "SELECT text, zones FROM event WHERE id = ?", arguments: [held.id.text])
        else { return .rejected }
        let oldText: String = row[0]
        let oldZones: String? = row[1]
        let oldPieces = EventText.pieces(oldText)
        let oldComponents = EventText.components(oldText, zones: ZoneResolver(definitions: oldZones ?? ""))
        guard oldPieces.count == oldComponents.count else { return try replace(held.id, pieces, components) }
        let hasMaster = components.contains { $0.recurrenceID == nil }
        if hasMaster && !isAgain {
            if EventImporter.isSameButForStamps(pieces, oldPieces) { return .unchanged }
            guard let new = EventImporter.newest(components), let old = EventImporter.newest(oldComponents) else {
                return .unchanged
            }
            if EventSeries.isNewer(old, than: new) { return .older }
            return try replace(held.id, pieces, components)
        }
        // Single occurrences, or more of an event seen before: each replaces its older version.
        var merged = oldPieces
        var mergedComponents = oldComponents
        var isOlder = false
        for (piece, component) in zip(pieces, components) {
            if merged.contains(piece) { continue }
            if let place = mergedComponents.firstIndex(where: { $0.recurrenceID == component.recurrenceID }),
                component.recurrenceID != nil || !isAgain
            {
                if EventSeries.isNewer(mergedComponents[place], than: component) {
                    isOlder = true
                    continue
                }
                merged[place] = piece
                mergedComponents[place] = component
            } else {
                merged.append(piece)
                mergedComponents.append(component)
            }
        }
        if merged == oldPieces { return isOlder ? .older : .unchanged }
        return try replace(held.id, merged, mergedComponents)
    }

    private func replace(_ id: EntityID, _ pieces: [[UInt8]], _ components: [EventComponent]) throws -> Outcome {
        let text = String(decoding: Array(pieces.joined()), as: UTF8.self)
        try change.update(
            .event, id,
            JournalFields(["text": text.databaseValue, "zones": EventImporter.zones(components).databaseValue]))
        return .updated(id)
    }

    private static func newest(_ components: [EventComponent]) -> EventComponent? {
        components.max { EventSeries.isNewer($1, than: $0) }
    }

    static func zones(_ components: [EventComponent]) -> String? {
        let all = components.reduce(into: Set<String>()) { $0.formUnion($1.zoneDefinitions) }
        return all.isEmpty ? nil : all.sorted().joined()
    }

    /// Whether the two differ at most in DTSTAMP, which many exporters update each time.
    private static func isSameButForStamps(_ a: [[UInt8]], _ b: [[UInt8]]) -> Bool {
        guard a.count == b.count else { return false }
        let stamp = Array("DTSTAMP".utf8)
        func kept(_ piece: [UInt8]) -> [ArraySlice<UInt8>] {
            piece.split(separator: 0x0A).filter { !$0.starts(with: stamp) }
        }
        return zip(a, b).allSatisfy { kept($0) == kept($1) }
    }
}
