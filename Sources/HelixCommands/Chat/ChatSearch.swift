import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat search`
struct ChatSearch: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Search chat messages.",
        discussion: """
            All words must match. "a phrase", prefix*, (a or b), -word or not word to exclude. \
            Fields: from: in: filename:; has:attachment, is:unread; after: before: date: a day or range.

            Case and accents are ignored; text without word boundaries matches by any part. Newest first.

              helix chat search keys
              helix chat search 'invoice from:ana after:2026-11-01'
              helix chat search --in House has:attachment
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "Search terms.", completion: .custom(CompletionLists.chatQuery))
    var query: [String]

    @Option(
        name: .customLong("in"), help: ArgumentHelp("Only in this conversation.", valueName: "conversation"),
        completion: .custom(CompletionLists.conversations))
    var place: String?

    @Flag(name: .long, help: "Print the number of matches.")
    var count = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.query, command.place, command.count) = (words, nil, false)
        (command.list, command.output) = (.unset, .unset)
        return command
    }

    func validate() throws {
        if list.ids && count { throw ValidationError("--ids and --count exclude each other.") }
        if count || list.ids { try output.refuseMachine(count ? "a number" : "ids") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let words = try query.plainWords(of: "chat search")
        let asked = try context.chatQueries.parse(QueryNoun.chat.line(words, dates: context.dates))
        let inside = try place.map { try context.conversation($0).id }
        if count { return try context.write("\(try store.chatCount(asked, in: inside))\n") }
        let limit = context.listLimit(50)
        let found = try store.searchChat(asked, in: inside, limit: limit + 1)
        if list.ids, !list.readsAll {
            return try context.write(found.prefix(limit).map { $0.message.id.text + "\n" }.joined())
        }
        let items = found.prefix(limit).map {
            ChatMessageItem(message: $0.message, conversation: $0.conversation, excerpt: $0.excerpt, isLocal: true)
        }
        try context.present(
            ChatReport(
                items: items, isTruncated: found.count > limit, nothing: "Nothing found.", showsConversation: true),
            ids: items.map(\.message.id))
        if found.count > limit { context.note(StyledText("More matches: --limit \(limit * 4), or more words.", .dim)) }
    }
}

extension CommandContext {
    /// The parser of the search language; 'me' means the user's own name in any account.
    var chatQueries: MailQueryParser {
        let names = (try? store().accounts())?.compactMap { try? chatName(account: $0) } ?? []
        return MailQueryParser(noun: .chat, dates: dates, own: ["me"] + names)
    }
}
