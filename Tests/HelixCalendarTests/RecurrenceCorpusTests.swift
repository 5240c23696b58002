import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// One rule of the corpus with the starts that other engines agree on.
struct RuleCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let dtstart: String
    let rrule: String
    let expected: [String]
    let complete: Bool
    let status: String
    let tzid: String?
    let from: String?
    let startAt: String?

    var testDescription: String { "\(id) \(dtstart) \(rrule)" }

    static let all: [RuleCase] = {
        struct File: Decodable { let cases: [RuleCase] }
        return (try? Corpora.json("ics/rrule_cases.json", as: File.self).cases) ?? []
    }()
    static let firm = all.filter {
        !["rfc-invalid-rule", "upstream-only"].contains($0.status) && disputed[$0.id] == nil
    }
    /// Cases that one upstream has otherwise than RFC 5545 says, with what follows from the RFC.
    static let disputed: [String: [String]] = [
        // Week -28 of 2016 is its 25th (§3.3.10: -1 is the last), and 4 to 8 June 2016 do not lie in it.
        "rr-5e80bc73df": ["20160606T080000"],
        "rr-9e5c016062": ["20160606T080000"],
        // A year of 365 days has no day -366; upstream takes the last day of the year before.
        "rr-5faa65ab08": ["20010101T145311", "20040101T145311", "20080101T145311"],
    ]
    static let doubtful = all.filter { ["rfc-invalid-rule", "upstream-only"].contains($0.status) }
}

struct InvalidRule: Decodable, Sendable, CustomTestStringConvertible {
    let rrule: String
    let breaches: [String]
    var testDescription: String { rrule }

    static let all: [InvalidRule] = {
        struct File: Decodable { let cases: [InvalidRule] }
        return (try? Corpora.json("ics/rrule_invalid.json", as: File.self).cases) ?? []
    }()
}

@Suite(.enabled(if: Corpora.isAvailable, "needs the corpora"))
struct RecurrenceCorpusTests {
    @Test(arguments: RuleCase.firm)
    func givesTheStartsThatOtherEnginesAgreeOn(_ c: RuleCase) throws {
        let starts = try expand(c)
        if c.complete {
            #expect(starts == c.expected)
        } else {
            #expect(Array(starts.prefix(c.expected.count)) == c.expected)
        }
    }

    @Test func staysWithTheRFCWhereOneUpstreamDoesNot() throws {
        for c in RuleCase.all {
            guard let first = RuleCase.disputed[c.id]?.first else { continue }
            let starts = try expand(c)
            #expect(starts.first == first)
            #expect(starts != c.expected)
        }
    }

    @Test(arguments: RuleCase.doubtful)
    func answersDoubtfulRulesWithoutHanging(_ c: RuleCase) throws {
        do { _ = try expand(c) } catch is RecurrenceRuleError {}
    }

    @Test(arguments: InvalidRule.all)
    func refusesWhatTheRFCForbids(_ c: InvalidRule) {
        #expect(throws: RecurrenceRuleError.self) { try RecurrenceRule(c.rrule) }
    }

    private func expand(_ c: RuleCase) throws -> [String] {
        let time = try #require(ICalendarTime(c.dtstart))
        let rule = try RecurrenceRule(c.rrule)
        let zone = c.tzid.flatMap(ZoneDatabase.zone(tzid:)) ?? .utc
        let start: CivilDateTime
        switch time {
        case .date(let date): start = CivilDateTime(date)
        case .floating(let civil): start = civil
        case .utc(let instant): start = CivilDateTime(seconds: instant.seconds)
        }
        var iterator = rule.occurrences(from: start, zone: zone).makeIterator()
        var starts: [CivilDateTime] = []
        if c.status == "dtstart-counted" {
            // These count DTSTART as the first occurrence, as helix does for a whole event.
            starts = Array(EventRecurrence(start: start, rules: [rule], zone: zone).prefix(c.expected.count))
        } else {
            while starts.count <= c.expected.count, let next = iterator.next() { starts.append(next) }
        }
        var texts: [String] = starts.map { civil in
            switch time {
            case .date: ICalendarTime.date(civil.date).text
            case .floating: ICalendarTime.floating(zone.civil(zone.instant(civil))).text
            case .utc: ICalendarTime.utc(Instant(civil.seconds)).text
            }
        }
        if let from = c.from ?? c.startAt { texts = texts.filter { $0 >= from } }
        return texts
    }
}
