/// Repetitions.
extension PhraseGrammar {
    /// `every 2 weeks`, `every tue and thu`, `weekdays`, `last fri of the month`, with `until`, `10 times`, `except`.
    func repetitions(at index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        func add(
            _ repetition: Repetition, _ end: Int, conditions: PhrasePiece.Conditions = [], isWeak: Bool = false,
            bonus: Int = 4
        ) {
            guard (1...1000).contains(repetition.interval) else { return }
            var parts = PhraseParts()
            parts.repetition = repetition
            found.append(
                PhrasePiece(
                    end: end, parts: parts, weight: weight(index..<end) + bonus, conditions: conditions, isWeak: isWeak,
                    kind: .repetition))
        }
        // `tickets £11 each sat`
        let isPrice = tokens[index].text == "each" && index > 0 && number(index - 1) != nil
        if isPrice { return found }
        if has(.every, index) {
            for (repetition, end) in every(skip([.the, .single], index + 1)) {
                // The whole phrase takes precedence over its parts: `every month on the last friday`.
                let isWhole = ordinal(index + 1) == nil && repetition.weekdays.contains { $0.ordinal != nil }
                add(repetition, end, bonus: isWhole ? 10 : 4)
            }
        } else {
            for (repetition, end) in bare(index) {
                // `Weekly review` may be a title.
                add(repetition, end, conditions: isLine && isPlainWord(end) ? .afterPiece : [])
            }
        }
        found += limits(index)
        return found
    }

    // MARK: After "every"

    private func every(_ index: Int) -> [(Repetition, Int)] {
        let isOther = has(.other, index)
        if !isOther, let number = count(index), !has(.a, index), unit(index + 1) != nil || weekday(index + 1) != nil {
            return everyUnit(index + 1, interval: number)
        }
        if let (ordinal, end) = ordinal(index) {
            // `every 2nd day`
            if ordinal > 1, unit(end) != nil { return everyUnit(end, interval: ordinal) }
            if let day = weekday(end) { return everyNth(ordinal, day, index, end) }
            return ordinalWeekdays(index, isEvery: true) + monthDayList(index)
        }
        if !isOther, let day = dayNumber(index), day.isOrdinal, tokens[index].kind == .number {
            return monthDayList(index)
        }
        return isOther ? everyUnit(index + 1, interval: 2) : everyUnit(index, interval: nil)
    }

    /// `every 2nd tuesday` is the second of the month as well as every other one.
    private func everyNth(_ ordinal: Int, _ day: Weekday, _ index: Int, _ end: Int) -> [(Repetition, Int)] {
        var found = ordinalWeekdays(index, isEvery: true)
        if ordinal == 2 || ordinal == 3, monthOf(end + 1) == nil {
            found.append((weekly([day], interval: ordinal), skipDot(end + 1)))
        }
        return found
    }

    /// The unit or the days after `every` and its number.
    private func everyUnit(_ place: Int, interval: Int?) -> [(Repetition, Int)] {
        if interval == nil, let found = everyDayOfMonth(place) { return [found] }
        var found: [(Repetition, Int)] = []
        if let unit = unit(place), unit != .second {
            found += refined(Repetition(unit, interval: interval ?? 1), place + 1)
        }
        if interval == nil {
            if has(.fortnight, place) { found += refined(Repetition(.week, interval: 2), place + 1) }
            if has(.weekdays, place) { found.append((workdays(), place + 1)) }
            if part(place) != nil { found.append((Repetition(.day), place)) }
        }
        if has(.weekend, place) { found.append((weekly([.saturday, .sunday], interval: interval ?? 1), place + 1)) }
        if let list = weekdayList(place) ?? pluralList(place) {
            found.append((weekly(list.days, interval: interval ?? 1), list.end))
        }
        if interval == nil {
            found += yearDay(place)
            if let month = month(place), dayNumber(place + 1) == nil {
                var repetition = Repetition(.year)
                repetition.months = [month]
                found.append((repetition, place + 1))
            }
        }
        return found
    }

