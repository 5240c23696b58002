import HelixModel

/// Skips starts of rules that have both COUNT and BYxxx parts: skipped starts must be counted, but not walked one by
/// one.
extension RecurrenceIterator {
    /// The maximum number of periods counted per jump; beyond it, the walk continues from there.
    private static let periodLimit = 200_000

    /// Skips to the period of `seconds`, or one before it.
    mutating func skipCounting(to seconds: Int64) {
        if skipDays(to: seconds) { return }
        for _ in 0..<Self.periodLimit {
            fillNextPeriod()
            guard !isDone, let last = bases.last, let lastTime = times.last else { return }
            // Walked one by one: the target period, the period of DTSTART, and the one in which the rule ends.
            if last + Int64(lastTime) >= seconds { return }
            guard let first = bases.first, let firstTime = times.first, first + Int64(firstTime) >= start.seconds else {
                while index < length, peek() < start.seconds { index += 1 }
                emitted += length - index
                if reachesCount { return finishCount() }
                index = length
                continue
            }
            emitted += length
            if reachesCount { return finishCount() }
            index = length
        }
    }

    private var reachesCount: Bool { rule.count.map { emitted >= $0 } ?? false }

    /// Ends the walk: the rule has no starts at or after the target.
    private mutating func finishCount() {
        isDone = true
        index = length
    }

    /// Counts whole days, for hourly or finer rules with equal times on each matching day.
    /// - Returns: whether the rule allows it.
    private mutating func skipDays(to seconds: Int64) -> Bool {
        guard let unit = fixedUnit, unit < 86_400, rule.setPositions.isEmpty, let count = rule.count else {
            return false
        }
        let step = unit * Int64(rule.interval)
        guard step > 0, 86_400 % step == 0 else { return false }
        let origin = start.seconds - (start.seconds % unit + unit) % unit
        let target = CivilDateTime(seconds: seconds).date
        /// The slots of a day from `least` on.
        func slots(of day: CivilDate, from least: Int64) -> Int {
            let midnight = CivilDateTime(day).seconds
            var base = midnight + ((origin - midnight) % step + step) % step
            var found = 0
            while base < midnight + 86_400 {
                if firstMismatch(CivilDateTime(seconds: base), unit: unit) == nil {
                    found += times.count { base + Int64($0) >= least }
                }
                base += step
            }
            return found
        }
        guard target > startDate + 1 else { return true }
        var counted = days.allows(startDate) ? slots(of: startDate, from: start.seconds) : 0
        let daily = slots(of: startDate + 1, from: .min)
        var day = startDate + 1
        while counted < count, let allowed = days.next(from: day), allowed < target {
            guard counted + daily < count else { break }
            counted += daily
            day = allowed + 1
        }
        if counted >= count {
            isDone = true
            return true
        }
        // Walk the day on which the rule ends; otherwise the target day.
        emitted = counted
        let midnight = CivilDateTime(day).seconds
        let first = midnight + ((origin - midnight) % step + step) % step
        period = max(0, Int((first - origin) / step))
        return true
    }

    /// The start at the current place of the current period.
    private func peek() -> Int64 {
        bases[(positions.map { $0[index] } ?? index) / times.count]
            + Int64(times[(positions.map { $0[index] } ?? index) % times.count])
    }
}
