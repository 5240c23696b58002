import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixContacts
import HelixModel
import HelixStore

/// The options with the fields of a contact.
struct ContactOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An e-mail address, also 'work:ana@example.com'; +x adds, -x removes.", valueName: "address")
    )
    var email: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A telephone number, also 'cell:+34 600'; '+:x' adds, '-x' removes.", valueName: "number"))
    var phone: [String] = []

    @Option(name: .long, help: ArgumentHelp("The organization.", valueName: "name"))
    var org: String?

    @Option(name: .customLong("title"), help: ArgumentHelp("The position in it.", valueName: "text"))
    var position: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("The birthday: 1996-04-15, or 'apr 15' without a year.", valueName: "date"))
    var birthday: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The anniversary.", valueName: "date"))
    var anniversary: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A postal address: 'street; city; region; code; country'.", valueName: "text"))
    var place: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("The address of a page.", valueName: "url"))
    var url: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("An address of a messenger: xmpp:ana@example.com.", valueName: "address"))
    var messenger: [String] = []

    @Option(name: .long, parsing: .unconditionalSingleValue, help: ArgumentHelp("A nickname.", valueName: "name"))
    var nickname: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A group that it belongs to.", valueName: "name"),
        completion: .custom(CompletionLists.contactGroups))
    var group: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("A member of the group: a contact or an address.", valueName: "who"),
        completion: .custom(CompletionLists.contacts))
    var member: [String] = []

    @Option(name: .long, help: ArgumentHelp("person, organization or group.", valueName: "kind"))
    var type: Contact.Kind?

    @Option(name: .long, help: ArgumentHelp("The notes.", valueName: "text"))
    var notes: String?

    @Option(
        name: .long, help: ArgumentHelp("A file with a photo; 'none' removes it.", valueName: "file"),
        completion: .file(extensions: ["jpg", "jpeg", "png", "gif", "webp"]))
    var photo: String?

    /// The changes that the options ask for.
    /// - Throws: ``HelixError`` of code `usage` for values that cannot be read.
    func changes(_ context: CommandContext) throws -> ContactChanges {
        var changes = ContactChanges()
        changes.emails = try Self.list(email) { try Self.email($0) }
        changes.phones = try Self.list(phone) { try Self.phone($0) }
        changes.places = try Self.list(place) { Self.labelled($0) }
        changes.pages = try Self.list(url) { try Self.page($0) }
        changes.messengers = try Self.list(messenger) { text in
            guard text.contains(":") else {
                throw HelixError(
                    .usage, "'\(text)' is no address of a messenger", hint: "Begin with its scheme: xmpp:\(text).")
            }
            return Contact.Value(text)
        }
        changes.nicknames = try Self.list(nickname) { $0 }
        changes.categories = try Self.list(group) { $0 }
        changes.members = try Self.list(member) { text in
            if text.contains("@") { return text }
            let uid = try context.contact(text).uid
            return uid.hasPrefix("urn:uuid:") ? String(uid.dropFirst(9)) : uid
        }
        changes.organization = org.map(Self.single)
        changes.title = position.map(Self.single)
        changes.notes = notes.map(Self.single)
        changes.birthday = try birthday.map { try Self.day($0, context) }
        changes.anniversary = try anniversary.map { try Self.day($0, context) }
        changes.kind = type
        if let photo { changes.photo = try Self.photo(photo) }
        return changes
    }

    /// Whether no option is set.
    var isEmpty: Bool {
        [email, phone, place, url, messenger, nickname, group, member].allSatisfy(\.isEmpty)
            && [org, position, birthday, anniversary, notes, photo].allSatisfy { $0 == nil } && type == nil
    }

    /// The change of a list: plain values replace it, `+x` adds x, `-x` removes x.
    private static func list<Element: Hashable & Sendable>(
        _ values: [String], _ read: (String) throws -> Element
    ) throws -> ListChange<Element> {
        var change = ListChange<Element>()
        for value in values.map({ $0.trimmingBlanks() }) {
            // A telephone number begins with a plus sign of its own, and is added as `+:+34 600`.
            if value.hasPrefix("+:") {
                change.additions.append(try read(String(value.dropFirst(2)).trimmingBlanks()))
            } else if value.hasPrefix("+"), value.dropFirst().first?.isNumber != true {
                change.additions.append(try read(String(value.dropFirst()).trimmingBlanks()))
            } else if value.hasPrefix("-") {
                change.removals.append(try read(String(value.dropFirst()).trimmingBlanks()))
            } else {
                let isNone = value.isEmpty || value.lowercased() == "none"
                if isNone, values.count > 1 {
                    throw HelixError(.usage, "'\(value)' removes all", hint: "Use it alone.")
                }
                change.replacement = (change.replacement ?? []) + (isNone ? [] : [try read(value)])
            }
        }
        return change
    }

    /// A text that replaces the former one; `none` removes it.
    private static func single(_ text: String) -> String { text.lowercased() == "none" ? "" : text }

    /// A value with a label before a colon.
    private static func labelled(_ text: String) -> Contact.Value {
        guard let colon = text.firstIndex(of: ":") else { return Contact.Value(text) }
        let label = text[..<colon].lowercased().trimmingBlanks()
        guard !label.isEmpty, label.count <= 20, label.allSatisfy({ $0.isLetter || $0 == " " || $0 == "-" }) else {
            return Contact.Value(text)
        }
        let value = String(text[text.index(after: colon)...]).trimmingBlanks()
        return Contact.Value(value, labels: [label == "mobile" ? "cell" : label])
    }

    /// - Throws: ``HelixError`` of code `usage`.
    static func email(_ text: String) throws -> Contact.Value {
        let value = labelled(text)
        let halves = value.text.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty, !value.text.contains(where: \.isWhitespace),
            !value.text.contains(where: { "<>,;\"".contains($0) })
        else {
            throw HelixError(.usage, "'\(value.text)' is not an e-mail address", hint: "Write it as ana@example.com.")
        }
        return value
    }

    static func phone(_ text: String) throws -> Contact.Value {
        let value = labelled(text)
        guard value.text.contains(where: \.isNumber) else {
            throw HelixError(
                .usage, "'\(value.text)' is not a telephone number", hint: "Write it as '+34 600 123 456'.")
        }
        return value
    }

    private static func page(_ text: String) throws -> Contact.Value {
        guard !text.contains(where: \.isWhitespace), text.contains(".") || text.contains(":") else {
            throw HelixError(.usage, "'\(text)' is not an address of a page")
        }
        return Contact.Value(text.contains(":") ? text : "https://" + text)
    }

    /// A day of each year; `none` removes it. Without a year in the text the year stays unknown.
    private static func day(_ text: String, _ context: CommandContext) throws -> String {
        let plain = single(text.trimmingBlanks())
        if plain.isEmpty { return "" }
        let written = ContactDate(plain)
        let hasYear = written.map { $0.year != nil } ?? plain.split { !$0.isNumber }.contains { $0.count == 4 }
        let day = try written.map { $0.day(in: $0.year ?? 2000) } ?? context.dates.looking(.back).date(plain)
        guard let date = ContactDate(year: hasYear ? day.year : nil, month: day.month, day: day.day) else {
            throw HelixError(.usage, "'\(text)' is not a day", hint: "Write it as 1996-04-15.")
        }
        if hasYear, day > context.today {
            throw HelixError(.usage, "'\(text)' is in the future", hint: "Write it as 1996-04-15.")
        }
        return date.text
    }

    private static func photo(_ path: String) throws -> (bytes: [UInt8], subtype: String) {
        if path.lowercased() == "none" { return ([], "") }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw HelixError(.notFound, "the file \(path) does not exist, or cannot be read")
        }
        let bytes = [UInt8](data)
        let kinds: [(head: [UInt8], subtype: String)] = [
            ([0xFF, 0xD8, 0xFF], "jpeg"), ([0x89, 0x50, 0x4E, 0x47], "png"), ([0x47, 0x49, 0x46, 0x38], "gif"),
            ([0x52, 0x49, 0x46, 0x46], "webp"),
        ]
        guard let kind = kinds.first(where: { bytes.starts(with: $0.head) }) else {
            throw HelixError(.badInput, "\(path) is no image", hint: "Use a JPEG, PNG, GIF or WebP file.")
        }
        guard bytes.count <= 2 << 20 else {
            throw HelixError(
                .badInput, "\(path) is larger than 2 MB, which servers refuse", hint: "Use a smaller copy.")
        }
        return (bytes, kind.subtype)
    }
}

extension Contact.Kind: ExpressibleByArgument {}
