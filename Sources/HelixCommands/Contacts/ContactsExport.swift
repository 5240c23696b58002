import ArgumentParser
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
        noteLosses(of: plain, in: form, context)
        try target.write(text, of: contacts.count, "contact", "contacts", context)
    }

    private static func plain(_ uid: String) -> String {
        uid.hasPrefix("urn:uuid:") ? String(uid.dropFirst(9)) : uid
    }

    /// Names what a form has no place for.
    private func noteLosses(of contacts: [Contact], in form: ContactFormat, _ context: CommandContext) {
        if form == .vcard { return }
        var lost: [String] = []
        func count(_ one: String, _ many: String, _ isLost: (Contact) -> Bool) {
            let number = contacts.count(where: isLost)
            if number > 0 { lost.append("\(number) \(number == 1 ? one : many)") }
        }
        if form == .mutt {
            count("contact without an address", "contacts without an address") { $0.kind != .group && $0.email == nil }
            count("further address", "contacts with further addresses") { $0.emails.count > 1 }
            count("contact with numbers", "contacts with numbers") { !$0.phones.isEmpty }
        } else {
            count("group", "groups") { $0.kind == .group }
        }
        if form == .abook {
            count("contact with an organization", "contacts with an organization") { $0.organization != nil }
        }
        if form != .csv { count("birthday", "birthdays") { $0.birthday != nil } }
        count("photo", "photos") { $0.hasPhoto }
        count("contact with messengers", "contacts with messengers") { !$0.messengers.isEmpty }
        if lost.isEmpty { return }
        context.note(
            StyledText(
                "Cannot be written in this format (\(form.rawValue)): \(lost.joined(separator: ", ")).",
                TextStyle(.yellow)))
    }
}
