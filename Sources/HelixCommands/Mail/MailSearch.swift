import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail search`
struct MailSearch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search", abstract: "Search mail, and save searches.",
        subcommands: [MailSearchRun.self, MailSearchSave.self, MailSearchSaved.self, MailSearchDelete.self],
        defaultSubcommand: MailSearchRun.self)

    /// The subcommands, which are not search terms.
    static let verbs = ["run", "save", "saved", "delete", "help"]
}

/// `helix mail search run`, or without `run`
struct MailSearchRun: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "run", abstract: "Search mail.",
        discussion: """
            All words must match. "a phrase", prefix*, (a or b), -word or not word to exclude. \
            Fields: from: to: with: subject: body: filename: ('me' is you); is: unread, read, starred, answered, draft; \
            has: attachment, invitation; in: a mailbox; account: label: list: after: before: date: a day or range; \
            larger: smaller: a size such as 1M; id: a message or its conversation; @name a saved search.

            Case and accents are ignored; text without word boundaries matches by any part.

              helix mail search invoice from:ana -draft
              helix mail search 'subject:"site visit" (has:attachment or larger:1M)' \\
                  --by rank
              helix mail search is:unread --count
            """)
    static let reports: [PrintedReport] = [.json(MailListReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.mailQuery))
    var query: [String]

    @Option(name: .long, help: ArgumentHelp("Sort by date or rank.", valueName: "order"))
    var by: String = MailOrder.date.rawValue

    @Flag(name: .long, help: "Print the number of matches.")
    var count = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard let first = words.first, !MailSearch.verbs.contains(first) else { return nil }
        var command = Self()
        (command.query, command.by, command.count) = (words, MailOrder.date.rawValue, false)
        (command.mail, command.list, command.output) = (.unset, .unset, .unset)
        return command
    }

    static var plainFlags: Set<String> { ["--count", "--ids"] }

    mutating func take(flag: String) { if flag == "--count" { count = true } else { list.ids = true } }

    mutating func take(_ option: String, _ value: String) -> Bool {
        guard option == "--by", MailOrder(rawValue: value) != nil else { return false }
        by = value
        return true
    }

    func validate() throws {
        if MailOrder(rawValue: by) == nil { throw ValidationError("--by takes date or rank, not '\(by)'.") }
        if list.ids && count { throw ValidationError("--ids and --count exclude each other.") }
        if count || list.ids { try output.refuseMachine(count ? "a number" : "ids") }
    }

    func run(in context: CommandContext) throws {
        let words = try query.plainWords(of: "mail search")
        let asked = try context.mailQueries.parse(QueryNoun.mail.line(words, dates: context.dates))
        if asked.asksVerification { try context.noteUnverified(context.mailStore(mail)) }
        if count { return try context.write("\(try context.mailStore(mail).messageCount(asked))\n") }
        let order = MailOrder(rawValue: by) ?? .date
        if list.ids, !list.readsAll {
            let found = try context.mailStore(mail).messages(
                asked, order: order, limit: min(output.limit ?? 1_000_000, 1_000_000_000))
            return try context.write(found.map { $0.id.text + "\n" }.joined())
        }
        try context.presentMail(
            asked, mail, order: order, snippets: asked.asksText, nothing: "Nothing found.", words: words)
    }
}

/// `helix mail search save`
struct MailSearchSave: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "save", abstract: "Save a query under a name.",
        discussion: """
              helix mail search save bills 'subject:invoice -label:paid'
              helix mail list @bills
            """)
    static let reports: [PrintedReport] = [.json(SavedSearchReport.self)]

    @Argument(help: "Name; an existing one is replaced.")
    var name: String

    @Argument(parsing: .allUnrecognized, help: "The query.", completion: .custom(CompletionLists.mailQuery))
    var query: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let text = QueryNoun.mail.line(try query.plainWords(of: "mail search save"), dates: context.dates)
        // Report errors now, not when the search is used.
        _ = try context.store().messageCount(try context.mailQueries.parse(text))
        let store = try context.store()
        _ = try store.change("save the search '\(name)'", command: "mail search save") { change in
            try change.saveSearch(name, query: text)
        }
        try context.present(
            SavedSearchReport(items: try store.savedSearches().filter { $0.name == name }.map(SavedSearchItem.init)))
    }
}

/// `helix mail search saved`
struct MailSearchSaved: ListingCommand {
    static let about = CommandConfiguration(commandName: "saved", abstract: "List the saved searches.")
    static let reports: [PrintedReport] = [.json(SavedSearchReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(SavedSearchReport(items: try context.store().savedSearches().map(SavedSearchItem.init)))
    }
}

/// `helix mail search delete`
struct MailSearchDelete: ChangingCommand {
    static let about = CommandConfiguration(commandName: "delete", abstract: "Delete a saved search.")
    static let reports: [PrintedReport] = [.json(SavedSearchReport.self)]

    @Argument(help: "Its name.", completion: .custom(CompletionLists.savedSearches))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        guard let found = try store.savedSearches().first(where: { $0.name.lowercased() == name.lowercased() }) else {
            throw HelixError(
                .notFound, "no saved search '\(name)'", hint: "'helix mail search saved' lists them.")
        }
        try store.change("delete the search '\(found.name)'", command: "mail search delete") { change in
            try change.deleteSearch(found.id)
        }
        var report = SavedSearchReport(items: [SavedSearchItem(search: found)])
        report.isDeleted = true
        try context.present(report)
    }
}

/// A saved search in a report.
struct SavedSearchItem: DescribedItem {
    let search: SavedSearch

    static let described = list {
        Field("kind", .choice(["search"]), "The kind of item.") { _ in EntityKind.search.rawValue }
        Field("id", .id, "Its identity.") { $0.search.id.text }
        Field("name", .string, "Its name, used as @name.") { $0.search.name }
        Field("query", .string, "Its query.") { $0.search.query }
    }

}

/// The saved searches.
struct SavedSearchReport: CuttableReport {
    static let schema = "helix.mail.searches/1"
    var items: [SavedSearchItem]
    var isTruncated = false
    var isDeleted = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if isDeleted {
            for item in items { canvas.line("Deleted '\(item.search.name)'. 'helix undo' restores it.") }
            return
        }
        if items.isEmpty {
            canvas.line(StyledText("No saved searches. 'helix mail search save NAME QUERY' saves one.", .dim))
        }
        var table = Table([.init(), .init(minimum: 10)])
        for item in items { table.row([StyledText("@" + item.search.name, .bold), StyledText(item.search.query)]) }
        table.draw(on: &canvas)
    }
}
