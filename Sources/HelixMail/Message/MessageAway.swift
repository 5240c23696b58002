import HelixModel

/// The labels of messages that are out of sight: snoozed until a time, or of a muted conversation. As keywords on the server, they
/// hold on all devices.
public enum MessageAway {
    /// The label of one message of a muted conversation.
    public static let muted = "muted"
    /// The beginning of the label of a snoozed message; the time in UTC follows, as `20261130T0800Z`.
    public static let snoozedPrefix = "snoozed-"
    /// The beginning of the label of a sent message that waits for an answer; the time at which its sender is told follows.
    public static let followUpPrefix = "follow-up-"
    /// The number of characters of that time.
    public static let stampLength = 14

    /// ``snoozedPrefix`` as it stands in the column of labels, which begins and ends with a blank.
    public static let snoozedMark = " \(snoozedPrefix)"
    /// ``followUpPrefix`` as it stands there.
    public static let followUpMark = " \(followUpPrefix)"
    /// ``muted`` as it stands there.
    public static let mutedMark = " \(muted) "

    /// The time in a label.
    public static func stamp(_ instant: Instant) -> String {
        let civil = Zone.utc.civil(instant)
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = "\(number)"
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let (date, minute) = (civil.date, civil.secondOfDay / 60)
        return digits(date.year, 4) + digits(date.month) + digits(date.day) + "T" + digits(minute / 60)
            + digits(minute % 60) + "Z"
    }

    /// The label of a message that is snoozed until a time, cut to the minute.
    public static func label(until instant: Instant) -> String { snoozedPrefix + stamp(instant) }

    /// The time that a phrase names; a day without a time is its morning.
    /// - Parameter morning: a time such as `9:00`.
    /// - Throws: ``HelixError`` of code `usage`.
    public static func end(_ phrase: String, dates: DatePhraseParser, morning: String) throws -> Instant {
        let parts = try dates.move(phrase)
        let hasTime = parts.time != nil || parts.instant != nil || parts.shift?.seconds ?? 0 != 0
        let instant = try dates.moment(hasTime ? phrase : "\(phrase) \(morning)").instant(in: dates.zone)
        guard instant <= dates.now, parts.lastDate == nil, parts.shift == nil else { return instant }
        // 'sat' on a Saturday at noon is the next one, and '8:00' that of tomorrow.
        let days = parts.isWeekday ? 7 : parts.date == nil && parts.period == nil && parts.time != nil ? 1 : 0
        let zone = parts.zone ?? dates.zone
        let civil = zone.civil(instant)
        return days == 0 ? instant : zone.instant(CivilDateTime(civil.date + days, secondOfDay: civil.secondOfDay))
    }

    /// The label of a sent message whose sender is told at a time if nobody has answered.
    public static func followUpLabel(at instant: Instant) -> String { followUpPrefix + stamp(instant) }

    /// The time of the label of a message that waits for an answer; nil for other labels.
    public static func followUpTime(_ label: String) -> Instant? { time(label, after: followUpPrefix) }

    /// The time of the label of a snoozed message; nil for other labels.
    public static func time(_ label: String) -> Instant? { time(label, after: snoozedPrefix) }

    private static func time(_ label: String, after prefix: String) -> Instant? {
        guard label.hasPrefix(prefix) else { return nil }
        let text = label.dropFirst(prefix.count)
        let digits = text.utf8.filter { $0 >= 0x30 && $0 <= 0x39 }
        guard text.utf8.count == stampLength, text.hasSuffix("Z"), digits.count == 12 else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + Int($1 - 0x30) } }
        guard (1...12).contains(number(4..<6)), (1...31).contains(number(6..<8)), number(8..<10) < 24,
            number(10..<12) < 60
        else { return nil }
        let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
        return Zone.utc.instant(CivilDateTime(date, hour: number(8..<10), minute: number(10..<12)))
    }
}