    /// `every day 5 of the month`, `cada día 5`.
    private func everyDayOfMonth(_ place: Int) -> (Repetition, Int)? {
        guard unit(place) == .day, let day = number(place + 1, digits: 1...2), (1...31).contains(day),
            !sign(":", place + 2), unit(place + 2) == nil, halfOfDay(place + 2) == nil
        else { return nil }
        let end = skip([.of, .the], place + 2)
        let isOfMonth = end > place + 2 && unit(end) == .month
        guard isOfMonth || parser.vocabulary.hasOthers, !has(.times, place + 2) else { return nil }
        var repetition = Repetition(.month)
        repetition.monthDays = [day]
        return (repetition, isOfMonth ? end + 1 : place + 2)
    }

    private func weekly(_ days: [Weekday], interval: Int = 1) -> Repetition {
        var repetition = Repetition(.week, interval: interval)
        repetition.weekdays = days.map { .init($0) }
        return repetition
    }

    private func workdays() -> Repetition {
        var repetition = Repetition(.week)
        repetition.weekdays = Repetition.workdays
        return repetition
    }

    /// The repetition with the days after its unit: `every month on the 15th`, `every 2 weeks on mon and thu`.
    private func refined(_ base: Repetition, _ end: Int) -> [(Repetition, Int)] {
        var found = [(base, end)]
        let start = skip([.on, .the, .at], end)
        // `every month on day 5`
        if base.unit == .month || base.unit == .quarter, unit(start) == .day,
            let day = number(start + 1, digits: 1...2),
            (1...31).contains(day)
        {
            var repetition = base
            repetition.monthDays = [day]
            if base.unit == .quarter { (repetition.unit, repetition.interval) = (.month, base.interval * 3) }
            return [(repetition, start + 2)]
        }
        switch base.unit {
        case .week:
            if let list = weekdayList(start) ?? pluralList(start) {
                var repetition = base
                repetition.weekdays = list.days.map { .init($0) }
                found.append((repetition, list.end))
            } else if has(.weekdays, start) {
                var repetition = base
                repetition.weekdays = Repetition.workdays
                found.append((repetition, start + 1))
            }
        case .month, .quarter:
            for (list, past) in ordinalWeekdays(start, isEvery: false) + monthDayList(start) {
                var repetition = list
                repetition.interval = base.unit == .quarter ? base.interval * 3 : base.interval
                found.append((repetition, past))
            }
        case .year:
            for (list, past) in ordinalWeekdays(start, isEvery: false) + yearDay(start) {
                var repetition = list
                (repetition.unit, repetition.interval) = (.year, base.interval)
                found.append((repetition, past))
            }
        default: break
        }
        return found.map { repetition, end in
            var repetition = repetition
            if repetition.unit == .quarter {
                (repetition.unit, repetition.interval) = (.month, repetition.interval * 3)
            }
            return (repetition, end)
        }
    }

    // MARK: Without "every"

    /// `daily`, `weekly`, `mondays`, `weekdays`; in a field also `mon,thu`, `last fri of the month`, `2 weeks`, `15th`.
    private func bare(_ index: Int) -> [(Repetition, Int)] {
        var found: [(Repetition, Int)] = []
        for meaning in meanings(index) {
            if case .adverb(let unit, let interval) = meaning {
                found += refined(Repetition(unit, interval: interval), index + 1)
            }
        }
        addPlurals(index, to: &found)
        let start = skip([.on, .the], index)
        if parser.readsRepetitions {
            addValues(index, start, to: &found)
        } else {
            // `first tuesday of every month`, `1st and 3rd monday of the month`, `first mondays`
            found += (ordinalWeekdays(start, isEvery: false) + monthDayList(start)).filter { repetition, end in
                (start..<end).contains { place in
                    has(.every, place) || first(place) { if case .weekdays = $0 { true } else { nil } } != nil
                } || repetition.weekdays.filter { $0.ordinal != nil }.count > 1
            }
        }
        return found
    }

