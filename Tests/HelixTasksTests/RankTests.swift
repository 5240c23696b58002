import HelixTasks
import TestSupport
import Testing

@Suite struct RankTests {
    @Test func thereIsAlwaysAPlaceBetweenTwo() {
        var generator = SeededGenerator(seed: 7)
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
}
