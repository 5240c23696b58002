import HelixModel
import HelixStore
import Testing

@testable import HelixSync

@Suite struct ReplicaMergeTests {
    private func merged(
        _ kind: EntityKind, _ base: JSONText?, _ ours: JSONText, _ theirs: JSONText, prefersOurs: Bool = false
    ) -> ReplicaMerge {
        ReplicaMerge(kind: kind, base: base, ours: ours, theirs: theirs, prefersOurs: prefersOurs)
    }

    @Test func changesOfDifferentColumnsAreBothKept() {
        let merge = merged(
            .project, ["name": "a", "notes": "n"], ["name": "b", "notes": "n"], ["name": "a", "notes": "m", "x": 1])
        #expect(merge.fields == ["name": "b", "notes": "m", "x": 1] && merge.clashes.isEmpty)
    }

    @Test func theSameColumnChangedTwiceIsAClash() {
        for prefersOurs in [true, false] {
            let merge = merged(.project, ["name": "a"], ["name": "b"], ["name": "c"], prefersOurs: prefersOurs)
            #expect(merge.fields == ["name": prefersOurs ? "b" : "c"] && merge.clashes == ["name"])
        }
        // Removed here, changed there.
        #expect(merged(.project, ["notes": "a"], [:], ["notes": "b"], prefersOurs: true).fields == [:])
    }

    /// The start was moved here and the end there: together they would be an entry that ends before it starts.
    @Test func columnsThatAreOneValueAreNotTornApart() {
        let (base, ours, theirs): (JSONText, JSONText, JSONText) = (
            ["end": 200, "start": 100, "title": "t"], ["end": 400, "start": 300, "title": "t"],
            ["end": 150, "start": 100, "title": "u"]
        )
        let theirsWins = merged(.timeEntry, base, ours, theirs)
        #expect(theirsWins.fields == ["end": 150, "start": 100, "title": "u"] && theirsWins.clashes == ["start"])
        let oursWins = merged(.timeEntry, base, ours, theirs, prefersOurs: true)
        #expect(oursWins.fields == ["end": 400, "start": 300, "title": "u"])
        // Changed on one side alone, they are taken together.
        #expect(merged(.timeEntry, base, base, theirs).fields == theirs)
        for units in ReplicaRecord.units.values { #expect(Set(units.joined()).count == units.joined().count) }
    }

    @Test func listsAreMergedByTheirWords() {
        func tags(_ base: String, _ ours: String, _ theirs: String) -> String? {
            merged(.task, ["tags": .string(base)], ["tags": .string(ours)], ["tags": .string(theirs)]).fields["tags"]?
                .text
        }
        #expect(tags(" a b ", " a b c ", " a b d ") == " a b c d ")
        #expect(tags(" a b ", " b c ", " a ") == " c ")
        #expect(tags(" a ", " ", " a b ") == " b ")
    }

    @Test func eventsAreMergedByTheirProperties() {
        func event(_ lines: String...) -> JSONText {
            let text = (["BEGIN:VEVENT", "UID:u"] + lines + ["END:VEVENT"]).map { $0 + "\n" }.joined()
            return ["text": .string(text), "uid": "u"]
        }
        let base = event("SUMMARY:a", "LOCATION:x", "DTSTART:20261120T090000Z")
        let ours = event("SUMMARY:b", "LOCATION:x", "DTSTART:20261120T090000Z")
        let theirs = event("SUMMARY:a", "LOCATION:y", "DTSTART:20261120T090000Z", "DESCRIPTION:d")
        let text = merged(.event, base, ours, theirs).fields["text"]?.text ?? ""
        for line in ["SUMMARY:b", "LOCATION:y", "DESCRIPTION:d"] { #expect(text.contains(line + "\n"), "\(text)") }
        let clash = merged(.event, base, event("SUMMARY:b"), event("SUMMARY:c"), prefersOurs: true)
        #expect(clash.fields["text"]?.text?.contains("SUMMARY:b\n") == true && clash.clashes.contains("summary"))
    }
}
