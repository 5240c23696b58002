import HelixCalendar
import HelixModel
import TestSupport
import Testing

@testable import HelixSync

/// Reminders are merged one by one: what one side changed stays, and answers contest nothing.
@Suite struct AlarmMergeTests {
    private static func event(_ alarms: [String], title: String = "Meet") -> String {
        "BEGIN:VEVENT\nUID:e\nDTSTAMP:20300101T000000Z\nDTSTART:20300305T100000Z\nSUMMARY:\(title)\n"
            + alarms.map { "BEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:x\n\($0)\nEND:VALARM\n" }.joined()
            + "END:VEVENT\n"
    }

    private func alarms(_ text: String) -> [String] {
        ICalendarComponent.list(text).flatMap(\.components).map { alarm in
            alarm.properties.filter { !["ACTION", "DESCRIPTION"].contains($0.name) }.map(\.line).sorted()
                .joined(separator: " ")
        }.sorted()
    }

    @Test func anAnswerKeepsWhatAnotherDeviceChanged() {
        let base = Self.event(["TRIGGER:-PT15M", "TRIGGER:-PT5M"])
        let ours = Self.event(["TRIGGER:-PT15M\nACKNOWLEDGED:20300305T094600Z", "TRIGGER:-PT5M"])
        let theirs = Self.event(["TRIGGER:-PT15M", "TRIGGER:-PT3M", "TRIGGER:-PT1M\nUID:phone"])
        for isLocal in [true, false] {
            let merge = ComponentMerge(base: base, ours: ours, theirs: theirs, strategy: isLocal ? .local : .server)
            #expect(merge.contested.isEmpty)
            #expect(
                alarms(merge.text) == [
                    "ACKNOWLEDGED:20300305T094600Z TRIGGER:-PT15M", "TRIGGER:-PT1M UID:phone", "TRIGGER:-PT3M",
                ])
        }
    }

    /// The later answer counts, whichever side has it, and a snooze names the reminder that stays.
    @Test(arguments: [true, false])
    func theLaterAnswerCounts(_ isSnoozeLater: Bool) throws {
        let base = Self.event(["TRIGGER:-PT15M"])
        let (early, late) = ("20300305T094600Z", "20300305T094700Z")
        let snoozed = Self.event([
            "TRIGGER:-PT15M\nUID:a\nACKNOWLEDGED:\(isSnoozeLater ? late : early)",
            "TRIGGER;VALUE=DATE-TIME:20300305T095600Z\nUID:s\nRELATED-TO;RELTYPE=SNOOZE:a",
        ])
        let dismissed = Self.event(["TRIGGER:-PT15M\nUID:b\nACKNOWLEDGED:\(isSnoozeLater ? early : late)"])
        for (ours, theirs) in [(snoozed, dismissed), (dismissed, snoozed)] {
            let merge = ComponentMerge(base: base, ours: ours, theirs: theirs, strategy: .merge)
            let found = alarms(merge.text)
            #expect(merge.contested.isEmpty && found.count == (isSnoozeLater ? 2 : 1), "\(found)")
            #expect(found.contains { $0.contains("ACKNOWLEDGED:\(late)") })
            if isSnoozeLater {
                let all = ICalendarComponent.list(merge.text).flatMap(\.components)
                #expect(all.first?.first("UID")?.text == all.last?.first("RELATED-TO")?.text)
            }
        }
    }

    /// Whatever both sides do to different reminders is in the merge, and nothing else.
    @Test func changesOfDifferentRemindersAreBothKept() {
        var random = SeededGenerator(seed: 28)
        for _ in 0..<500 {
            let base = (0..<6).map { "TRIGGER:-PT\(10 + $0)M" }
            var (ours, theirs, expected) = (base, base, base)
            // Each reminder is changed by at most one side.
            for index in base.indices {
                let word: String? =
                    switch Int.random(in: 0..<5, using: &random) {
                    case 0: nil
                    case 1: base[index] + "\nACKNOWLEDGED:20300305T09\(10 + index)00Z"
                    case 2: "TRIGGER:PT\(10 + index)M"
                    case 3: base[index] + "\nX-OWN:\(index)"
                    default: base[index]
                    }
                if Bool.random(using: &random) { ours[index] = word ?? "" } else { theirs[index] = word ?? "" }
                expected[index] = word ?? ""
            }
            let texts = [base, ours, theirs, expected].map { Self.event($0.filter { !$0.isEmpty }) }
            let merge = ComponentMerge(base: texts[0], ours: texts[1], theirs: texts[2], strategy: .merge)
            #expect(alarms(merge.text) == alarms(texts[3]) && merge.contested.isEmpty, "\(texts)")
        }
    }

    @Test func differentChangesOfOneReminderAreContested() {
        let base = Self.event(["TRIGGER:-PT15M"])
        let ours = Self.event(["TRIGGER:-PT15M\nX-OWN:1"])
        let theirs = Self.event(["TRIGGER:-PT15M\nX-OWN:2"])
        let merge = ComponentMerge(base: base, ours: ours, theirs: theirs, strategy: .local)
        #expect(merge.contested == ["VALARM"] && alarms(merge.text) == ["TRIGGER:-PT15M X-OWN:1"])
        // An answer to a reminder that was removed elsewhere brings it not back.
        let answered = Self.event(["TRIGGER:-PT15M\nACKNOWLEDGED:20300305T094600Z"])
        let removed = ComponentMerge(base: base, ours: answered, theirs: Self.event([]), strategy: .local)
        #expect(removed.contested.isEmpty && alarms(removed.text).isEmpty)
    }
}
