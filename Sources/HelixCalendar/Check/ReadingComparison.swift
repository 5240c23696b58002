import HelixModel

/// An event as helix and libical read it.
struct ReadingComparison {
    private let raw: RawComponent
    private let libical: [Libical.Reading]
    private let isCompared: Bool
    private let helix: Result<EventComponent, EventComponentError>

    private let isMessage: Bool

    /// - Parameters:
    ///   - isCompared: whether the two are compared, or helix's alone is told.
    ///   - isMessage: whether the calendar has a METHOD.
    init(
        _ raw: RawComponent, zones: ZoneResolver, libical: [Libical.Reading], isCompared: Bool, isMessage: Bool
    ) {
        self.isMessage = isMessage
        self.raw = raw
        self.libical = libical
        self.isCompared = isCompared
        helix = Result { () throws(EventComponentError) in try EventComponent(raw.text, zones: zones) }
    }

    /// The findings, without those whose cause is in `known` already.
    func findings(besides known: [CalendarFinding]) -> [CalendarFinding] {
        switch helix {
        case .failure(let error):
            // A reply without DTSTART is valid.
            let isKnown = known.contains { $0.property.map(error.reason.hasPrefix) ?? false }
            if isKnown || isMessage && error.reason == "DTSTART is missing" { return [] }
            return [finding(nil, .usable, "helix cannot use it: \(error.reason)")]
        case .success(let event):
            let warnings = event.warnings.filter { !isKnown($0, known) }.map { finding(nil, .usable, "helix: \($0)") }
            guard isCompared else { return warnings }
            let broken = Set(known.compactMap(\.property))
            return warnings + differences(event).filter { !broken.contains($0.property ?? "") }
        }
    }

    /// Whether a remark of helix is about the value of a property that another finding names.
    private func isKnown(_ remark: String, _ known: [CalendarFinding]) -> Bool {
        let isCounted = known.contains { finding in
            guard finding.rule == .count else { return false }
            guard let property = finding.property else {
                return finding.component == "VALARM" && remark == "an alarm has no TRIGGER; it never rings"
            }
            return remark.hasPrefix("\(property) is there ") || remark.hasPrefix("\(property) is ignored")
        }
        if isCounted { return true }
        let broken = Set(known.compactMap { $0.rule == .syntax ? $0.property : nil })
        if broken.contains(where: { remark.hasPrefix("\($0) is a ") }) { return true }
        return raw.text.split(separator: 0x0A).contains { line in
            guard let property = ICalendarProperty(line), broken.contains(property.name) else { return false }
            let value = property.value.trimmingBlanks()
            return !value.isEmpty && remark.contains("'\(value)'")
        }
    }

    private func finding(_ property: String?, _ rule: CalendarFinding.Rule, _ message: String) -> CalendarFinding {
        CalendarFinding(
            line: line(of: property), component: raw.name, uid: hasOwnUID ? raw.uid : nil, property: property,
            rule: rule,
            message: message)
    }

    private var hasOwnUID: Bool { !raw.lineNumbers.contains(0) }

    private func differences(_ event: EventComponent) -> [CalendarFinding] {
        guard libical.count == 1, let other = libical.first, other.component == raw.name else {
            return [finding(nil, .reading, "libical reads \(libical.count) components, helix one")]
        }
        var found: [CalendarFinding] = []
        if hasOwnUID, let own = raw.uid, own != other.uid?.trimmingBlanks() {
            found.append(finding("UID", .reading, "helix reads '\(own)', libical '\(other.uid ?? "")'"))
        }
        if let start = other.start {
            if let words = difference(event.start, start) { found.append(finding("DTSTART", .reading, words)) }
        } else {
            found.append(finding("DTSTART", .reading, "helix reads \(Self.text(event.start)), libical nothing"))
        }
        let rule = other.rule.flatMap { try? RecurrenceRule($0) }.map(Self.ordered)
        if event.rules.first.map(Self.ordered) != rule {
            let own = event.rules.first?.text ?? "nothing"
            found.append(finding("RRULE", .reading, "helix reads \(own), libical \(other.rule ?? "nothing")"))
        }
        return found
    }

    /// The difference between two readings of DTSTART; nil if they are the same moment.
    private func difference(_ helix: EventTime, _ libical: Libical.Start) -> String? {
        let isSame: Bool =
            switch helix {
            case .date: libical.isDate && helix.civil == libical.civil
            case .floating: !libical.isDate && !libical.isUTC && helix.civil == libical.civil
            case .utc(let instant): !libical.isDate && libical.isUTC && instant == libical.instant
            case .zoned(let civil, let zone):
                !libical.isDate && civil == libical.civil
                    && (!libical.hasZone || libical.instant == zone.instant(civil))
            }
        guard !isSame else { return nil }
        return "helix reads \(Self.text(helix)), libical \(Self.text(libical))"
    }

    private static func text(_ time: EventTime) -> String {
        switch time {
        case .date(let date): ISO8601.text(date)
        case .floating(let civil): ISO8601.text(civil)
        case .utc(let instant): ISO8601.text(CivilDateTime(seconds: instant.seconds)) + "Z"
        case .zoned(let civil, let zone):
            ISO8601.text(civil)
                + " \(zone.identifier) (\(ISO8601.text(CivilDateTime(seconds: zone.instant(civil).seconds)))Z)"
        }
    }

    private static func text(_ start: Libical.Start) -> String {
        if start.isDate { return ISO8601.text(start.civil.date) }
        let text = ISO8601.text(start.civil)
        if start.isUTC { return text + "Z" }
        return start.hasZone ? text + " (\(ISO8601.text(CivilDateTime(seconds: start.instant.seconds)))Z)" : text
    }

    /// The rule with its lists in order: their order means nothing.
    private static func ordered(_ rule: RecurrenceRule) -> RecurrenceRule {
        var rule = rule
        for list in [
            \RecurrenceRule.seconds, \.minutes, \.hours, \.monthDays, \.yearDays, \.weekNumbers, \.months,
            \.setPositions,
        ] { rule[keyPath: list] = Set(rule[keyPath: list]).sorted() }
        rule.weekdays = Set(rule.weekdays).sorted {
            ($0.ordinal ?? 0, $0.weekday.rawValue) < ($1.ordinal ?? 0, $1.weekday.rawValue)
        }
        return rule
    }

    /// The line of a property of the component itself; the one of BEGIN without it.
    private func line(of property: String?) -> Int {
        guard let property else { return raw.line }
        for (index, line) in raw.text.split(separator: 0x0A).enumerated() where index < raw.lineNumbers.count {
            if ICalendarProperty(line)?.name == property, raw.lineNumbers[index] > 0 { return raw.lineNumbers[index] }
        }
        return raw.line
    }
}
