import Foundation
import HelixCalendar
import HelixModel
import TestSupport
import Testing

/// One file of the corpus with the occurrences that other engines agree on.
struct ExpansionCase: Sendable, CustomTestStringConvertible {
    struct Expected: Decodable, Sendable {
        let expansion: Expansion?
        let verdict: String
    }
    struct Expansion: Decodable, Sendable {
        let window: [String]?
        let occurrences: [Item]?
    }
    struct Item: Decodable, Sendable {
        let kind: String
        let start: String
        let end: String?
        let startUtc: String?
        let summary: String?
    }
    let name: String
    let expected: Expected
    var testDescription: String { name }

    static let all: [ExpansionCase] = {
        let file = try? Corpora.json("ics/recur_expected.json", as: [String: Expected].self)
        return (file ?? [:]).map { ExpansionCase(name: $0.key, expected: $0.value) }.sorted { $0.name < $1.name }
    }()
}

/// Reads the event series of a whole file.
func series(of data: Data) throws -> [EventSeries] {
    var rest: [UInt8]? = Array(data)
    var reader = CalendarFileReader {
        defer { rest = [] }
        return rest ?? []
    }
    var groups: [String: [EventComponent]] = [:]
    var order: [String] = []
    while let part = try reader.next() {
        guard case .events(let group) = part else { continue }
        for raw in group.components {
            guard let component = try? EventComponent(raw.text, zones: group.zones) else { continue }
            if groups[group.uid] == nil { order.append(group.uid) }
            groups[group.uid, default: []].append(component)
        }
    }
    return order.compactMap { groups[$0].map { EventSeries($0) } }
}

@Suite(.enabled(if: Corpora.isAvailable, "needs the corpora"))
struct ExpansionCorpusTests {
    /// Where the corpus's one engine and helix differ, and why helix is right by RFC 5545.
    static let disputed = [
        // BYWEEKNO without BYDAY: §3.3.10 takes the weekday from DTSTART; dateutil gives all seven. No second source.
        "icalnet__YearlyByWeekNo3.ics",
        // A DATE with a TZID is a DATE (§3.2.19); the corpus turns it into midnight in Denver.
        "kde__ConnectDaily5.ics", "kde__ConnectDaily8.ics",
        // A DATE with DURATION:PT5H: §3.6.1 allows only days, so the day is whole.
        "kde__rdate.ics",
    ]

    @Test(arguments: ExpansionCase.all.filter { !disputed.contains($0.name) })
    func expandsAsOtherEnginesDo(_ c: ExpansionCase) throws {
        let all = try series(of: Corpora.data("ics/recur/\(c.name)"))
        guard let window = c.expected.expansion?.window, let items = c.expected.expansion?.occurrences else { return }
        let from = try #require(day(window[0]))
        let to = try #require(day(window[1]))
        let range = Zone.utc.range(from: from, to: to)
        var found: [String] = []
        for series in all {
            for instance in series.instances() {
                if instance.start >= range.end.seconds + 86_400 { break }
                let component = series.components[instance.component]
                found.append(
                    text(instance.start, instance.basis) + "/" + text(instance.end, instance.basis) + " "
                        + component.title)
            }
        }
        let expected = items.filter { $0.kind == "VEVENT" }.map { item in
            let isDate = !item.start.contains("T")
            return text(item.start, utc: item.startUtc, isDate: isDate) + "/"
                + text(
                    item.end ?? item.start, utc: item.startUtc == nil ? nil : utc(item.end ?? item.start),
                    isDate: isDate) + " "
                + (item.summary ?? "")
        }
        let first = String(window[0].filter { $0 != "-" }.prefix(8))
        let last = String(window[1].filter { $0 != "-" }.prefix(8))
        let inside = found.filter { $0.prefix(8) >= first && $0.prefix(8) < last }
        let wanted = expected.filter { $0.prefix(8) >= first && $0.prefix(8) < last }
        #expect(Set(inside) == Set(wanted))
        #expect(inside.count == wanted.count)
    }

    @Test func theCorpusIsRead() {
        #expect(ExpansionCase.all.count >= 120)
        #expect(RuleCase.firm.count >= 200)
        #expect(InvalidRule.all.count >= 30)
    }

    private func day(_ text: String) -> CivilDate? {
        let parts = text.prefix(10).split(separator: "-").compactMap { Int($0) }
        return parts.count == 3 ? CivilDate(year: parts[0], month: parts[1], day: parts[2]) : nil
    }

    private func text(_ ordinal: Int64, _ basis: TimeBasis) -> String {
        let civil = CivilDateTime(seconds: ordinal)
        return switch basis {
        case .date: ICalendarTime.date(civil.date).text
        case .floating: ICalendarTime.floating(civil).text
        case .instant: ICalendarTime.utc(Instant(ordinal)).text
        }
    }

    private func text(_ local: String, utc: String?, isDate: Bool) -> String {
        let digits = local.filter { $0 != "-" && $0 != ":" }
        return utc ?? String(digits.prefix(isDate ? 8 : 15))
    }

    /// `2007-06-21T17:00:00-04:00` in UTC.
    private func utc(_ local: String) -> String? {
        guard case .floating(let civil)? = ICalendarTime(String(local.prefix(19))) else { return nil }
        let offset = local.dropFirst(19)
        guard let sign = offset.first, sign != "Z" else { return ICalendarTime.utc(Instant(civil.seconds)).text }
        let parts = offset.dropFirst().split(separator: ":").compactMap { Int64($0) }
        let seconds = parts[0] * 3600 + parts[1] * 60
        return ICalendarTime.utc(Instant(civil.seconds - (sign == "-" ? -seconds : seconds))).text
    }
}
