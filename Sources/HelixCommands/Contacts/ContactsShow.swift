import ArgumentParser
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts show`
struct ContactsShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a contact, with mail, events, tasks and time.",
        discussion: """
            Everything that helix knows of a person: the fields of the contact, the last messages in both directions, the next and \
            last events with them, the tasks that are assigned to them and the time spent on those, and the last chat message.

              helix contacts show ana
              helix contacts show ana@example.com --json
              helix contacts show k3f7 --vcard
            """)
    static let reports: [PrintedReport] = [.json(ContactReport.self)]

    @Argument(
        help: ArgumentHelp("The contact: its id, name or address.", valueName: "contact"),
        completion: .custom(CompletionLists.contacts))
    var who: String

    @Flag(name: .long, help: "Print the vCard.")
    var vcard = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let contact = try context.contact(who)
        if vcard {
            try output.refuseMachine("vcard")
            return try context.write(String(decoding: contact.card.file, as: UTF8.self).replacing("\r\n", with: "\n"))
        }
        try context.presentContact(contact)
    }
}

extension CommandContext {
    /// Prints a contact with all that is known of it.
    func presentContact(_ contact: StoredContact) throws {
        let history = try contactHistory(contact.card.contact)
        let links = try store().links(of: contact.id).map { $0.a == contact.id ? $0.b : $0.a }.uniqued
        try present(
            ContactReport(items: [ContactDetails(stored: contact, history: history, links: links)]),
            ids: [contact.id] + history.ids)
    }
}

/// A contact with all its fields.
struct ContactDetails: DescribedItem {
    let stored: StoredContact
    let contact: Contact
    let history: ContactHistory
    let links: [EntityID]

    init(stored: StoredContact, history: ContactHistory, links: [EntityID]) {
        (self.stored, self.history, self.links) = (stored, history, links)
        var contact = stored.card.contact
        // The preferred ones first, as in lists.
        (contact.emails, contact.phones) = (Contact.ordered(contact.emails), Contact.ordered(contact.phones))
        self.contact = contact
    }

    private var summary: ContactItem {
        ContactItem(
            contact: ContactSummary(
                id: stored.id, kind: contact.kind, name: contact.name, organization: contact.organization,
                birthday: contact.birthday, emails: contact.emails.map(\.text), phones: contact.phones.map(\.text),
                groups: contact.categories, book: stored.book.name), links: links)
    }

    static let described =
        ContactItem.described.of { (item: ContactDetails) in item.summary }
        + list {
            Field("given_name", .string, required: false, "The given name.") { $0.contact.givenName.nonEmpty }.foreign
            Field("family_name", .string, required: false, "The family name.") { $0.contact.familyName.nonEmpty }
                .foreign
            Field("nicknames", .array(.string), "Nicknames.") { $0.contact.nicknames }.foreign
            Field("title", .string, required: false, "The position in the organization.") { $0.contact.title }.foreign
            Field("anniversary", .string, required: false, "The anniversary.") { $0.contact.anniversary?.text }
            values("addresses", "E-mail addresses with their labels.") { $0.contact.emails }
            values("numbers", "Telephone numbers with their labels.") { $0.contact.phones }
            values("places", "Postal addresses with their labels.") { $0.contact.places }
            values("pages", "Addresses of pages with their labels.") { $0.contact.pages }
            values("messengers", "Addresses of messengers with their labels.") { $0.contact.messengers }
            Field("members", .array(.string), "Members of a group: UIDs or addresses.") { $0.contact.members }
                .foreignUnlessWord
            Field("photo", .bool, "Whether it has a photo.") { $0.contact.hasPhoto }
            Field("notes", .string, required: false, "The notes.") { $0.contact.notes }.foreign
            Field("uid", .string, "The UID.") { $0.stored.uid }.foreignUnlessWord
            Field("messages", .integer, "Messages to and from the contact's addresses.") { $0.history.messageCount }
            Field("last", .time, required: false, "The last message in either direction, mail or chat.") {
                item, viewer in
                item.history.last.map(viewer.iso)
            }
            Field("events", .array(.id), "The next events with the contact, then past ones.") {
                $0.history.events.map(\.id.text)
            }
            Field("tasks", .array(.id), "Open tasks that are assigned to the contact.") {
                $0.history.tasks.map(\.id.text)
            }
            Field("spent", .integer, "Seconds of work on tasks that are assigned to the contact.") { $0.history.spent }
        }

    private static func values(
        _ name: String, _ summary: String, _ values: @escaping @Sendable (ContactDetails) -> [Contact.Value]
    ) -> ReportField<ContactDetails> {
        @Sendable func list(_ item: ContactDetails) -> [Contact.Value]? { values(item) }
        return Field(name, listing: list, summary) {
            ReportField<Contact.Value>("value", .string, "The value.") { $0.text }.foreign
            ReportField<Contact.Value>("labels", .array(.string), "Its labels.") { $0.labels }.foreignUnlessWord
        }
    }
}

extension String {
    /// The text; nil if it is empty.
    var nonEmpty: String? { isEmpty ? nil : self }
}

/// One contact in full.
struct ContactReport: Report {
    static let schema = "helix.contact/1"
    static let isList = false
    let items: [ContactDetails]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let item = items.first else { return }
        let contact = item.contact
        var title = StyledText(viewer.short(item.stored.id) + "  ", .dim)
        title.append(contact.name.isEmpty ? "(no name)" : contact.name, .bold)
        if contact.kind != .person { title.append("  \(contact.kind.rawValue)", .dim) }
        canvas.line(title.fitted(canvas.textWidth))
        func lines(_ values: [Contact.Value]) -> String {
            values.map { value in
                value.text + (value.labels.isEmpty ? "" : "  (\(value.labels.joined(separator: ", ")))")
            }.joined(separator: "\n")
        }
        row("Email", lines(contact.emails), &canvas)
        row("Phone", lines(contact.phones), &canvas)
        row("Organization", [contact.title, contact.organization].compactMap(\.self).joined(separator: ", "), &canvas)
        row("Nickname", contact.nicknames.joined(separator: ", "), &canvas)
        // A text that is no day is shown as it is.
        row("Birthday", contact.birthday.map { birthday($0, viewer) } ?? item.stored.card.first("BDAY")?.value, &canvas)
        row("Anniversary", contact.anniversary?.text, &canvas)
        row("Address", lines(contact.places), &canvas)
        row("Page", lines(contact.pages), &canvas)
        row("Messenger", lines(contact.messengers), &canvas)
        row("Groups", contact.categories.joined(separator: ", "), &canvas)
        row("Members", item.history.members.joined(separator: "\n"), &canvas)
        row("Photo", contact.hasPhoto ? "yes" : nil, &canvas)
        row("Book", item.stored.book.name, &canvas)
        if let notes = contact.notes {
            canvas.line()
            canvas.paragraph(notes, indent: 2)
        }
        item.history.draw(on: &canvas, for: viewer)
    }

    private func birthday(_ date: ContactDate, _ viewer: Viewer) -> String {
        let next = date.next(from: viewer.zone.civil(viewer.now).date)
        let age = next.age.map { $0 > 0 ? ", turns \($0)" : "" } ?? ""
        return "\(date.text)  (next \(DateWords.text(next.day))\(age))"
    }

    private func row(_ name: String, _ value: String?, _ canvas: inout Canvas) {
        canvas.field(name, value, indent: 16)
    }
}
