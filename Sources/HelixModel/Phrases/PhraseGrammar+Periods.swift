/// Named periods of whole days, exact moments, and zones.
extension PhraseGrammar {
    /// `this week`, `next month`, `weekend`, `2026-12`, `2026-W48`, `week 50`, `next 3 days`, `december 2026`, `q1`.
    func periods(at index: Int) -> [PhrasePiece] {
        var found: [PhrasePiece] = []
        if let shift = shift(index) { addShifted(shift, index, to: &found) }
        if let unit = unit(index), unit >= .week, let shift = shiftBehind(index + 1) {
            add(unit, PhraseGrammar.step(shift), index..<index + 2, to: &found)
        }
        addWeekends(index, to: &found)
        addNamedWeeks(index, to: &found)
        if let week = numberedWeek(index) { add(week.first, week.first + 7, index..<week.end, to: &found) }
        if tokens[index].kind == .number { addWritten(index, to: &found) }
        if let month = month(index) { addMonth(month, index, to: &found) }
        addQuarter(index, to: &found)
        // `7d` alone: the next seven days.
        if !isLine, parser.direction == .neutral, let amount = amount(index), amount.unit.isDays, index == 0 {
            let end = amount.shift.applied(to: CivilDateTime(parser.today)).date
            add(parser.today, end, index..<amount.end, to: &found)
            if let last = found.indices.last { found[last].weight += 3 }
        }
        return found
    }

    /// Adds the period from `first` up to `end`, which the words denote.
    private func add(_ first: CivilDate, _ end: CivilDate, _ words: Range<Int>, to found: inout [PhrasePiece]) {
        guard first < end, first >= firstDay, end <= CivilDate.lastRead + 1 else { return }
        var parts = PhraseParts()
        parts.period = DayPeriod(first: first, end: end)
        found.append(PhrasePiece(end: words.upperBound, parts: parts, weight: weight(words), kind: .days))
    }

    /// Adds the week, month, quarter or year that is `step` units from now.
    private func add(_ unit: PhraseUnit, _ step: Int, _ words: Range<Int>, to found: inout [PhrasePiece]) {
        let first = PhraseGrammar.adding(step, unit, start(of: unit, parser.today))
        add(first, PhraseGrammar.adding(1, unit, first), words, to: &found)
    }

    /// The Saturday of the week that is `step` weeks from now.
    private func weekend(_ step: Int) -> CivilDate { parser.today.startOfWeek() + 5 + step * 7 }

    /// `next month`, `next weekend`, `next 3 days`; in a field also `next march`.
    private func addShifted(_ shift: DateShift, _ index: Int, to found: inout [PhrasePiece]) {
        let today = parser.today
        let step = PhraseGrammar.step(shift)
        let place = index + 1
        if let unit = unit(place), unit >= .week { add(unit, step, index..<place + 1, to: &found) }
        if has(.weekend, place) {
            let step = shift == .coming && weekend(0) > today ? 0 : step
            add(weekend(step), weekend(step) + 2, index..<place + 1, to: &found)
            if shift == .either { add(weekend(0), weekend(0) + 2, index..<place + 1, to: &found) }
        }
        // `next 3 days`, `last 2 weeks`
        if let amount = amount(place), amount.unit.isDays, number(place) != nil || !has(.a, place), step != 0 {
            let other = (step > 0 ? amount.shift : amount.shift.negated).applied(to: CivilDateTime(today)).date
            let words = index..<amount.end
            if step > 0 { add(today, other, words, to: &found) } else { add(other + 1, today + 1, words, to: &found) }
        }
        if !isLine, let month = month(place) {
            var year = today.year
            if step > 0, month <= today.month { year += 1 }
            if step < 0, month >= today.month { year -= 1 }
            let first = CivilDate(year: year, month: month, day: 1)
            add(first, first.adding(months: 1), index..<place + 1, to: &found)
        }
    }

    /// `weekend`, `weekend after next`, `the weekend of dec 12`.
    private func addWeekends(_ index: Int, to found: inout [PhrasePiece]) {
        guard has(.weekend, index) else { return }
        if tokens[index].text != "weekends" {
            if let shift = shiftBehind(index + 1) {
                let step = PhraseGrammar.step(shift)
                add(weekend(step), weekend(step) + 2, index..<index + 2, to: &found)
                if shift == .either { add(weekend(0), weekend(0) + 2, index..<index + 2, to: &found) }
            } else {
                // On Sunday, the one that has not ended yet.
                let step = parser.direction == .back && weekend(0) > parser.today ? -1 : 0
                add(weekend(step), weekend(step) + 2, index..<index + 1, to: &found)
            }
        }
        // `the weekend of dec 12`
        guard has(.of, index + 1) else { return }
        for day in days(skip([.the], index + 2)) where day.date.weekday.isWeekend || day.date.weekday == .friday {
            let first = day.date.startOfWeek() + 5
            add(first, first + 2, index..<day.end, to: &found)
        }
    }

