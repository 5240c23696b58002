import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts books`
struct ContactsBooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "books", abstract: "List and change address books.",
        subcommands: [BooksList.self, BooksAdd.self, BooksRename.self, BooksDelete.self, BooksDefault.self],
        defaultSubcommand: BooksList.self)
}

/// `helix contacts books list`
struct BooksList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List address books.")
    static let reports: [PrintedReport] = [.json(AddressBooksReport.self)]
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(AddressBooksReport(items: try context.addressBookItems()))
    }
}

/// `helix contacts books add`
struct BooksAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Create an address book.",
        discussion: """
            The address book is local; with --account the next sync creates it on that account's server.

              helix contacts books add friends
              helix contacts books add work --account office
            """)
    static let reports: [PrintedReport] = [.json(AddressBooksReport.self)]

    @Argument(help: "Name of the address book.")
    var name: String

    @Option(
        name: .long, help: ArgumentHelp("Create it on the server of this account, too.", valueName: "name"),
        completion: .custom(CompletionLists.allAccounts))
    var account: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let other = try account.map { try context.contactAccount($0) }
        try context.changeBooks("add address book '\(name)'", "contacts books add") { change in
            let made = try change.addAddressBook(name)
            if let other {
                try change.remoteCalendars.addWaiting(calendar: nil, board: nil, book: made.id, of: other)
            }
            return made.id
        }
        if let other { context.note("'helix sync' creates it on the server or in the folder of '\(other.name)'.") }
    }
}

/// `helix contacts books rename`
struct BooksRename: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rename", abstract: "Rename an address book on this device.",
        discussion: "  helix contacts books rename personal family")
    static let reports: [PrintedReport] = [.json(AddressBooksReport.self)]

    @Argument(help: "The address book.", completion: .custom(CompletionLists.addressBooks))
    var name: String

    @Argument(help: "Its new name.")
    var newName: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBooks("rename address book '\(name)' to '\(newName)'", "contacts books rename") { change in
            let id = try change.addressBook(named: name).id
            try change.renameAddressBook(id, to: newName)
            return id
        }
    }
}

/// `helix contacts books default`
struct BooksDefault: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "default", abstract: "Set the default address book for new contacts.",
        discussion: "  helix contacts books default work")
    static let reports: [PrintedReport] = [.json(AddressBooksReport.self)]

    @Argument(help: "The address book.", completion: .custom(CompletionLists.addressBooks))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeBooks("make '\(name)' the default address book", "contacts books default") { change in
            let id = try change.addressBook(named: name).id
            try change.setDefaultAddressBook(id)
            return id
        }
    }
}

/// `helix contacts books delete`
struct BooksDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete an address book and its contacts.",
        discussion: "'helix undo' restores it with all its contacts.\n\n  helix contacts books delete old --yes")
    static let reports: [PrintedReport] = [.json(AddressBooksReport.self)]

    @Argument(help: "The address book.", completion: .custom(CompletionLists.addressBooks))
    var name: String

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let book = try store.addressBook(named: name)
        let count = try store.contactCounts()[book.id] ?? 0
        let contacts = EntityKind.contact.counted(count)
        try context.confirm("Delete the address book '\(book.name)' with its \(contacts)?", yes: yes)
        try store.change("delete address book '\(book.name)'", command: "contacts books delete") { change in
            try change.deleteAddressBook(book.id)
        }
        if !context.isDryRun { context.note("Deleted '\(StyledText(book.name).plain)' with \(contacts).") }
        try context.present(AddressBooksReport(items: try context.addressBookItems()))
    }
}

/// An address book with the number of its contacts.
struct AddressBookItem: DescribedItem {
    let book: AddressBook
    let count: Int

    static let described = list {
        Field("kind", .choice(["address_book"]), "The kind of the item.") { _ in EntityKind.addressBook.rawValue }
        Field("id", .id, "The address book's identity.") { $0.book.id }
        Field("name", .string, "Its name.") { $0.book.name }
        Field("default", .bool, "Whether it is the default address book for new contacts.") { $0.book.isDefault }
        Field("read_only", .bool, "Whether it is read-only on its server.") { $0.book.isReadOnly }
        Field("contacts", .integer, "Number of contacts.") { $0.count }
        Field("links", .array(.id), "Identities of entities it is linked with.") { _ in [String]() }
    }
}

/// Address books.
struct AddressBooksReport: CuttableReport {
    static let schema = "helix.contacts.books/1"
    var items: [AddressBookItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.line(
                StyledText("No address books yet. 'helix contacts add' and 'helix contacts import' create one.", .dim))
        }
        var table = Table([.init(minimum: 8), .init(right: true), .init()])
        for (book, count) in items.map({ ($0.book, $0.count) }) {
            let notes = [book.isDefault ? "default" : nil, book.isReadOnly ? "read-only" : nil].compactMap(\.self)
            table.row([
                StyledText(book.name, .bold), StyledText(EntityKind.contact.counted(count)),
                StyledText(notes.joined(separator: ", "), .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}

extension CommandContext {
    /// All address books with the numbers of their contacts, or the one with an ID.
    /// - Throws: ``HelixError``.
    func addressBookItems(_ id: EntityID? = nil) throws -> [AddressBookItem] {
        let counts = try store().contactCounts()
        return try store().addressBooks().filter { id == nil || $0.id == id }
            .map { AddressBookItem(book: $0, count: counts[$0.id] ?? 0) }
    }

    /// The account named `name`, to which address books can be added.
    /// - Throws: ``HelixError``: `notFound`; `usage` for an account without address books, or a read-only one.
    fileprivate func contactAccount(_ name: String) throws -> Account {
        let account = try store().account(named: name)
        guard account.kind == .carddav || account.kind == .vdir, account.settings.isReadOnly != true else {
            throw HelixError(
                .usage,
                account.kind == .carddav || account.kind == .vdir
                    ? "'\(account.name)' is read-only" : "'\(account.name)' has no address books",
                hint: "'helix account list' shows the kind of each account.")
        }
        return account
    }

    fileprivate func changeBooks(_ summary: String, _ command: String, _ body: (Change) throws -> EntityID) throws {
        let id = try store().change(summary, command: command, body)
        try present(AddressBooksReport(items: try addressBookItems(id)))
    }
}