    /// `weekdays`, `mondays`, `end of every month`, `alternate mondays`, `weekends`.
    private func addPlurals(_ index: Int, to found: inout [(Repetition, Int)]) {
        if has(.weekdays, index), !isLine || line[tokens[index].range].lowercased().hasSuffix("s") {
            found.append((workdays(), index + 1))
        }
        if let list = pluralList(index) { found.append((weekly(list.days), list.end)) }
        // `end of every month`
        if has(.end, index) || has(.beginning, index) {
            let place = skip([.of], index + 1)
            if has(.every, place), unit(place + 1) == .month {
                var repetition = Repetition(.month)
                repetition.monthDays = [has(.end, index) ? -1 : 1]
                found.append((repetition, place + 2))
            }
        }
        // `alternate mondays`
        if has(.other, index), let list = pluralList(index + 1) {
            found.append((weekly(list.days, interval: 2), list.end))
        }
        if tokens[index].text == "weekends" { found.append((weekly([.saturday, .sunday]), index + 1)) }
    }

    /// `mon,thu`, `last fri of the month`, `2 weeks`, `15th`: the value of a field for repetitions.
    private func addValues(_ index: Int, _ start: Int, to found: inout [(Repetition, Int)]) {
        if has(.weekend, index) { found.append((weekly([.saturday, .sunday]), index + 1)) }
        if let list = weekdayList(start) { found.append((weekly(list.days), list.end)) }
        found += ordinalWeekdays(start, isEvery: false) + monthDayList(start) + yearDay(start)
        guard index == 0 else { return }
        if let number = count(start), let unit = unit(start + 1), unit > .minute {
            found += refined(Repetition(unit, interval: number), start + 2)
        } else if let unit = unit(start), unit > .minute, tokens[start].length > 2 {
            found += refined(Repetition(unit), start + 1)
        }
        if has(.other, start), let unit = unit(start + 1) { found += refined(Repetition(unit, interval: 2), start + 2) }
    }

    /// The text of a token; empty after the last one.
    private func text(_ index: Int) -> String { tokens.indices.contains(index) ? tokens[index].text : "" }

    // MARK: Lists

    /// The limit of tokens in a list: longer ones would be walked once for each of their items.
    var longestList: Int { 100 }

    /// `tue and thu`, `mon, wed and fri`, `mon,thu`, `mon-fri`.
    func weekdayList(_ index: Int) -> (days: [Weekday], end: Int)? {
        guard let first = weekday(index) else { return nil }
        var days = [first]
        var end = index + 1
        let isWord = index > 0 && has(.every, index - 1) && ["to", "through", "thru"].contains(text(end))
        if sign("-", end) || isWord, let last = weekday(end + 1) {
            days = (0...last.index(inWeekStartingOn: first)).map { first.advanced(by: $0) }
            return (days, end + 2)
        }
        while true {
            var next = skipDot(end)
            if has(.and, next) || ["/", ",", "+", "&"].contains(text(next)) { next += 1 }
            // `every monday and every wednesday`
            if next > end, has(.every, next), weekday(next + 1) != nil { next += 1 }
            // `every mon wed fri`
            let isApart = next > end || index > 0 && has(.every, index - 1)
            guard isApart, next < index + longestList, let day = weekday(next) else { break }
            if !days.contains(day) { days.append(day) }
            end = next + 1
        }
        return (days.sorted(), end)
    }

    /// `mondays`, `tuesdays and thursdays`.
    func pluralList(_ index: Int) -> (days: [Weekday], end: Int)? {
        func day(_ index: Int) -> Weekday? {
            first(index) { if case .weekdays(let day) = $0 { day } else { nil } }
        }
        // `los martes y jueves`
        func another(_ index: Int) -> Weekday? { day(index) ?? (parser.vocabulary.hasOthers ? weekday(index) : nil) }
        guard let first = day(index) else { return nil }
        var days = [first]
        var end = index + 1
        while let next = [skip([.and], skipDot(end))].first(where: { $0 > end }), next < index + longestList,
            let other = another(next)
        {
            days.append(other)
            end = next + 1
        }
        return (days.sorted(), end)
    }

