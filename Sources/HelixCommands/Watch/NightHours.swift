import HelixModel

/// Hours of the day in which nothing is announced; they may go over midnight.
struct NightHours: Sendable, Equatable {
    /// The second of the day at which they begin.
    let start: Int
    /// The second of the day at which they end.
    let end: Int

    /// Parses `22:00-7:00`; nil if it is nothing like it.
    init?(_ text: String, _ parser: DatePhraseParser) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        func second(_ text: Substring) -> Int? {
            let text = String(text).trimmingBlanks()
            return (try? parser.timeOfDay(text)) ?? (try? parser.timeOfDay(text + ":00"))
        }
        guard let start = second(parts[0]), let end = second(parts[1]), start != end else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// The end of the hours that contain a moment, on the clock of a zone; nil if none do.
    func end(at now: Instant, in zone: Zone) -> Instant? {
        let civil = zone.civil(now)
        let second = civil.secondOfDay
        let isWithin = start < end ? (start..<end).contains(second) : second >= start || second < end
        guard isWithin else { return nil }
        let day = second < end ? civil.date : civil.date + 1
        return zone.instant(CivilDateTime(day, secondOfDay: end))
    }
}
