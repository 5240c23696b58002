import TestSupport
import Testing

@testable import HelixTerminal

/// The lines of a tree say which row belongs to which.
struct TreeLinesTests {
    @Test func siblingsAreConnectedAndTheLastOneEndsTheLine() {
        let prefixes = TreeLines.prefixes(depths: [0, 1, 2, 2, 1, 2, 3, 0, 1])
        #expect(prefixes == ["", "├ ", "│ ├ ", "│ └ ", "└ ", "  └ ", "    └ ", "", "└ "])
    }

    @Test func whatIsDeeperThanTheDrawingSaysItsLevel() {
        let prefixes = TreeLines.prefixes(depths: [0, 1, 2, 3, 2, 1], most: 2)
        #expect(prefixes == ["", "├ ", "│ ├ ", "│ ├3 ", "│ └ ", "└ "])
    }

    /// The parent of each row is found from the drawing alone.
    @Test func theDrawingTellsTheParents() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<300 {
            var depths = [0]
            for _ in 0..<Int(random.next() % 20) {
                depths.append(Int(random.next() % UInt64(depths[depths.count - 1] + 2)))
            }
            let prefixes = TreeLines.prefixes(depths: depths).map(Array.init)
            for (row, prefix) in prefixes.enumerated() where depths[row] > 0 {
                // Going up along the column of the branch leads to the parent's row.
                let column = prefix.count - 2
                var above = row - 1
                while above >= 0, prefixes[above].count > column, "│├".contains(prefixes[above][column]) { above -= 1 }
                let parent = (0..<row).last { depths[$0] == depths[row] - 1 }
                #expect(above == parent, "\(depths) row \(row)")
            }
        }
    }
}
