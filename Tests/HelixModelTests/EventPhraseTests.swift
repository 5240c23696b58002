import Foundation
import HelixModel
import TestSupport
import Testing

/// Lines of events: understood as they are meant, or refused.
@Suite struct EventPhraseTests {
    /// Monday 23 November 2026, 10:20 in Berlin.
    static let parser = parser([])

    static func parser(_ languages: [String]) -> DatePhraseParser {
        let berlin = ZoneDatabase.zone(named: "Europe/Berlin") ?? .utc
        let now = berlin.instant(CivilDateTime(CivilDate(year: 2026, month: 11, day: 23), hour: 10, minute: 20))
        return DatePhraseParser(now: now, zone: berlin, languages: languages).looking(.ahead)
    }

    /// The reading of a line as the table writes it.
    static func reading(_ line: String, _ parser: DatePhraseParser = parser) -> String {
        guard let phrase = try? parser.event(line), phrase.nearMiss == nil else { return "refused" }
        let place = phrase.location.map { " @(\($0))" } ?? ""
        return "[\(phrase.title)]\(place)  \(parser.description(of: phrase.when))".trimmingCharacters(in: .whitespaces)
    }

    /// The lines of a table, and their readings.
    private static func rows(_ name: String) throws -> [(line: String, reading: String)] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Tables/\(name).txt")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { row in
            let sides = row.components(separatedBy: " => ")
            try #require(sides.count == 2, "\(row)")
            return (sides[0], sides[1].trimmingCharacters(in: .whitespaces))
        }
    }

    @Test func theTableIsReadAsItSays() throws {
        let rows = try Self.rows("event-phrases")
        #expect(rows.count > 400)
        for row in rows { #expect(Self.reading(row.line) == row.reading, "\(row.line)") }
    }

    @Test(arguments: ["de", "fr", "es", "it"])
    func eachLanguageIsReadAsItsTableSays(_ code: String) throws {
        let parser = Self.parser([code])
        let rows = try Self.rows("event-phrases-\(code)")
        #expect(rows.count > 35)
        for row in rows { #expect(Self.reading(row.line, parser) == row.reading, "\(row.line)") }
    }

    /// Other languages change nothing about English, but for what was refused or kept as words in it.
    @Test func englishIsReadTheSameBesideAllLanguages() throws {
        let parser = Self.parser(["de", "fr", "es", "it"])
        var changed: [String] = []
        for row in try Self.rows("event-phrases") where Self.reading(row.line, parser) != row.reading {
            changed.append(row.line)
        }
        #expect(
            changed == [
                "Dinner 19 uhr", "Review of Q3 numbers thursday 14h", "Vacation 20.12. bis 3.1.", "Essen sa 20:00",
                "second interview Thursday 14h",
            ])
    }

    /// What a line says is either the same in English alone, or refused, or it has no time at all.
    @Test(arguments: ["de", "fr", "es", "it"])
    func languagesThatAreOffAreRefusedAndNeverHalfRead(_ code: String) throws {
        for row in try Self.rows("event-phrases-\(code)") {
            guard let phrase = try? Self.parser.event(row.line), !phrase.when.saysNoTime else { continue }
            // A length without a start is refused by every command.
            if phrase.when.time == nil, phrase.when.duration != nil { continue }
            #expect(Self.reading(row.line) == row.reading, "\(row.line)")
        }
    }

    @Test func theRefusalNamesTheLanguageAndItsSetting() throws {
        let error = #expect(throws: HelixError.self) { try Self.parser.event("Mittagessen morgen 12:30") }
        #expect(error?.message.contains("German") == true)
        #expect(error?.hint?.contains("helix config set dates.languages de") == true)
        let kept = try Self.parser.event("\"Guten morgen\" tomorrow 12:30")
        #expect(kept.title.contains("morgen"))
    }

    /// A part of a line, and its meaning.
    private struct Part {
        var text: String
        var set: (inout Expected) -> Void
    }

    private struct Expected: Equatable {
        var date: CivilDate?
        var time: Int?
        var end: Int?
        var length: Int?
    }

    @Test(arguments: 1...4)
    func partsInAnyOrderAreMeantOrRefused(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rounds = Corpora.samples(2_000, thorough: 25_000)
        let titles = ["Lunch with Ana", "Review", "Site visit", "Call Bob", "Paint the shed", "Offers"]
        var refused = 0
        for _ in 0..<rounds {
            let title = titles.randomElement(using: &random) ?? ""
            var expected = Expected()
            var parts: [Part] = []
            if Bool.random(using: &random) || true { parts.append(Self.day(&random)) }
            if Int.random(in: 0..<4, using: &random) > 0 { parts.append(Self.time(&random)) }
            for part in parts { part.set(&expected) }
            if expected.time != nil, expected.end == nil, Bool.random(using: &random) {
                let minutes = Int.random(in: 1...600, using: &random)
                let text = [
                    "for \(minutes)m", "for \(minutes) minutes", "for \(minutes / 60)h\(minutes % 60)m",
                ].randomElement(using: &random)!
                parts.append(Part(text: text) { $0.length = minutes * 60 })
                expected.length = minutes * 60
            }
            var pieces = parts.map(\.text)
            pieces.shuffle(using: &random)
            pieces.insert(title, at: Int.random(in: 0...pieces.count, using: &random))
            let line = pieces.joined(separator: " ")
            guard let phrase = try? Self.parser.event(line) else {
                refused += 1
                continue
            }
            #expect(phrase.title == title, "\(line)")
            let got = Expected(
                date: phrase.when.date, time: phrase.when.time, end: phrase.when.endTime, length: phrase.when.duration)
            #expect(got == expected, "\(line)")
        }
        #expect(refused * 5 < rounds, "\(refused) of \(rounds) were refused")
    }

    private static func day(_ random: inout SeededGenerator) -> Part {
        let date = parser.today + Int.random(in: 0...360, using: &random)
        let month = DateWords.name(month: date.month)
        let texts = [
            ISO8601.text(date), "\(date.day) \(month)", "\(month) \(date.day)", "on \(date.day). \(month) \(date.year)",
            "\(date.day).\(date.month).\(date.year)", "\(DateWords.text(date))",
            "\(DateWords.fullName(month: date.month)) \(date.day), \(date.year)",
        ]
        return Part(text: texts.randomElement(using: &random) ?? "") { $0.date = date }
    }

    private static func time(_ random: inout SeededGenerator) -> Part {
        let (hour, minute) = (Int.random(in: 0...23, using: &random), Int.random(in: 0...59, using: &random))
        let start = hour * 3600 + minute * 60
        let clock = "\(hour):\(minute < 10 ? "0" : "")\(minute)"
        if hour < 22, Bool.random(using: &random) {
            let end = start + 5400
            let last = "\(end / 3600):\(end / 60 % 60 < 10 ? "0" : "")\(end / 60 % 60)"
            let text =
                ["\(clock)-\(last)", "\(clock) to \(last)", "from \(clock) until \(last)"].randomElement(
                    using: &random) ?? clock
            return Part(text: text) { ($0.time, $0.end) = (start, end) }
        }
        return Part(text: ["at \(clock)", clock].randomElement(using: &random) ?? clock) { $0.time = start }
    }

    /// Words and signs at random end in a reading or a refusal.
    @Test(arguments: 1...4)
    func noiseIsReadOrRefused(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let words = [
            "mon", "fri", "next", "last", "week", "dec", "12", "9", "10:00", "-", "to", "until", "every", "2", "weeks",
            "at", "@", "1.", "/", "2026", "am", "for", "h", "the", "of", "first", "in", "ago", "except", "UTC", "+",
            "..",
            "(", ")", "\"", "x", "tonight", "noon", "times", "and", ",", "q", "w50", "eom", "from", "now", "a", "1h30",
        ]
        for _ in 0..<Corpora.samples(2_000, thorough: 25_000) {
            var line = ""
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                line +=
                    (words.randomElement(using: &random) ?? "") + (Int.random(in: 0..<4, using: &random) > 0 ? " " : "")
            }
            _ = try? Self.parser.event(line)
            _ = try? Self.parser.moment(line)
            _ = try? Self.parser.range(line)
            _ = try? Self.parser.repetition(line)
        }
    }

    /// A repetition that helix prints is read back as the same.
    @Test(arguments: 1...2)
    func repetitionsAreReadBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Corpora.samples(4_000, thorough: 50_000) {
            var repetition = Repetition(
                [.day, .week, .month, .year].randomElement(using: &random)!,
                interval: Int.random(in: 1...12, using: &random))
            if repetition.unit == .week, Bool.random(using: &random) {
                let days = Weekday.allCases.filter { _ in Bool.random(using: &random) }
                repetition.weekdays = days.map { .init($0) }
            }
            if repetition.unit == .month {
                switch Int.random(in: 0..<3, using: &random) {
                case 0: repetition.monthDays = [Int.random(in: 1...28, using: &random)]
                case 1:
                    let day = Weekday.allCases.randomElement(using: &random)!
                    repetition.weekdays = [.init(day, ordinal: [1, 2, 3, 4, 5, -1].randomElement(using: &random)!)]
                default: break
                }
            }
            switch Int.random(in: 0..<3, using: &random) {
            case 0: repetition.until = Self.parser.today + Int.random(in: 1...900, using: &random)
            case 1: repetition.count = Int.random(in: 2...60, using: &random)
            default: break
            }
            let text = repetition.phrase
            #expect(try Self.parser.repetition(text) == repetition, "\(text)")
        }
    }

    /// The reading of a line, in the words that helix prints, is read as the same.
    @Test func readingsAreReadBack() throws {
        for row in try Self.rows("event-phrases") where row.reading != "refused" {
            let text = Self.parser.description(of: try Self.parser.event(row.line).when)
            if text.isEmpty { continue }
            #expect(Self.parser.description(of: try Self.parser.when(text)) == text, "\(row.line)")
        }
    }

    /// Days, times, ranges and lengths that helix prints are read back as the same.
    @Test(arguments: 1...4)
    func printedTimesAreReadBack(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let zone = Self.parser.zone
        for _ in 0..<Corpora.samples(2_000, thorough: 25_000) {
            let date = Self.parser.today + Int.random(in: 0...3_000, using: &random)
            let time = Int.random(in: 0..<1440, using: &random) * 60
            // Times that no clock shows are refused, and so never printed.
            if zone.skips(CivilDateTime(date) + time) { continue }
            let (day, clock) = (DateWords.text(date), Self.clock(time))
            #expect(try Self.parser.date(day) == date, "\(day)")
            #expect(try Self.parser.moment("\(day) \(clock)") == .civil(CivilDateTime(date) + time), "\(day) \(clock)")
            let last = date + Int.random(in: 1...40, using: &random)
            let days = "\(day) – \(DateWords.text(last))"
            #expect(try Self.parser.range(days) == PhraseRange(start: .date(date), end: .date(last + 1)), "\(days)")
            let end = Int.random(in: 0..<1440, using: &random) * 60
            let span = "\(day) \(clock) – \(DateWords.text(last)) \(Self.clock(end))"
            let whole = PhraseRange(start: .civil(CivilDateTime(date) + time), end: .civil(CivilDateTime(last) + end))
            #expect(try Self.parser.range(span).timeRange(in: zone) == whole.timeRange(in: zone), "\(span)")
            if end > time {
                let hours = "\(day) \(clock)–\(Self.clock(end))"
                let part = PhraseRange(
                    start: .civil(CivilDateTime(date) + time), end: .civil(CivilDateTime(date) + end))
                #expect(try Self.parser.range(hours).timeRange(in: zone) == part.timeRange(in: zone), "\(hours)")
            }
            let seconds = Int.random(in: 1...2_000_000, using: &random)
            #expect(try Self.parser.duration(DateWords.text(duration: seconds)) == seconds)
            let minutes = seconds / 60 * 60 + 60
            #expect(try Self.parser.duration(DateWords.text(hours: minutes)) == minutes)
        }
    }

    private static func clock(_ seconds: Int) -> String {
        "\(ISO8601.padded(seconds / 3600, 2)):\(ISO8601.padded(seconds / 60 % 60, 2))"
    }
}
