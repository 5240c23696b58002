// Errors for ambiguous or contradictory readings.
extension PhraseProblem {
    /// Returns the error for an ambiguous or contradictory reading.
    func doubt(_ doubt: PhraseDoubt) -> HelixError {
        let text = "'\(line.trimmingBlanks().prefix(200))'"
        switch doubt {
        case .halfOfDay(let time): return halfOfDay(text, time)
        case .midnight(let date): return midnight(text, date)
        case .part(let part, let time): return outside(text, part, time)
        case .timeOfDays(let first, let last, let time): return timeOfDays(text, first, last, time)
        case .startWithoutTime: return startWithoutTime(text)
        case .startWithoutDay: return startWithoutDay(text)
        case .endBeforeStart: return endBeforeStart(text)
        case .zone(let zone, let date): return unusedZone(text, zone, date)
        case .placeOrTime(let time): return placeOrTime(text, time)
        case .zoneWithoutTime(let zone): return zoneWithoutTime(text, zone)
        case .placeOrZone(let city, let time): return placeOrZone(text, city, time)
        case .dayOfPeriod(let period): return dayOfPeriod(text, period)
        case .daysOrHours: return daysOrHours(text)
        case .weekdayOfMonth(let day): return weekdayOfMonth(text, day)
        case .past(let date): return past(text, date)
        case .noDay: return noDay(text)
        case .overlapsItself: return overlapsItself(text)
        case .exception(let date): return exception(text, date)
        case .long(let seconds): return long(text, seconds)
        case .vagueEnd(let period): return vagueEnd(text, period)
        case .freeDays: return freeDays(text)
        case .weekday(let date): return weekday(text, date)
        }
    }

    // MARK: Times

    private func halfOfDay(_ text: String, _ time: Int) -> HelixError {
        let (early, late) = (parser.clock(time), parser.clock(time + 43_200))
        let first = time % 3600 == 0 ? "\(time / 3600)am" : time < 6 * 3600 ? early : "\(early) am"
        let part = time < 6 * 3600 ? "afternoon" : "evening"
        return HelixError(
            .usage, "\(text) could mean \(early) or \(late)",
            hint: "Write \(first), \(late), or the part of the day: 'in the \(part)'.")
    }

    private func midnight(_ text: String, _ date: CivilDate) -> HelixError {
        HelixError(
            .usage, "\(text): midnight could be the beginning of \(DateWords.text(date)) or its end",
            hint: "Write 0:00 for its beginning, 24:00 for its end.")
    }

    private func outside(_ text: String, _ part: DayPart, _ time: Int) -> HelixError {
        HelixError(
            .usage, "\(text): \(parser.clock(time)) is not in the \(part.rawValue)",
            hint: "Write the time like 20:30 or 8:30pm.")
    }

    private func timeOfDays(_ text: String, _ first: CivilDate, _ last: CivilDate, _ time: Int) -> HelixError {
        let (one, other) = days(first, last)
        return HelixError(
            .usage, "\(text) has one time for the days from \(DateWords.text(first)) to \(DateWords.text(last))",
            hint: "For each day, write 'every day at \(parser.clock(time)) from \(one) to \(other)'. "
                + "For one uninterrupted range, write '\(one) \(parser.clock(time)) to \(other) 17:00'.")
    }

    private func dayOfPeriod(_ text: String, _ period: DayPeriod) -> HelixError {
        let (first, last) = (DateWords.text(period.first), DateWords.text(period.end - 1))
        return HelixError(
            .usage, "\(text) has a time, but no day between \(first) and \(last)",
            hint: "Name the day: 'wed next week 10:00', 'dec 3 10:00'.")
    }

