import HelixModel

extension TaskwarriorFormat {
    /// Whether Taskwarrior can express a recurrence of a task that is due on a day.
    public static func canWrite(_ recurrence: TaskRecurrence, due: CivilDate?) -> Bool {
        guard case .rule(let rule) = recurrence, let due else { return false }
        return ForeignRecurrence(rule: rule, due: due) != nil
    }
}

extension TodoTxtFormat {
    /// Whether todo.txt can express a recurrence of a task that is due on a day.
    public static func canWrite(_ recurrence: TaskRecurrence, due: CivilDate?) -> Bool {
        due != nil && ForeignRecurrence.todoTxt(recurrence, due: due) != nil
    }
}

/// The recurrences of Taskwarrior and of todo.txt, which are a period only.
struct ForeignRecurrence: Equatable {
    enum Unit: Equatable {
        case day, workday, week, month, year
    }

    var unit: Unit
    var count: Int

    init?(_ unit: Unit, _ count: Int) {
        guard (1...1000).contains(count), unit != .workday || count == 1 else { return nil }
        (self.unit, self.count) = (unit, count)
    }

    /// The rule of RFC 5545 with this period.
    var rule: String {
        let interval = count == 1 ? "" : ";INTERVAL=\(count)"
        return switch unit {
        case .day: "FREQ=DAILY" + interval
        case .workday: "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
        case .week: "FREQ=WEEKLY" + interval
        case .month: "FREQ=MONTHLY" + interval
        case .year: "FREQ=YEARLY" + interval
        }
    }

    /// The period of a rule; nil if the rule says more than a period.
    ///
    /// - Parameter due: the day on which the task is due: a rule on the weekday or the day of it says no more.
    init?(rule: String, due: CivilDate?) {
        var parts: [String: String] = [:]
        for part in rule.uppercased().split(separator: ";") {
            let halves = part.split(separator: "=", maxSplits: 1).map(String.init)
            guard halves.count == 2, parts.updateValue(halves[1], forKey: halves[0]) == nil else { return nil }
        }
        guard let count = Int(parts.removeValue(forKey: "INTERVAL") ?? "1"),
            let frequency = parts.removeValue(forKey: "FREQ")
        else { return nil }
        if frequency == "WEEKLY", parts == ["BYDAY": "MO,TU,WE,TH,FR"], count == 1 {
            self.init(.workday, 1)
            return
        }
        if let due {
            let names = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
            let weekday = names[(due.dayNumber - due.startOfWeek(on: .monday).dayNumber)]
            if frequency == "WEEKLY", parts["BYDAY"] == weekday { parts["BYDAY"] = nil }
            if frequency != "WEEKLY", parts["BYMONTHDAY"] == "\(due.day)" { parts["BYMONTHDAY"] = nil }
            if frequency == "YEARLY", parts["BYMONTH"] == "\(due.month)" { parts["BYMONTH"] = nil }
        }
        guard parts.isEmpty else { return nil }
        switch frequency {
        case "DAILY": self.init(.day, count)
        case "WEEKLY": self.init(.week, count)
        case "MONTHLY": self.init(.month, count)
        case "YEARLY": self.init(.year, count)
        default: return nil
        }
    }

    // MARK: Taskwarrior

    private static let words: [String: (Unit, Int)] = [
        "daily": (.day, 1), "day": (.day, 1), "weekdays": (.workday, 1), "weekly": (.week, 1), "week": (.week, 1),
        "biweekly": (.week, 2), "fortnight": (.week, 2), "sennight": (.week, 1), "monthly": (.month, 1),
        "month": (.month, 1), "bimonthly": (.month, 2), "quarterly": (.month, 3), "semiannual": (.month, 6),
        "annual": (.year, 1), "yearly": (.year, 1), "year": (.year, 1), "biannual": (.year, 2), "biyearly": (.year, 2),
    ]
    private static let units: [(names: Set<String>, unit: Unit)] = [
        (["d", "day", "days"], .day), (["w", "wk", "wks", "week", "weeks"], .week),
        (["m", "mo", "mos", "mth", "mths", "mnths", "month", "months"], .month),
        (["y", "yr", "yrs", "year", "years"], .year),
    ]

    /// Parses a duration of Taskwarrior: `weekly`, `3 days`, `2mo`, `P1W`.
    init?(taskwarrior text: String) {
        let text = text.lowercased()
        if let (unit, count) = ForeignRecurrence.words[text] {
            self.init(unit, count)
            return
        }
        let isISO = text.hasPrefix("p")
        let rest = isISO ? text.dropFirst() : text[...]
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        let name = rest.dropFirst(digits.count).filter { $0 != " " }
        guard let found = ForeignRecurrence.units.first(where: { $0.names.contains(name) }),
            let count = digits.isEmpty ? 1 : Int(digits)
        else { return nil }
        if name == "q" { return nil }
        self.init(found.unit, count)
    }

    /// The duration as Taskwarrior writes it.
    var taskwarrior: String {
        switch (unit, count) {
        case (.day, 1): "daily"
        case (.workday, _): "weekdays"
        case (.week, 1): "weekly"
        case (.month, 1): "monthly"
        case (.year, 1): "yearly"
        case (.day, _): "\(count)days"
        case (.week, _): "\(count)weeks"
        case (.month, _): "\(count)months"
        case (.year, _): "\(count)years"
        }
    }

    // MARK: todo.txt

    /// Parses the value of `rec:`: `+1w` from the due date, `1w` from completion.
    static func todoTxt(_ text: String) -> TaskRecurrence? {
        let isStrict = text.hasPrefix("+")
        let rest = isStrict ? text.dropFirst() : text[...]
        guard let letter = rest.last, let count = Int(rest.dropLast()), count > 0 else { return nil }
        let unit: Unit
        switch letter {
        case "d": unit = .day
        case "b": unit = .workday
        case "w": unit = .week
        case "m": unit = .month
        case "y": unit = .year
        default: return nil
        }
        guard let period = ForeignRecurrence(unit, count) else { return nil }
        if isStrict { return .rule(period.rule) }
        switch unit {
        case .day: return .afterCompletion(seconds: count * 86_400, months: 0)
        case .week: return .afterCompletion(seconds: count * 7 * 86_400, months: 0)
        case .month: return .afterCompletion(seconds: 0, months: count)
        case .year: return .afterCompletion(seconds: 0, months: count * 12)
        case .workday: return nil
        }
    }

    /// The value of `rec:` for a recurrence; nil if todo.txt cannot express it.
    static func todoTxt(_ recurrence: TaskRecurrence, due: CivilDate?) -> String? {
        switch recurrence {
        case .rule(let rule):
            guard let period = ForeignRecurrence(rule: rule, due: due) else { return nil }
            let letter =
                switch period.unit {
                case .day: "d"
                case .workday: "b"
                case .week: "w"
                case .month: "m"
                case .year: "y"
                }
            return "+\(period.count)\(letter)"
        case .afterCompletion(_, let months) where months > 0:
            return months % 12 == 0 ? "\(months / 12)y" : "\(months)m"
        case .afterCompletion(let seconds, _) where seconds % (7 * 86_400) == 0: return "\(seconds / 604_800)w"
        case .afterCompletion(let seconds, _) where seconds % 86_400 == 0: return "\(seconds / 86_400)d"
        case .afterCompletion: return nil
        }
    }
}
