import HelixModel

/// Reads how people say that something repeats: `every 2 weeks mon,thu until 2027-03-01`, `last fri of the month`,
/// `weekdays`.
public enum RepeatPhrase {
    private static let units: [String: RecurrenceRule.Frequency] = [
        "hour": .hourly, "hours": .hourly, "hourly": .hourly, "day": .daily, "days": .daily, "daily": .daily,
        "week": .weekly, "weeks": .weekly, "weekly": .weekly, "month": .monthly, "months": .monthly,
        "monthly": .monthly, "year": .yearly, "years": .yearly, "yearly": .yearly, "annually": .yearly,
    ]
    private static let ordinals: [String: Int] = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1,
    ]
    private static let monthNames = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// The rule that `text` says, for an event that starts at `start`.
    ///
    /// - Parameter date: reads the date after `until`.
    /// - Throws: ``HelixError`` of code `usage` that names the word which is not understood.
    public static func rule(
        _ text: String, start: EventTime, date: (String) throws -> CivilDate
    ) throws -> RecurrenceRule {
        var phrase = text.lowercased()
        var until: RecurrenceRule.Until?
        if let marker = phrase.ranges(of: " until ").first ?? phrase.ranges(of: "until ").first {
            let day = try date(String(phrase[marker.upperBound...]).trimmingBlanks())
            until = boundary(day, start: start)
            phrase = String(phrase[..<marker.lowerBound])
        }
        let words = phrase.replacing(",", with: " ").split(separator: " ").map(String.init)
        var reader = Reader(words: words)
        var rule = try reader.rule(text)
        if rule.count != nil && until != nil {
            throw HelixError(.usage, "'\(text)' says both how often and until when", hint: "Say one of the two.")
        }
        rule.until = until
        return rule
    }

    /// UNTIL for a last day: for zoned times in UTC, as RFC 5545 §3.3.10 asks.
    static func boundary(_ day: CivilDate, start: EventTime) -> RecurrenceRule.Until {
        switch start {
        case .date: .date(day)
        case .floating: .floating(CivilDateTime(day, secondOfDay: 86_399))
        case .zoned(_, let zone): .utc(zone.instant(CivilDateTime(day, secondOfDay: 86_399)))
        case .utc: .utc(Instant(CivilDateTime(day, secondOfDay: 86_399).seconds))
        }
    }

    private struct Reader {
        var words: [String]
        var frequency: RecurrenceRule.Frequency?
        var interval = 1
        var count: Int?
        var weekdays: [RecurrenceRule.WeekdayNumber] = []
        var monthDays: [Int] = []
        var months: [Int] = []
        var isWorkdays = false
        var isLastWorkday = false

        mutating func rule(_ text: String) throws -> RecurrenceRule {
            // Numbers that wait for their weekday: `2nd and 4th tue`. Without one they are days of the month.
            var ordinals: [(number: Int, isWord: Bool, text: String)] = []
            var index = 0
            func refuse(_ word: String) -> HelixError {
                HelixError(
                    .usage, "'\(word)' in the repetition '\(text)' is not understood",
                    hint: "Say 'daily', 'weekdays', 'every 2 weeks mon,thu', 'last fri of the month', "
                        + "'every month on the 15th', with 'until DATE' or '10 times'; or use --rrule.")
            }
            while index < words.count {
                let word = words[index]
                let next = index + 1 < words.count ? words[index + 1] : ""
                index += 1
                switch word {
                case "every", "each", "on", "of", "the", "and", "in", "a", "at", "for": continue
                case "other": interval = 2
                case "biweekly", "fortnightly": (frequency, interval) = (.weekly, 2)
                case "quarterly", "quarter": (frequency, interval) = (.monthly, 3)
                case "weekday", "weekdays", "workday", "workdays": isWorkdays = true
                case "weekend", "weekends": weekdays += [.init(.saturday), .init(.sunday)]
                case "times", "time": throw refuse(word)
                default:
                    if let unit = RepeatPhrase.units[word] {
                        // "the last fri of the month" names its unit last; the first one named counts.
                        if frequency == nil || unit > frequency ?? unit { frequency = unit }
                    } else if let number = Int(word), number > 0 {
                        if next == "times" || next == "time" {
                            count = number
                            index += 1
                        } else if RepeatPhrase.units[next] != nil {
                            interval = number
                        } else {
                            monthDays.append(number)
                        }
                    } else if let month = month(word) {
                        months.append(month)
                    } else if let weekday = DateWords.weekday(word) {
                        if ordinals.isEmpty { weekdays.append(.init(weekday)) }
                        weekdays += ordinals.map { .init(weekday, ordinal: $0.number) }
                        ordinals = []
                    } else if RepeatPhrase.ordinals[word] == -1, next == "day" {
                        monthDays.append(-1)
                        index += 1
                    } else if RepeatPhrase.ordinals[word] == -1, next == "weekday" || next == "workday" {
                        isLastWorkday = true
                        index += 1
                    } else if let number = RepeatPhrase.ordinals[word] {
                        ordinals.append((number, true, word))
                    } else if let number = numberWithSuffix(word) {
                        ordinals.append((number, false, word))
                    } else {
                        throw refuse(word)
                    }
                }
            }
            for ordinal in ordinals {
                if ordinal.isWord { throw refuse(ordinal.text) }
                monthDays.append(ordinal.number)
            }
            return try assemble(text, refuse)
        }

        private func assemble(_ text: String, _ refuse: (String) -> HelixError) throws -> RecurrenceRule {
            var rule: RecurrenceRule
            if isLastWorkday {
                rule = RecurrenceRule(.monthly)
                rule.weekdays = [.monday, .tuesday, .wednesday, .thursday, .friday].map { .init($0) }
                rule.setPositions = [-1]
            } else if isWorkdays {
                rule = RecurrenceRule(.weekly)
                rule.weekdays = [.monday, .tuesday, .wednesday, .thursday, .friday].map { .init($0) }
            } else if let frequency {
                rule = RecurrenceRule(frequency)
            } else if weekdays.contains(where: { $0.ordinal != nil }) || !monthDays.isEmpty {
                rule = RecurrenceRule(months.isEmpty ? .monthly : .yearly)
            } else if !weekdays.isEmpty {
                rule = RecurrenceRule(.weekly)
            } else {
                throw refuse(text)
            }
            if rule.frequency == .daily && !weekdays.isEmpty { rule.frequency = .weekly }
            rule.weekdays += weekdays
            rule.monthDays = monthDays
            rule.months = months
            rule.interval = interval
            rule.count = count
            guard (try? RecurrenceRule(rule.text)) != nil else { throw refuse(text) }
            return rule
        }

        private func month(_ word: String) -> Int? {
            guard word.count >= 3, let index = RepeatPhrase.monthNames.firstIndex(of: String(word.prefix(3))),
                word.allSatisfy({ $0.isLetter }), DateWords.weekday(word) == nil, word.count == 3 || word.count > 3
            else { return nil }
            return DateWords.month(word) == nil ? nil : index + 1
        }

        /// `15th`, `1st`, `2nd`, `3rd`.
        private func numberWithSuffix(_ word: String) -> Int? {
            for suffix in ["st", "nd", "rd", "th"] where word.hasSuffix(suffix) {
                if let number = Int(word.dropLast(2)), (1...31).contains(number) { return number }
            }
            return nil
        }
    }
}

