// Days excluded from a repetition.
extension PhraseGrammar {
    /// `dec 25`, `22 dec, 29 dec`, `dec 21 and 28`, `22 and 29 dec`, `from 20 dec to 3 jan`, `next week`, `in december`: the
    /// days, the first token after them, and whether they form a range, which may contain days without an occurrence.
    func exceptions(_ start: Int) -> (days: [CivilDate], end: Int, hasRange: Bool) {
        var found: [CivilDate] = []
        var end = start
        var hasRange = false
        var place: Int? = start
        while let next = place, next < start + longestList {
            let from = skip([.from, .on, .the], next)
            if let (days, past) = numbersOfMonth(next) {
                found += days
                end = past
            } else if let day = days(from).max(by: { $0.end < $1.end }) {
                found.append(day.date)
                end = day.end
                // `except dec 25 to jan 1`
                if has(.to, end), let last = days(end + 1, after: day.date).max(by: { $0.end < $1.end }),
                    (1...PhraseGrammar.longestException).contains(last.date - day.date)
                {
                    found += (1...(last.date - day.date)).map { day.date + $0 }
                    (end, hasRange) = (last.end, true)
                }
                // `except dec 21 and 28`
                while let step = nextItem(end), let number = dayNumber(step), month(skip([.of], number.end)) == nil,
                    !sign(":", number.end), !has(.am, number.end), !has(.pm, number.end), numbersOfMonth(step) == nil,
                    let date = CivilDate(validYear: day.date.year, month: day.date.month, day: number.day),
                    date > day.date
                {
                    found.append(date)
                    end = number.end
                }
            } else if let (days, past) = wholeException(next) {
                found += days
                (end, hasRange) = (past, true)
            } else {
                break
            }
            place = nextItem(end)
        }
        return (found, end, hasRange)
    }

    /// The limit of excluded days; a longer break is an end and a new start.
    private static let longestException = 100

    /// The next item of a list after an item: `29 dec` of `22 dec, 29 dec`; nil after the last one.
    private func nextItem(_ end: Int) -> Int? {
        let isBehindComma = end > 0 && sign(",", end - 1)
        let step = sign(",", end) ? skip([.and], end + 1) : skip([.and], end)
        return step > end || isBehindComma ? step : nil
    }

    /// `7, 14 and 21 dec`: the numbers of days before their month.
    private func numbersOfMonth(_ start: Int) -> (days: [CivilDate], end: Int)? {
        var numbers: [Int] = []
        var place = skip([.the], start)
        while place < start + longestList, let day = dayNumber(place) {
            numbers.append(day.day)
            let own = skip([.of], day.end)
            if numbers.count > 1, let month = month(own) {
                let end = skipDot(own + 1)
                let year = year(end)
                var days: [CivilDate] = []
                for number in numbers {
                    let after = days.last
                    let date =
                        year.map { CivilDate(validYear: $0.year, month: month, day: number) }
                        ?? resolved(month: month, day: number, after)
                    guard let date, after.map({ $0 < date && date - $0 < 31 }) ?? true else { return nil }
                    days.append(date)
                }
                return (days, year?.end ?? end)
            }
            guard let next = nextItem(day.end) else { return nil }
            place = skip([.the], next)
        }
        return nil
    }

    /// A week or month that is excluded whole.
    private func wholeException(_ start: Int) -> (days: [CivilDate], end: Int)? {
        let place = skip([.in, .of, .the], start)
        guard place < tokens.count else { return nil }
        for piece in periods(at: place) {
            guard let period = piece.parts.period, period.end - period.first <= PhraseGrammar.longestException else {
                continue
            }
            return ((0..<(period.end - period.first)).map { period.first + $0 }, piece.end)
        }
        return nil
    }
}
