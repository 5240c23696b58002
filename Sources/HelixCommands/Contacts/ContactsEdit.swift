import ArgumentParser
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts edit`
struct ContactsEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit a contact.",
        discussion: """
            Changes only the given fields; everything else, including unknown properties, is kept. In lists '+x' adds, '-x' \
            removes, and a plain value replaces all; 'none' empties a field. Without options, opens the contact in your \
            editor.

              helix contacts edit ana
              helix contacts edit ana --email +home:ana@a.example --phone -600123456
              helix contacts edit ana --name "Ana Ruiz-Li" --birthday 1996-04-15
              helix contacts edit choir --member +bo --book friends
            """)
    static let reports: [PrintedReport] = [.json(ContactsReport.self)]

    @Argument(
        help: ArgumentHelp("The contact: its id, name or address.", valueName: "contact"),
        completion: .custom(CompletionLists.contacts))
    var who: String

    @Option(name: .long, help: ArgumentHelp("The name.", valueName: "text"))
    var name: String?

    @Option(
        name: [.customShort("b"), .long], help: ArgumentHelp("Move it to this address book.", valueName: "name"),
        completion: .custom(CompletionLists.addressBooks))
    var book: String?

    @OptionGroup var contact: ContactOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let stored = try context.contact(who)
        if contact.isEmpty, name == nil, book == nil {
            guard context.canEdit else {
                throw HelixError(
                    .usage, "no changes given",
                    hint: "Pass --name, --email, --phone… On a terminal the editor opens instead.")
            }
            return try openEditor(stored, context)
        }
        if let name, !name.hasIndexedWord { throw HelixError(.usage, "a contact needs a name") }
        var fields = try contact.changes(context)
        fields.name = name
        try save(stored, fields, context)
    }

    private func save(_ stored: StoredContact, _ fields: ContactChanges, _ context: CommandContext) throws {
        try refuseMissing(fields, stored.card.contact)
        var card = stored.card
        card.apply(fields, now: context.now)
        let title = card.contact.name
        try context.store().change("edit the contact '\(title)'", command: "contacts edit") { change in
            if card != stored.card { try change.updateContact(stored.id, card) }
            if let book { try change.moveContact(stored.id, to: try change.addressBook(named: book).id) }
        }
        try context.noteReadOnlyBooks([stored.id])
        try context.presentContacts([stored.id])
    }

    /// Rejects removals of values that the contact does not have.
    private func refuseMissing(_ fields: ContactChanges, _ contact: Contact) throws {
        func refuse(_ gone: [String], _ known: [String], _ noun: String, isSame: (String, String) -> Bool) throws {
            for value in gone where !known.contains(where: { isSame($0, value) }) {
                throw HelixError(
                    .usage, "'\(contact.name)' has no \(noun) '\(value)'",
                    hint: known.isEmpty ? nil : "It has: \(known.joined(separator: ", ")).")
            }
        }
        func same(_ a: String, _ b: String) -> Bool { a.lowercased() == b.lowercased() }
        try refuse(fields.emails.removals.map(\.text), contact.emails.map(\.text), "address", isSame: same)
        try refuse(
            fields.phones.removals.map(\.text), contact.phones.map(\.text), "number",
            isSame: ContactIdentity.isSamePhone)
        try refuse(fields.categories.removals, contact.categories, "group", isSame: same)
        try refuse(fields.nicknames.removals, contact.nicknames, "nickname", isSame: same)
        try refuse(fields.pages.removals.map(\.text), contact.pages.map(\.text), "page", isSame: same)
        try refuse(fields.messengers.removals.map(\.text), contact.messengers.map(\.text), "messenger", isSame: same)
        try refuse(fields.members.removals, contact.members, "member", isSame: same)
    }

    /// Opens the editor on a contact, and applies the changes as if they were given as options.
    private func openEditor(_ stored: StoredContact, _ context: CommandContext) throws {
        let contact = stored.card.contact
        func list(_ values: [Contact.Value]) -> String {
            values.map { value in (value.labels.first.map { $0 + ":" } ?? "") + value.text }.joined(separator: ", ")
        }
        let form = EditorForm(
            heading: ["The contact \(stored.id.text.prefix(6)): edit the fields, save and quit the editor."],
            fields: [
                .init(name: "name", value: contact.name),
                .init(
                    name: "emails", value: list(contact.emails),
                    comment: "A label stands before a colon: work:ana@example.com."),
                .init(name: "phones", value: list(contact.phones)),
                .init(name: "organization", value: contact.organization ?? ""),
                .init(name: "title", value: contact.title ?? ""),
                .init(name: "birthday", value: contact.birthday?.text ?? "", comment: "1996-04-15, or --04-15."),
                .init(name: "anniversary", value: contact.anniversary?.text ?? ""),
                .init(name: "nicknames", value: contact.nicknames.joined(separator: ", ")),
                .init(name: "groups", value: contact.categories.joined(separator: ", ")),
                .init(name: "pages", value: contact.pages.map(\.text).joined(separator: ", ")),
            ], notes: contact.notes ?? "")
        try context.edit(stored.id, form) { changed, notes in
            var options = self.contact
            // Only additions and removals are applied: what the form does not show is kept.
            func items(_ name: String) -> [String] {
                guard let new = form.list(name, changed) else { return [] }
                return new.gone.map { "-" + $0 } + new.come.map { "+:" + $0 }
            }
            func text(_ name: String) -> String? { changed[name].map { $0.value.isEmpty ? "none" : $0.value } }
            (options.email, options.phone, options.nickname) = (items("emails"), items("phones"), items("nicknames"))
            (options.group, options.url) = (items("groups"), items("pages"))
            (options.org, options.position) = (text("organization"), text("title"))
            (options.birthday, options.anniversary) = (text("birthday"), text("anniversary"))
            options.notes = notes.map { $0.isEmpty ? "none" : $0 }
            var fields = try options.changes(context)
            if let name = changed["name"]?.value {
                guard name.hasIndexedWord else { throw HelixError(.usage, "a contact needs a name") }
                fields.name = name
            }
            try self.save(stored, fields, context)
        }
    }
}