    /// `last fri of the month`, `2nd and 4th tue`, `first monday`, `last day`, `last weekday of the month`.
    private func ordinalWeekdays(_ index: Int, isEvery: Bool) -> [(Repetition, Int)] {
        var ordinals: [Int] = []
        var end = index
        while end < index + longestList, let (ordinal, next) = ordinal(end) {
            ordinals.append(ordinal)
            end = next
            let step = sign(",", end) ? end + 1 : skip([.and], end)
            guard step > end, self.ordinal(step) != nil else { break }
            end = step
        }
        guard !ordinals.isEmpty else { return [] }
        var repetition = Repetition(.month)
        let plural = first(end) { if case .weekdays(let day) = $0 { day } else { nil } }
        if let day = weekday(end) ?? plural {
            repetition.weekdays = ordinals.map { .init(day, ordinal: $0) }
            // `1st Mon and 3rd Tue`
            var past = end + 1
            while past < index + longestList, let next = [skip([.and], skipDot(past))].first(where: { $0 > past }),
                let (another, place) = ordinal(next), let other = weekday(place)
            {
                repetition.weekdays.append(.init(other, ordinal: another))
                past = place + 1
            }
            if past > end + 1 { return inMonths(repetition, past) }
        } else if has(.weekdays, end), ordinals == [1] {
            (repetition.weekdays, repetition.isFirstOfSet) = (Repetition.workdays, true)
        } else if unit(end) == .day, ordinals == [-1] {
            repetition.monthDays = [-1]
        } else if has(.weekdays, end), ordinals == [-1] {
            (repetition.weekdays, repetition.isLastOfSet) = (Repetition.workdays, true)
        } else {
            return []
        }
        return inMonths(repetition, end + 1)
    }

    /// `15th`, `1st and 15th`, `15th of the month`.
    private func monthDayList(_ index: Int) -> [(Repetition, Int)] {
        var days: [Int] = []
        var end = index
        while end < index + longestList, let day = dayNumber(end),
            day.isOrdinal || parser.readsRepetitions || sign(".", day.end - 1) && day.end > end + 1
        {
            days.append(day.day)
            end = day.end
            let step = sign(",", end) ? end + 1 : skip([.and], end)
            let place = skip([.the], step)
            guard step > end, dayNumber(place) != nil else { break }
            end = place
        }
        guard !days.isEmpty, weekday(end) == nil, unit(end) == nil, month(skip([.of], end)) == nil, !has(.times, end)
        else {
            return []
        }
        var repetition = Repetition(.month)
        repetition.monthDays = days
        return inMonths(repetition, end)
    }

    /// The repetition with the following months: `of the month`, `of january`, `in march and june`.
    private func inMonths(_ base: Repetition, _ end: Int) -> [(Repetition, Int)] {
        let start = skip([.of, .in, .the], end)
        if start > end || has(.every, end), unit(has(.every, start) ? start + 1 : start) == .month {
            return [(base, has(.every, start) ? start + 2 : start + 1)]
        }
        guard start > end, let first = month(start) else { return [(base, end)] }
        var repetition = base
        (repetition.unit, repetition.months) = (.year, [first])
        var past = start + 1
        while let next = [sign(",", past) ? past + 1 : skip([.and], past)].first(where: { $0 > past }),
            let month = month(next)
        {
            repetition.months.append(month)
            past = next + 1
        }
        return [(repetition, past)]
    }

    /// `14 march`, `march 14`: a yearly date.
    private func yearDay(_ index: Int) -> [(Repetition, Int)] {
        var repetition = Repetition(.year)
        if let month = month(index), let day = dayNumber(skip([.the], index + 1)) {
            (repetition.months, repetition.monthDays) = ([month], [day.day])
            return [(repetition, day.end)]
        }
        if let day = dayNumber(index), let month = month(skip([.of], day.end)) {
            (repetition.months, repetition.monthDays) = ([month], [day.day])
            return [(repetition, skip([.of], day.end) + 1)]
        }
        return []
    }
}