    /// `the week of dec 14`, `week commencing dec 14`.
    private func addNamedWeeks(_ index: Int, to found: inout [PhrasePiece]) {
        guard unit(index) == .week else { return }
        let isNamed =
            has(.of, index + 1)
            || tokens.indices.contains(index + 1) && ["commencing", "beginning"].contains(tokens[index + 1].text)
        guard isNamed else { return }
        for day in days(skip([.the], index + 2)) {
            let first = day.date.startOfWeek(on: parser.firstWeekday)
            add(first, first + 7, index..<day.end, to: &found)
        }
    }

    /// `december 2026`; in a field also `december`.
    private func addMonth(_ month: Int, _ index: Int, to found: inout [PhrasePiece]) {
        if let (year, past) = year(skipDot(index + 1), isWhole: true) {
            let first = CivilDate(year: year, month: month, day: 1)
            add(first, first.adding(months: 1), index..<past, to: &found)
        } else if !isLine, let (first, past) = monthOf(index) {
            add(first, first.adding(months: 1), index..<past, to: &found)
        } else if isLine {
            // `in december` is no day for an event, but does not belong to the title either.
            let isName = ["may", "march", "mar", "jan", "april", "june", "august"].contains(tokens[index].text)
            if !isName || has(.in, index - 1) || number(index + 1) != nil || number(index - 1) != nil,
                let (first, past) = monthOf(index)
            {
                add(first, first.adding(months: 1), index..<past, to: &found)
                found[found.count - 1].weight = -100
            }
        }
    }

    /// Whether the word asks for the whole period.
    func saysWhole(_ index: Int) -> Bool { ["all", "whole", "entire", "rest"].contains(tokens[index].text) }

    /// `rest of the week`: from today to its end.
    private func restOfPeriod(_ index: Int) -> PhrasePiece? {
        guard tokens[index].text == "rest", has(.of, index + 1) else { return nil }
        let place = skip([.the], index + 2)
        let this = shift(place) == .this ? place + 1 : place
        guard let unit = unit(this), unit >= .week, tokens[this].length > 2 else { return nil }
        let first = start(of: unit, parser.today)
        var parts = PhraseParts()
        parts.period = DayPeriod(first: parser.today, end: PhraseGrammar.adding(1, unit, first))
        return PhrasePiece(end: this + 1, parts: parts, weight: weight(index..<this + 1), kind: .days)
    }

    /// `all next week`, `the whole week`, `all of december`, `rest of the week`.
    func wholePeriods(at index: Int) -> [PhrasePiece] {
        if let rest = restOfPeriod(index) { return [rest] }
        guard saysWhole(index) else { return [] }
        let place = skip([.of, .the], index + 1)
        guard place < tokens.count else { return [] }
        var found = periods(at: place).filter { $0.parts.period != nil && !$0.isWeak }
        if let unit = unit(place), unit >= .week, tokens[place].length > 2 {
            let first = start(of: unit, parser.today)
            var parts = PhraseParts()
            parts.period = DayPeriod(first: first, end: PhraseGrammar.adding(1, unit, first))
            found.append(PhrasePiece(end: place + 1, parts: parts, weight: 10, kind: .days))
        }
        return found.map { piece in
            var piece = piece
            piece.weight = max(piece.weight, 0) + weight(index..<place)
            return piece
        }
    }

    /// `2026-12`; in a field also `2026`.
    private func addWritten(_ index: Int, to found: inout [PhrasePiece]) {
        guard let year = number(index, digits: 4...4), (1000...9999).contains(year) else { return }
        // `invoice 4711-12` and `contract 2027-03` have numbers.
        if isLine, !(1900...2199).contains(year) || hasNumberedNoun(index) { return }
        if sign("-", index + 1), isJoined(index + 1), isJoined(index + 2),
            let month = number(index + 2, digits: 2...2), let first = CivilDate(validYear: year, month: month, day: 1),
            !isJoined(index + 3) || !sign("-", index + 3)
        {
            add(first, first.adding(months: 1), index..<index + 3, to: &found)
        }
        if !isLine, (1900...2100).contains(year) || year / 100 >= 24 || year % 100 >= 60 {
            let first = CivilDate(year: year, month: 1, day: 1)
            add(first, first.adding(months: 12), index..<index + 1, to: &found)
        }
    }

    /// `q1`, `q1 2027`, `2027-q1`.
    private func addQuarter(_ index: Int, to found: inout [PhrasePiece]) {
        guard !isLine, tokens[index].text == "q", isJoined(index + 1), let number = number(index + 1, digits: 1...1),
            (1...4).contains(number)
        else { return }
        let year = year(index + 2)
        var first = CivilDate(year: year?.year ?? parser.today.year, month: number * 3 - 2, day: 1)
        // The next one for plans, the last one for past work.
        if year == nil, parser.direction != .back, first.adding(months: 3) <= parser.today {
            first = first.adding(months: 12)
        }
        if year == nil, parser.direction == .back, first > parser.today { first = first.adding(months: -12) }
        add(first, first.adding(months: 3), index..<(year?.end ?? index + 2), to: &found)
    }

