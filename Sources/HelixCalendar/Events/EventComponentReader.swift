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
    /// The single properties that were there, as bits.
    private var met: UInt32 = 0

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
            if depth == 2, isInAlarm { readAlarm() }
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
        case "UID": if isFirst(property, 0, uses: "first") { event.uid = property.text.trimmingBlanks() }
        case "DTSTART": if isFirst(property, 1, uses: "first") { start = property }
        case "DTEND": if isFirst(property, 2, uses: "first") { end = property }
        case "DURATION":
            _ = isFirst(property, 3, uses: "last")
            readDuration(property)
        case "RECURRENCE-ID":
            _ = isFirst(property, 4, uses: "last")
            recurrenceID = property
            let range = property["RANGE"]?.uppercased()
            event.isThisAndFuture = range == "THISANDFUTURE"
            if let range, range != "THISANDFUTURE" {
                warn("RANGE '\(range)' of RECURRENCE-ID is unknown; only that occurrence is changed")
            }
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
        default: takeDescription(property)
        }
    }

    private mutating func takeDescription(_ property: ICalendarProperty) {
        switch property.name {
        case "SUMMARY":
            _ = isFirst(property, 5, uses: "last")
            event.title = EventComponentReader.text(property)
        case "LOCATION":
            _ = isFirst(property, 6, uses: "last")
            event.location = EventComponentReader.text(property).nonEmpty
        case "DESCRIPTION":
            _ = isFirst(property, 7, uses: "last")
            event.description = EventComponentReader.text(property).nonEmpty
        case "URL":
            _ = isFirst(property, 8, uses: "last")
            event.url = property.value.trimmingBlanks().nonEmpty
        case "CATEGORIES":
            event.categories += property.texts.compactMap { $0.trimmingBlanks().nonEmpty }
        case "ATTACH": if property["VALUE"]?.uppercased() != "BINARY" { event.attachments.append(property.value) }
        case "ORGANIZER":
            _ = isFirst(property, 11, uses: "last")
            event.organizer = EventComponentReader.attendee(property)
        case "ATTENDEE":
            let attendee = EventComponentReader.attendee(property)
            if let answer = property["PARTSTAT"], answer.uppercased() != "NEEDS-ACTION",
                attendee.participation == .needsAction
            {
                warn("PARTSTAT", answer, "of \(attendee.address) is unknown; it counts as not answered")
            }
            event.attendees.append(attendee)
        default: takeState(property)
        }
    }

    private mutating func takeState(_ property: ICalendarProperty) {
        switch property.name {
        case "STATUS":
            _ = isFirst(property, 9, uses: "last")
            let known = EventStatus(rawValue: property.value.lowercased().trimmingBlanks())
            if known == nil { warn("STATUS", property.value, "is unknown; the event counts as confirmed") }
            event.status = known ?? .confirmed
        case "TRANSP":
            _ = isFirst(property, 10, uses: "last")
            hasTransparency = true
            let value = property.value.uppercased().trimmingBlanks()
            if value != "TRANSPARENT", value != "OPAQUE" {
                warn("TRANSP", property.value, "is unknown; the event counts as busy")
            }
            event.isOpaque = value != "TRANSPARENT"
        case "X-MICROSOFT-CDO-BUSYSTATUS":
            let value = property.value.uppercased()
            if value == "FREE", !hasTransparency { event.isOpaque = false }
            if value == "TENTATIVE", event.status == .confirmed { event.status = .tentative }
        case "SEQUENCE":
            _ = isFirst(property, 12, uses: "last")
            let number = Int(property.value.trimmingBlanks())
            if number == nil { warn("SEQUENCE", property.value, "is no number; it counts as 0") }
            event.sequence = number ?? 0
        case "LAST-MODIFIED", "DTSTAMP":
            let isStamp = property.name == "DTSTAMP"
            _ = isFirst(property, isStamp ? 13 : 14, uses: "last")
            let moment = EventComponentReader.instant(property.value)
            if moment == nil { warn(property.name, property.value, "is no time; it was ignored") }
            if !isStamp || event.modified == nil { event.modified = moment ?? event.modified }
        case "X-APPLE-TRAVEL-DURATION":
            let length = ICalendarDuration(property.value.trimmingBlanks())?.total
            event.travel = min(86_400, max(0, length ?? 0))
            if length != event.travel {
                let used = event.travel == 0 ? "none" : "a day"
                warn(property.name, property.value, "is no duration up to a day; it counts as \(used)")
            }
        default: break
        }
    }

    /// Whether a property, of which an event has at most one (RFC 5545 §3.6.1), is the first; a second one is reported.
    private mutating func isFirst(_ property: ICalendarProperty, _ bit: Int, uses: String) -> Bool {
        let mask: UInt32 = 1 << UInt32(bit)
        let isFirst = met & mask == 0
        met |= mask
        if !isFirst { warn("\(property.name) is there more than once; the \(uses) one is used") }
        return isFirst
    }

    private mutating func readDuration(_ property: ICalendarProperty) {
        event.duration = ICalendarDuration(property.value.trimmingBlanks())
        guard let duration = event.duration else { return warn("DURATION '\(property.value)' is invalid") }
        if duration.total < 0 { warn("DURATION", property.value, "is negative; it was ignored") }
    }

    private mutating func warn(_ remark: String) {
        if !event.warnings.contains(remark) { event.warnings.append(remark) }
    }

    /// A value without a meaning. An empty one says nothing that could be lost.
    private mutating func warn(_ name: String, _ value: String, _ rest: String) {
        let value = value.trimmingBlanks()
        if !value.isEmpty { warn("\(name) '\(value.prefix(40))' \(rest)") }
    }

    mutating func finish() throws(EventComponentError) -> EventComponent {
        guard let start else { throw EventComponentError(reason: "DTSTART is missing") }
        guard let time = times(start).first else {
            throw EventComponentError(reason: "DTSTART '\(start.value.prefix(40))' is not a date")
        }
        event.start = time
        if start.value.contains(",") { warn("DTSTART has several values; the first one is used") }
        if end != nil, event.duration != nil { warn("DURATION is ignored, since there is a DTEND") }
        if let end {
            if let time = times(end).first {
                event.end = time
                if time.isDate != event.start.isDate {
                    let (own, other) = time.isDate ? ("date", "time") : ("time", "date")
                    warn("DTEND is a \(own) and DTSTART is a \(other); the days between them count")
                }
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
            for value in property.value.split(separator: ",") {
                if let time = self.time(String(value), tzid: property["TZID"]) {
                    event.exceptions.append(time)
                } else {
                    event.warnings.append("EXDATE '\(value.prefix(40))' is not a date")
                }
            }
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
                } else {
                    warn("the end of RDATE '\(value.prefix(60))' is neither a duration nor a time")
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

    private mutating func readAlarm() {
        do throws(EventComponentError) { event.alarms.append(try Alarm(alarm)) } catch { warn(error.reason) }
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
