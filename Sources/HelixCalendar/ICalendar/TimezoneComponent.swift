import HelixModel

/// Conversion between VTIMEZONE components and zones (RFC 5545 §3.6.5).
public enum TimezoneComponent {
    /// The last year up to which rules of a VTIMEZONE are expanded.
    private static let lastYear = 2200
    private static let transitionLimit = 4000

    /// The zone that the component describes; nil if it is invalid.
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

    /// Whether `custom`, a VTIMEZONE, contradicts the system's `zone` of its name in `year` and the three following
    /// years.
    ///
    /// Files often describe only a part of a zone: the changes of a few years, or only the last one. Before its first
    /// change and after its last one, such a part has no information, so the system's zone is used; it is overridden
    /// only where both cover a time and differ.
    public static func differs(_ custom: Zone, from zone: Zone, around year: Int) -> Bool {
        guard let first = custom.transitions.first, let last = custom.transitions.last else {
            return custom.initial.offset != zone.initial.offset
        }
        let start = CivilDateTime(CivilDate(year: year, month: 1, day: 1)).seconds
        let end = start + 3 * 366 * 86_400
        guard end > first.at else { return false }
        func differs(at second: Int64) -> Bool {
            custom.offset(at: Instant(second)) != zone.offset(at: Instant(second))
        }
        // Its last offset remains valid, unless it was right then and the zone has changed since.
        if start > last.at, differs(at: last.at) {
            return stride(from: start, to: end, by: 7 * 86_400).contains { differs(at: $0) }
        }
        var at = max(first.at, start)
        while at < min(end, last.at) {
            if differs(at: at) { return true }
            at += 7 * 86_400
        }
        return false
    }

    /// Parses `+0100`, `-043000` as seconds.
    static func offset(_ text: String?) -> Int? {
        guard let text = text?.trimmingBlanks(), let sign = text.first, sign == "+" || sign == "-" else { return nil }
        let digits = text.dropFirst().compactMap { $0.isASCII ? $0.wholeNumberValue : nil }
        guard digits.count == 4 || digits.count == 6, digits.count == text.count - 1 else { return nil }
        var seconds = (digits[0] * 10 + digits[1]) * 3600 + (digits[2] * 10 + digits[3]) * 60
        if digits.count == 6 { seconds += digits[4] * 10 + digits[5] }
        guard seconds < 86_400 else { return nil }
        return sign == "-" ? -seconds : seconds
    }
}
