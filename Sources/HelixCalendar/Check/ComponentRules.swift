import HelixModel

/// Rules of RFC 5545 that libical does not check without a METHOD: values of numbers and words, properties that exclude each
/// other or are allowed once, and alarms.
struct ComponentRules {
    private struct Line {
        var property: ICalendarProperty
        var number: Int
        /// The names of the components around it, the outermost first.
        var path: [String]
        /// The number of its component in the text.
        var component: Int
    }

    private let raw: RawComponent
    private let lines: [Line]

    init(_ raw: RawComponent) {
        self.raw = raw
        let texts = raw.text.split(separator: 0x0A)
        let isNumbered = raw.lineNumbers.count == texts.count
        var lines: [Line] = []
        var open: [(name: String, number: Int)] = []
        var count = 0
        for (index, text) in texts.enumerated() {
            guard let property = ICalendarProperty(text) else { continue }
            let number = isNumbered ? raw.lineNumbers[index] : raw.line
            switch property.name {
            case "BEGIN":
                open.append((property.value.uppercased(), count))
                lines.append(
                    Line(
                        property: property, number: number, path: open.map(\.name),
                        component: open[open.count - 1].number))
                count += 1
            case "END": _ = open.popLast()
            default:
                // Lines that helix added have the number 0.
                guard let own = open.last, number > 0 else { continue }
                lines.append(
                    Line(property: property, number: number, path: open.map(\.name), component: own.number))
            }
        }
        self.lines = lines
    }

    /// The broken rules.
    /// - Parameter isMessage: whether the calendar has a METHOD: libical then counts the properties.
    func findings(isMessage: Bool) -> [CalendarFinding] {
        var found: [CalendarFinding] = []
        for number in Set(lines.map(\.component)).sorted() {
            let own = lines.filter { $0.component == number && $0.property.name != "BEGIN" }
            guard let name = lines.first(where: { $0.component == number })?.path.last else { continue }
            found += own.compactMap(value)
            if !isMessage { found += once(own, name) }
            found += exclusive(own, name)
            found += ends(own)
            if name == "VALARM" { found += alarm(own, number) }
        }
        return found
    }

    private func finding(_ line: Line, _ rule: CalendarFinding.Rule, _ message: String) -> CalendarFinding {
        CalendarFinding(
            line: line.number, component: line.path.last ?? raw.name, uid: raw.lineNumbers.contains(0) ? nil : raw.uid,
            property: line.property.name == "BEGIN" ? nil : line.property.name, rule: rule, message: message)
    }

    // MARK: Values

    private static let statuses = [
        "VEVENT": ["TENTATIVE", "CONFIRMED", "CANCELLED"],
        "VTODO": ["NEEDS-ACTION", "COMPLETED", "IN-PROCESS", "CANCELLED"],
        "VJOURNAL": ["DRAFT", "FINAL", "CANCELLED"],
    ]
    private static let numbers = [
        "PRIORITY": 0...9, "SEQUENCE": 0...Int.max, "PERCENT-COMPLETE": 0...100, "REPEAT": 0...Int.max,
    ]

    /// Properties whose value is a time in UTC (§3.8.2.1, §3.8.7).
    private static let moments: Set = ["COMPLETED", "CREATED", "DTSTAMP", "LAST-MODIFIED"]

    private func value(_ line: Line) -> CalendarFinding? {
        let text = line.property.value.trimmingBlanks()
        if Self.moments.contains(line.property.name) {
            if case .utc? = ICalendarTime(text) { return nil }
            return finding(line, .syntax, "'\(LibicalMessage.shown(text))' is no time in UTC")
        }
        if let range = Self.numbers[line.property.name] {
            // A sign is part of an integer (§3.3.8).
            guard let number = Int(text), range.contains(number) else {
                let most = range.upperBound == .max ? "0 or more" : "from 0 to \(range.upperBound)"
                return finding(line, .syntax, "'\(LibicalMessage.shown(text))' is no number \(most)")
            }
            return nil
        }
        let words =
            switch line.property.name {
            case "STATUS": Self.statuses[line.path.last ?? ""]
            case "TRANSP": ["OPAQUE", "TRANSPARENT"]
            default: [String]?.none
            }
        guard let words, !words.contains(text.uppercased()) else { return nil }
        return finding(line, .syntax, "'\(LibicalMessage.shown(text))' is none of \(words.joined(separator: ", "))")
    }

    // MARK: Numbers of properties

