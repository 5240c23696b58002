import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix search`
struct Search: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Search everything: events, tasks, mail, chat, time, projects, files.",
        discussion: """
            All words must match, as whole words or prefixes; case and accents are ignored. "a phrase", -word, and, or, \
            ( ). Fields: kind: date: after: before: with: project: tag: id:; +tag.

            The search of a noun, such as 'helix mail search', has more fields; see helix-query(7).

              helix search invoice ana
              helix search kind:mail with:ana after:2026-11-01
              helix search 'boiler or heating' -draft

            --similar also finds what means the same in other words, best matches first, in mail, events, tasks and chat. It \
            needs a model: 'helix config set assistant.embedding-model all-minilm'. What assistants may not see is not found \
            by its meaning.

              helix search --similar 'when does the heating get repaired' kind:mail
            """)
    static let reports: [PrintedReport] = [.json(EntityReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.everythingQuery))
    var query: [String] = []

    @Flag(name: .long, help: "Also find what means the same in other words.")
    var similar = false

    @Flag(name: .long, help: "Prepare all texts for --similar now; 'helix sync' prepares some each time.")
    var index = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.query, command.similar, command.index) = (words, false, false)
        (command.list, command.output) = (.unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids { try output.refuseMachine("ids") }
        if query.isEmpty, !index { throw ValidationError("No search terms: helix search invoice ana") }
        if index, !query.isEmpty { throw ValidationError("--index prepares texts, and takes no search terms.") }
    }

    func run(in context: CommandContext) throws {
        if index { return try prepare(context) }
        if similar { return try search(context) }
        let words = try query.plainWords(of: "search")
        let asked = try SearchQueryParser(dates: context.dates, addresses: context.contactAddresses).parse(
            QueryNoun.everything.line(words, dates: context.dates))
        if asked == .everything, words != ["*"] {
            throw HelixError(.usage, "no search terms", hint: "helix search invoice ana")
        }
        let limit = context.listLimit(50)
        let found = try context.store().search(asked, zone: context.zone, limit: limit + 1)
        if list.ids, !list.readsAll { return try context.write(found.prefix(limit).map { $0.id.text + "\n" }.joined()) }
        let report = EntityReport(
            items: Array(found.prefix(limit)), isTruncated: found.count > limit, remarks: try context.unreadDomains())
        try context.present(report, ids: report.items.map(\.id))
        if found.isEmpty { context.noteWhole(words, of: .everything) }
    }

    /// Prepares all texts for search by meaning.
    private func prepare(_ context: CommandContext) throws {
        let search = try SimilaritySearch(context)
        var count = 0
        try search.index(limit: .max) { done in
            count = done
            if done % 512 == 0 { context.note(StyledText("\(done) texts …", .dim)) }
        }
        try context.present(EntityReport(items: [], nothing: "\(count) texts prepared for search by meaning."))
    }

    /// Searches by meaning and by words.
    private func search(_ context: CommandContext) throws {
        let search = try SimilaritySearch(context)
        var kinds: Set<EntityKind> = []
        var words: [String] = []
        for word in query.flatMap({ $0.split(separator: " ").map(String.init) }) {
            // Times such as 10:30 and links are words, not fields.
            guard let colon = word.firstIndex(of: ":"), word.index(after: colon) < word.endIndex,
                word[..<colon].allSatisfy(\.isLetter), !word[colon...].hasPrefix("://")
            else {
                words.append(word)
                continue
            }
            guard word[..<colon] == "kind",
                case .kind(let kind) = try SearchQueryParser(dates: context.dates).parse(word)
            else {
                throw HelixError(.usage, "--similar takes words and kind:, not '\(word)'")
            }
            kinds.insert(kind)
        }
        let text = words.joined(separator: " ")
        guard text.contains(where: { $0.isLetter || $0.isNumber }) else {
            throw HelixError(.usage, "no words to search for", hint: "helix search --similar 'heating repair'")
        }
        let left = try search.index(limit: SimilaritySearch.waiting)
        // Everything is similar to some degree: a script gets the best ones, too.
        let limit = output.limit ?? 20
        let found = try search.search(text, kinds: kinds, limit: limit + 1)
        if list.ids, !list.readsAll { return try context.write(found.prefix(limit).map { $0.id.text + "\n" }.joined()) }
        let report = EntityReport(
            items: Array(found.prefix(limit)), isTruncated: found.count > limit,
            remarks: left == 0
                ? [] : ["\(left) texts are not prepared yet and were searched by words alone: helix search --index."])
        try context.present(report, ids: report.items.map(\.id))
    }
}
