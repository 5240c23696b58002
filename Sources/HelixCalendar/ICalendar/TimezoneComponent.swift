import HelixModel

/// Zones out of VTIMEZONE components, and VTIMEZONE components for zones (RFC 5545 §3.6.5).
public enum TimezoneComponent {
    /// Rules of a VTIMEZONE are followed up to this year.
    private static let lastYear = 2200
    private static let transitionLimit = 4000

    /// The zone that the component describes, or nil if it describes none.
    public static func zone(_ component: ICalendarComponent) -> Zone? {
        guard component.name == "VTIMEZONE", let tzid = component.first("TZID")?.value else { return nil }
        var transitions: [Zone.Transition] = []
        var earliest: (at: Int64, offset: Int)?
        for observance in component.components where observance.name == "STANDARD" || observance.name == "DAYLIGHT" {
            guard let from = offset(observance.first("TZOFFSETFROM")?.value),
                let to = offset(observance.first("TZOFFSETTO")?.value),
                let text = observance.first("DTSTART")?.value, let time = ICalendarTime(text)
            else { continue }
            let start: CivilDateTime
            switch time {
            case .date(let date): start = CivilDateTime(date)
            case .floating(let civil): start = civil
            case .utc(let instant): start = CivilDateTime(seconds: instant.seconds + Int64(from))
            }
            let rules = observance.all("RRULE").compactMap { try? RecurrenceRule($0.value) }
            var extra: [CivilDateTime] = []
            for property in observance.all("RDATE") {
                for value in property.value.split(separator: ",") {
                    switch ICalendarTime(String(value)) {
                    case .date(let date)?: extra.append(CivilDateTime(date))
                    case .floating(let civil)?: extra.append(civil)
                    case .utc(let instant)?: extra.append(CivilDateTime(seconds: instant.seconds + Int64(from)))
                    case nil: continue
                    }
                }
            }
            let onsets = EventRecurrence(
                start: start, rules: rules, extra: extra, zone: Zone(fixedOffset: from))
            let name = observance.first("TZNAME")?.text ?? tzid
            for onset in onsets {
                if onset.date.year > lastYear || transitions.count > transitionLimit { break }
                let at = onset.seconds - Int64(from)
                transitions.append(
                    Zone.Transition(
                        at: at, offset: to, isDaylight: observance.name == "DAYLIGHT", abbreviation: name))
                if earliest.map({ at < $0.at }) ?? true { earliest = (at, from) }
            }
        }
        guard let earliest else { return nil }
        transitions.sort { ($0.at, $0.offset) < ($1.at, $1.offset) }
        let initial = Zone.Transition(at: .min, offset: earliest.offset, isDaylight: false, abbreviation: tzid)
        return Zone(identifier: tzid, initial: initial, transitions: transitions)
    }

    /// Whether `custom` reads otherwise than `zone` from its first change on, looked at for 40 years around `year`.
    public static func differs(_ custom: Zone, from zone: Zone, around year: Int) -> Bool {
        guard let first = custom.transitions.first else { return custom.initial.offset != zone.initial.offset }
        // What a VTIMEZONE says of times before its own first onset is nothing.
        let start = max(first.at, CivilDateTime(CivilDate(year: year, month: 1, day: 1)).seconds)
        var at = start
        let end = start + 3 * 366 * 86_400
        while at < end {
            if custom.offset(at: Instant(at)) != zone.offset(at: Instant(at)) { return true }
            at += 7 * 86_400
        }
        return false
    }

    /// `+0100`, `-043000`: seconds.
    private static func offset(_ text: String?) -> Int? {
        guard let text = text?.trimmingBlanks(), let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().compactMap { $0.isASCII ? $0.wholeNumberValue : nil }
        guard digits.count == 4 || digits.count == 6, digits.count == text.count - 1 else { return nil }
        var seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        if digits.count == 6 { seconds += digits[4] * 10 + digits[5] }
        guard seconds < 86_400 else { return nil }
        return sign == "-" ? -seconds : seconds
    }