extension RecurrenceRule.Frequency: Comparable {
    /// The finer one first.
    public static func < (a: Self, b: Self) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

extension RecurrenceRule {
    /// The rule in words: `every 2 weeks on Mon, Thu until 1 Mar 2027`.
    public var phrase: String {
        let unit: [Frequency: String] = [
            .secondly: "second", .minutely: "minute", .hourly: "hour", .daily: "day", .weekly: "week",
            .monthly: "month", .yearly: "year",
        ]
        let name = unit[frequency] ?? ""
        var words = [interval == 1 ? "every \(name)" : "every \(interval) \(name)s"]
        if !weekdays.isEmpty {
            let days = weekdays.map { entry in
                let name = DateWords.name(entry.weekday)
                return entry.ordinal.map { RecurrenceRule.ordinal($0) + " " + name } ?? name
            }
            words.append("on " + days.joined(separator: ", "))
        }
        if !monthDays.isEmpty {
            words.append("on day " + monthDays.map { $0 < 0 ? "\(-$0) from the end" : "\($0)" }.joined(separator: ", "))
        }
        if !months.isEmpty { words.append("in " + months.map(DateWords.name(month:)).joined(separator: ", ")) }
        if !weekNumbers.isEmpty { words.append("in week " + weekNumbers.map(String.init).joined(separator: ", ")) }
        if !yearDays.isEmpty { words.append("on day \(yearDays.map(String.init).joined(separator: ", ")) of the year") }
        if !hours.isEmpty { words.append("at \(hours.map(String.init).joined(separator: ", ")) o'clock") }
        if !minutes.isEmpty { words.append("at minute \(minutes.map(String.init).joined(separator: ", "))") }
        if !setPositions.isEmpty { words.append("(number \(setPositions.map(String.init).joined(separator: ", ")))") }
        if let count { words.append(count == 1 ? "once" : "\(count) times") }
        switch until {
        case .date(let date)?: words.append("until \(ISO8601.text(date))")
        case .floating(let civil)?: words.append("until \(ISO8601.text(civil.date))")
        case .utc(let instant)?: words.append("until \(ISO8601.text(CivilDateTime(seconds: instant.seconds).date))")
        case nil: break
        }
        return words.joined(separator: " ")
    }

    private static func ordinal(_ number: Int) -> String {
        switch number {
        case -1: "last"
        case ..<0: "\(-number)th last"
        case 1: "1st"
        case 2: "2nd"
        case 3: "3rd"
        default: "\(number)th"
        }
    }
}
