import HelixModel

extension CalendarCheck {
    /// The findings in stored events or tasks, as they would be exported. Lines are those of `text`.
    ///
    /// - Parameters:
    ///   - text: the lines of their components.
    ///   - zones: the VTIMEZONEs stored with them.
    public static func findings(inText text: String, zones: String?, comparesReadings: Bool) -> [CalendarFinding] {
        let check = CalendarCheck(comparesReadings: comparesReadings)
        let resolver = ZoneResolver(definitions: zones ?? "")
        var line = 1
        return ICalendarComponent.list(CalendarExport.stamped(text)).flatMap { component in
            let text = Array(component.text.utf8)
            let count = text.count { $0 == 0x0A }
            let raw = RawComponent(
                name: component.name, text: text, line: line, uid: component.first("UID")?.text, defects: [],
                lineNumbers: Array(line..<line + count))
            line += count
            return check.findings(in: raw, zones: resolver)
        }
    }

    /// The properties whose values people type: earlier versions took them as they were.
    private static let typed: Set = ["ATTENDEE", "ORGANIZER", "URL"]

    /// The findings in an event or task that helix wrote which are not from the program that wrote it before.
    ///
    /// - Parameters:
    ///   - former: the text of another program, before helix changed it; nil if helix created the event.
    ///   - isForeign: whether a line is in the text of other programs: copies have lines of their originals.
    public static func ownFindings(
        inText text: String, zones: String?, former: String?, isForeign: (String) throws -> Bool
    ) rethrows -> [CalendarFinding] {
        var all = findings(inText: text, zones: zones, comparesReadings: false).filter {
            $0.rule.isInvalid && $0.rule != .usable && !typed.contains($0.property ?? "")
        }
        if all.isEmpty { return [] }
        if let former {
            for known in findings(inText: former, zones: zones, comparesReadings: false) {
                all.removeAll {
                    ($0.rule, $0.property, $0.message) == (known.rule, known.property, known.message)
                }
            }
        }
        let lines = CalendarExport.stamped(text).split(separator: "\n")
        return try all.filter { finding in
            guard finding.rule == .syntax, lines.indices.contains(finding.line - 1) else { return true }
            return try !isForeign(String(lines[finding.line - 1]))
        }
    }
}
