import HelixCalendar
import HelixModel

/// The recurrence of tasks.
public enum TaskSeries {
    /// Whether a text is a recurrence as the store has it: a rule of RFC 5545, or `after:P3D`.
    static func isValid(stored text: String) -> Bool {
        guard text.hasPrefix("after:") else { return (try? RecurrenceRule(text)) != nil }
        return TaskRecurrence(stored: text).text == text && text.contains { ("1"..."9").contains($0) }
    }

    /// Parses a recurrence: `weekly`, `every 2 weeks mon`, `last fri of the month`, `2w after done`,
    /// or a rule of RFC 5545.
    /// - Throws: ``HelixError`` of code `usage`.
    /// - Parameter keepsMonthEnd: True if the first day was given as the end of its month, which all others then are, too.
    public static func recurrence(
        _ text: String, first: CivilDate, dates: DatePhraseParser, keepsMonthEnd: Bool = false
    ) throws -> TaskRecurrence {
        let phrase = text.trimmingBlanks()
        let lower = phrase.lowercased()
        if lower.hasPrefix("freq=") {
            do throws(RecurrenceRuleError) {
                return .rule(try RecurrenceRule(phrase).text)
            } catch {
                throw HelixError(
                    .usage, "'\(phrase)' is not a rule: \(error.reason)", hint: "Example: FREQ=WEEKLY;BYDAY=MO,TH.")
            }
        }
        for ending in [" after done", " after completion", " after it is done"] where lower.hasSuffix(ending) {
            let length = String(lower.dropLast(ending.count)).trimmingBlanks()
            return try after(length.hasPrefix("every ") ? String(length.dropFirst(6)) : length, dates)
        }
        if lower.hasPrefix("after ") { return try after(String(lower.dropFirst(6)), dates) }
        let repetition: Repetition
        do { repetition = try dates.repetition(phrase) } catch let error as HelixError {
            throw HelixError(
                error.code, error.message,
                hint: "Use 'weekly', 'every 2 weeks on mon', 'last fri of the month', '3 days after done' or never.")
        }
        guard repetition.exceptions.isEmpty else {
            throw HelixError(
                .usage, "'\(phrase)': a recurring task cannot have exceptions", hint: "Drop the task on that day.")
        }
        if let until = repetition.until, until < dates.today {
            throw HelixError(
                .usage, "'\(phrase)' has already ended",
                hint: "Set a future day, or omit 'until'.")
        }
        var rule = try RecurrenceRule(repetition, start: .date(first))
        if rule.frequency == .monthly, keepsMonthEnd, rule.weekdays.isEmpty, rule.monthDays.isEmpty {
            rule.monthDays = [-1]
        } else if rule.frequency == .monthly, first.day > 28, rule.weekdays.isEmpty, rule.monthDays.isEmpty {
            // In a month without a 31st, the last day is used; RFC 5545 would skip the month.
            rule.monthDays = Array(28...first.day)
            rule.setPositions = [-1]
        }
        return .rule(rule.text)
    }

    /// True if a rule recurs several times a day, which dates without a time cannot.
    public static func isWithinDays(_ recurrence: TaskRecurrence) -> Bool {
        guard case .rule(let text) = recurrence, let rule = try? RecurrenceRule(text) else { return false }
        return [.hourly, .minutely, .secondly].contains(rule.frequency)
    }

    private static func after(_ length: String, _ dates: DatePhraseParser) throws -> TaskRecurrence {
        let words = length.replacing("month", with: " month").replacing("year", with: " year").split(separator: " ")
        if words.count == 2 || words.count == 1, let unit = words.last,
            unit.hasPrefix("month") || unit.hasPrefix("year")
        {
            let number = words.count == 2 ? Int(words[0]) : 1
            guard let number, (1...1200).contains(number) else {
                throw HelixError(.usage, "'\(length)' is not a duration", hint: "Enter it like 2 weeks or 3 months.")
            }
            return .afterCompletion(seconds: 0, months: unit.hasPrefix("year") ? number * 12 : number)
        }
        let seconds = try dates.duration(length)
        guard seconds > 0 else { throw HelixError(.usage, "'\(length)' is too short for a recurrence") }
        return .afterCompletion(seconds: seconds, months: 0)
    }

