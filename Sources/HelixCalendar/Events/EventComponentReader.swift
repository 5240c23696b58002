import HelixModel

/// The reason why a VEVENT is unusable, as a phrase such as `DTSTART is missing`.
public struct EventComponentError: Error, Hashable, Sendable {
    /// The phrase.
    public let reason: String
}

extension EventComponent {
    /// Parses a VEVENT's text, in the form of ``RawComponent`` and the store.
    /// - Throws: ``EventComponentError`` if the component has no usable start.
    public init(_ text: [UInt8], zones: ZoneResolver) throws(EventComponentError) {
        var reader = EventComponentReader(zones: zones)
        var index = text.startIndex
        while index < text.endIndex {
            let end = text[index...].firstIndex(of: 0x0A) ?? text.endIndex
            if end > index { reader.take(text[index..<end]) }
            index = end + 1
        }
        self = try reader.finish()
    }
}

/// Collects the properties of a VEVENT. Times are resolved after all lines are read: their TZIDs depend on the year.
private struct EventComponentReader {
    private let zones: ZoneResolver
    private var event = EventComponent()
    private var depth = 0
    private var start: ICalendarProperty?
    private var end: ICalendarProperty?
    private var recurrenceID: ICalendarProperty?
    private var extraDates: [ICalendarProperty] = []
    private var exceptions: [ICalendarProperty] = []
    private var alarm: [ICalendarProperty] = []
    private var isInAlarm = false
    private var hasTransparency = false

    init(zones: ZoneResolver) { self.zones = zones }

    mutating func take(_ line: ArraySlice<UInt8>) {
        let first = line[line.startIndex] & 0xDF
        if first == 0x42, line.starts(with: "BEGIN:".utf8) {
            depth += 1
            if depth == 2 {
                isInAlarm = line.elementsEqual("BEGIN:VALARM".utf8)
                alarm = []
            }
            return
        }
        if first == 0x45, line.starts(with: "END:".utf8) {
            if depth == 2, isInAlarm, let alarm = readAlarm() { event.alarms.append(alarm) }
            if depth == 2 { isInAlarm = false }
            depth -= 1
            return
        }
        if depth > 1 {
            if isInAlarm, depth == 2, let property = ICalendarProperty(line) { alarm.append(property) }
            return
        }
        // Most lines of real files are irrelevant; they are skipped by their first letter and length.
        switch first {
        case 0x41, 0x43, 0x44, 0x45, 0x4C, 0x4F, 0x52, 0x53, 0x54, 0x55, 0x58: break
        default: return
        }
        if first == 0x58, !line.starts(with: "X-APPLE-TRAVEL".utf8), !line.starts(with: "X-MICROSOFT-CDO-B".utf8) {
            return
        }
        guard let property = ICalendarProperty(line) else { return }
        take(property)
    }

    private mutating func take(_ property: ICalendarProperty) {
        switch property.name {
        case "UID": if event.uid.isEmpty { event.uid = property.text.trimmingBlanks() }
        case "DTSTART": if start == nil { start = property }
        case "DTEND": if end == nil { end = property }
        case "DURATION":
            event.duration = ICalendarDuration(property.value.trimmingBlanks())
            if event.duration == nil { event.warnings.append("DURATION '\(property.value)' is invalid") }
        case "RECURRENCE-ID":
            recurrenceID = property
            event.isThisAndFuture = property["RANGE"]?.uppercased() == "THISANDFUTURE"
        case "RDATE": extraDates.append(property)
        case "EXDATE": exceptions.append(property)
        case "RRULE":
            do throws(RecurrenceRuleError) {
                event.rules.append(try RecurrenceRule(property.value))
            } catch {
                event.warnings.append("the rule '\(property.value)' was ignored: \(error.reason)")
            }
        case "EXRULE":
            event.warnings.append("EXRULE is obsolete and was ignored")
        case "SUMMARY": event.title = EventComponentReader.text(property)
        case "LOCATION": event.location = EventComponentReader.text(property).nonEmpty
        case "DESCRIPTION": event.description = EventComponentReader.text(property).nonEmpty
        case "URL": event.url = property.value.trimmingBlanks().nonEmpty
        case "CATEGORIES":
            event.categories += property.texts.compactMap { $0.trimmingBlanks().nonEmpty }
        case "STATUS":
            event.status = EventStatus(rawValue: property.value.lowercased().trimmingBlanks()) ?? .confirmed
        case "TRANSP":
            hasTransparency = true
            event.isOpaque = property.value.uppercased().trimmingBlanks() != "TRANSPARENT"
        case "X-MICROSOFT-CDO-BUSYSTATUS":
            let value = property.value.uppercased()
            if value == "FREE", !hasTransparency { event.isOpaque = false }
            if value == "TENTATIVE", event.status == .confirmed { event.status = .tentative }
        case "ORGANIZER": event.organizer = EventComponentReader.attendee(property)
        case "ATTENDEE": event.attendees.append(EventComponentReader.attendee(property))
        case "ATTACH": if property["VALUE"]?.uppercased() != "BINARY" { event.attachments.append(property.value) }
        case "SEQUENCE": event.sequence = Int(property.value.trimmingBlanks()) ?? 0
        case "LAST-MODIFIED": event.modified = EventComponentReader.instant(property.value) ?? event.modified
        case "DTSTAMP": if event.modified == nil { event.modified = EventComponentReader.instant(property.value) }
        case "X-APPLE-TRAVEL-DURATION":
            event.travel = min(86_400, max(0, ICalendarDuration(property.value)?.total ?? 0))
        default: break
        }
    }

