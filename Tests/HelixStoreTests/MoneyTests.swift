import Foundation
import HelixStore
import TestSupport
import Testing

/// Amounts are rounded as Foundation rounds them, which the programs do not link.
@Suite struct MoneyTests {
    @Test func amountsAreRoundedAsByFoundation() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<20_000 {
            var number = Decimal(Int.random(in: -5_000_000...5_000_000, using: &random))
            for _ in 0..<Int.random(in: 0...6, using: &random) { number /= 10 }
            if Bool.random(using: &random) { number = number / 3600 * 25 }
            for places in [2, 4] {
                var (copy, expected) = (number, Decimal())
                NSDecimalRound(&expected, &copy, places, .plain)
                #expect(number.rounded(to: places) == expected, "\(number)")
            }
        }
    }
}
