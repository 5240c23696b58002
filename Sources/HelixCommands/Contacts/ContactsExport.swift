import ArgumentParser
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts export`
struct ContactsExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export contacts for other programs.",
        discussion: """
            vCards are written as they are stored, with everything that helix does not show. The other forms have no place for \
            some fields; what they cannot express is named.

              helix contacts export -o contacts.vcf
              helix contacts export group:choir --format mutt -o ~/.mutt/aliases
              helix contacts export book:work --format csv -o work.csv
            """)
    static let reports: [PrintedReport] = []

    @Argument(
        help: ArgumentHelp("A query.", valueName: "query"), completion: .custom(CompletionLists.contactQuery))
    var query: [String] = []

    @Option(name: .long, help: ArgumentHelp("vcard, abook, mutt or csv; default: by the file.", valueName: "form"))
    var format: ContactFormat?

    @OptionGroup var target: ExportTarget
    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseLimit("an export is whole") }

    func run(in context: CommandContext) throws {
        try output.refuseMachine("what other programs read")
        let store = try context.store()
        var contacts: [StoredContact] = []
        try store.forEachContact(try context.contactQuery(query)) { contacts.append($0) }
        let form = format ?? (target.out?.lowercased().hasSuffix(".csv") == true ? .csv : .vcard)
        let plain = contacts.map(\.card.contact)
        let text: String
        switch form {
        case .vcard: text = contacts.map { String(decoding: $0.card.file, as: UTF8.self) }.joined()
        case .abook: text = AbookFormat.text(plain.filter { $0.kind != .group })
        case .csv: text = ContactTable.text(plain.filter { $0.kind != .group })
        case .mutt:
            let emails = Dictionary(
                contacts.compactMap { contact in contact.card.contact.email.map { (Self.plain(contact.uid), $0) } },
                uniquingKeysWith: { first, _ in first })
            text = MuttAliases.text(plain) { group in
                group.members.compactMap { $0.contains("@") ? $0 : emails[$0] }
            }
        }
        noteLosses(of: contacts, in: form, context)
        let written =
            switch form {
            case .vcard: contacts.count
            case .mutt: text.split(separator: "\n").count
            case .abook, .csv: plain.count { $0.kind != .group }
            }
        try target.write(text, of: written, "contact", "contacts", context)
    }

    private static func plain(_ uid: String) -> String {
        uid.hasPrefix("urn:uuid:") ? String(uid.dropFirst(9)) : uid
    }

    /// Names what a form has no place for.
    private func noteLosses(of contacts: [StoredContact], in form: ContactFormat, _ context: CommandContext) {
        if form == .vcard { return }
        var lost: [String] = []
        func count(_ noun: String, _ isLost: (Contact) -> Bool) {
            let number = contacts.count { isLost($0.card.contact) }
            if number > 0 { lost.append("\(noun) of \(EntityKind.contact.counted(number))") }
        }
        if form == .mutt {
            count("anything, without an address,") { $0.kind != .group && $0.email == nil }
            count("further addresses") { $0.emails.count > 1 }
            count("numbers") { !$0.phones.isEmpty }
            count("postal addresses") { !$0.places.isEmpty }
            count("pages") { !$0.pages.isEmpty }
            count("notes") { $0.notes != nil }
            count("groups") { !$0.categories.isEmpty }
            count("anniversaries") { $0.anniversary != nil }
        } else {
            count("members") { $0.kind == .group }
        }
        if form == .abook {
            count("further numbers") { $0.phones.count > 1 }
            count("further postal addresses") { $0.places.count > 1 }
        }
        if form != .csv {
            count("organizations and titles") { $0.organization != nil || $0.title != nil }
            count("birthdays") { $0.birthday != nil }
        }
        count("photos") { $0.hasPhoto }
        count("messengers") { !$0.messengers.isEmpty }
        let others = contacts.count { contact in
            contact.card.component.properties.contains { !Self.shown.contains(Self.plainName($0.name)) }
        }
        if others > 0 { lost.append("other properties of \(EntityKind.contact.counted(others))") }
        if lost.isEmpty { return }
        context.note(
            StyledText(
                "Cannot be written in this format (\(form.rawValue)): \(lost.joined(separator: ", ")).",
                TextStyle(.yellow)))
    }

    private static func plainName(_ name: String) -> String {
        name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The properties that are told of by their own words.
    private static let shown: Set<String> = [
        "VERSION", "UID", "REV", "PRODID", "FN", "N", "NICKNAME", "EMAIL", "TEL", "ADR", "URL", "IMPP", "ORG", "TITLE",
        "BDAY",
        "ANNIVERSARY", "X-ANNIVERSARY", "NOTE", "CATEGORIES", "PHOTO", "KIND", "MEMBER", "X-ADDRESSBOOKSERVER-KIND",
        "X-ADDRESSBOOKSERVER-MEMBER", "X-ABLABEL", "X-ABADR", "X-ABSHOWAS",
    ]
}
