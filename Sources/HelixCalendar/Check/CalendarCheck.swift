import HelixModel

/// A check of iCalendar data by libical, beside helix's own reader.
///
/// Each component is checked alone, with its zones, so that memory is bounded. Without a METHOD only errors of form and the
/// properties that RFC 5545 §3.6 requires are found; with one, also what RFC 5546 requires.
public struct CalendarCheck {
    /// Whether libical is installed.
    public static var isAvailable: Bool { Libical.isAvailable }

    private var method: String?
    /// The calendar whose parts are given; nil outside of one.
    private var calendar: CalendarHead?
    /// Whether events are also compared with what helix reads.
    private let comparesReadings: Bool

    /// - Parameter comparesReadings: whether UID, start and rule of events are compared with what helix reads.
    public init(comparesReadings: Bool) { self.comparesReadings = comparesReadings }

    /// The findings in a whole file or message. An unreadable part does not stop the others.
    public static func findings(in bytes: [UInt8], comparesReadings: Bool = true) -> [CalendarFinding] {
        var reader = CalendarFileReader(bytes, keepsLineNumbers: true)
        var check = CalendarCheck(comparesReadings: comparesReadings)
        var findings: [CalendarFinding] = []
        while let part = try? reader.next() { findings += check.findings(in: part, zones: reader.currentZones) }
        return findings.sorted { $0.line < $1.line }
    }

    /// The findings in the next part of a file. Parts are given in the order of the reader, which keeps the numbers of lines.
    ///
    /// - Parameter zones: the zones of the calendar, for components other than events.
    public mutating func findings(in part: CalendarFilePart, zones: ZoneResolver) -> [CalendarFinding] {
        switch part {
        case .calendarBegin(let line):
            calendar = CalendarHead(line: line)
            return []
        case .calendarProperty(let property, let line):
            if property.name == "METHOD" { method = property.text.uppercased().trimmingBlanks() }
            calendar?.lines.append((property, line))
            return []
        case .calendarEnd:
            method = nil
            defer { calendar = nil }
            return calendar?.findings ?? []
        case .defect(let defect): return [CalendarFinding(defect)]
        case .other(let raw), .timezone(let raw): return findings(in: raw, zones: zones)
        case .events(let group):
            if comparesReadings, group.components.contains(where: \.usesCalendarZone) { calendar?.usesOwnZone = true }
            return group.components.flatMap { findings(in: $0, zones: group.zones) } + group.repetitions
        }
    }

    /// The findings in one component.
    func findings(in raw: RawComponent, zones: ZoneResolver) -> [CalendarFinding] {
        let text = CheckedText(raw, zones: zones, method: method)
        guard let result = Libical.read(text.plain, method: method != nil) else { return [] }
        let problems =
            result.problems.isEmpty ? [] : Libical.read(text.marked, method: method != nil)?.problems ?? result.problems
        var findings = self.findings(problems, raw, text)
        func about(_ lines: [Int], _ message: String) -> [CalendarFinding] {
            lines.map {
                CalendarFinding(
                    line: $0, component: raw.name, uid: raw.lineNumbers.contains(0) ? nil : raw.uid,
                    property: text.property(at: $0), rule: .syntax, message: message)
            }
        }
        findings += about(raw.foreignLines, "is not UTF-8; read as Windows-1252")
        findings += about(raw.cleanedLines, "has control characters, which are left out")
        findings += ComponentRules(raw, zones: zones).findings(isMessage: method != nil).filter { own in
            !findings.contains { $0.line == own.line && $0.property == own.property }
        }
        if raw.name == "VEVENT" {
            let readings = ReadingComparison(
                raw, zones: zones, libical: result.readings, isCompared: comparesReadings, isMessage: method != nil)
            findings += readings.findings(besides: findings)
        }
        return findings
    }

    private func findings(
        _ problems: [Libical.Problem], _ raw: RawComponent, _ text: CheckedText
    ) -> [CalendarFinding] {
        let uid = raw.lineNumbers.contains(0) ? nil : raw.uid
        let restricted = Set(
            problems.filter { $0.kind == .method }.compactMap { LibicalMessage($0, method: method)?.property })
        return problems.compactMap { problem in
            guard let message = LibicalMessage(problem, method: method) else { return nil }
            // A METHOD counts the same properties.
            if problem.kind == .count, let name = message.property, restricted.contains(name) { return nil }
            let line = problem.line > 0 ? problem.line : raw.line
            let rule: CalendarFinding.Rule =
                switch problem.kind {
                case .parse: .syntax
                case .count: .count
                case .method: .method
                }
            // libical names VCARD 'VCAR'.
            let component = raw.name.hasPrefix(problem.component) ? raw.name : problem.component
            return CalendarFinding(
                line: line, component: component, uid: uid,
                property: message.property ?? (problem.kind == .parse ? text.property(at: line) : nil),
                rule: rule, message: message.text)
        }
    }
}

/// A component as the text of a calendar of its own.
private struct CheckedText {
    private let lines: [(text: ArraySlice<UInt8>, number: Int)]
    private let head: [UInt8]

    init(_ raw: RawComponent, zones: ZoneResolver, method: String?) {
        let all = raw.text.split(separator: 0x0A)
        let isNumbered = raw.lineNumbers.count == all.count
        lines = all.enumerated().compactMap { index, line in
            let number = isNumbered ? raw.lineNumbers[index] : raw.line
            return number == 0 ? nil : (line, number)
        }
        var head = "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//helix//check//EN\n"
        if let method { head += "METHOD:\(method.filter { $0.isLetter || $0 == "-" })\n" }
        if raw.name != "VTIMEZONE" {
            for tzid in CheckedText.zones(lines.map(\.text)) { head += zones.definition(tzid) ?? "" }
        }
        self.head = Array(head.utf8)
    }

    /// The text as it is.
    var plain: [UInt8] {
        var text = head
        for line in lines {
            text.append(contentsOf: line.text)
            text.append(0x0A)
        }
        return text + Array("END:VCALENDAR\n".utf8)
    }

    /// The text with a property before each line that names its number in the file.
    var marked: [UInt8] {
        var text = head
        for line in lines {
            let marker = Array("\(Libical.marker):\(line.number)\n".utf8)
            let isBegin = line.text.starts(with: "BEGIN:".utf8)
            if !isBegin, !line.text.starts(with: "END:".utf8) { text += marker }
            text.append(contentsOf: line.text)
            text.append(0x0A)
            if isBegin { text += marker }
        }
        return text + Array("END:VCALENDAR\n".utf8)
    }

    /// The name of the property in a line of the file.
    func property(at number: Int) -> String? {
        guard let line = lines.first(where: { $0.number == number })?.text,
            let name = ICalendarProperty(line)?.name, name != "BEGIN", name != "END"
        else { return nil }
        return name
    }

    /// The TZIDs that lines refer to.
    private static func zones(_ lines: [ArraySlice<UInt8>]) -> [String] {
        var found: [String] = []
        let marker = Array("TZID=".utf8)
        for line in lines where line.contains(0x3B) {
            guard line.split(separator: 0x3B).contains(where: { $0.starts(with: marker) }),
                let tzid = ICalendarProperty(line)?["TZID"], !found.contains(tzid)
            else { continue }
            found.append(tzid)
        }
        return found
    }
}
