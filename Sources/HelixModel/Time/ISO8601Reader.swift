/// Parses timestamps in the form of RFC 3339: `2026-12-01T14:30:00Z`, `2026-12-01T14:30:00.123+01:00`.
public enum ISO8601Reader {
    /// The day of `2026-12-01`; nil for other texts.
    public static func date(_ text: some StringProtocol) -> CivilDate? {
        var rest = Substring(text)
        let date = date(&rest)
        return rest.isEmpty ? date : nil
    }

    /// The reading of a clock in `2026-12-01T14:30:00`, without a zone; nil for other texts.
    public static func civil(_ text: String) -> CivilDateTime? {
        var rest = Substring(text)
        guard let date = date(&rest), skip(&rest, "T"), let hour = number(&rest, 2), hour < 24, skip(&rest, ":"),
            let minute = number(&rest, 2), minute < 60, skip(&rest, ":"), let second = number(&rest, 2), second < 60,
            rest.isEmpty
        else { return nil }
        return CivilDateTime(date, hour: hour, minute: minute, second: second)
    }

    /// The instant of a timestamp; a date alone is its midnight in UTC. Fractions of a second are dropped. Nil for other texts.
    public static func instant(_ text: String) -> Instant? {
        var rest = Substring(text)
        guard let date = date(&rest) else { return nil }
        if rest.isEmpty { return Instant(CivilDateTime(date).seconds) }
        guard skip(&rest, "T") || skip(&rest, "t") || skip(&rest, " "), let hour = number(&rest, 2), hour < 24,
            skip(&rest, ":"), let minute = number(&rest, 2), minute < 60
        else { return nil }
        var second = 0
        if skip(&rest, ":") {
            guard let found = number(&rest, 2), found <= 60 else { return nil }
            second = found
            if skip(&rest, ".") {
                let digits = rest.prefix { $0.isASCII && $0.isNumber }
                guard !digits.isEmpty else { return nil }
                rest = rest.dropFirst(digits.count)
            }
        }
        let civil = CivilDateTime(date).seconds + Int64(hour * 3600 + minute * 60 + second)
        if skip(&rest, "Z") || skip(&rest, "z") { return rest.isEmpty ? Instant(civil) : nil }
        let isWest = rest.first == "-"
        guard skip(&rest, "+") || skip(&rest, "-"), let hours = number(&rest, 2), hours < 24 else { return nil }
        _ = skip(&rest, ":")
        guard let minutes = number(&rest, 2), minutes < 60, rest.isEmpty else { return nil }
        let offset = Int64(hours * 3600 + minutes * 60)
        return Instant(isWest ? civil + offset : civil - offset)
    }

    private static func date(_ rest: inout Substring) -> CivilDate? {
        guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2), skip(&rest, "-"),
            let day = number(&rest, 2)
        else { return nil }
        return CivilDate(validYear: year, month: month, day: day)
    }

    private static func number(_ rest: inout Substring, _ digits: Int) -> Int? {
        let found = rest.prefix(digits)
        guard found.utf8.count == digits, found.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        rest = rest.dropFirst(digits)
        return Int(found)
    }

    private static func skip(_ rest: inout Substring, _ sign: Character) -> Bool {
        guard rest.first == sign else { return false }
        rest = rest.dropFirst()
        return true
    }
}
