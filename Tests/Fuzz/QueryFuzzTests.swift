import HelixCalendar
import HelixMail
import HelixModel
import HelixTasks
import TestSupport
import Testing

/// Queries and phrases of people who mistype.
@Suite struct QueryFuzzTests {
    private static let dates = DatePhraseParser(now: Instant(1_795_252_800), zone: .utc)
    private static let samples = [
        "project:house priority>=high (+billing or -waiting) not milk", "due:\"this week\" @mine x",
        "from:ana subject:\"the offer\"",
        "is:unread date:2026-11-01..2026-11-20 has:attachment", "start>=mon start<fri with:bo calendar:work",
        "a b or c and d",
        "estimate<2h due<2026-12-10 assignee:me", "-label:paid size>1M larger:2M", "text:* \"\" ()",
        "tag:house date:last_month",
    ]
    private static let words = [
        "(", ")", "\"", ":", ">=", "<", "!=", "..", " or ", " and ", "not ", "-", "+", "@", "due:", "from:", "\\", "*",
        "tomorrow", "9-17", "é", "\0",
    ]

    /// Whatever is typed is a query or a usage error with a reason.
    @Test func queriesAreReadOrRefusedWithAReason() {
        let tasks = TaskQueryParser(dates: Self.dates, me: ["ana@example.org"], saved: { $0 == "mine" ? "+open" : nil })
        let mail = MailQueryParser(dates: Self.dates, own: ["ana@example.org"])
        let events = EventQueryParser(dates: Self.dates, own: ["ana@example.org"])
        var refused = 0
        Mutation(Self.samples, words: Self.words, longest: 200).run { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            for read in [
                { _ = try tasks.filter(text) }, { _ = try mail.parse(text) }, { _ = try events.parse(text) },
            ] as [() throws -> Void] {
                do { try read() } catch let error as HelixError {
                    refused += 1
                    #expect(
                        [.usage, .notFound].contains(error.code) && !error.message.isEmpty, "\(text): \(error.message)")
                } catch {
                    Issue.record("\(text): \(error)")
                }
            }
        }
        #expect(refused > Mutation.count / 10)
    }

    /// Phrases of days and times are read or refused; what is read is within the calendar.
    @Test func phrasesAreReadOrRefused() {
        let samples = [
            "lunch with ana tomorrow 12:30 for 45m", "every 2 weeks on mon until december", "fri 9-10:30 in Rome",
            "next tue 3pm",
            "2026-11-20 14:00", "in 3 days", "last monday of march", "übermorgen um 9 Uhr", "25/12/2026 10h",
            "noon to 2pm",
        ]
        let words = [
            " at ", " for ", "every ", "until ", "-", ":", "am", " to ", "0", "99", "mon", "nov", "31", "\"", "week",
            " um ", "½", "€",
        ]
        // Phrases take a tenth of a millisecond each.
        Mutation(samples, words: words, longest: 80).run(Mutation.count / 10) { bytes, _ in
            let text = String(decoding: bytes, as: UTF8.self)
            do {
                let moment = try Self.dates.moment(text)
                #expect(abs(moment.instant(in: .utc).seconds) < 400_000_000_000, "\(text)")
            } catch {
                #expect(error is HelixError, "\(text): \(error)")
            }
        }
    }
}
