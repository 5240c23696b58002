import ArgumentParser
import HelixModel
import HelixStore

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
            """)
    static let reports: [PrintedReport] = [.json(EntityReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.everythingQuery))
    var query: [String]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.query, command.list, command.output) = (words, .unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids { try output.refuseMachine("ids") }
    }

    func run(in context: CommandContext) throws {
        let words = try query.plainWords(of: "search")
        let asked = try SearchQueryParser(dates: context.dates).parse(
            QueryNoun.everything.line(words, dates: context.dates))
        if asked == .everything, words != ["*"] {
            throw HelixError(.usage, "no search terms", hint: "helix search invoice ana")
        }
        let limit = context.listLimit(50)
        let found = try context.store().search(asked, zone: context.zone, limit: limit + 1)
        if list.ids, !list.readsAll { return try context.write(found.prefix(limit).map { $0.id.text + "\n" }.joined()) }
        let report = EntityReport(items: Array(found.prefix(limit)), isTruncated: found.count > limit)
        try context.present(report, ids: report.items.map(\.id))
        if found.isEmpty { context.noteWhole(words, of: .everything) }
    }
}
