/// A DURATION value (RFC 5545 §3.3.6): nominal days and exact seconds.
public struct ICalendarDuration: Hashable, Sendable {
    /// Nominal days, including weeks: they keep the time of day across clock changes.
    public var days: Int
    /// Exact seconds.
    public var seconds: Int

    /// Creates a duration.
    public init(days: Int = 0, seconds: Int = 0) {
        self.days = days
        self.seconds = seconds
    }

    /// Parses `PT45M`, `-P1DT2H`, `P2W`; nil if `text` is invalid, or longer than 10,000 years.
    public init?(_ text: String) {
        var rest = Substring(text.uppercased())
        let isNegative = rest.hasPrefix("-")
        if isNegative || rest.hasPrefix("+") { rest = rest.dropFirst() }
        guard rest.first == "P", rest.count > 1 else { return nil }
        rest = rest.dropFirst()
        var isTime = false
        self.init()
        while let character = rest.first {
            if character == "T" {
                isTime = true
                rest = rest.dropFirst()
                continue
            }
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            guard let number = Int(digits), number < 400_000_000_000 else { return nil }
            rest = rest.dropFirst(digits.count)
            guard let unit = rest.popFirst() else { return nil }
            switch (unit, isTime) {
            case ("W", false): days += number * 7
            case ("D", _): days += number
            case ("H", _): seconds += number * 3600
            case ("M", true): seconds += number * 60
            case ("S", _): seconds += number
            default: return nil
            }
        }
        guard days < 3_660_000, seconds < 3_660_000 * 86_400 else { return nil }
        if isNegative {
            days = -days
            seconds = -seconds
        }
    }

    /// The total in seconds, with days of 24 hours.
    public var total: Int { days * 86_400 + seconds }

    /// The value in the form of RFC 5545.
    public var text: String {
        let sign = total < 0 ? "-" : ""
        let days = abs(days)
        let seconds = abs(seconds)
        if seconds == 0 {
            return days % 7 == 0 && days > 0 ? "\(sign)P\(days / 7)W" : days > 0 ? "\(sign)P\(days)D" : "PT0S"
        }
        var text = sign + "P" + (days > 0 ? "\(days)D" : "") + "T"
        if seconds >= 3600 { text += "\(seconds / 3600)H" }
        if seconds / 60 % 60 > 0 { text += "\(seconds / 60 % 60)M" }
        if seconds % 60 > 0 { text += "\(seconds % 60)S" }
        return text
    }
}
