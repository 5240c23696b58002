import ArgumentParser
import HelixContacts
import HelixModel
import HelixStore

/// `helix contacts list`
struct ContactsList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List contacts by name.",
        discussion: """
            Without a query, all contacts. Fields: name: email: phone: org: book: group: is: has: id:; +group. \
            See helix-query(7).

              helix contacts list
              helix contacts list group:choir has:email --format '{name} <{email}>'
              helix contacts list is:group
            """)
    static let reports: [PrintedReport] = [.json(ContactsReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("A query.", valueName: "query"),
        completion: .custom(CompletionLists.contactQuery))
    var query: [String] = []

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.query, command.list, command.output) = (words, .unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        try context.listContacts(try context.contactQuery(try query.plainWords(of: "contacts list")), limit: 100)
    }
}

/// `helix contacts search`
struct ContactsSearch: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "search", abstract: "Search contacts.",
        discussion: """
            Searches names, nicknames, addresses, numbers, organizations, groups and notes. All words must match, as whole \
            words or prefixes; case and accents are ignored. The fields are those of 'helix contacts list'.

              helix contacts search ruiz
              helix contacts search 600123
              helix contacts search madrid -is:organization
            """)
    static let reports: [PrintedReport] = [.json(ContactsReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: ArgumentHelp("A query.", valueName: "query"),
        completion: .custom(CompletionLists.contactQuery))
    var query: [String]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let words = try query.plainWords(of: "contacts search")
        let asked = try context.contactQuery(words)
        if asked == .everything { throw HelixError(.usage, "no search terms", hint: "helix contacts search ruiz") }
        try context.listContacts(asked, limit: 25)
    }
}

extension CommandContext {
    /// Prints the contacts that match a query.
    /// - Parameter limit: the number that a person sees at a terminal.
    fileprivate func listContacts(_ query: ContactQuery, limit: Int) throws {
        let most = listLimit(limit)
        let found = try store().contacts(query, limit: most)
        let isNew = found.contacts.isEmpty && query == .everything
        try present(
            ContactsReport(
                items: try contactItems(found.contacts), isTruncated: found.isTruncated,
                nothing: isNew
                    ? "No contacts yet. 'helix contacts add' and 'helix contacts import' create them."
                    : "No contacts found."), ids: found.contacts.map(\.id))
    }
}
