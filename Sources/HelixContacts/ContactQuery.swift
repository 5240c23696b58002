import HelixModel

/// A parsed query for contacts.
public indirect enum ContactQuery: QueryTree, Hashable, Sendable {
    case everything
    case all([ContactQuery])
    case any([ContactQuery])
    case not(ContactQuery)
    /// Words, the last one possibly a prefix; in the name alone, or in all texts.
    case words(String, inName: Bool, isPrefix: Bool)
    /// Contacts whose whole name, or one of whose nicknames, it is.
    case called(String)
    /// Part of an e-mail address.
    case email(String)
    /// Digits of a telephone number.
    case phone(String)
    /// Part of an organization.
    case organization(String)
    /// Contacts in an address book of that name.
    case book(String)
    /// Contacts in a group, by a category of their own or as its members.
    case group(String)
    /// Contacts without a group of their own.
    case ungrouped
    case kind(Contact.Kind)
    case trait(Trait)
    /// Contacts whose id has the prefix.
    case id(EntityPrefix)

    /// A part that a contact has or lacks.
    public enum Trait: String, Hashable, Sendable, CaseIterable {
        case email
        case phone
        case birthday
        case organization
    }
}

extension QueryNoun {
    /// The query fields of contacts.
    public static let contacts = QueryNoun(
        "contacts", tags: .plus, hasSavedQueries: false,
        example: "ana email:example.com org:water group:choir has:phone -is:organization",
        fields: [
            QueryField("name", .words, "Words of the name."),
            QueryField("email", .name, also: ["mail", "address"], "Part of an e-mail address."),
            QueryField("phone", .name, also: ["tel"], "Digits of a telephone number."),
            QueryField("org", .name, also: ["organization", "company"], "Part of an organization."),
            QueryField("book", .name, also: ["in"], "An address book."),
            QueryField("group", .name, also: ["tag", "category"], canBeNone: true, "A group, as +group."),
            QueryField(
                "is", .choice(["person", "organization|company", "group"]), "The kind: is:person, is:group."),
            QueryField(
                "has", .choice(["email|mail", "phone|tel", "birthday", "organization|org"]), "A part: has:phone."),
            QueryField("id", .id, "The beginning of its id."),
        ])
}

/// The parser of queries for contacts.
public struct ContactQueryParser {
    private let parser: QueryParser<ContactQuery>

    /// Creates a parser.
    public init(dates: DatePhraseParser) {
        parser = QueryParser(noun: .contacts, dates: dates) { try ContactQuery($0) }
    }

    /// Parses a query.
    /// - Throws: ``HelixError`` of code `usage` with the position of the error.
    public func parse(_ text: String) throws -> ContactQuery { try parser.query(text) }
}

extension ContactQuery {
    /// The condition of a term of ``QueryNoun/contacts``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm) throws {
        switch term {
        case .words(let text, let isQuoted, let isPrefix):
            self = try ContactQuery.words(text, inName: false, isPrefix || !isQuoted)
        case .tag(let name): self = .group(name)
        case .field("name", _, .text(let text, let isQuoted)):
            let plain = text.hasSuffix("*") && !isQuoted ? String(text.dropLast()) : text
            self = try ContactQuery.words(plain, inName: true, !isQuoted)
        case .field("email", _, .text(let text, _)): self = .email(text)
        case .field("phone", _, .text(let text, _)):
            guard text.contains(where: { $0.isASCII && $0.isNumber }) else {
                throw HelixError(.usage, "no digit in '\(text)'", hint: "Search for digits: phone:600123.")
            }
            self = .phone(text.filter { $0.isASCII && $0.isNumber })
        case .field("org", _, .text(let text, _)): self = .organization(text)
        case .field("book", _, .text(let text, _)): self = .book(text)
        case .field("group", _, .text(let text, _)): self = .group(text)
        case .field("group", _, .any): self = .not(.ungrouped)
        case .field("group", _, _): self = .ungrouped
        case .field("is", _, .choice(let word)): self = Contact.Kind(rawValue: word).map { .kind($0) } ?? .everything
        case .field("has", _, .choice(let word)): self = Trait(rawValue: word).map { .trait($0) } ?? .everything
        case .field("id", _, .id(let prefix)): self = .id(prefix)
        case .field(let name, _, _): throw HelixError(.usage, "cannot search contacts for '\(name)' this way")
        }
    }

    private static func words(_ text: String, inName: Bool, _ isPrefix: Bool) throws -> ContactQuery {
        guard text.hasIndexedWord else { throw HelixError(.usage, "no word to search for in '\(text)'") }
        return .words(text, inName: inName, isPrefix: isPrefix)
    }
}
