import HelixModel

/// Writes events as an iCalendar file (RFC 5545), with the VTIMEZONEs that they need.
///
/// What an event's file said is written as it was, unknown properties and parameters included; export, import and
/// export again gives the same bytes.
public struct CalendarExport {
    private let now: Instant
    /// What each TZID needs: the earliest year and the zone, or a definition of its own.
    private var needs: [String: Need] = [:]

    private struct Need {
        var earliest: Instant
        var latest: Instant
        var isEndless: Bool
    }
    private var definitions: [String: String] = [:]

    /// An export; `now` is of no matter to the bytes, but for which years endless series are described.
    public init(now: Instant) { self.now = now }

    /// Notes what zones an event needs. Comes before ``header()``.
    public mutating func note(text: String, zones: String?) {
        if let zones {
            for component in ICalendarComponent.list(zones) {
                if let tzid = component.first("TZID")?.value { definitions[tzid] = component.text }
            }
        }
        guard text.utf8.contains(0x54), text.contains("TZID=") else { return }
        let isEndless = text.contains("\nRRULE") && !text.contains("UNTIL=") && !text.contains("COUNT=")
        for line in text.split(separator: "\n") where line.contains("TZID=") {
            guard let property = ICalendarProperty(line: line), let tzid = property["TZID"] else { continue }
            for value in property.value.split(separator: ",") {
                guard case .floating(let civil)? = ICalendarTime(String(value.prefix { $0 != "/" })) else { continue }
                let at = Instant(civil.seconds)
                var need = needs[tzid] ?? Need(earliest: at, latest: at, isEndless: false)
                need.earliest = min(need.earliest, at)
                need.latest = max(need.latest, at)
                need.isEndless = need.isEndless || isEndless
                needs[tzid] = need
            }
        }
        if !isEndless { noteUntil(text) }
    }

    /// A series may end years after its start.
    private mutating func noteUntil(_ text: String) {
        for line in text.split(separator: "\n") where line.hasPrefix("RRULE") {
            guard let property = ICalendarProperty(line: line), let rule = try? RecurrenceRule(property.value) else {
                continue
            }
            var until: Instant?
            switch rule.until {
            case .utc(let instant)?: until = instant
            case .floating(let civil)?: until = Instant(civil.seconds)
            case .date(let date)?: until = Instant(CivilDateTime(date).seconds)
            case nil: break
            }
            for (tzid, need) in needs {
                var need = need
                if let until { need.latest = max(need.latest, until) }
                need.isEndless = need.isEndless || rule.count != nil
                needs[tzid] = need
            }
        }
    }

    /// BEGIN:VCALENDAR with the zones.
    public func header(name: String?) -> [UInt8] {
        var writer = ICalendarWriter()
        for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//helix//helix//EN", "CALSCALE:GREGORIAN"] {
            writer.line(line)
        }
        if let name { writer.line(ICalendarProperty("X-WR-CALNAME", text: name).line) }
        for tzid in Set(needs.keys).union(definitions.keys).sorted() {
            if let definition = definitions[tzid] {
                writer.lines(definition)
            } else if let zone = ZoneDatabase.zone(tzid: tzid), let need = needs[tzid] {
                let start = Zone.utc.startOfDay(
                    CivilDate(year: Zone.utc.date(need.earliest).year - 1, month: 1, day: 1))
                let lastYear = Zone.utc.date(need.latest).year + 1
                let end = Zone.utc.startOfDay(CivilDate(year: lastYear, month: 1, day: 1))
                writer.lines(
                    TimezoneComponent.component(zone, tzid: tzid, from: start, to: end, isEndless: need.isEndless).text)
            }
        }
        var copy = writer
        return copy.take()
    }

    /// One event.
    public func event(_ text: String) -> [UInt8] {
        var writer = ICalendarWriter()
        writer.lines(text)
        return writer.take()
    }

    /// END:VCALENDAR.
    public var footer: [UInt8] { Array("END:VCALENDAR\r\n".utf8) }
}
