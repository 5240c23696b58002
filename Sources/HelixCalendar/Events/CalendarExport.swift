import HelixModel

/// Writes events as an iCalendar file (RFC 5545), with the VTIMEZONEs that they need.
///
/// The text of an event is written unchanged, including unknown properties and parameters; export, import and
/// another export produce identical bytes.
public struct CalendarExport {
    private let now: Instant
    /// The need of each TZID: the earliest year and the zone, or its own definition.
    private var needs: [String: Need] = [:]

    private struct Need {
        var earliest: Instant
        var latest: Instant
        var isEndless: Bool
    }
    private var zones = ExportedZones()

    /// Creates an export; `now` only affects the years for which the zones of endless series are described.
    public init(now: Instant) { self.now = now }

    /// Collects the zones that an event needs. Call it before ``header()``.
    public mutating func note(text: String, zones: String?) {
        let definitions = CalendarExport.definitions(zones)
        for (tzid, definition) in definitions { self.zones.note(tzid, definition) }
        var text = text
        text.withUTF8 { note($0, definitions) }
    }

    /// The zone definitions stored with an event.
    private static func definitions(_ zones: String?) -> [String: String] {
        guard let zones else { return [:] }
        let known = ICalendarComponent.list(zones).compactMap { component in
            component.first("TZID").map { ($0.value, component.text) }
        }
        return Dictionary(known) { first, _ in first }
    }

    /// Collects the zones of an event's lines, by bytes: an export of 20,000 events has half a million lines.
    private mutating func note(_ text: UnsafeBufferPointer<UInt8>, _ definitions: [String: String]) {
        var found: [(tzid: String, at: Instant)] = []
        var isEndless = false
        var until: Instant?
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: 0x0A) ?? text.count
            let line = text[start..<end]
            start = end + 1
            switch line.first {
            // DTSTART, DTEND, EXDATE, RECURRENCE-ID, RDATE, RRULE, in any case; other properties have no relevant zone.
            case 0x44?, 0x45?, 0x52?, 0x64?, 0x65?, 0x72?: break
            default: continue
            }
            if line.starts(with: "RRULE".utf8) {
                let bound = CalendarExport.bound(Array(line)[...])
                if bound == nil { isEndless = true }
                if let bound { until = max(until ?? bound, bound) }
            } else if let time = CalendarExport.zoned(line) {
                found.append(time)
            }
        }
        for (tzid, at) in found where definitions[tzid] == nil {
            zones.note(tzid, nil)
            var need = needs[tzid] ?? Need(earliest: at, latest: at, isEndless: false)
            need.earliest = min(need.earliest, at)
            need.latest = max(need.latest, until ?? at, at)
            need.isEndless = need.isEndless || isEndless
            needs[tzid] = need
        }
    }

    /// The end of a rule; nil without UNTIL.
    private static func bound(_ line: ArraySlice<UInt8>) -> Instant? {
        guard let property = ICalendarProperty(line), let rule = try? RecurrenceRule(property.value) else { return nil }
        switch rule.until {
        case .utc(let instant)?: return instant
        case .floating(let civil)?: return Instant(civil.seconds)
        case .date(let date)?: return Instant(CivilDateTime(date).seconds)
        case nil: return nil
        }
    }

    /// The TZID of a line, and its first time.
    private static func zoned(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> (tzid: String, at: Instant)? {
        let marker = Array(";TZID=".utf8)
        var index = line.startIndex
        while let semicolon = line[index...].firstIndex(of: 0x3B) {
            if line[semicolon...].starts(with: marker) {
                guard let property = ICalendarProperty(Array(line)[...]), let tzid = property["TZID"],
                    case .floating(let civil)? = ICalendarTime(
                        String(property.value.prefix { $0 != "/" && $0 != "," }))
                else { return nil }
                return (tzid, Instant(civil.seconds))
            }
            index = semicolon + 1
        }
        return nil
    }

    /// BEGIN:VCALENDAR, with the zones.
    public func header(name: String?) -> [UInt8] {
        var writer = ICalendarWriter()
        for line in ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//helix//helix//EN", "CALSCALE:GREGORIAN"] {
            writer.line(line)
        }
        if let name { writer.line(ICalendarProperty("X-WR-CALNAME", text: name).line) }
        for (name, tzid, definition) in zones.all {
            if let definition {
                let renamed = name == tzid ? definition : CalendarExport.named(definition, name)
                writer.lines(renamed)
            } else if let zone = ZoneDatabase.zone(tzid: tzid), let need = needs[tzid] {
                let start = Zone.utc.startOfDay(
                    CivilDate(year: Zone.utc.date(need.earliest).year - 1, month: 1, day: 1))
                let lastYear = Zone.utc.date(need.latest).year + 2
                let end = Zone.utc.startOfDay(CivilDate(year: lastYear, month: 1, day: 1))
                writer.lines(
                    TimezoneComponent.component(zone, tzid: tzid, from: start, to: end, isEndless: need.isEndless).text)
            }
        }
        var copy = writer
        return copy.take()
    }

    /// A VTIMEZONE with another TZID.
    private static func named(_ definition: String, _ name: String) -> String {
        ICalendarComponent.list(definition).map { component in
            var component = component
            component.set("TZID", [ICalendarProperty("TZID", value: name)])
            return component.text
        }.joined()
    }

    /// An event. A DTSTAMP, which RFC 5545 requires, is added to components without one.
    ///
    /// - Parameter zones: the zone definitions stored with it, as for ``note(text:zones:)``.
    public func event(_ text: String, zones: String? = nil) -> [UInt8] {
        var writer = ICalendarWriter()
        var text = text
        if zones != nil, self.zones.hasDoubles {
            let definitions = CalendarExport.definitions(zones)
            text = ICalendarComponent.list(text).map { self.zones.renaming($0, definitions).text }.joined()
        }
        writer.lines(CalendarExport.stamped(text))
        return writer.take()
    }

    /// The text of an event with a DTSTAMP in each component.
    static func stamped(_ text: String) -> String {
        // Most events have one component, with a stamp.
        if text.hasBytes(of: "\nDTSTAMP"), !text.hasBytes(of: "END:VEVENT\nBEGIN:VEVENT") { return text }
        return ICalendarComponent.list(text).map { component in
            guard component.first("DTSTAMP") == nil else { return component.text }
            var component = component
            component.items.insert(.line("DTSTAMP:19700101T000000Z"), at: 0)
            return component.text
        }.joined()
    }

    /// END:VCALENDAR.
    public var footer: [UInt8] { Array("END:VCALENDAR\r\n".utf8) }
}
