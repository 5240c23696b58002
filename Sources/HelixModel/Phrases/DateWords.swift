/// English names of days and months, and their text formats.
public enum DateWords {
    static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    static let months = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// The weekday `word` in lower case: `mon`, `monday`, or any prefix of at least three letters.
    public static func weekday(_ word: String) -> Weekday? {
        // A setting is read by each command.
        if word.utf8.count >= 3, let place = weekdays.firstIndex(where: { $0.hasPrefix(word) }) {
            return Weekday.allCases[place]
        }
        for case .weekday(let day) in DateVocabulary.english.meanings(of: word) { return day }
        return nil
    }

    /// The number of the month with that prefix, in any case: `Dec`.
    public static func month(abbreviation: some StringProtocol) -> Int? {
        let word = abbreviation.lowercased()
        return months.firstIndex { $0.prefix(3) == word }.map { $0 + 1 }
    }

    /// `Mon`.
    public static func name(_ weekday: Weekday) -> String { capitalized(weekdays[weekday.rawValue - 1].prefix(3)) }
    /// `Monday`.
    public static func fullName(_ weekday: Weekday) -> String { capitalized(weekdays[weekday.rawValue - 1][...]) }
    /// `Dec`.
    public static func name(month: Int) -> String { capitalized(months[(month - 1) % 12].prefix(3)) }
    /// `December`.
    public static func fullName(month: Int) -> String { capitalized(months[(month - 1) % 12][...]) }

    /// `Fri 27 Nov 2026`.
    public static func text(_ date: CivilDate) -> String {
        let (year, month, day) = date.components
        return "\(name(date.weekday)) \(day) \(name(month: month)) \(year)"
    }

    /// `45m`, `1h 30m`, `2d`: a human-readable length of time.
    public static func text(duration seconds: Int) -> String {
        let size = Int(min(seconds.magnitude, UInt(Instant.limit)))
        var parts: [String] = []
        if size >= 86_400 { parts.append("\(size / 86_400)d") }
        if size % 86_400 >= 3600 { parts.append("\(size % 86_400 / 3600)h") }
        if size % 3600 >= 60 { parts.append("\(size % 3600 / 60)m") }
        if size % 60 != 0 || parts.isEmpty { parts.append("\(size % 60)s") }
        return (seconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }

    private static func capitalized(_ word: Substring) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

extension DateWords {
    /// `38h 30m`, `45m`: a length of time in hours and minutes, without days.
    public static func text(hours seconds: Int) -> String {
        let minutes = (Int(min(seconds.magnitude, UInt(Instant.limit))) + 30) / 60
        let sign = seconds < 0 ? "-" : ""
        if minutes < 60 { return "\(sign)\(minutes)m" }
        return minutes % 60 == 0 ? "\(sign)\(minutes / 60)h" : "\(sign)\(minutes / 60)h \(minutes % 60)m"
    }
}