    /// A VTIMEZONE called `tzid` that says what `zone` does from `start` up to `end`.
    ///
    /// - Parameter isEndless: whether it must hold for ever; then the zone's own rule follows.
    public static func component(
        _ zone: Zone, tzid: String, from start: Instant, to end: Instant, isEndless: Bool
    ) -> ICalendarComponent {
        var component = ICalendarComponent("VTIMEZONE")
        component.set("TZID", ICalendarProperty("TZID", value: tzid))
        let before = zone.state(at: start)
        var observances = [
            observance(before, from: before.offset, onset: CivilDateTime(CivilDate(year: 1970, month: 1, day: 1)))
        ]
        var state = before
        var at = start.seconds
        let limit = min(end.seconds, start.seconds + 200 * 366 * 86_400)
        while let change = nextChange(zone, after: at, before: limit) {
            let next = zone.state(at: Instant(change))
            let onset = CivilDateTime(seconds: change + Int64(state.offset))
            observances.append(observance(next, from: state.offset, onset: onset))
            state = next
            at = change
        }
        var parts = merged(observances)
        if isEndless, let rule = zone.rule { parts += endless(rule, from: max(at, limit)) }
        for part in parts { component.items.append(.component(part)) }
        return component
    }

    /// The zone's rule for ever, from the first change after `at` on.
    private static func endless(_ rule: PosixZoneRule, from at: Int64) -> [ICalendarComponent] {
        rule.yearlyChanges(after: Instant(at)).map { change in
            var component = ICalendarComponent(change.state.isDaylight ? "DAYLIGHT" : "STANDARD")
            func add(_ name: String, _ value: String) { component.items.append(.line("\(name):\(value)")) }
            add("DTSTART", ICalendarTime.floating(change.onset).text)
            var yearly = RecurrenceRule(.yearly)
            yearly.months = [change.onset.date.month]
            let date = change.onset.date
            let ordinal =
                date.day + 7 > CivilDate.daysIn(month: date.month, year: date.year) ? -1 : (date.day - 1) / 7 + 1
            yearly.weekdays = [
                .init(date.weekday, ordinal: change.isLastWeek ? -1 : min(ordinal == -1 ? 4 : ordinal, 4))
            ]
            add("RRULE", yearly.text)
            add("TZOFFSETFROM", text(change.from))
            add("TZOFFSETTO", text(change.state.offset))
            add("TZNAME", ICalendarProperty.escaped(change.state.abbreviation))
            return component
        }
    }

    private struct Observance {
        var state: Zone.Transition
        var from: Int
        var onsets: [CivilDateTime]
    }

    private static func observance(_ state: Zone.Transition, from: Int, onset: CivilDateTime) -> Observance {
        Observance(state: state, from: from, onsets: [onset])
    }

    /// One component per kind of change: the first onset, and the others as RDATEs.
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
            var component = ICalendarComponent(kind.state.isDaylight ? "DAYLIGHT" : "STANDARD")
            func add(_ name: String, _ value: String) { component.items.append(.line("\(name):\(value)")) }
            add("DTSTART", ICalendarTime.floating(kind.onsets[0]).text)
            for onset in kind.onsets.dropFirst() { add("RDATE", ICalendarTime.floating(onset).text) }
            add("TZOFFSETFROM", text(kind.from))
            add("TZOFFSETTO", text(kind.state.offset))
            add("TZNAME", ICalendarProperty.escaped(kind.state.abbreviation))
            return component
        }
    }

    private static func text(_ offset: Int) -> String {
        let size = abs(offset)
        let seconds = size % 60 == 0 ? "" : ISO8601.padded(size % 60, 2)
        return (offset < 0 ? "-" : "+") + ISO8601.padded(size / 3600, 2) + ISO8601.padded(size / 60 % 60, 2) + seconds
    }

    /// The first second after `at` at which the zone's clock changes; changes closer than 12 hours may be passed over.
    private static func nextChange(_ zone: Zone, after at: Int64, before limit: Int64) -> Int64? {
        let step: Int64 = 12 * 3600
        var low = at
        let state = zone.offset(at: Instant(at))
        while low < limit {
            let high = low + step
            if zone.offset(at: Instant(high)) != state {
                var left = low
                var right = high
                while right - left > 1 {
                    let middle = (left + right) / 2
                    if zone.offset(at: Instant(middle)) == state { left = middle } else { right = middle }
                }
                return right
            }
            low = high
        }
        return nil
    }
}
