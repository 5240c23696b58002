import HelixModel

/// The rules for the values of properties (RFC 5545 §3.3, §3.8) which libical reads without a word.
enum ValueRules {
    /// The problem of a value, as a phrase; nil if there is none, or another check tells it.
    static func problem(_ property: ICalendarProperty) -> String? {
        let text = property.value.trimmingBlanks()
        switch property.name {
        case "DTSTART", "DTEND", "DUE", "RECURRENCE-ID": return time(text, property)
        case "EXDATE", "RDATE":
            let isPeriod = property["VALUE"]?.uppercased() == "PERIOD"
            return text.split(separator: ",", omittingEmptySubsequences: false).lazy.compactMap {
                isPeriod ? period(String($0), needsUTC: false) : time(String($0), property)
            }.first
        case "FREEBUSY":
            return text.split(separator: ",", omittingEmptySubsequences: false).lazy.compactMap {
                period(String($0), needsUTC: true)
            }.first
        case "DURATION":
            guard let length = ICalendarDuration(text), length.total < 0 else { return nil }
            return "'\(shown(text))' is negative"
        case "TRIGGER": return trigger(text, property)
        case "GEO": return place(text)
        case "TZOFFSETFROM", "TZOFFSETTO": return offset(text)
        case "ATTENDEE", "ORGANIZER": return address(text)
        case "ATTACH" where property["VALUE"]?.uppercased() == "BINARY": return nil
        case "ATTACH", "URL", "TZURL": return ICalendarProperty.isURI(text) ? nil : "'\(shown(text))' is no URI"
        default: return nil
        }
    }

    private static func shown(_ text: String) -> String { LibicalMessage.shown(text) }

    /// A date or a time, as its VALUE says (§3.2.20); a zone belongs to local times alone (§3.2.19).
    private static func time(_ text: String, _ property: ICalendarProperty) -> String? {
        guard let time = ICalendarTime(text) else { return nil }
        guard time.text == text || isLeapSecond(text) else { return "'\(shown(text))' has not the form \(time.text)" }
        let isDate = property["VALUE"]?.uppercased() == "DATE"
        let zone = property["TZID"]
        switch time {
        case .date:
            if !isDate { return "'\(shown(text))' is a date; it needs VALUE=DATE" }
            return zone == nil ? nil : "a date has no TZID"
        case .floating, .utc:
            if isDate { return "'\(shown(text))' is a time; its VALUE is DATE" }
            if case .utc = time, zone != nil { return "a time in UTC has no TZID" }
            return nil
        }
    }

    /// The second 60 is allowed (§3.3.12); helix reads it as 59.
    private static func isLeapSecond(_ text: String) -> Bool {
        text.hasSuffix("60") || text.hasSuffix("60Z")
    }

    /// A start with an end or a length (§3.3.9).
    private static func period(_ text: String, needsUTC: Bool) -> String? {
        let sides = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard sides.count == 2, let start = ICalendarTime(sides[0]), !start.isDate else {
            return "'\(shown(text))' is no period"
        }
        if needsUTC, case .floating = start { return "'\(shown(text))' is not in UTC" }
        if let length = ICalendarDuration(sides[1]) {
            return length.total > 0 ? nil : "the period '\(shown(text))' does not end after it starts"
        }
        guard let end = ICalendarTime(sides[1]) else { return "'\(shown(text))' is no period" }
        switch (start, end) {
        case (.utc(let first), .utc(let last)):
            return first < last ? nil : "the period '\(shown(text))' does not end after it starts"
        case (.floating(let first), .floating(let last)):
            return first.seconds < last.seconds ? nil : "the period '\(shown(text))' does not end after it starts"
        default: return "the period '\(shown(text))' starts and ends in different forms"
        }
    }

    /// A length, or a time in UTC with VALUE=DATE-TIME (§3.8.6.3).
    private static func trigger(_ text: String, _ property: ICalendarProperty) -> String? {
        let isTime = property["VALUE"]?.uppercased() == "DATE-TIME"
        guard let time = ICalendarTime(text) else {
            return isTime && ICalendarDuration(text) != nil
                ? "'\(shown(text))' is a length; its VALUE is DATE-TIME" : nil
        }
        if !isTime { return "'\(shown(text))' is a time; it needs VALUE=DATE-TIME" }
        if case .utc = time { return nil }
        return "'\(shown(text))' is no time in UTC"
    }

    /// A latitude and a longitude in degrees (§3.8.1.6).
    private static func place(_ text: String) -> String? {
        let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return "'\(shown(text))' is no latitude and longitude" }
        return nil
    }

    /// Hours, minutes and maybe seconds with a sign; `-0000` is none (§3.3.14).
    private static func offset(_ text: String) -> String? {
        let digits = text.dropFirst()
        let isOffset =
            (text.hasPrefix("+") || text.hasPrefix("-")) && (digits.count == 4 || digits.count == 6)
            && digits.allSatisfy { $0.isASCII && $0.isNumber }
        guard isOffset, !(text.hasPrefix("-") && digits.allSatisfy { $0 == "0" }) else {
            return "'\(shown(text))' is no offset from UTC"
        }
        return nil
    }

    /// The address of a person is a URI (§3.3.3): mostly `mailto:`.
    private static func address(_ text: String) -> String? {
        guard ICalendarProperty.isURI(text) else {
            return text.contains("@") ? "'\(shown(text))' has no 'mailto:'" : "'\(shown(text))' is no address"
        }
        let isMail = text.lowercased().hasPrefix("mailto:")
        return isMail && !text.dropFirst("mailto:".count).contains("@") ? "'\(shown(text))' is no address" : nil
    }
}

extension ICalendarProperty {
    /// Whether a text is a URI: it has a scheme (RFC 3986 §3.1), and no blanks.
    public static func isURI(_ text: String) -> Bool {
        guard !text.contains(where: \.isWhitespace), let first = text.utf8.first,
            let colon = text.utf8.firstIndex(of: 0x3A),
            text.utf8.index(after: colon) < text.utf8.endIndex
        else { return false }
        func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
        return isLetter(first)
            && text.utf8[..<colon].allSatisfy {
                isLetter($0) || (0x30...0x39).contains($0) || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
            }
    }
}
