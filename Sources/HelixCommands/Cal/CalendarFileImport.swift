import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// Imports a calendar file part by part.
struct CalendarFileImport {
    private let source: ImportSource
    private let opened: ImportSource.Opened
    /// Whether remarks name the file.
    private let isNamed: Bool
    private let ahead: CalendarReadAhead?
    private var reader: CalendarFileReader
    /// The name of the calendar for events that name no other.
    private var name: String?
    private var changed = ChangedLines()

    /// - Parameter checks: whether the parts are checked, which needs the numbers of their lines.
    /// - Throws: ``HelixError`` if the file cannot be opened.
    init(_ source: ImportSource, isNamed: Bool, on console: Console, checks: Bool) throws {
        (self.source, self.isNamed, name) = (source, isNamed, source.calendar)
        opened = try source.open(console)
        // Without a second thread, the file is read as it is imported.
        ahead = opened.isLarge ? try? CalendarReadAhead(keepsLineNumbers: checks, opened.read) : nil
        reader = ahead.map(CalendarFileReader.init) ?? CalendarFileReader(keepsLineNumbers: checks, opened.read)
    }

    /// - Throws: ``HelixError``.
    mutating func read(
        into targets: inout ImportTargets, _ result: inout ImportResult, _ check: inout CalendarCheck?
    ) throws {
        defer { ahead?.stop() }
        result.defects += opened.defects.map(named)
        result.others.merge(opened.others) { $0 + $1 }
        let known = result.findings.count
        defer {
            result.findings[known...].sort { $0.finding.line < $1.finding.line }
            result.defects += changed.notes(source.name) { opened.sourceLine($0) }
        }
        while let part = try reader.next() {
            // helix tells its own findings itself, with what it skips.
            let findings = (check?.findings(in: part, zones: reader.currentZones) ?? []).map(found)
            result.findings += findings.filter { $0.finding.rule != .usable && !part.isDefect }
            switch part {
            case .events(let group):
                if check == nil { for component in group.components { changed.add(component) } }
                let isStored = try add(group, to: &targets, &result)
                // The importer judges only what it stores.
                if !isStored { result.findings += findings.filter { $0.finding.rule == .usable } }
            case .other(let raw): result.others[raw.name, default: 0] += 1
            case .defect(var defect):
                if defect.part == "VEVENT" {
                    result.components += 1
                    result.rejected += 1
                }
                defect.line = opened.sourceLine(defect.line)
                result.defects.append(named(defect))
            case .calendarBegin, .timezone, .calendarEnd: break
            case .calendarProperty(let property, let line): take(property, line: line, &result)
            }
        }
        if !reader.hasContent {
            result.emptyFiles += 1
            result.defects.append(
                ICalendarDefect(line: 1, part: "file", reason: "\(source.name) contains no iCalendar"))
        }
    }

    private func found(_ finding: CalendarFinding) -> FoundError {
        var finding = finding
        finding.line = opened.sourceLine(finding.line)
        return FoundError(finding: finding, file: source.path)
    }

    private func named(_ defect: ICalendarDefect) -> ICalendarDefect {
        var defect = defect
        if isNamed { defect.file = source.name }
        return defect
    }

    /// Imports the components of an event.
    /// - Returns: false if the store has them already, or later ones.
    private func add(
        _ group: EventGroup, to targets: inout ImportTargets, _ result: inout ImportResult
    ) throws -> Bool {
        var group = group
        result.components += group.components.count
        for place in group.components.indices {
            group.components[place].line = opened.sourceLine(group.components[place].line)
        }
        let own = CalendarNameLine.take(from: &group) ?? name
        let importer = try targets.importer(own)
        importer.file = isNamed ? source.name : nil
        switch try importer.add(group) {
        case .created(let id):
            result.created.append(id)
            targets.count(own)
        case .updated(let id): result.updated.append(id)
        case .unchanged:
            result.unchanged += 1
            return false
        case .older:
            result.older.append(group.uid)
            return false
        case .rejected: break
        }
        return true
    }

    private mutating func take(_ property: ICalendarProperty, line: Int, _ result: inout ImportResult) {
        if property.name == "X-WR-CALNAME", source.calendar == nil { name = property.text }
        if property.name == "X-WR-TIMEZONE", ZoneDatabase.zone(tzid: property.text) == nil {
            let reason = "the zone '\(property.text)' is unknown; times without a zone are local"
            result.defects.append(named(ICalendarDefect(line: line, part: "note", reason: reason)))
        }
    }
}

/// The lines of a file that were not read as they are.
private struct ChangedLines {
    private var (foreign, cleaned): ([Int], [Int]) = ([], [])

    mutating func add(_ component: RawComponent) {
        foreign += component.foreignLines
        cleaned += component.cleanedLines
    }

    /// A remark about all of a kind.
    func notes(_ name: String, line: (Int) -> Int) -> [ICalendarDefect] {
        func note(_ lines: [Int], _ one: String, _ many: String) -> ICalendarDefect? {
            guard let first = lines.first else { return nil }
            let what =
                lines.count == 1 ? "a line of \(name) \(one)" : "\(lines.count) lines of \(name), from here on, \(many)"
            return ICalendarDefect(line: line(first), part: "note", reason: what)
        }
        return [
            note(foreign, "is not UTF-8; read as Windows-1252", "are not UTF-8; read as Windows-1252"),
            note(
                cleaned, "has control characters, which were left out",
                "have control characters, which were left out"),
        ].compactMap { $0 }
    }
}