    /// The properties that a component has at most once (§3.6.1 to §3.6.3), besides those that libical counts.
    private static let single: Set = [
        "CLASS", "CREATED", "DESCRIPTION", "DTEND", "DUE", "DURATION", "COMPLETED", "GEO", "LAST-MODIFIED", "LOCATION",
        "ORGANIZER", "PERCENT-COMPLETE", "PRIORITY", "RECURRENCE-ID", "RRULE", "SEQUENCE", "STATUS", "SUMMARY",
        "TRANSP", "URL",
    ]

    private func once(_ own: [Line], _ name: String) -> [CalendarFinding] {
        // A journal may have several descriptions (§3.6.3).
        guard Self.statuses[name] != nil else { return [] }
        return Dictionary(grouping: own, by: \.property.name).filter { property, lines in
            lines.count > 1 && Self.single.contains(property) && !(name == "VJOURNAL" && property == "DESCRIPTION")
        }.map { property, lines in finding(lines[1], .count, "is there \(lines.count) times; once is allowed") }
            .sorted { $0.line < $1.line }
    }

    private func exclusive(_ own: [Line], _ name: String) -> [CalendarFinding] {
        guard let end = own.first(where: { ["DTEND", "DUE"].contains($0.property.name) }) else { return [] }
        var found: [CalendarFinding] = []
        if name == "VEVENT" || name == "VTODO", let length = own.first(where: { $0.property.name == "DURATION" }) {
            found.append(finding(length, .count, "excludes \(end.property.name), which helix uses"))
        }
        if let start = own.first(where: { $0.property.name == "DTSTART" }),
            let first = ICalendarTime(start.property.value.trimmingBlanks()),
            let last = ICalendarTime(end.property.value.trimmingBlanks()), first.isDate != last.isDate
        {
            found.append(finding(end, .syntax, "is a \(last.isDate ? "date" : "time"), DTSTART is none"))
        }
        return found
    }

    /// UNTIL has the type of DTSTART, and is in UTC if that has a zone (§3.3.10).
    private func ends(_ own: [Line]) -> [CalendarFinding] {
        guard let start = own.first(where: { $0.property.name == "DTSTART" })?.property,
            let first = ICalendarTime(start.value.trimmingBlanks())
        else { return [] }
        let hasZone = start.parameters.contains { $0.name == "TZID" }
        return own.filter { $0.property.name == "RRULE" }.compactMap { line -> CalendarFinding? in
            let parts = line.property.value.split(separator: ";")
            guard let part = parts.first(where: { $0.uppercased().hasPrefix("UNTIL=") }),
                let last = ICalendarTime(String(part.dropFirst("UNTIL=".count)))
            else { return nil }
            switch (first, last) {
            case (.date, .date), (.utc, .utc): return nil
            case (.floating, .floating) where !hasZone: return nil
            case (.floating, .utc) where hasZone: return nil
            case (.date, _): return finding(line, .syntax, "has an UNTIL with a time; DTSTART is a date")
            case (_, .date): return finding(line, .syntax, "has an UNTIL without a time; DTSTART is a time")
            case (.floating, .utc): return finding(line, .syntax, "has an UNTIL in UTC; DTSTART has no zone")
            default: return finding(line, .syntax, "has an UNTIL without a zone; DTSTART has one")
            }
        }
    }

    private func alarm(_ own: [Line], _ number: Int) -> [CalendarFinding] {
        guard let begin = lines.first(where: { $0.component == number }) else { return [] }
        return ["ACTION", "TRIGGER"].compactMap { name in
            let count = own.count { $0.property.name == name }
            return count == 1 ? nil : finding(begin, .count, "has \(count) \(name); it needs one")
        }
    }
}

extension ICalendarTime {
    /// Whether it is a date without a time.
    fileprivate var isDate: Bool { if case .date = self { true } else { false } }
}

extension EventGroup {
    /// Components of one UID that claim to be the same: several without a RECURRENCE-ID, or with the same one.
    var repetitions: [CalendarFinding] {
        var known: Set<String> = []
        return components.compactMap { raw in
            let lines = raw.text.split(separator: 0x0A)
            let identity = lines.first { $0.starts(with: "RECURRENCE-ID".utf8) }
            guard !known.insert(identity.map { String(decoding: $0, as: UTF8.self) } ?? "").inserted else { return nil }
            return CalendarFinding(
                line: raw.line, component: raw.name, uid: raw.lineNumbers.contains(0) ? nil : raw.uid, property: "UID",
                rule: .count,
                message: identity == nil
                    ? "another event of the file has the same" : "another event has the same and this RECURRENCE-ID")
        }
    }
}
