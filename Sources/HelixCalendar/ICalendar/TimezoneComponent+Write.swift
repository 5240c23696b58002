import HelixModel

extension TimezoneComponent {
    /// The number of years to list the changes of a zone whose rule cannot be expressed as a recurrence rule.
    private static let listedYears: Int64 = 100

    /// A VTIMEZONE called `tzid` that describes `zone` from `start` to `end` (RFC 5545 §3.6.5).
    ///
    /// Changes are listed as RDATEs, which all programs read alike. If it must be valid forever, the zone's yearly rule
    /// is added, from the time on from which the zone follows it: not before the last decreed change.
    /// - Parameter isEndless: whether it must be valid forever.
    public static func component(
        _ zone: Zone, tzid: String, from start: Instant, to end: Instant, isEndless: Bool
    ) -> ICalendarComponent {
        var yearly: [YearlyZoneChange] = []
        var listedTo = end
        if isEndless {
            let ruleStart = max(start, zone.ruleStart ?? zone.transitions.last.map { Instant($0.at + 1) } ?? start)
            if let rule = zone.rule, let changes = rule.yearlyChanges(from: ruleStart) {
                yearly = changes
                listedTo = ruleStart
            } else {
                listedTo = max(ruleStart, end) + Int(listedYears * 366 * 86_400)
            }
        }
        let before = zone.state(at: start)
        let epoch = CivilDateTime(CivilDate(year: 1970, month: 1, day: 1))
        let first = min(epoch, CivilDateTime(seconds: start.seconds + Int64(before.offset)))
        var observances = [Observance(state: before, from: before.offset, onsets: [first])]
        var offset = before.offset
        for change in zone.changes(after: start, before: listedTo) {
            let onset = CivilDateTime(seconds: change.at + Int64(offset))
            observances.append(Observance(state: change, from: offset, onsets: [onset]))
            offset = change.offset
        }
        var component = ICalendarComponent("VTIMEZONE")
        component.set("TZID", ICalendarProperty("TZID", value: tzid))
        for part in merged(observances) + yearly.map(yearlyComponent) { component.items.append(.component(part)) }
        return component
    }

    private struct Observance {
        var state: Zone.Transition
        var from: Int
        var onsets: [CivilDateTime]
    }

    /// Merges observances into one component per kind: the first onset, and the rest as RDATEs.
    private static func merged(_ observances: [Observance]) -> [ICalendarComponent] {
        var kinds: [Observance] = []
        for observance in observances {
            let same = kinds.firstIndex {
                $0.from == observance.from && $0.state.offset == observance.state.offset
                    && $0.state.isDaylight == observance.state.isDaylight
                    && $0.state.abbreviation == observance.state.abbreviation
            }
            if let same { kinds[same].onsets += observance.onsets } else { kinds.append(observance) }
        }
        return kinds.map { kind in
            observanceComponent(kind.state, from: kind.from) { add in
                add("DTSTART", ICalendarTime.floating(kind.onsets[0]).text)
                for onset in kind.onsets.dropFirst() { add("RDATE", ICalendarTime.floating(onset).text) }
            }
        }
    }

    private static func yearlyComponent(_ change: YearlyZoneChange) -> ICalendarComponent {
        observanceComponent(change.state, from: change.from) { add in
            add("DTSTART", ICalendarTime.floating(change.onset).text)
            add("RRULE", rule(change.days).text)
        }
    }

    private static func rule(_ days: YearlyZoneChange.Days) -> RecurrenceRule {
        var rule = RecurrenceRule(.yearly)
        switch days {
        case .ordinal(let ordinal, let weekday, let month):
            rule.months = [month]
            rule.weekdays = [.init(weekday, ordinal: ordinal)]
        case .among(let monthDays, let weekday, let month):
            rule.months = [month]
            rule.monthDays = monthDays
            rule.weekdays = [.init(weekday)]
        case .date(let day, let month):
            rule.months = [month]
            rule.monthDays = [day]
        case .yearDay(let day): rule.yearDays = [day]
        }
        return rule
    }

    /// A STANDARD or DAYLIGHT component; `body` adds its onsets.
    private static func observanceComponent(
        _ state: Zone.Transition, from: Int, _ body: ((String, String) -> Void) -> Void
    ) -> ICalendarComponent {
        var component = ICalendarComponent(state.isDaylight ? "DAYLIGHT" : "STANDARD")
        func add(_ name: String, _ value: String) { component.items.append(.line("\(name):\(value)")) }
        body(add)
        add("TZOFFSETFROM", text(from))
        add("TZOFFSETTO", text(state.offset))
        add("TZNAME", ICalendarProperty.escaped(state.abbreviation))
        return component
    }

    /// Formats an offset in seconds as `+0100`, `-043000`.
    private static func text(_ offset: Int) -> String {
        let size = abs(offset)
        let seconds = size % 60 == 0 ? "" : ISO8601.padded(size % 60, 2)
        return (offset < 0 ? "-" : "+") + ISO8601.padded(size / 3600, 2) + ISO8601.padded(size / 60 % 60, 2) + seconds
    }
}
