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
    private let zones: ZoneResolver
    private let lines: [Line]

    init(_ raw: RawComponent, zones: ZoneResolver) {
        (self.raw, self.zones) = (raw, zones)
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
            let values = own.compactMap(value)
            found += values
            if !isMessage { found += once(own, name) }
            found += exclusive(own, name).filter { next in
                !values.contains { $0.line == next.line && $0.rule == next.rule }
            }
            found += ends(own)
            if name == "VALARM" { found += alarm(own, number) }
            if name == "VEVENT" || name == "VTODO" { found += lengths(own, name) }
            if name == "VTODO" { found += unusable(own) }
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

    /// Properties whose value is a date or a time (§3.8.2.3, §3.8.2.4, §3.8.4.4).
    private static let times: Set = ["DUE", "DTSTART", "RECURRENCE-ID"]

    private func value(_ line: Line) -> CalendarFinding? {
        if let problem = ValueRules.problem(line.property) { return finding(line, .syntax, problem) }
        let text = line.property.value.trimmingBlanks()
        if Self.moments.contains(line.property.name) {
            if case .utc? = ICalendarTime(text) { return nil }
            return finding(line, .syntax, "'\(LibicalMessage.shown(text))' is no time in UTC")
        }
        // Those of events are compared with what helix reads.
        if line.path.last == "VTODO", Self.times.contains(line.property.name) {
            return ICalendarTime(text) != nil
                ? nil : finding(line, .syntax, "'\(LibicalMessage.shown(text))' is no date and no time")
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
            found.append(
                finding(end, .syntax, "is a \(last.isDate ? "date; DTSTART is a time" : "time; DTSTART is a date")"))
        } else if let problem = order(own, end) {
            found.append(finding(end, .syntax, problem))
        }
        return found
    }

    /// The problem of an end that is not after the start (§3.8.2.2); nil if their zones differ.
    private func order(_ own: [Line], _ end: Line) -> String? {
        guard let start = own.first(where: { $0.property.name == "DTSTART" })?.property,
            start["TZID"] == end.property["TZID"], let first = ICalendarTime(start.value.trimmingBlanks()),
            let last = ICalendarTime(end.property.value.trimmingBlanks()), let length = last.seconds(since: first)
        else { return nil }
        if length < 0 { return "is before DTSTART" }
        // Most programs write tasks that start and are due on one day in this way.
        return length == 0 && end.property.name == "DTEND" ? "is not after DTSTART" : nil
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
        var found = ["ACTION", "TRIGGER"].compactMap { name -> CalendarFinding? in
            let count = own.count { $0.property.name == name }
            return count == 1 ? nil : finding(begin, .count, "has \(count) \(name); it needs one")
        }
        func first(_ name: String) -> Line? { own.first { $0.property.name == name } }
        if let action = first("ACTION") {
            let needed = Self.alarmProperties[action.property.value.uppercased().trimmingBlanks()] ?? []
            found += needed.filter { first($0) == nil }.map { finding(action, .syntax, "needs \($0)") }
        }
        switch (first("REPEAT"), first("DURATION")) {
        case (let line?, nil): found.append(finding(line, .syntax, "needs DURATION"))
        case (nil, let line?): found.append(finding(line, .syntax, "needs REPEAT"))
        default: break
        }
        return found
    }

    /// The properties that the actions of alarms need (§3.6.6).
    private static let alarmProperties = [
        "DISPLAY": ["DESCRIPTION"], "EMAIL": ["DESCRIPTION", "SUMMARY", "ATTENDEE"],
    ]

    /// The lengths of an event or a task: whole days for dates, and for tasks one that counts from a start (§3.6.1, §3.6.2).
    private func lengths(_ own: [Line], _ name: String) -> [CalendarFinding] {
        guard let line = own.first(where: { $0.property.name == "DURATION" }) else { return [] }
        let start = own.first { $0.property.name == "DTSTART" }?.property
        if name == "VTODO", start == nil { return [finding(line, .count, "needs DTSTART")] }
        guard let start, ICalendarTime(start.value.trimmingBlanks())?.isDate == true,
            let length = ICalendarDuration(line.property.value.trimmingBlanks()), length.seconds != 0
        else { return [] }
        return [finding(line, .syntax, "has hours; DTSTART is a date")]
    }

    /// The rules and zones of a task that helix cannot use; those of events are compared with what it reads.
    private func unusable(_ own: [Line]) -> [CalendarFinding] {
        own.compactMap { line in
            if line.property.name == "RRULE" {
                do throws(RecurrenceRuleError) { _ = try RecurrenceRule(line.property.value) } catch {
                    return finding(line, .usable, "helix cannot use it: \(error.reason)")
                }
            }
            guard let zone = line.property["TZID"], !zones.knows(zone) else { return nil }
            return finding(line, .usable, "helix does not know the zone '\(LibicalMessage.shown(zone))'")
        }
    }
}

extension ICalendarTime {
    /// Whether it is a date without a time.
    var isDate: Bool { if case .date = self { true } else { false } }

    /// The seconds from a time of the same form and zone; nil for another form.
    fileprivate func seconds(since start: ICalendarTime) -> Int? {
        switch (start, self) {
        case (.date(let first), .date(let last)): (last - first) * 86_400
        case (.floating(let first), .floating(let last)): Int(last.seconds - first.seconds)
        case (.utc(let first), .utc(let last)): Int(last.seconds - first.seconds)
        default: nil
        }
    }
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
