import ArgumentParser
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts delete`
struct ContactsDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete contacts.",
        discussion: """
            'helix undo' restores them, with their links and birthdays.

              helix contacts delete ana
              helix contacts delete k3f7 m2q9 --yes
            """)
    static let reports: [PrintedReport] = [.json(ContactsReport.self)]

    @Argument(
        help: ArgumentHelp("Contacts: ids, names or addresses.", valueName: "contact"),
        completion: .custom(CompletionLists.contacts))
    var who: [String]

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let contacts = try who.map { try context.contact($0) }
        let ids = contacts.map(\.id).uniqued
        let names = contacts.map { "'\($0.card.contact.name)'" }.uniqued.joined(separator: ", ")
        let store = try context.store()
        let summaries = try store.contacts(.any(ids.map { .id(EntityPrefix($0.text)) })).contacts
        // Deleted contacts have no short ids.
        let shortIDs = try store.shortIDs(ids)
        let items = try context.contactItems(summaries)
        try context.confirm("Delete \(names)?", yes: yes)
        try context.noteReadOnlyBooks(ids)
        try store.change("delete \(names)", command: "contacts delete") { change in
            for id in ids { try change.deleteContact(id) }
        }
        if !context.isDryRun {
            context.note(
                StyledText("Deleted \(EntityKind.contact.counted(ids.count)); 'helix undo' restores.", .dim))
        }
        try context.present(ContactsReport(items: items), shortIDs: shortIDs)
    }
}
