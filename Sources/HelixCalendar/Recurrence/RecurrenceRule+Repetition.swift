import HelixModel

extension RecurrenceRule {
    /// Creates the rule of a parsed repetition, for an event that starts at `start`.
    /// - Throws: ``HelixError`` of code `usage` if no rule can express it.
    public init(_ repetition: Repetition, start: EventTime) throws {
        let frequency: Frequency =
            switch repetition.unit {
            case .second: .secondly
            case .minute: .minutely
            case .hour: .hourly
            case .day: .daily
            case .week: .weekly
            case .month, .quarter: .monthly
            case .year: .yearly
            }
        self.init(frequency)
        interval = repetition.unit == .quarter ? repetition.interval * 3 : repetition.interval
        weekdays = repetition.weekdays.map { WeekdayNumber($0.weekday, ordinal: $0.ordinal) }
        monthDays = repetition.monthDays
        months = repetition.months
        if repetition.isLastOfSet { setPositions = [-1] }
        if repetition.isFirstOfSet { setPositions = [1] }
        count = repetition.count
        if let last = repetition.until {
            until = RecurrenceRule.boundary(last, start: start)
        } else if let shift = repetition.goesOn {
            until = RecurrenceRule.boundary(shift.applied(to: start.civil).date - 1, start: start)
        }
        guard (try? RecurrenceRule(text)) != nil else {
            throw HelixError(
                .usage, "no event can repeat '\(repetition.phrase)'", hint: "Reword it, or use --rrule.")
        }
    }

    /// UNTIL for a last day: in UTC for zoned times, as RFC 5545 §3.3.10 requires.
    static func boundary(_ day: CivilDate, start: EventTime) -> Until {
        switch start {
        case .date: .date(day)
        case .floating: .floating(CivilDateTime(day, secondOfDay: 86_399))
        case .zoned(_, let zone): .utc(zone.instant(CivilDateTime(day, secondOfDay: 86_399)))
        case .utc: .utc(Instant(CivilDateTime(day, secondOfDay: 86_399).seconds))
        }
    }

    /// The rule with an UNTIL of the type of DTSTART: a date, a time on its wall clock, or UTC for one with a zone
    /// (RFC 5545, 3.3.10).
    /// - Parameter clock: the zone of the wall clock on which an UNTIL in UTC was meant.
    public func aligned(to start: EventTime, clock: Zone) -> RecurrenceRule {
        var rule = self
        switch (until, start) {
        case (nil, _), (.date, .date), (.floating, .floating), (.utc, .zoned), (.utc, .utc): break
        case (.date(let day)?, _): rule.until = Self.boundary(day, start: start)
        case (.floating(let civil)?, .date): rule.until = .date(civil.date)
        case (.floating(let civil)?, .zoned(_, let zone)): rule.until = .utc(zone.instant(civil))
        case (.floating(let civil)?, .utc): rule.until = .utc(Instant(civil.seconds))
        case (.utc(let instant)?, .date): rule.until = .date(clock.civil(instant).date)
        case (.utc(let instant)?, .floating): rule.until = .floating(clock.civil(instant))
        }
        return rule
    }

    /// The rule as a repetition in words, if possible.
    func repetition(start: EventTime?) -> Repetition? {
        guard seconds.isEmpty, minutes.isEmpty, hours.isEmpty, yearDays.isEmpty, weekNumbers.isEmpty else { return nil }
        let unit: PhraseUnit =
            switch frequency {
            case .secondly: .second
            case .minutely: .minute
            case .hourly: .hour
            case .daily: .day
            case .weekly: .week
            case .monthly: .month
            case .yearly: .year
            }
        var repetition = Repetition(unit, interval: interval)
        repetition.weekdays = weekdays.map { .init($0.weekday, ordinal: $0.ordinal) }
        repetition.monthDays = monthDays
        repetition.months = months
        let isWorkdays = Set(weekdays.map(\.weekday)) == Set(Weekday.allCases.filter { !$0.isWeekend })
        if setPositions == [1], isWorkdays {
            repetition.isFirstOfSet = true
        } else if setPositions == [-1], Set(weekdays.map(\.weekday)) == Set(Weekday.allCases.filter { !$0.isWeekend }) {
            repetition.isLastOfSet = true
        } else if !setPositions.isEmpty {
            return nil
        }
        repetition.count = count
        repetition.until = last(start: start)
        return repetition
    }

    /// The last day of a possible occurrence, in the zone of `start`; for a rule with weekdays, one of them.
    private func last(start: EventTime?) -> CivilDate? {
        guard let day = end(start: start), frequency == .weekly, interval == 1, start != nil else {
            return end(start: start)
        }
        let days = weekdays.isEmpty ? [start?.civil.date.weekday] : weekdays.map(\.weekday)
        return (0..<7).lazy.map { day - $0 }.first { days.contains($0.weekday) } ?? day
    }

    /// The day of `UNTIL` in the zone of `start`.
    private func end(start: EventTime?) -> CivilDate? {
        let civil: CivilDateTime
        switch until {
        case nil: return nil
        case .date(let date)?: return date
        case .floating(let time)?: civil = time
        case .utc(let instant)?: civil = (start?.clock ?? .utc).civil(instant)
        }
        // An end earlier in the day than the start excludes that day's occurrence.
        guard let start, !start.isDate, civil.secondOfDay < start.civil.secondOfDay else { return civil.date }
        return civil.date - 1
    }

    /// The rule in words: `every 2 weeks on Mon and Thu until Mon 1 Mar 2027`.
    ///
    /// - Parameter start: the start of the event; the end of the rule is shown in its zone.
    public func phrase(start: EventTime? = nil) -> String {
        if let repetition = repetition(start: start) { return repetition.phrase }
        // For example, the 30th, or the last day of shorter months.
        if frequency == .monthly, setPositions == [-1], weekdays.isEmpty, let last = monthDays.max(), last > 28,
            monthDays.sorted() == Array(28...last)
        {
            var plain = self
            (plain.setPositions, plain.monthDays) = ([], [last == 31 ? -1 : last])
            if let repetition = plain.repetition(start: start) {
                return repetition.phrase + (last == 31 ? "" : ", or the last day of a shorter month")
            }
        }
        var rest = self
        (rest.seconds, rest.minutes, rest.hours, rest.yearDays, rest.weekNumbers) = ([], [], [], [], [])
        (rest.setPositions, rest.count, rest.until) = ([], nil, nil)
        var words = [rest.repetition(start: start)?.phrase ?? "\(frequency)".lowercased()]
        if !weekNumbers.isEmpty { words.append("in week " + weekNumbers.map(String.init).joined(separator: ", ")) }
        if !yearDays.isEmpty { words.append("on day \(yearDays.map(String.init).joined(separator: ", ")) of the year") }
        if !hours.isEmpty { words.append("at \(hours.map(String.init).joined(separator: ", ")) o'clock") }
        if !minutes.isEmpty { words.append("at minute \(minutes.map(String.init).joined(separator: ", "))") }
        if !seconds.isEmpty { words.append("at second \(seconds.map(String.init).joined(separator: ", "))") }
        if !setPositions.isEmpty {
            let names = setPositions.map { $0 < 0 ? "\(-$0) from the end" : "\($0)" }
            words.append("(of these number \(names.joined(separator: ", ")))")
        }
        if let count { words.append(count == 1 ? "once" : "\(count) times") }
        if let day = last(start: start) { words.append("until \(DateWords.text(day))") }
        return words.joined(separator: " ")
    }
}

extension RecurrenceRule.Frequency: Comparable {
    /// Orders frequencies from the finest.
    public static func < (a: Self, b: Self) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}
