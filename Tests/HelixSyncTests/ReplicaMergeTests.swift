import HelixModel
import HelixStore
import Testing

@testable import HelixSync

@Suite struct ReplicaMergeTests {
    private func merged(
        _ kind: EntityKind, _ base: JSONText?, _ ours: JSONText, _ theirs: JSONText, prefersOurs: Bool = false
    ) -> ReplicaMerge {
        ReplicaMerge(
            base: base, ours: ours, theirs: theirs, units: ReplicaRecord.units[kind] ?? [], prefersOurs: prefersOurs)
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
}