    mutating func finish() throws(EventComponentError) -> EventComponent {
        guard let start else { throw EventComponentError(reason: "DTSTART is missing") }
        guard let time = times(start).first else {
            throw EventComponentError(reason: "DTSTART '\(start.value.prefix(40))' is not a date")
        }
        event.start = time
        if let end {
            if let time = times(end).first {
                event.end = time
                let length = time.basis == event.start.basis && !time.isDate ? time.ordinal - event.start.ordinal : 0
                if length < -86_400 {
                    event.warnings.append("it ends before it starts; the end was ignored")
                    event.end = nil
                } else if length < 0 {
                    event.warnings.append("it ends before it starts; start and end were swapped")
                    event.end = event.start
                    event.start = time
                }
            } else if end.value.trimmingBlanks().isEmpty == false {
                event.warnings.append("DTEND '\(end.value.prefix(40))' is not a date")
            }
        }
        if let recurrenceID {
            guard let time = times(recurrenceID).first else {
                throw EventComponentError(reason: "RECURRENCE-ID '\(recurrenceID.value.prefix(40))' is not a date")
            }
            event.recurrenceID = time
        }
        let isOver =
            !event.rules.isEmpty
            && event.rules.allSatisfy { rule in
                rule.ends(before: event.start.civil, zone: event.start.clock)
            }
        if isOver { event.warnings.append("it has no occurrences: the rule's UNTIL is before DTSTART") }
        for property in extraDates { readExtraDates(property) }
        for property in exceptions {
            let read = times(property)
            if read.isEmpty { event.warnings.append("EXDATE '\(property.value.prefix(40))' is not a date") }
            event.exceptions += read
        }
        return event
    }

    private mutating func readExtraDates(_ property: ICalendarProperty) {
        for value in property.value.split(separator: ",") {
            let sides = value.split(separator: "/", maxSplits: 1)
            guard let first = sides.first,
                let start = time(String(first), tzid: property["TZID"])
            else {
                event.warnings.append("RDATE '\(value.prefix(40))' is not a date")
                continue
            }
            var duration: Int?
            if sides.count == 2 {
                if let length = ICalendarDuration(String(sides[1])) {
                    duration = max(0, length.total)
                } else if let end = time(String(sides[1]), tzid: property["TZID"]) {
                    duration = max(0, Int(end.ordinal - start.ordinal))
                }
            }
            event.extraDates.append(EventComponent.ExtraDate(start: start, duration: duration))
        }
    }

    private mutating func times(_ property: ICalendarProperty) -> [EventTime] {
        let tzid = property["TZID"]
        return property.value.split(separator: ",").compactMap { time(String($0), tzid: tzid) }
    }

    private mutating func time(_ text: String, tzid: String?) -> EventTime? {
        guard let value = ICalendarTime(text) else { return nil }
        switch value {
        case .date(let date): return .date(date)
        case .utc(let instant): return .utc(instant)
        case .floating(let civil):
            guard let tzid, !tzid.isEmpty else { return .floating(civil) }
            if tzid == "UTC" { return .utc(Instant(civil.seconds)) }
            guard let resolution = zones.resolve(tzid, year: civil.date.year) else {
                let warning = "unknown zone '\(tzid)'; its times are read as local"
                if !event.warnings.contains(warning) { event.warnings.append(warning) }
                return .floating(civil)
            }
            if let definition = resolution.definition { event.zoneDefinitions.insert(definition) }
            return .zoned(civil, resolution.zone)
        }
    }

    private func readAlarm() -> Alarm? {
        guard let property = alarm.first(where: { $0.name == "TRIGGER" }) else { return nil }
        let trigger: Alarm.Trigger
        if let duration = ICalendarDuration(property.value) {
            trigger = property["RELATED"]?.uppercased() == "END" ? .fromEnd(duration.total) : .fromStart(duration.total)
        } else if let instant = EventComponentReader.instant(property.value) {
            trigger = .at(instant)
        } else {
            return nil
        }
        return Alarm(
            trigger: trigger, action: alarm.first { $0.name == "ACTION" }?.value.lowercased() ?? "display",
            text: alarm.first { $0.name == "DESCRIPTION" }?.text.nonEmpty)
    }

    private static func instant(_ text: String) -> Instant? {
        switch ICalendarTime(text) {
        case .utc(let instant)?: instant
        case .floating(let civil)?: Instant(civil.seconds)
        case .date, nil: nil
        }
    }

    /// The text of a property; quoted-printable of vCalendar 1.0 is decoded.
    private static func text(_ property: ICalendarProperty) -> String {
        guard property["ENCODING"]?.uppercased() == "QUOTED-PRINTABLE" else { return property.text }
        var bytes: [UInt8] = []
        var rest = Array(property.value.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == 0x3D, rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else if byte != 0x0D {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
    }

    private static func attendee(_ property: ICalendarProperty) -> Attendee {
        var address = property.value.trimmingBlanks()
        if address.lowercased().hasPrefix("mailto:") { address = address.dropFirst(7).lowercased() }
        let roles = ["CHAIR": "chair", "OPT-PARTICIPANT": "optional", "NON-PARTICIPANT": "non-participant"]
        return Attendee(
            address: address, name: property["CN"]?.trimmingBlanks().nonEmpty,
            participation: Attendee.Participation(rawValue: property["PARTSTAT"]?.lowercased() ?? "") ?? .needsAction,
            role: roles[property["ROLE"]?.uppercased() ?? ""] ?? "required")
    }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
