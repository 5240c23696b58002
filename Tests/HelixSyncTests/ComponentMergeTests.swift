import HelixCalendar
import HelixModel
import Testing

@testable import HelixSync

/// What two sides made of the same event is brought together without taking anybody's answer for another one.
struct ComponentMergeTests {
    private static func event(_ start: String, _ people: String..., more: [String] = []) -> String {
        let head = ["BEGIN:VEVENT", "UID:x", "DTSTAMP:20261101T000000Z", "DTSTART:\(start)"]
        return (head + more + people + ["END:VEVENT", ""]).joined(separator: "\n")
    }

    private static func person(_ name: String, _ answer: String, at stamp: String? = nil, told: Bool = true) -> String {
        "ATTENDEE" + (told ? ";SCHEDULE-AGENT=CLIENT" : "") + ";PARTSTAT=\(answer)"
            + (stamp.map { ";X-HELIX-ANSWERED=\($0)" } ?? "") + ":mailto:\(name)@example.org"
    }

    private static func answers(_ text: String) -> [String] {
        ICalendarComponent.list(text).flatMap { $0.all("ATTENDEE") }.map {
            "\($0.calendarAddress.prefix { $0 != "@" }) \($0["PARTSTAT"] ?? "")"
        }
    }

    @Test func answersOfSeveralPeopleThatCameToSeveralMachinesAllStand() {
        let none = "NEEDS-ACTION"
        let merge = ComponentMerge(
            base: Self.event("20261120T100000Z", Self.person("bo", none), Self.person("cy", none)),
            ours: Self.event("20261120T100000Z", Self.person("bo", "ACCEPTED", at: "1"), Self.person("cy", none)),
            theirs: Self.event("20261120T100000Z", Self.person("bo", none), Self.person("cy", "DECLINED", at: "2")),
            strategy: .ask)
        #expect(Self.answers(merge.text) == ["bo ACCEPTED", "cy DECLINED"])
        #expect(merge.contested.isEmpty)
    }

    @Test func whatTheOtherSideHasIsNotWrittenThereForItsStampsAlone() {
        func event(_ title: String, _ stamp: String) -> String {
            Self.event(
                "20261120T100000Z", more: ["SUMMARY:\(title)", "LAST-MODIFIED:\(stamp)", "SEQUENCE:\(stamp.count)"])
        }
        let theirs = event("Theirs", "20261101T000000Z")
        let merge = ComponentMerge(
            base: event("Was", "20261001T000000Z"), ours: event("Ours", "20261102T000000Z"), theirs: theirs,
            strategy: .server)
        #expect(merge.text == theirs)
        #expect(merge.contested == ["SUMMARY"])
    }

    @Test(arguments: [true, false]) func anAnswerToTheFormerTimeSaysNothingOfTheNewOne(_ isMovedHere: Bool) {
        let none = "NEEDS-ACTION"
        let moved = Self.event("20261120T130000Z", Self.person("bo", none))
        let answered = Self.event("20261120T100000Z", Self.person("bo", "ACCEPTED", at: "1"))
        let merge = ComponentMerge(
            base: Self.event("20261120T100000Z", Self.person("bo", none)), ours: isMovedHere ? moved : answered,
            theirs: isMovedHere ? answered : moved, strategy: .merge)
        #expect(Self.answers(merge.text) == ["bo NEEDS-ACTION"])
        #expect(merge.text.contains("DTSTART:20261120T130000Z"))
    }

    @Test func anOccurrenceThatBothChangedFirstHasTheChangesOfBoth() {
        let series = Self.event("20261102T100000Z", more: ["RRULE:FREQ=WEEKLY", "SUMMARY:Team", "LOCATION:Hall"])
        func occurrence(_ title: String, _ place: String, at start: String = "20261109T100000Z") -> String {
            series
                + Self.event(
                    start, more: ["RECURRENCE-ID:20261109T100000Z", "SUMMARY:\(title)", "LOCATION:\(place)"])
        }
        for strategy in [AccountSettings.Strategy.local, .server, .merge, .ask] {
            let merge = ComponentMerge(
                base: series, ours: occurrence("Retro", "Hall"),
                theirs: occurrence("Team", "Roof", at: "20261109T110000Z"),
                strategy: strategy)
            #expect(merge.contested.isEmpty)
            let changed = ICalendarComponent.list(merge.text).first { $0.first("RECURRENCE-ID") != nil }
            #expect(changed?.first("SUMMARY")?.value == "Retro")
            #expect(changed?.first("LOCATION")?.value == "Roof")
            #expect(changed?.first("DTSTART")?.value == "20261109T110000Z")
        }
    }

    @Test func theLaterOfTwoAnswersOfOnePersonCounts() {
        let none = "NEEDS-ACTION"
        let merge = ComponentMerge(
            base: Self.event("20261120T100000Z", Self.person("bo", none)),
            ours: Self.event("20261120T100000Z", Self.person("bo", "ACCEPTED", at: "2")),
            theirs: Self.event("20261120T100000Z", Self.person("bo", "DECLINED", at: "1")), strategy: .server)
        #expect(Self.answers(merge.text) == ["bo ACCEPTED"])
    }

    @Test func whoIsTakenOutOnOneSideAndUntouchedOnTheOtherIsOut() {
        let base = Self.event("20261120T100000Z", Self.person("bo", "ACCEPTED"), Self.person("cy", "ACCEPTED"))
        let merge = ComponentMerge(
            base: base, ours: Self.event("20261120T100000Z", Self.person("bo", "ACCEPTED")), theirs: base,
            strategy: .merge)
        #expect(Self.answers(merge.text) == ["bo ACCEPTED"])
    }
}