    // MARK: Moments

    /// `now`, `in 45m`, `10 min ago`, `2026-12-01T14:30:00Z`.
    func moments(at index: Int) -> [PhrasePiece] {
        func piece(_ instant: Instant, _ end: Int) -> PhrasePiece {
            var parts = PhraseParts()
            parts.instant = instant
            return PhrasePiece(end: end, parts: parts, weight: weight(index..<end), kind: .time)
        }
        if has(.now, index), tokens[index].length > 0 {
            var found = [piece(parser.now, index + 1)]
            found[0].isWeak = isLine
            return found
        }
        if let (instant, end) = timestamp(index) { return [piece(instant, end)] }
        if tokens[index].kind == .number, tokens[index].length >= 4, let local = localTimestamp(index) {
            return [local]
        }
        var found: [PhrasePiece] = []
        if let (shift, end) = signed(index), shift.seconds != 0 {
            let civil = parser.zone.civil(parser.now)
            let day = shift.applied(to: CivilDateTime(civil.date, secondOfDay: 0)).date
            let moved = parser.zone.instant(
                CivilDateTime(day == civil.date ? civil.date : day, secondOfDay: civil.secondOfDay))
            let base = shift.days == 0 && shift.months == 0 ? parser.now : moved
            found.append(piece(base + shift.seconds, end))
        }
        if has(.agoBefore, index), let match = length(index + 1) {
            if match.seconds < 86_400 { return [piece(parser.now - match.seconds, match.end)] }
            return relativeDays(index + 1).map { date, end in
                var parts = PhraseParts()
                parts.date = date
                return PhrasePiece(end: end, parts: parts, weight: weight(index..<end), kind: .day)
            }
        }
        let isIn = has(.in, index)
        if let match = length(isIn ? index + 1 : index), match.seconds % 86_400 != 0 || match.seconds < 86_400,
            // `in 1.5 years` is not a moment.
            match.seconds < 7 * 86_400
        {
            if has(.ago, match.end), !isIn {
                found.append(piece(parser.now - match.seconds, match.end + 1))
            } else if has(.fromNow, match.end) {
                found.append(piece(parser.now + match.seconds, match.end + 1))
            } else if isIn {
                found.append(piece(parser.now + match.seconds, match.end))
            }
        }
        return found
    }

    /// `2026-12-01T14:30`, without an offset.
    private func localTimestamp(_ index: Int) -> PhrasePiece? {
        for point in points(index, isInRange: false) {
            guard let day = point.day, let clock = point.clock, point.isDayFirst, tokens[day.end].text == "t" else {
                continue
            }
            var parts = PhraseParts()
            parts.set(clock)
            (parts.date, parts.isWeekday) = (day.date, day.isWeekday)
            return PhrasePiece(end: point.end, parts: parts, weight: weight(index..<point.end), kind: .time)
        }
        return nil
    }

    /// `2026-12-01T14:30:00Z`, with an offset.
    func timestamp(_ index: Int) -> (instant: Instant, end: Int)? {
        guard number(index, digits: 4...8) != nil else { return nil }
        for day in writtenDays(index, nil) where isJoined(day.end) && tokens[day.end].text == "t" {
            guard let clock = clocks(day.end + 1, isInRange: true).first(where: { !$0.isWeak }) else { continue }
            let civil = CivilDateTime(day.date) + clock.seconds
            if let zone = clock.zone { return (zone.instant(civil), clock.end) }
            var end = clock.end
            // Fractions of a second are dropped.
            if sign(".", end), isJoined(end), number(end + 1) != nil { end += 2 }
            if tokens.indices.contains(end), isJoined(end), tokens[end].text == "z" {
                return (Instant(civil.seconds), end + 1)
            }
            if let (offset, past) = offset(end), isJoined(end) { return (Instant(civil.seconds - Int64(offset)), past) }
        }
        return nil
    }

    /// `+02:00`, `-0500`, `+2`: the offset in seconds.
    func offset(_ index: Int) -> (seconds: Int, end: Int)? {
        guard sign("+", index) || sign("-", index), isJoined(index + 1), let value = number(index + 1, digits: 1...4)
        else {
            return nil
        }
        let factor = sign("-", index) ? -1 : 1
        // No zone is further from UTC.
        let most = 14 * 3600
        if tokens[index + 1].length > 2 {
            let seconds = value / 100 * 3600 + value % 100 * 60
            return value % 100 < 60 && seconds <= most ? (factor * seconds, index + 2) : nil
        }
        if sign(":", index + 2), isJoined(index + 2), let minutes = number(index + 3, digits: 2...2), minutes < 60 {
            let seconds = value * 3600 + minutes * 60
            return seconds <= most ? (factor * seconds, index + 4) : nil
        }
        return value <= 14 ? (factor * value * 3600, index + 2) : nil
    }
}
