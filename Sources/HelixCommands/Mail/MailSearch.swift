import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail search`
struct MailSearch: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Find messages.",
        discussion: """
            Words must all be there; "a phrase", pre*, or, ( ), and - or not before what must not be there. Fields:

              from: to: with: subject: body: filename:      words in them; 'me' is you
              is:unread|read|starred|answered|draft         has:attachment|invitation
              in:archive  account:home  label:billing  list:swift
              after:2026-01-01  before:fri  date:2026-11    larger:1M  smaller:10k  id:k3f7

            Accents and case do not matter, and scripts without blanks are found by any part.

              helix mail search invoice from:ana -draft
              helix mail search 'subject:"site visit" (has:attachment or larger:1M)' --by rank
              helix mail search is:unread --count
            """)

    @Argument(parsing: .allUnrecognized, help: "What to look for.")
    var query: [String]

    @Option(name: .long, help: ArgumentHelp("Order by date or by rank.", valueName: "order"))
    var by: String = MailOrder.date.rawValue

    @Flag(name: .long, help: "Print only how many there are.")
    var count = false

    @Flag(name: .long, help: "Print only their ids, one a line.")
    var ids = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.query, command.by, command.count, command.ids) = (words, MailOrder.date.rawValue, false, false)
        (command.mail, command.output) = (.unset, .unset)
        return command
    }

    func validate() throws {
        if MailOrder(rawValue: by) == nil { throw ValidationError("--by takes date or rank, not '\(by)'.") }
        if count || ids { try output.refuseMachine(count ? "a number" : "ids") }
        if let unknown = query.first(where: { $0.hasPrefix("--") && $0.count > 2 }) {
            throw ValidationError("There is no option '\(unknown)'.")
        }
    }

    func run(in context: CommandContext) throws {
        let asked = try context.mailQueries.parse(query.joined(separator: " "))
        if count { return try context.write("\(try context.mailStore(mail).messageCount(asked))\n") }
        let order = MailOrder(rawValue: by) ?? .date
        if ids {
            let found = try context.mailStore(mail).messages(asked, order: order, limit: output.limit ?? 1_000_000)
            return try context.write(found.map { $0.id.text + "\n" }.joined())
        }
        try context.presentMail(asked, mail, order: order, snippets: true, nothing: "Nothing found.")
    }
}
