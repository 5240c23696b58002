/// Days from the first to the last.
private struct DayRange {
    let first: CivilDate
    let last: CivilDate
    /// The first token after the range.
    let end: Int
    let bonus: Int

    /// Creates a range; nil if the days are missing or reversed, or span most of a year.
    init?(_ first: CivilDate?, _ last: CivilDate?, _ end: Int, bonus: Int = 10) {
        // `24-2 jan` has no month for its start.
        guard let first, let last, first <= last, last - first <= 330 else { return nil }
        (self.first, self.last, self.end, self.bonus) = (first, last, end, bonus)
    }
}

// Ranges of days, without times.
extension PhraseGrammar {
    /// `dec 1-3`, `1-3 dec`, `10. - 12. dec`, `december 10 to 12`, `mon - wed next week`.
    func dayRanges(_ index: Int, _ start: Int, _ isBetween: Bool) -> [PhrasePiece] {
        // `alle 18 fino al 31 dicembre`
        if start > 0, has(.at, start - 1), !has(.on, start - 1), !has(.from, start - 1) { return [] }
        var found: [PhrasePiece] = []
        func add(_ range: DayRange?) { if let range { found.append(piece(range, index)) } }
        add(monthBeforeDays(start, isBetween))
        add(monthBehindDays(start, isBetween))
        add(dottedDays(start, isBetween))
        add(daysAndMonths(start, isBetween))
        add(months(start, isBetween))
        if let day = weekday(start), let next = separator(skipDot(start + 1), isBetween: isBetween) {
            for (last, end) in weekdayInWeek(next) {
                add(DayRange(last - (7 - day.index(inWeekStartingOn: last.weekday)) % 7, last, end))
            }
        }
        return found
    }

    /// `dec 1-3`, `december 10 to 12`.
    private func monthBeforeDays(_ start: Int, _ isBetween: Bool) -> DayRange? {
        guard let month = month(start), let from = dayNumber(skip([.the], skipDot(start + 1))),
            let next = separator(from.end, isBetween: isBetween), let to = dayNumber(skip([.the], next)),
            unit(to.end) == nil
        else { return nil }
        return daysOfMonth(from.day, to.day, month, year(to.end), end: to.end)
    }

    /// `1-3 dec`, `10. - 12. dec`.
    private func monthBehindDays(_ start: Int, _ isBetween: Bool) -> DayRange? {
        guard let from = dayNumber(start), let next = separator(from.end, isBetween: isBetween),
            let to = dayNumber(skip([.the], next))
        else { return nil }
        let place = skip([.of], to.end)
        guard let month = month(place), number(place) == nil else { return nil }
        let end = skipDot(place + 1)
        return daysOfMonth(from.day, to.day, month, year(end), end: end)
    }

    /// The range from one day to another in a month; of the nearest year, if none is given.
    private func daysOfMonth(
        _ from: Int, _ to: Int, _ month: Int, _ year: (year: Int, end: Int)?, end: Int
    ) -> DayRange? {
        let first = date(month, from, year?.year)
        return DayRange(first, first.flatMap { date(month, to, year?.year, after: $0) }, year?.end ?? end)
    }

    private func date(_ month: Int, _ day: Int, _ year: Int?, after: CivilDate? = nil) -> CivilDate? {
        year.map { CivilDate(validYear: $0, month: month, day: day) } ?? resolved(month: month, day: day, after)
    }

    /// `24.-26.12.`
    private func dottedDays(_ start: Int, _ isBetween: Bool) -> DayRange? {
        guard let from = dayNumber(start), sign(".", from.end - 1),
            let next = separator(from.end, isBetween: isBetween),
            let to = writtenDays(next, nil).first(where: { sign(".", next + 1) && $0.end > next + 3 })
        else { return nil }
        let first = CivilDate(validYear: to.date.year, month: to.date.month, day: from.day)
        return DayRange(first, to.date, to.end)
    }

    /// `23.12-27.12`; as hours if they are not valid days.
    private func daysAndMonths(_ start: Int, _ isBetween: Bool) -> DayRange? {
        guard let from = dayAndMonth(start), let next = separator(start + 3, isBetween: isBetween),
            let to = dayAndMonth(next), wordEnd(next + 3) == next + 3
        else { return nil }
        let first = date(from.month, from.day, nil)
        let last = first.flatMap { date(to.month, to.day, nil, after: $0) }
        return first == last ? nil : DayRange(first, last, next + 3, bonus: 6)
    }

    /// `october to november`.
    private func months(_ start: Int, _ isBetween: Bool) -> DayRange? {
        guard month(start) != nil, let from = monthOf(start), let next = separator(from.end, isBetween: isBetween),
            month(next) != nil, let to = monthOf(next)
        else { return nil }
        // `feb to march 2027`
        let hasYear = number(to.end - 1, digits: 4...4) != nil && number(from.end - 1) == nil
        let own = hasYear ? CivilDate(year: to.first.year, month: from.first.month, day: 1) : from.first
        let first = hasYear && own > to.first ? own.adding(months: -12) : own
        let last = to.first >= first ? to.first : to.first.adding(months: 12)
        return DayRange(first, last.adding(months: 1) - 1, to.end)
    }

    private func piece(_ range: DayRange, _ index: Int) -> PhrasePiece {
        var parts = PhraseParts()
        (parts.date, parts.lastDate) = (range.first, range.last)
        return PhrasePiece(
            end: range.end, parts: parts, weight: weight(index..<range.end) + range.bonus, kind: .days)
    }

    /// `23.12`: a day and a month, without a final dot.
    private func dayAndMonth(_ index: Int) -> (day: Int, month: Int)? {
        guard let day = number(index, digits: 1...2), sign(".", index + 1), isJoined(index + 1), isJoined(index + 2),
            let month = number(index + 2, digits: 1...2), (1...31).contains(day), (1...12).contains(month)
        else { return nil }
        return (day, month)
    }
}
