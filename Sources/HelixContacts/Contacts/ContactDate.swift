import HelixModel

/// A day of each year, with or without the year of its first: a birthday, an anniversary.
public struct ContactDate: Hashable, Sendable {
    /// The year; nil if it is unknown.
    public var year: Int?
    /// The month, 1 to 12.
    public var month: Int
    /// The day of the month, 1 to 31.
    public var day: Int

    /// Creates a day; nil if no year has it.
    public init?(year: Int?, month: Int, day: Int) {
        guard CivilDate(validYear: year ?? 2000, month: month, day: day) != nil else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// Parses the date of BDAY or ANNIVERSARY (RFC 6350 §4.3.1, RFC 2426 §3.1.5): `1996-04-15`, `19960415`, `--0415`, `--04-15`,
    /// each also with a time; nil for others, such as a year alone.
    public init?(_ text: String) {
        let plain = text.trimmingBlanks().prefix { $0 != "T" && $0 != "t" && $0 != " " }
        let isWithoutYear = plain.hasPrefix("--")
        let digits = plain.drop { $0 == "-" }
        let parts = digits.split(separator: "-").map(String.init)
        let joined = parts.joined()
        guard joined.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        switch (isWithoutYear, joined.count) {
        case (true, 4):
            self.init(year: nil, month: Int(joined.prefix(2)) ?? 0, day: Int(joined.suffix(2)) ?? 0)
        case (false, 8):
            let year = Int(joined.prefix(4)) ?? 0
            self.init(
                year: year == 0 ? nil : year, month: Int(joined.dropFirst(4).prefix(2)) ?? 0,
                day: Int(joined.suffix(2)) ?? 0)
        default: return nil
        }
    }

    /// `1996-04-15`, or `--04-15` without a year.
    public var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let head = year.map { String(String("000\($0)").suffix(4)) } ?? "-"
        return "\(head)-\(two(month))-\(two(day))"
    }

    /// The day in a year; February 29 is the last day of February in years that have none.
    public func day(in year: Int) -> CivilDate {
        CivilDate(validYear: year, month: month, day: day) ?? CivilDate(year: year, month: 2, day: 28)
    }

    /// The first such day on or after another, and the number of years since the first of all, if it is known.
    public func next(from start: CivilDate) -> (day: CivilDate, age: Int?) {
        var year = start.year
        if day(in: year) < start { year += 1 }
        return (day(in: year), self.year.map { year - $0 })
    }
}
