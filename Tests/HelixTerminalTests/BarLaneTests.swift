import HelixTerminal
import Testing

/// Bars of a month or a week: none covers another one, and none is cut off before it ends.
@Suite struct BarLaneTests {
    @Test(arguments: 0..<50) func barsOfALaneShareNoColumn(seed: Int) {
        var state = UInt64(seed) &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var lanes = BarLanes()
        var cells: [[Int: Int]] = []
        for bar in 0..<20 {
            let first = next(7)
            let columns = first..<(first + 1 + next(7 - first))
            guard let lane = lanes.place(columns, limit: 8) else {
                #expect(cells.count == 8 && cells.allSatisfy { lane in columns.contains { lane[$0] != nil } })
                continue
            }
            if lane == cells.count { cells.append([:]) }
            for column in columns {
                #expect(cells[lane][column] == nil)
                cells[lane][column] = bar
            }
            // The lanes above have no room for it.
            for above in 0..<lane { #expect(columns.contains { cells[above][$0] != nil }) }
        }
        #expect(lanes.count == cells.count)
    }

    @Test func aBarHasItsTitleAndReachesItsEnd() {
        var grid = CellGrid(width: 20, height: 2)
        grid.putBar(
            "Fair", x: 0, y: 0, width: 12, fills: true, comesFromBefore: false, goesOn: false, style: .plain,
            edge: .plain)
        grid.putBar(
            "A long title", x: 0, y: 1, width: 8, fills: true, comesFromBefore: true, goesOn: true, style: .plain,
            edge: .plain)
        var canvas = Canvas(width: 20)
        grid.draw(on: &canvas)
        #expect(canvas.rendered(color: false) == "▌Fair ──────\n◀A lon…▶\n")
    }
}