    /// The time of the next instance after one that was due at `due` and completed at `done`.
    ///
    /// On a fixed calendar, instances whose time passed before `done` are skipped: three weeks of watering plants should not have
    /// to be ticked off.
    /// - Returns: the next time; nil if the series has ended.
    public static func next(
        _ recurrence: TaskRecurrence, due: TaskTime, done: Instant, zone: Zone
    ) throws -> TaskTime? {
        switch recurrence {
        case .afterCompletion(let seconds, let months):
            let today = zone.date(done)
            if months > 0 {
                let day = today.adding(months: months)
                guard case .moment(let instant) = due else { return .date(day) }
                return .moment(zone.instant(CivilDateTime(day, secondOfDay: zone.civil(instant).secondOfDay)))
            }
            guard case .date = due, seconds % 86_400 == 0 else { return .moment(done + seconds) }
            return .date(today + seconds / 86_400)
        case .rule(let text):
            let rule = try RecurrenceRule(text)
            switch due {
            case .date(let date):
                let start = CivilDateTime(date)
                let least = max(date + 1, zone.date(done))
                return first(rule, start, zone) { $0.date >= least }.map { .date($0.date) }
            case .moment(let instant):
                let start = zone.civil(instant)
                return first(rule, start, zone) { civil in
                    let moment = zone.instant(civil)
                    return moment > instant && moment >= done
                }.map { .moment(zone.instant($0)) }
            }
        }
    }

    /// The first day of a rule on or after `day`; nil for a recurrence after completion.
    public static func first(_ recurrence: TaskRecurrence, from day: CivilDate) -> CivilDate? {
        guard case .rule(let text) = recurrence, var rule = try? RecurrenceRule(text) else { return nil }
        rule.interval = 1
        return rule.occurrences(from: CivilDateTime(day), zone: .utc).first { _ in true }?.date
    }

    /// A description of the recurrence: `every 2 weeks on Mon`, `2 weeks after it is done`.
    public static func phrase(_ recurrence: TaskRecurrence, due: TaskTime?, zone: Zone) -> String {
        switch recurrence {
        case .afterCompletion(_, let months) where months > 0:
            months % 12 == 0 ? counted(months / 12, "year") : counted(months, "month")
        case .afterCompletion(let seconds, _) where seconds % (7 * 86_400) == 0: counted(seconds / 604_800, "week")
        case .afterCompletion(let seconds, _) where seconds % 86_400 == 0: counted(seconds / 86_400, "day")
        case .afterCompletion(let seconds, _): "\(DateWords.text(duration: seconds)) after it is done"
        case .rule(let text):
            (try? RecurrenceRule(text))?.phrase(start: due.map { .date($0.date(in: zone)) }) ?? text
        }
    }

    private static func counted(_ number: Int, _ unit: String) -> String {
        "\(number) \(unit)\(number == 1 ? "" : "s") after it is done"
    }

    /// The next instances of a series on a fixed calendar, if each is completed on its day.
    public static func upcoming(
        _ recurrence: TaskRecurrence, due: TaskTime, count: Int, zone: Zone
    ) throws -> [TaskTime] {
        guard case .rule = recurrence else { return [] }
        var found: [TaskTime] = []
        var last = due
        while found.count < count,
            let next = try next(recurrence, due: last, done: last.start(in: zone), zone: zone)
        {
            found.append(next)
            last = next
        }
        return found
    }

    /// The recurrence after one more instance: COUNT is decremented; nil if that was the last.
    public static func rest(_ recurrence: TaskRecurrence) -> TaskRecurrence? {
        guard case .rule(let text) = recurrence else { return recurrence }
        var isOver = false
        let parts = text.split(separator: ";").map { part -> String in
            guard part.uppercased().hasPrefix("COUNT="), let count = Int(part.dropFirst(6)) else { return String(part) }
            if count <= 1 { isOver = true }
            return "COUNT=\(count - 1)"
        }
        return isOver ? nil : .rule(parts.joined(separator: ";"))
    }

    private static func first(
        _ rule: RecurrenceRule, _ start: CivilDateTime, _ zone: Zone, _ isWanted: (CivilDateTime) -> Bool
    ) -> CivilDateTime? {
        // COUNT counts from the first instance of the series, which is not known here; helix ends a series by date.
        var iterator = EventRecurrence(start: start, rules: [rule], zone: zone).makeIterator()
        for _ in 0..<100_000 {
            guard let next = iterator.next() else { return nil }
            if isWanted(next) { return next }
        }
        return nil
    }

    /// The ID of the instance of a series at a time, identical on all machines.
    public static func instance(of series: EntityID, at time: TaskTime) -> EntityID {
        let text: String
        switch time {
        case .date(let date): text = "\(series.text) \(ISO8601.text(date))"
        case .moment(let instant): text = "\(series.text) \(instant.seconds)"
        }
        var generator = TextGenerator(text)
        return EntityID(using: &generator)
    }

    /// A number generator seeded by a text: FNV-1a, mixed by the finalizer of SplitMix64.
    private struct TextGenerator: RandomNumberGenerator {
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        init(_ text: String) {
            for byte in text.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
