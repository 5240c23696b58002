import HelixModel
import Testing

/// Wednesday 18 November 2026, 10:20 in Rome.
private let parser: DatePhraseParser = {
    let rome = ZoneDatabase.zone(named: "Europe/Rome") ?? .utc
    let now = rome.instant(CivilDateTime(CivilDate(year: 2026, month: 11, day: 18), hour: 10, minute: 20))
    return DatePhraseParser(now: now, zone: rome)
}()

private func text(_ moment: PhraseMoment) -> String {
    if case .date(let date) = moment { return ISO8601.text(date) }
    return String(ISO8601.text(moment.instant(in: parser.zone), in: parser.zone).prefix(16))
}

@Suite struct DatePhraseTests {
    @Test(arguments: [
        ("2026-12-01", "2026-12-01"), ("12-01", "2026-12-01"), ("01-15", "2027-01-15"), ("14:30", "2026-11-18T14:30"),
        ("fri", "2026-11-20"), ("wed", "2026-11-18"), ("next tue 9am", "2026-11-24T09:00"), ("last fri", "2026-11-13"),
        ("tomorrow 12:30", "2026-11-19T12:30"), ("in 2 weeks", "2026-12-02"), ("eom", "2026-11-30"),
        ("-3d", "2026-11-15"),
        ("+1w", "2026-11-25"), ("10 min ago", "2026-11-18T10:10"), ("in 45m", "2026-11-18T11:05"),
        ("now", "2026-11-18T10:20"),
        ("noon", "2026-11-18T12:00"), ("fri noon", "2026-11-20T12:00"), ("1 dec", "2026-12-01"),
        ("dec 1 2027", "2027-12-01"),
        ("1st of march", "2027-03-01"), ("24.12.2026", "2026-12-24"), ("20261224", "2026-12-24"),
        ("2026-12-01T14:30:00Z", "2026-12-01T15:30"),
        ("2026-12-01T14:30", "2026-12-01T14:30"), ("2026-12-01 9pm", "2026-12-01T21:00"),
        ("day after tomorrow", "2026-11-20"),
        ("soy", "2026-01-01"), ("3 days ago", "2026-11-15"), ("fri at 9", "2026-11-20T09:00"),
        ("next week", "2026-11-23"),
    ])
    func momentsAreRead(_ c: (phrase: String, expected: String)) throws {
        #expect(text(try parser.moment(c.phrase)) == c.expected)
    }

    @Test(arguments: [
        ("this week", "2026-11-16", "2026-11-23"), ("2026-12", "2026-12-01", "2027-01-01"),
        ("mon..fri", "2026-11-23", "2026-11-28"),
        ("today 7d", "2026-11-18", "2026-11-25"), ("2026", "2026-01-01", "2027-01-01"),
        ("2026-W48", "2026-11-23", "2026-11-30"),
        ("fri", "2026-11-20", "2026-11-21"), ("9-17", "2026-11-18T09:00", "2026-11-18T17:00"),
        ("tomorrow 12:30 for 45m", "2026-11-19T12:30", "2026-11-19T13:15"),
        ("22-6", "2026-11-18T22:00", "2026-11-19T06:00"),
        ("2026-11-20..2026-11-22", "2026-11-20", "2026-11-23"), ("december", "2026-12-01", "2027-01-01"),
        ("3d", "2026-11-18", "2026-11-21"),
        ("fri 9:00..fri 17:00", "2026-11-20T09:00", "2026-11-20T17:00"), ("last month", "2026-10-01", "2026-11-01"),
        ("3 weeks", "2026-11-18", "2026-12-09"), ("weekend", "2026-11-21", "2026-11-23"),
        ("q1", "2027-01-01", "2027-04-01"), ("week 10", "2027-03-08", "2027-03-15"),
    ])
    func rangesAreRead(_ c: (phrase: String, start: String, end: String)) throws {
        let range = try parser.range(c.phrase)
        #expect(text(range.start) == c.start)
        #expect(text(range.end) == c.end)
    }

