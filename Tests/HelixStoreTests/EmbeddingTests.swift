import HelixModel
import HelixTasks
import TestSupport
import Testing

@testable import HelixStore

/// Vectors of texts: eight bits keep the order of results, and a vector is gone with its text.
@Suite struct EmbeddingTests {
    private static func vector(_ random: inout SeededGenerator, _ count: Int = 384) -> [Float] {
        (0..<count).map { _ in Float.random(in: -1...1, using: &random) + Float.random(in: -1...1, using: &random) }
    }

    private static func cosine(_ a: [Float], _ b: [Float]) -> Float {
        func length(_ v: [Float]) -> Float { v.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        return zip(a, b).reduce(0) { $0 + $1.0 * $1.1 } / length(a) / length(b)
    }

    private static func dates(_ test: TestStore) -> DatePhraseParser { DatePhraseParser(now: test.now, zone: .utc) }

    private static func add(_ title: String, _ change: Change, _ test: TestStore) throws -> EntityID {
        var changes = TaskChanges()
        changes.title = title
        return try change.addTask(changes, dates: dates(test))
    }

    /// The mark that all texts have vectors is gone when a text comes or changes, also while it is looked for.
    @Test func theMarkOfAWholeIndexIsTrue() throws {
        let test = try TestStore()
        let profile = AgentProfile.assistant(seeing: [])
        let vector = try #require(EmbeddingVector([1, 2, 3]))
        func isWhole() throws -> Bool { try test.store.isWhollyEmbedded(for: profile) }
        func index() throws {
            while true {
                let texts = try test.store.markingEmbedded(for: profile) { try test.store.unembedded(limit: 2) }
                if texts.isEmpty { return }
                try test.store.keep(embeddings: texts.map { (id: $0.id, vector: vector) })
            }
        }
        var ids: [EntityID] = []
        func add(_ title: String) throws {
            try test.store.change("", command: "test") { ids.append(try Self.add(title, $0, test)) }
        }
        #expect(try !isWhole())
        for number in 0..<5 { try add("Task \(number)") }
        try index()
        #expect(try isWhole())
        #expect(try !test.store.isWhollyEmbedded(for: .assistant(seeing: ["private"])))
        try add("New")
        #expect(try !isWhole())
        try index()
        #expect(try isWhole())
        try test.store.change("", command: "test") { change in
            var changes = TaskChanges()
            changes.title = "Other"
            _ = try change.editTask(ids[0], changes, dates: Self.dates(test))
        }
        #expect(try !isWhole())
        try index()
        #expect(try isWhole())
        // A text that comes between the look and the mark.
        let found = try test.store.markingEmbedded(for: profile) {
            let texts = try test.store.unembedded(limit: 2)
            try add("Between")
            return texts
        }
        #expect(try found.isEmpty && !isWhole())
        #expect(try test.store.unembedded(limit: 9).count == 1)
    }

    @Test func eightBitsAreEnough() throws {
        var random = SeededGenerator(seed: 27)
        for _ in 0..<500 {
            let base = Self.vector(&random)
            let near = zip(base, Self.vector(&random)).map { $0 + $1 * Float.random(in: 0...2, using: &random) }
            let (own, other) = (try #require(EmbeddingVector(base)), try #require(EmbeddingVector(near)))
            let found = other.bytes.withUnsafeBytes { own.similarity(to: $0) }
            #expect(abs(try #require(found) - Self.cosine(base, near)) < 0.01)
        }
        #expect(EmbeddingVector([]) == nil && EmbeddingVector([0, 0]) == nil && EmbeddingVector([.nan, 1]) == nil)
        #expect(EmbeddingVector([.infinity, 1]) == nil)
        #expect(EmbeddingVector([1, 2])?.similarity(to: UnsafeRawBufferPointer(start: nil, count: 0)) == nil)
    }

    /// All widths, since the instructions take many numbers at a time.
    @Test func productsAreExactAtEveryWidth() throws {
        var random = SeededGenerator(seed: 29)
        for count in Array(1...70) + [383, 384, 385, 8_192] {
            func values() -> [Float] {
                (0..<count).map { _ in
                    [-1, 1, Float.random(in: -1...1, using: &random)][Int.random(in: 0...2, using: &random)]
                }
            }
            guard let left = EmbeddingVector(values()), let right = EmbeddingVector(values()) else { continue }
            let sum = zip(left.numbers, right.numbers).reduce(0) { $0 + Int($1.0) * Int($1.1) }
            let found = right.bytes.withUnsafeBytes { left.similarity(to: $0) }
            #expect(found == left.factor * right.factor * Float(sum), "\(count)")
        }
    }

    @Test func theMostSimilarAreFoundAmongMany() throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: 28)
        var all: [(id: EntityID, values: [Float])] = []
        try test.store.change("", command: "test") { change in
            for number in 0..<1_000 {
                all.append((try Self.add("Task \(number)", change, test), Self.vector(&random, 32)))
            }
        }
        try test.store.keep(embeddings: all.map { (id: $0.id, vector: EmbeddingVector($0.values)) })
        for limit in [1, 10, 200, 5_000] {
            let asked = Self.vector(&random, 32)
            let found = try test.store.similar(to: try #require(EmbeddingVector(asked)), limit: limit)
            let expected = all.sorted { Self.cosine($0.values, asked) > Self.cosine($1.values, asked) }.prefix(limit)
            #expect(found.count == min(limit, 1_000))
            // Eight bits may exchange neighbours.
            #expect(Set(found.map(\.id)).intersection(expected.map(\.id)).count >= min(limit, 1_000) * 9 / 10)
            #expect(zip(found, found.dropFirst()).allSatisfy { $0.similarity >= $1.similarity })
        }
        // Of another number of dimensions: none.
        #expect(try test.store.similar(to: try #require(EmbeddingVector([1, 2, 3])), limit: 5).isEmpty)
    }

    @Test func aVectorIsGoneWithItsText() throws {
        let test = try TestStore()
        let id = try test.store.change("", command: "test") { try Self.add("Call the plumber", $0, test) }
        let other = try test.store.change("", command: "test") { try Self.add("Buy milk", $0, test) }
        func embed() throws {
            let texts = try test.store.unembedded(limit: 10)
            try test.store.keep(embeddings: texts.map { (id: $0.id, vector: EmbeddingVector([1, 2])) })
        }
        try test.store.useEmbeddingModel("a")
        try embed()
        #expect(try test.store.unembeddedCount() == 0)
        // A change of something else keeps it.
        try test.store.change("", command: "test") {
            var changes = TaskChanges()
            changes.priority = .set(.high)
            _ = try $0.editTask(id, changes, dates: Self.dates(test))
        }
        #expect(try test.store.unembeddedCount() == 0)
        try test.store.change("", command: "test") {
            var changes = TaskChanges()
            changes.title = "Call the electrician"
            _ = try $0.editTask(id, changes, dates: Self.dates(test))
        }
        #expect(try test.store.unembedded(limit: 10).map(\.id) == [id])
        try embed()
        try test.store.change("", command: "test") { try $0.deleteTask(other) }
        #expect(try test.store.similar(to: try #require(EmbeddingVector([1, 2])), limit: 10).map(\.id) == [id])
        try test.store.keep(embeddings: [(id: other, vector: EmbeddingVector([1, 2]))])
        #expect(try test.store.similar(to: try #require(EmbeddingVector([1, 2])), limit: 10).count == 1)
        try test.store.useEmbeddingModel("b")
        #expect(try test.store.unembeddedCount() == 1)
    }
}
