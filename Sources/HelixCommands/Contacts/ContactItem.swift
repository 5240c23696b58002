import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// A contact in a list.
struct ContactItem: DescribedItem {
    let contact: ContactSummary
    var links: [EntityID] = []

    static let described = list {
        Field("kind", .choice(["contact"]), "The kind of the item.") { _ in EntityKind.contact.rawValue }
        Field("id", .id, "The contact's identity.") { $0.contact.id }
        Field("name", .string, "The name.") { $0.contact.name }.foreign
        Field("type", .choice(Contact.Kind.allCases.map(\.rawValue)), "A person, an organization or a group.") {
            $0.contact.kind.rawValue
        }
        Field("email", .string, required: false, "The address to write to.") { $0.contact.emails.first }
            .foreignUnlessWord
        Field("phone", .string, required: false, "The number to call.") { $0.contact.phones.first }.foreign
        Field("emails", .array(.string), "All e-mail addresses, the preferred one first.") { $0.contact.emails }
            .foreignUnlessWord
        Field("phones", .array(.string), "All telephone numbers, the preferred one first.") { $0.contact.phones }
            .foreign
        Field("organization", .string, required: false, "The organization.") { $0.contact.organization }.foreign
        Field("birthday", .string, required: false, "The birthday: 1996-04-15, or --04-15 without a year.") {
            $0.contact.birthday?.text
        }
        Field("groups", .array(.string), "The groups that the contact names.") { $0.contact.groups }.foreignUnlessWord
        Field("book", .string, "The address book.") { $0.contact.book }
        Field("links", .array(.id), "Identities of entities it is linked with.") { $0.links.map(\.text) }
    }
}

/// Contacts.
struct ContactsReport: OrderedReport {
    static let schema = "helix.contacts/1"
    var items: [ContactItem]
    var isTruncated = false
    /// The line in place of an empty list.
    var nothing = "No contacts found."

    func limited(to count: Int) -> ContactsReport {
        ContactsReport(
            items: Array(items.prefix(count)), isTruncated: isTruncated || items.count > count, nothing: nothing)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText(nothing, .dim)) }
        var table = Table([
            .init(), .init("name", minimum: 10), .init("email", minimum: 12), .init("phone", importance: 1),
            .init("organization", importance: 2),
        ])
        for contact in items.map(\.contact) {
            let name = contact.name.isEmpty ? "(no name)" : contact.name
            var title = StyledText(name, .bold)
            if contact.kind == .group { title.append("  group", .dim) }
            func first(_ values: [String]) -> StyledText {
                var text = StyledText(values.first ?? "")
                if values.count > 1 { text.append(" +\(values.count - 1)", .dim) }
                return text
            }
            table.row([
                StyledText(viewer.short(contact.id), .dim), title, first(contact.emails), first(contact.phones),
                StyledText(contact.organization ?? "", .dim),
            ])
        }
        if !items.isEmpty { table.draw(on: &canvas) }
        if isTruncated { canvas.line(StyledText("More contacts: raise --limit or narrow the query.", .dim)) }
    }
}

extension CommandContext {
    /// Contacts as items, with what they are linked with.
    func contactItems(_ contacts: [ContactSummary]) throws -> [ContactItem] {
        guard output.isMachine else { return contacts.map { ContactItem(contact: $0) } }
        let links = try store().partners(of: Set(contacts.map(\.id)))
        return contacts.map { ContactItem(contact: $0, links: links[$0.id] ?? []) }
    }

    /// Prints contacts that were written.
    func presentContacts(_ ids: [EntityID]) throws {
        if ids.isEmpty { return try present(ContactsReport(items: [], nothing: "Nothing was changed.")) }
        let query = ContactQuery.any(ids.map { .id(EntityPrefix($0.text)) })
        let found = try store().contacts(query).contacts
        try present(ContactsReport(items: try contactItems(found)), ids: found.map(\.id))
    }
}
