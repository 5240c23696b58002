import HelixTasks
import Testing

@Suite struct RankTests {
    @Test func thereIsAlwaysAPlaceBetweenTwo() {
        var generator = Numbers(state: 7)
        var ranks = [Rank.between(nil, nil)]
        for _ in 0..<3_000 {
            let place = Int.random(in: 0...ranks.count, using: &generator)
            let low = place > 0 ? ranks[place - 1] : nil
            let high = place < ranks.count ? ranks[place] : nil
            let made = Rank.between(low, high)
            if let low { #expect(low < made) }
            if let high { #expect(made < high) }
            ranks.insert(made, at: place)
        }
        #expect(ranks == ranks.sorted())
    }

    @Test func puttingCardsInOnePlaceAgainAndAgainKeepsTheOrder() {
        let low = Rank.between(nil, nil)
        var high = Rank.between(low, nil)
        for _ in 0..<500 {
            let made = Rank.between(low, high)
            #expect(low < made && made < high)
            high = made
        }
    }

    @Test func appendingDoesNotMakeRanksLonger() {
        var last = Rank.between(nil, nil)
        for _ in 0..<1_000 { last = Rank.between(last, nil) }
        #expect(last.count == 8)
    }

    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}
