import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts add`
struct ContactsAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a contact.",
        discussion: """
            The words are the name, with e-mail addresses and telephone numbers after it. A label stands before a colon: \
            'work:ana@example.com'. A contact with the same address is named, and --force adds another one.

              helix contacts add Ana Ruiz ana@example.com cell:+34600123456
              helix contacts add "Ana Ruiz" --birthday 1996-04-15 --group choir
              helix contacts add Choir --member ana --member bo@example.com
            """)
    static let reports: [PrintedReport] = [.json(ContactsReport.self)]

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Name, addresses and numbers.", valueName: "words"))
    var words: [String]

    @Option(
        name: [.customShort("b"), .long], help: ArgumentHelp("The address book.", valueName: "name"),
        completion: .custom(CompletionLists.addressBooks))
    var book: String?

    @Flag(name: .long, help: "Add it even if another contact has the same address.")
    var force = false

    @OptionGroup var contact: ContactOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        var fields = try contact.changes(context)
        let line = try ContactLine(try words.plainWords(of: "contacts add"))
        fields.emails.additions += line.emails
        fields.phones.additions += line.phones
        guard let name = line.name ?? fields.organization.flatMap({ $0.isEmpty ? nil : $0 }) else {
            throw HelixError(.usage, "a contact needs a name", hint: "helix contacts add \"Ana Ruiz\" ana@example.com")
        }
        fields.name = name
        if fields.kind == nil, !fields.members.additions.isEmpty || fields.members.replacement != nil {
            fields.kind = .group
        }
        var card = VCard(uid: UUID().uuidString.lowercased())
        card.apply(fields, now: context.now)
        let made = card.contact
        if !force {
            for email in made.emails {
                guard let other = try store.contact(email: email.text) else { continue }
                let known = try store.contact(other)
                let id = try store.shortIDs([other])[other] ?? ""
                throw HelixError(
                    .conflict, "'\(known.card.contact.name)' has the address \(email.text) already",
                    hint: "Change it: helix contacts edit \(id). Or pass --force to add another contact.")
            }
        }
        let id = try store.change("add the contact '\(made.name)'", command: "contacts add") { change in
            let target = try book.map { try change.addressBook(named: $0) } ?? change.defaultAddressBook()
            return try change.createContact(card, in: target.id)
        }
        try context.noteReadOnlyBooks([id])
        try context.presentContacts([id])
    }
}

/// The words of a new contact: its name, addresses and numbers in any order.
struct ContactLine {
    private(set) var name: String?
    private(set) var emails: [Contact.Value] = []
    private(set) var phones: [Contact.Value] = []

    /// - Throws: ``HelixError`` of code `usage`.
    init(_ words: [String]) throws {
        var names: [String] = []
        var number: [String] = []
        func finish(_ phones: inout [Contact.Value]) throws {
            if number.isEmpty { return }
            phones.append(try ContactOptions.phone(number.joined(separator: " ")))
            number = []
        }
        for word in words.flatMap({ $0.split(whereSeparator: \.isWhitespace).map(String.init) }) {
            let value = word.trimming { "<>,".contains($0) }
            if value.contains("@") {
                try finish(&phones)
                emails.append(try ContactOptions.email(value))
            } else if Self.isNumber(value, begun: !number.isEmpty) {
                if value.contains(":") || value.hasPrefix("+") { try finish(&phones) }
                number.append(value)
            } else {
                try finish(&phones)
                names.append(word)
            }
        }
        try finish(&phones)
        let joined = names.joined(separator: " ").trimming { $0 == "," || $0 == "\"" || $0.isWhitespace }
        name = joined.isEmpty ? nil : joined
    }

    /// Whether a word is a telephone number, or a part of one that has begun.
    private static func isNumber(_ word: String, begun: Bool) -> Bool {
        let digits = word.split(separator: ":", maxSplits: 1).last.map(String.init) ?? word
        let plain = digits.drop { $0 == "+" }
        guard !plain.isEmpty, plain.contains(where: \.isNumber),
            plain.allSatisfy({ $0.isNumber || "()/.-".contains($0) })
        else { return false }
        return begun || digits.hasPrefix("+") || plain.count { $0.isNumber } >= 6
            || word.contains(":") && !word.hasPrefix(":")
    }
}

extension CommandContext {
    /// Notes that contacts belong to a server that is only read.
    func noteReadOnlyBooks(_ ids: [EntityID]) throws {
        let books = try store().addressBooks().filter(\.isReadOnly)
        if books.isEmpty { return }
        for id in ids {
            guard let book = try? store().contact(id).book, books.contains(where: { $0.id == book.id }) else {
                continue
            }
            return note(
                StyledText(
                    "'\(book.name)' is read-only on its server: this change stays on this device.", TextStyle(.yellow)))
        }
    }
}
