import Foundation
import HelixModel
import TestSupport

/// Random inputs made of real ones: what servers, files and people send, damaged.
///
/// The inputs of a seed are always the same. `HELIX_FUZZ=5000000 HELIX_FUZZ_SEED=7` tries more, and others; `make fuzz` does.
struct Mutation {
    /// The number of inputs of each kind.
    static let count = ProcessInfo.processInfo.environment["HELIX_FUZZ"].flatMap { Int($0) } ?? Corpora.samples(100_000)
    /// The seed of the first input.
    static let seed = ProcessInfo.processInfo.environment["HELIX_FUZZ_SEED"].flatMap { UInt64($0) } ?? 24

    private let samples: [[UInt8]]
    private let words: [[UInt8]]
    private let longest: Int

    /// - Parameters:
    ///   - samples: the inputs that are changed.
    ///   - words: words of the language, which are put in.
    ///   - longest: the maximum length of an input in bytes.
    init(_ samples: [[UInt8]], words: [String], longest: Int = 4000) {
        self.samples = samples
        self.words = words.map { Array($0.utf8) }
        self.longest = longest
    }

    init(_ samples: [String], words: [String], longest: Int = 4000) {
        self.init(samples.map { Array($0.utf8) }, words: words, longest: longest)
    }

    /// Runs `body` on inputs, each with a generator of its own, so that one can be made again alone.
    func run(_ count: Int = Mutation.count, _ body: ([UInt8], inout SeededGenerator) throws -> Void) rethrows {
        for number in 0..<count {
            var random = SeededGenerator(seed: Mutation.seed &* 1_000_003 &+ UInt64(number))
            try body(input(&random), &random)
        }
    }

    private func input(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = samples.randomElement(using: &random) ?? []
        for _ in 0..<Int.random(in: 1...6, using: &random) { change(&bytes, &random) }
        return bytes.count > longest ? Array(bytes.prefix(longest)) : bytes
    }

    private func change(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let end = min(bytes.count, place + Int.random(in: 0...20, using: &random))
        switch Int.random(in: 0..<7, using: &random) {
        case 0 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1 where place < bytes.count: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        case 4:
            let other = samples.randomElement(using: &random) ?? []
            let from = Int.random(in: 0...other.count, using: &random)
            bytes = Array(bytes[..<place]) + other[from...]
        case 5: bytes.insert(contentsOf: "\(Int64.random(in: .min ... .max, using: &random))".utf8, at: place)
        default: bytes.insert(contentsOf: words.randomElement(using: &random) ?? [], at: place)
        }
    }
}

extension [UInt8] {
    /// The bytes in parts of random lengths.
    func cut(_ random: inout SeededGenerator) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var start = 0
        while start < count {
            let end = Swift.min(count, start + Int.random(in: 1...Swift.max(1, count / 3), using: &random))
            parts.append(Array(self[start..<end]))
            start = end
        }
        return parts
    }
}