    private func daysOrHours(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text) could mean these hours of each day, or the whole time from the first to the last",
            hint: "For the whole time, write 'mon 9:00 to fri 17:00'. "
                + "For each day, write 'every mon-fri 9:00-17:00', and 'until 4 dec' if it ends.")
    }

    // MARK: Ends

    private func startWithoutTime(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text): the end has a time, the start has none",
            hint: "Write both like 'fri 18:00 to sun 12:00', or days alone.")
    }

    private func startWithoutDay(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text): the end has a day, the start has none",
            hint: "Write both like 'fri 18:00 to sun 12:00'.")
    }

    private func endBeforeStart(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text) would end before it starts",
            hint: "Write the end with its day: 'fri 9:00 to sat 8:00'.")
    }

    // MARK: Zones and places

    private func unusedZone(_ text: String, _ zone: Zone, _ date: CivilDate) -> HelixError {
        let now = zone.state(at: zone.startOfDay(date)).abbreviation
        return HelixError(
            .usage,
            "\(text): on \(DateWords.text(date)) the clocks of \(zone.identifier) show \(now), which is another time",
            hint: "Name the place or the offset: 'New York time', Europe/Berlin, UTC-5.")
    }

    private func zoneWithoutTime(_ text: String, _ zone: Zone) -> HelixError {
        HelixError(
            .usage, "\(text) has the zone \(zone.identifier), but no time",
            hint: "All-day times have no zone. Add the time: '9:00 \(zone.identifier)'.")
    }

    private func placeOrTime(_ text: String, _ time: Int) -> HelixError {
        HelixError(
            .usage, "\(text): \(time / 3600) could be the time or a house number",
            hint: "Write the time like \(parser.clock(time)), or put the place in double quotes.")
    }

    private func placeOrZone(_ text: String, _ city: String, _ time: Int) -> HelixError {
        HelixError(
            .usage, "\(text): \(parser.clock(time)) could be the time there or the local time",
            hint: "Write '\(parser.clock(time)) \(city) time' for the clocks there, "
                + "or put the place in double quotes: \"in \(city)\".")
    }

    // MARK: Repetitions

    private func weekdayOfMonth(_ text: String, _ day: Weekday) -> HelixError {
        let name = DateWords.fullName(day)
        return HelixError(
            .usage, "\(text) does not say which \(name) of the month",
            hint: "Write it like 'every first \(name.lowercased())', or 'every week on \(name.lowercased())'.")
    }

    private func past(_ text: String, _ date: CivilDate) -> HelixError {
        HelixError(
            .usage, "\(text) would repeat from \(DateWords.text(date)) on, which has passed",
            hint: "Name the first day: 'starting monday'.")
    }

    private func noDay(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text) names a month of each year, but no day of it",
            hint: "Write it like 'every 5 december'.")
    }

    private func overlapsItself(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text): each occurrence would overlap the next one",
            hint: "Give the start and the length: 'every day 9:00 for 1h'.")
    }

    private func exception(_ text: String, _ date: CivilDate) -> HelixError {
        HelixError(
            .usage, "\(text): there is no occurrence on \(DateWords.text(date)) to exclude",
            hint: "Write the day with its month: 'except dec 28'.")
    }

    private func long(_ text: String, _ seconds: Int) -> HelixError {
        HelixError(
            .usage,
            "\(text) could last \(DateWords.text(duration: seconds)) without a break, or repeat for that long",
            hint: "Write 'every week for \(max(2, seconds / 604_800)) weeks', or the end with its day.")
    }

    private func vagueEnd(_ text: String, _ period: DayPeriod) -> HelixError {
        func short(_ day: CivilDate) -> String {
            "\(day.day) \(DateWords.name(month: day.month).lowercased()) \(day.year)"
        }
        return HelixError(
            .usage,
            "\(text): unclear whether the time up to \(DateWords.text(period.end - 1)) is included",
            hint: "Write 'until \(short(period.first - 1))' or 'until \(short(period.end - 1))'.")
    }

    private func freeDays(_ text: String) -> HelixError {
        HelixError(
            .usage, "\(text): cannot exclude these weekdays from the repetition",
            hint: "Name the weekdays on which it takes place: 'every mon, tue and thu'.")
    }

    private func weekday(_ text: String, _ date: CivilDate) -> HelixError {
        HelixError(
            .usage, "\(text): the start is a \(DateWords.fullName(date.weekday)), on which it does not repeat",
            hint: "Omit one of the two.")
    }

    /// The two days in short form: by their weekdays if that is enough.
    private func days(_ first: CivilDate, _ last: CivilDate) -> (String, String) {
        let isNear = first >= parser.today && last - parser.today < 7
        func text(_ date: CivilDate) -> String {
            isNear
                ? DateWords.name(date.weekday).lowercased()
                : "\(date.day) \(DateWords.name(month: date.month).lowercased())"
        }
        return (text(first), text(last))
    }
}
