// Times of day in words.
extension PhraseGrammar {
    /// `half past 5`, `quarter to 9`, `ten past 8`, `halb neun`.
    func spoken(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> [ClockMatch] {
        let isA = has(.a, index)
        let start = isA ? index + 1 : index
        var minutes: Int?
        var next = start + 1
        if has(.half, start) {
            minutes = 30
        } else if has(.quarter, start) {
            minutes = 15
        } else if let number = count(start), number < 30, [5, 10, 20, 25].contains(number) || unit(next) == .minute {
            // `nine to eleven` is a range.
            minutes = number
            if unit(next) == .minute { next += 1 }
        }
        if let minutes, has(.past, next) || has(.beforeHour, next), let hour = hour(next + 1) {
            let isPast = has(.past, next)
            guard isPast || minutes < 30 else { return [] }
            let seconds = hour.value * 3600 + (isPast ? minutes * 60 : -minutes * 60)
            return [
                ClockMatch(
                    start: index, end: hour.end, seconds: (seconds + 86_400) % 86_400,
                    isOpen: hour.value <= 12 && hour.isAfternoon == nil, isBare: hour.isAfternoon == nil,
                    isAfternoon: hour.isAfternoon)
            ]
        }
        if let hour = first(index, { if case .hour(let hour) = $0 { hour } else { nil } }) {
            return [ClockMatch(start: index, end: index + 1, seconds: hour * 3600, isOpen: true, isBare: true)]
        }
        if let found = hourAndMinutes(index) { return [found] }
        if let found = inWords(index, isAfterAt: isAfterAt, isInRange: isInRange) { return [found] }
        if has(.halfBefore, index), let hour = hour(index + 1), hour.value > 0 {
            return [
                ClockMatch(
                    start: index, end: hour.end, seconds: hour.value * 3600 - 1800,
                    isOpen: hour.value <= 12 && hour.isAfternoon == nil, isBare: hour.isAfternoon == nil)
            ]
        }
        if number(index) == nil, let hour = count(index), !isA, (1...23).contains(hour), has(.oclock, index + 1) {
            return [
                ClockMatch(start: index, end: index + 2, seconds: hour * 3600, isOpen: hour <= 12, isBare: hour <= 12)
            ]
        }
        // `a las nueve`, after a word that means `at`.
        let isOne = parser.vocabulary.hasOthers && unit(index + 1) == nil && !isPlainWord(index + 1)
        // `at Seven` is a place.
        let isName = line[tokens[index].range].first?.isUppercase ?? false
        if !isName, number(index) == nil, let hour = count(index), !isA || isOne, (1...23).contains(hour), isAfterAt {
            return [
                ClockMatch(start: index, end: index + 1, seconds: hour * 3600, isOpen: hour <= 12, isBare: hour <= 12)
            ]
        }
        return []
    }

    /// Hours in words with minutes or am/pm: `seven pm`, `seven thirty`, `nine thirty am`; in a range also alone.
    private func inWords(_ index: Int, isAfterAt: Bool, isInRange: Bool) -> ClockMatch? {
        guard number(index) == nil, !has(.a, index), let hour = count(index), (1...12).contains(hour),
            unit(index + 1) == nil
        else { return nil }
        // `at Seven` is a place.
        guard line[tokens[index].range].first?.isUppercase != true else { return nil }
        var end = index + 1
        var minutes = 0
        if number(end) == nil, let found = count(end), [5, 10, 15, 20, 30, 40, 50].contains(found), unit(end + 1) == nil
        {
            (minutes, end) = (found, end + 1)
            // `six forty-five pm`
            let next = sign("-", end) && isJoined(end) ? end + 1 : end
            if found >= 20, number(next) == nil, let rest = count(next), (1...9).contains(rest), !has(.a, next) {
                (minutes, end) = (found + rest, next + 1)
            }
        }
        if let half = halfOfDay(end) {
            let seconds = hour % 12 * 3600 + minutes * 60 + (half.isAfternoon ? 43_200 : 0)
            return ClockMatch(start: index, end: half.end, seconds: seconds, isAfternoon: half.isAfternoon)
        }
        guard
            minutes > 0 && isAfterAt || minutes >= 15 && isInRange || isInRange && minutes == 0 && isRangeOfWords(index)
        else { return nil }
        return ClockMatch(
            start: index, end: end, seconds: hour * 3600 + minutes * 60, isOpen: true, isBare: minutes == 0)
    }

    /// Whether an hour in words is one end of a range: `from nine to eleven`, `one to two pm`.
    private func isRangeOfWords(_ index: Int) -> Bool {
        func isHour(_ place: Int) -> Bool {
            number(place) == nil && count(place).map { (1...12).contains($0) } ?? false && unit(place + 1) == nil
        }
        let isStart = has(.to, index + 1) && isHour(index + 2) || has(.and, index + 1) && isHour(index + 2)
        let isEnd = index > 1 && (has(.to, index - 1) || has(.and, index - 1)) && isHour(index - 2)
        let isLast = isStart ? index + 3 : index + 1
        let hasHalf = halfOfDay(isLast) != nil
        let first = isStart ? index : index - 2
        let isMarked = first > 0 && (has(.from, first - 1) || has(.between, first - 1))
        let next = isStart ? index + 3 : index + 1
        return (isStart || isEnd) && (hasHalf || isMarked || next >= tokens.count || !isPlainWord(next))
    }

    /// The hour before its minutes: `9 heures et demie`, `las ocho y cuarto`, `nove meno un quarto`.
    private func hourAndMinutes(_ index: Int) -> ClockMatch? {
        let isNoon = has(.noon, index) || has(.midnight, index)
        let value = has(.noon, index) ? 12 : has(.midnight, index) ? 0 : has(.a, index) ? nil : count(index)
        guard parser.vocabulary.hasOthers, let value, value < 24 else { return nil }
        var next = index + 1
        if has(.oclock, next) || isHourSign(next) { next += 1 }
        guard has(.and, next) || has(.minus, next) else { return nil }
        let isLess = has(.minus, next)
        let place = next + 1
        let minutes: Int
        if has(.half, place), !isLess { minutes = 30 } else if has(.quarter, place) { minutes = 15 } else { return nil }
        guard unit(place + 1) == nil else { return nil }
        let seconds = value * 3600 + (isLess ? -minutes : minutes) * 60
        return ClockMatch(
            start: index, end: place + 1, seconds: (seconds + 86_400) % 86_400,
            isOpen: value > 0 && value <= 12 && !isNoon, isBare: !isNoon)
    }

    func hour(_ index: Int) -> (value: Int, end: Int, isAfternoon: Bool?)? {
        guard let value = count(index), (0...23).contains(value), !has(.a, index) else { return nil }
        if let half = halfOfDay(index + 1) {
            return (1...12).contains(value)
                ? (value % 12 + (half.isAfternoon ? 12 : 0), half.end, half.isAfternoon) : nil
        }
        guard !isJoined(index + 1) || wordEnd(index + 1) != nil else { return nil }
        return (value, has(.oclock, index + 1) ? index + 2 : index + 1, nil)
    }
}
