extension DatePhraseParser {
    /// Describes the parts: `Fri 27 Nov 2026 9:00–10:30, every week, America/New_York`.
    public func description(of parts: PhraseParts) -> String {
        var words: [String] = []
        if let instant = parts.instant {
            words.append("\(DateWords.text(zone.date(instant))) \(clock(zone.civil(instant).secondOfDay))")
        }
        if let period = parts.period { words.append(days(period.first, period.end - 1)) }
        var day = parts.date.map { DateWords.text($0) }
        if let last = parts.lastDate, parts.time == nil, let date = parts.date { day = days(date, last) }
        let isBeginning = parts.isBeginning && parts.repetition != nil
        if let day { words.append(isBeginning ? "from " + day : day) }
        if let time = parts.time {
            var text = clock(time)
            if let end = parts.endTime {
                let last = parts.lastDate.map { " \(DateWords.text($0)) " } ?? ""
                text += last.isEmpty ? "–\(clock(end))" : " –\(last)\(clock(end))"
            }
            words.append(text)
        } else if let part = parts.part {
            words.append(part.rawValue)
        }
        if let duration = parts.duration { words.append("for " + DateWords.text(duration: duration)) }
        if parts.isAllDay { words.append("all day") }
        var text = words.joined(separator: " ")
        if let repetition = parts.repetition { text += (text.isEmpty ? "" : ", ") + repetition.phrase }
        if let zone = parts.zone { text += (text.isEmpty ? "" : ", ") + PhraseGrammar.name(of: zone) }
        return text
    }

    private func days(_ first: CivilDate, _ last: CivilDate) -> String {
        last <= first ? DateWords.text(first) : "\(DateWords.text(first)) – \(DateWords.text(last))"
    }

    /// Formats seconds after midnight: `9:05`.
    func clock(_ seconds: Int) -> String {
        let minute = seconds / 60 % 60
        // `2:30` could be read as the afternoon.
        return "\((3600..<6 * 3600).contains(seconds) ? "0" : "")\(seconds / 3600):\(minute < 10 ? "0" : "")\(minute)"
    }
}

extension Repetition {
    /// The repetition as text that parses back to itself: `every 2 weeks on Mon and Thu until 1 Mar 2027`.
    public var phrase: String {
        let name = "\(unit)"
        var words = [interval == 1 ? "every \(name)" : "every \(interval) \(name)s"]
        if !months.isEmpty && !monthDays.isEmpty && weekdays.isEmpty && unit == .year {
            words.append(
                "on " + monthDays.map(String.init).joined(separator: ", ") + " "
                    + months.map(DateWords.name(month:)).joined(separator: ", "))
        } else {
            if isLastOfSet {
                words.append("on the last weekday")
            } else if isFirstOfSet {
                words.append("on the first weekday")
            } else if Set(weekdays.map(\.weekday)).count == 5,
                weekdays.allSatisfy({ !$0.weekday.isWeekend && $0.ordinal == nil })
            {
                if interval == 1, unit == .week { words = ["every weekday"] } else { words.append("on weekdays") }
            } else if !weekdays.isEmpty {
                let days = weekdays.map { day in
                    (day.ordinal.map { Repetition.ordinal($0) + " " } ?? "") + DateWords.name(day.weekday)
                }
                words.append("on " + (weekdays.first?.ordinal == nil ? "" : "the ") + Repetition.list(days))
            }
            if !monthDays.isEmpty {
                words.append(
                    "on the " + Repetition.list(monthDays.map { $0 == -1 ? "last day" : Repetition.ordinal($0) }))
            }
            if !months.isEmpty { words.append("of " + Repetition.list(months.map(DateWords.name(month:)))) }
        }
        if let goesOn {
            let months =
                goesOn.months == 0
                ? "" : goesOn.months % 12 == 0 ? "\(goesOn.months / 12) year" : "\(goesOn.months) month"
            let days = goesOn.days % 7 == 0 ? "\(goesOn.days / 7) week" : "\(goesOn.days) day"
            let text = months.isEmpty ? days : months
            words.append("for " + text + (text.hasPrefix("1 ") ? "" : "s"))
        }
        if let count { words.append(count == 1 ? "once" : "\(count) times") }
        if let until { words.append("until \(DateWords.text(until))") }
        if !exceptions.isEmpty { words.append("except " + Repetition.list(exceptions.map { DateWords.text($0) })) }
        return words.joined(separator: " ")
    }

    static func list(_ items: [String]) -> String {
        items.count < 2 ? items.joined() : items.dropLast().joined(separator: ", ") + " and " + (items.last ?? "")
    }

    static func ordinal(_ number: Int) -> String {
        switch number {
        case -1: "last"
        case ..<0: "\(-number)th last"
        case 11, 12, 13: "\(number)th"
        case let n where n % 10 == 1: "\(n)st"
        case let n where n % 10 == 2: "\(n)nd"
        case let n where n % 10 == 3: "\(n)rd"
        default: "\(number)th"
        }
    }
}

extension PhraseParts {
    /// The parts that affect the stored values.
    func meaning(_ parser: DatePhraseParser) -> PhraseParts {
        var parts = self
        (parts.part, parts.isOpen, parts.isEndOpen, parts.isBare, parts.isMidnight) = (nil, false, false, false, false)
        (parts.span, parts.until, parts.count, parts.exceptions, parts.zoneOffset) = (nil, nil, nil, [], nil)
        parts.freeDays = []
        parts.isWeekday = false
        // `every month on the 1st` equals a start on the next 1st.
        if date == nil, let repetition, let day = repetition.monthDays.first, day > 0, repetition.monthDays.count == 1,
            repetition.weekdays.isEmpty, repetition.months.count <= 1
        {
            let grammar = PhraseGrammar("", parser: parser, isLine: false)
            let next =
                repetition.months.first.map { grammar.resolved(month: $0, day: day, nil) }
                ?? grammar.resolved(day: day, nil)
            parts.date = next
            parts.repetition?.monthDays = []
            parts.repetition?.months = []
        }
        return parts
    }
}

extension PhraseGrammar {
    /// The name of a zone in a form that can be typed: `+02:00` alone would not be read as a zone.
    static func name(of zone: Zone) -> String {
        zone.identifier.first.map { "+-".contains($0) } == true ? "UTC" + zone.identifier : zone.identifier
    }
}