    @Test(arguments: [
        ("Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma", "Lunch with Ana", "Cafe Roma", "2026-11-19"),
        ("Board meeting at Hotel Roma on 2026-11-20 from 14:00 to 16:00", "Board meeting", "Hotel Roma", "2026-11-20"),
        ("Prepare \"Friday demo\" mon 9am", "Prepare Friday demo", "", "2026-11-23"),
        ("Call mum at 9am tomorrow", "Call mum", "", "2026-11-19"),
        ("Buy 3 apples tomorrow", "Buy 3 apples", "", "2026-11-19"),
        ("Offsite fri..sun at Lake Como", "Offsite", "Lake Como", "2026-11-20"),
        ("Party @Bar fri 22:00", "Party", "Bar", "2026-11-20"),
        ("Read chapter 12 of the book fri", "Read chapter 12 of the book", "", "2026-11-20"),
    ])
    func oneLineSaysAnEvent(_ c: (line: String, title: String, place: String, day: String)) throws {
        let phrase = try parser.event(c.line)
        #expect(phrase.title == c.title)
        #expect(phrase.location ?? "" == c.place)
        #expect(phrase.when.date.map(ISO8601.text) == c.day)
    }

    @Test(arguments: [
        ("45m", 2700), ("1h30m", 5400), ("1h30", 5400), ("90 min", 5400), ("1.5h", 5400), ("2 days", 172_800),
        ("1:30", 5400), ("half an hour", 1800),
    ])
    func lengthsAreRead(_ c: (text: String, seconds: Int)) throws {
        #expect(try parser.duration(c.text) == c.seconds)
    }

    @Test(arguments: [
        "", "blah", "12/01/2026", "2026-02-30", "25:00", "fri foo", "99999999", "\u{0}", "tomorrow..yesterday",
        "1e999h",
    ])
    func nonsenseIsAnErrorThatNamesIt(_ text: String) {
        #expect(throws: HelixError.self) { try parser.range(text) }
        #expect(throws: HelixError.self) { try parser.moment(text) }
    }

    @Test(arguments: [
        ("next", PhraseUnit.week, "2026-11-23"), ("last", .week, "2026-11-09"), ("+2", .week, "2026-11-30"),
        ("-1", .week, "2026-11-09"), ("50", .week, "2026-12-07"), ("week 50", .week, "2026-12-07"),
        ("next", .month, "2026-12-01"), ("3", .month, "2026-03-01"), ("jan", .month, "2027-01-01"),
        ("+1", .day, "2026-11-19"), ("next", .year, "2027-01-01"), ("2027", .year, "2027-01-01"),
        ("fri", .week, "2026-11-20"), ("this", .month, "2026-11-01"),
    ])
    func viewsCountTheirUnits(_ c: (text: String, unit: PhraseUnit, day: String)) throws {
        #expect(ISO8601.text(try parser.day(c.text, of: c.unit)) == c.day)
    }

    @Test(arguments: [
        ("+1d", "2026-12-03T15:00"), ("next week", "2026-12-09T15:00"), ("-2h", "2026-12-02T13:00"),
        ("in 2 days", "2026-12-04T15:00"), ("a week later", "2026-12-09T15:00"), ("+1d 9:00", "2026-12-03T09:00"),
        ("2 days earlier", "2026-11-30T15:00"), ("next month", "2027-01-02T15:00"),
    ])
    func movesAreCountedFromThePresentTime(_ c: (text: String, expected: String)) throws {
        let start = CivilDateTime(CivilDate(year: 2026, month: 12, day: 2), hour: 15)
        let parts = try parser.looking(.ahead).move(c.text)
        let moved = try #require(parts.shift).applied(to: start)
        let civil = parts.time.map { CivilDateTime(moved.date) + $0 } ?? moved
        #expect(ISO8601.text(civil).prefix(16) == c.expected)
    }
}
