import HelixModel
import TestSupport
import Testing

@testable import HelixCommands
@testable import HelixStore

/// Notices wait for the end of quiet hours and busy events, and nothing is lost on the way.
@Suite struct NoticePolicyTests {
    private static let parser = DatePhraseParser(now: Instant(0), zone: .utc)

    private static func notice(_ kind: Notice.Kind, _ time: Instant, until: Instant? = nil) -> Notice {
        Notice(kind, key: "\(time.seconds)", title: "n\(time.seconds)", detail: "", time: time, until: until)
    }

    @Test func hoursAreRead() {
        for (text, start, end) in [("22:00-7:00", 22, 7), ("22-7", 22, 7), ("13:00-14:00", 13, 14)] {
            let hours = NightHours(text, Self.parser)
            #expect(hours?.start == start * 3600 && hours?.end == end * 3600, "\(text)")
        }
        for text in ["", "22", "22-22", "a-b", "22:00-7:00-8:00", "25-3"] {
            #expect(NightHours(text, Self.parser) == nil, "\(text)")
        }
    }

    /// The end of the hours is the next moment that shows its time, also when clocks change.
    @Test func hoursEndOnTheWallClock() throws {
        var random = SeededGenerator(seed: 5)
        let zone = try #require(ZoneDatabase.zone(named: "Europe/Berlin"))
        for _ in 0..<2_000 {
            let (start, end) = (Int.random(in: 0..<24, using: &random), Int.random(in: 0..<24, using: &random))
            guard let hours = NightHours("\(start):00-\(end):00", Self.parser) else { continue }
            let now = Instant(1_900_000_000 + Int64.random(in: 0..<31_536_000, using: &random))
            let second = zone.civil(now).secondOfDay
            let isWithin = (0..<24).contains { hour in
                // Hour by hour, as one would count them.
                var hours: [Int] = []
                var next = start
                while next != end {
                    hours.append(next)
                    next = (next + 1) % 24
                }
                return hour == second / 3600 && hours.contains(hour)
            }
            let found = hours.end(at: now, in: zone)
            #expect((found != nil) == isWithin)
            if let found {
                #expect(found > now && found.seconds - now.seconds <= 25 * 3600)
                let isSkipped = end == 2
                #expect(isSkipped || zone.civil(found).secondOfDay == end * 3600)
            }
        }
    }

    @Test func reminderThatWouldComeTooLateIsAnnounced() {
        let policy = NoticePolicy(quiet: NightHours("22-7", Self.parser), zone: .utc)
        let night = Instant(23 * 3600)
        let early = Self.notice(.reminder, night, until: night + 3600)
        let day = Self.notice(.reminder, night, until: night + 86_400)
        let mail = Self.notice(.mailNew, night)
        let decision = policy.decide([early, day, mail], now: night, busyUntil: nil)
        #expect(decision.announced == [early] && decision.held == [day, mail])
        #expect(decision.next == Instant(31 * 3600))
        let morning = policy.decide(decision.held, now: Instant(31 * 3600), busyUntil: nil)
        #expect(morning.announced == decision.held && morning.held.isEmpty)
    }

    @Test func newsWaitForTheEndOfABusyEvent() {
        var policy = NoticePolicy(zone: .utc)
        let now = Instant(36_000)
        let all = [Self.notice(.mailNew, now), Self.notice(.reminder, now, until: now + 60)]
        #expect(policy.decide(all, now: now, busyUntil: now + 900).announced == all)
        policy.waitsWhileBusy = true
        let decision = policy.decide(all, now: now, busyUntil: now + 900)
        #expect(decision.announced == [all[1]] && decision.next == now + 900)
        #expect(policy.decide(all, now: now, busyUntil: nil).announced == all)
    }

    @Test func manyAreOne() {
        let viewer = Viewer(now: Instant(0), zone: .utc, homeZone: .utc, firstWeekday: .monday, usesTwelveHours: false)
        let few = (0..<4).map { Self.notice(.mailNew, Instant(Int64($0))) }
        #expect(Announcement.list(few, now: Instant(9), viewer: viewer).count == 4)
        let many = (0..<20).map { Self.notice($0 == 3 ? .reminder : .mailNew, Instant(Int64($0))) }
        let found = Announcement.list(many, now: Instant(99), viewer: viewer)
        #expect(found.map(\.title) == ["19 messages, 1 reminder"])
        #expect(found[0].body.hasSuffix("and 15 more: helix watch log") && found[0].notices == many)
        let late = Announcement.list([Self.notice(.reminder, Instant(0))], now: Instant(3600), viewer: viewer)
        #expect(late[0].body.hasPrefix("missed, "))
    }

    /// Terminals get no control characters but those of the sequence.
    @Test(arguments: [TerminalSequence.bell, .osc9, .osc777, .osc99])
    func sequencesHoldTextAlone(_ sequence: TerminalSequence) {
        let text = sequence.text("a;\u{1B}]0;x\u{7}b", "c\u{1B}[31m\u{9D}d")
        let rest = text.replacing("\u{1B}]", with: "").replacing("\u{1B}\\", with: "")
        #expect(
            !rest.unicodeScalars.dropLast().contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }, "\(text)")
        #expect(text.hasSuffix("\u{7}") || text.hasSuffix("\u{1B}\\"))
    }

    @Test func terminalsAreKnown() {
        for (environment, sequence) in [
            (["TERM": "xterm-kitty"], TerminalSequence.osc99), (["TERM": "foot"], .osc777),
            (["TERM_PROGRAM": "WezTerm", "TERM": "xterm-256color"], .osc9), (["TERM": "linux"], .bell),
            (["TERM": "tmux-256color", "TMUX": "x", "KITTY_WINDOW_ID": "1"], .bell), ([:], .bell),
        ] { #expect(TerminalSequence(environment) == sequence, "\(environment)") }
    }
}
