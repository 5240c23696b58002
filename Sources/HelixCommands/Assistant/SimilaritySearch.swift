import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// Search by meaning: texts and questions are turned into vectors by a model at an endpoint, and compared here.
struct SimilaritySearch {
    private let context: CommandContext
    private let client: CompletionClient
    private let model: String

    /// The number of texts in one request.
    private static let batch = 32
    /// The number of texts that a search turns into vectors before it searches.
    static let waiting = 128

    /// - Throws: ``HelixError`` of code `configuration` without an endpoint.
    init(_ context: CommandContext) throws {
        guard let model = context.configuration.text(.embeddingModel), !model.isEmpty else {
            throw HelixError(
                .configuration, "no model for search by meaning",
                hint: "Set one, and the address of its server if it is not that of the assistant: "
                    + "helix config set assistant.embedding-model NAME; helix config set assistant.embedding-url URL")
        }
        self.context = context
        self.model = model
        let url =
            context.configuration.text(.embeddingURL).flatMap { $0.isEmpty ? nil : $0 }
            ?? context.configuration.text(.assistantURL) ?? CompletionClient.local
        let key = try context.configuration.text(.assistantKey).map { try Secrets.output(of: $0, for: "the assistant") }
        client = try CompletionClient(url: url, model: model, key: key)
    }

    /// Makes vectors of texts that have none: of those that assistants may see (assistant.may-see).
    ///
    /// - Parameters:
    ///   - limit: the maximum number of texts.
    ///   - progress: receives the number of texts done so far.
    /// - Returns: the number of texts that still have none.
    /// - Throws: ``HelixError``.
    @discardableResult
    func index(limit: Int, progress: (Int) -> Void = { _ in }) throws -> Int {
        let store = try context.store()
        guard !store.isReadOnly else { return 0 }
        try store.useEmbeddingModel(model)
        // Nothing that is private is sent.
        let profile = context.configuration.assistantProfile
        if try store.isWhollyEmbedded(for: profile) { return 0 }
        let seen = try Store(path: context.paths.store, now: context.now)
        try seen.confine(to: profile, run: "index")
        var done = 0
        while done < limit {
            let count = min(Self.batch, limit - done)
            let texts = try store.markingEmbedded(for: profile) { try seen.unembedded(limit: count) }
            if texts.isEmpty { return 0 }
            let vectors = try client.embeddings(of: texts.map { $0.text.isEmpty ? "-" : $0.text })
            try store.keep(
                embeddings: zip(texts, vectors).map { (id: $0.id, vector: EmbeddingVector($1)) })
            done += texts.count
            progress(done)
        }
        return try seen.unembeddedCount()
    }

    /// The entities that a text means, the best first: those with the words and those with the meaning, merged by their ranks
    /// (reciprocal rank fusion).
    /// - Parameter kinds: the only kinds; empty for all.
    /// - Throws: ``HelixError``.
    func search(_ text: String, kinds: Set<EntityKind>, limit: Int) throws -> [EntityCandidate] {
        let store = try context.store()
        // The model answers while the words are searched.
        let asked = BackgroundValue { [client] in
            try client.embeddings(of: [text]).first.flatMap { EmbeddingVector($0) }
        }
        var scores: [EntityID: Double] = [:]
        var known: [EntityID: EntityCandidate] = [:]
        // Words that are there exactly count as much as the meaning.
        // A question without words, such as '?', has a meaning alone.
        let exact = try (try? SearchQuery.words(text)).map { try store.search($0, zone: context.zone, limit: 200) }
        var ranks: [EntityKind: Int] = [:]
        for candidate in exact ?? [] {
            ranks[candidate.kind, default: 0] += 1
            known[candidate.id] = candidate
            scores[candidate.id, default: 0] += 1 / Double(59 + ranks[candidate.kind, default: 0])
        }
        guard let vector = try asked.wait() ?? nil else {
            throw HelixError(.protocol, "the model returned no vector for the question")
        }
        for (rank, found) in try store.similar(to: vector, limit: max(200, limit * 2)).enumerated() {
            scores[found.id, default: 0] += 1 / Double(61 + rank)
        }
        for (id, candidate) in try store.entities(scores.keys.filter { known[$0] == nil }) { known[id] = candidate }
        return known.values.filter { kinds.isEmpty || kinds.contains($0.kind) }
            .sorted { (scores[$0.id] ?? 0, $1.id.text) > (scores[$1.id] ?? 0, $0.id.text) }
            .prefix(limit).map { $0 }
    }
}

extension CommandContext {
    /// Makes some vectors after a sync, if search by meaning is set up.
    func indexMeaning() {
        guard configuration.text(.embeddingModel)?.isEmpty == false, !isDryRun, invocation.agent == nil else { return }
        do { try SimilaritySearch(self).index(limit: 512) } catch {
            let reason = (error as? HelixError)?.message ?? "\(error)"
            note(StyledText("Search by meaning was not brought up to date: \(reason).", .dim))
        }
    }
}
