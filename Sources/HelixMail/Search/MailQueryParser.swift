import FoundationEssentials
import HelixModel

extension QueryNoun {
    /// The query fields of mail.
    public static let mail = QueryNoun(
        "messages", tags: .plus, hasSavedQueries: true,
        example: "from:ana subject:\"site visit\" has:attachment is:unread after:2026-01-01 words \"a phrase\" -not",
        fields: [
            QueryField("from", .person, also: ["sender"], "The name or address of the author; me is the user."),
            QueryField(
                "to", .person, also: ["cc", "bcc", "recipient"], "The name or address of any recipient; me is the user."
            ),
            QueryField("with", .person, "Author or recipient."),
            QueryField("subject", .words, "Words of the subject."),
            QueryField("body", .words, also: ["text"], "Words of the text."),
            QueryField("filename", .words, also: ["file", "attachment"], "Words in the name of an attached file."),
            QueryField("is", .choice(traits), "A state: is:unread, is:starred."),
            QueryField("has", .choice(traits), asks: "is", "A part: has:attachment, has:invitation."),
            QueryField(
                "in", .name, also: ["mailbox", "folder"], "A mailbox, by its name or role, with those below it."),
            QueryField("account", .name, "An account."),
            QueryField("label", .name, also: ["tag"], "A label, as +label; blue* is each that begins so."),
            QueryField("list", .name, "A mailing list, by part of its id."),
        ] + QueryNoun.backDates("The day of its date.") + [
            QueryField("size", .size, "The size of its file."),
            QueryField("larger", .size, comparison: .greaterOrEqual, asks: "size", "The same as size>=."),
            QueryField("smaller", .size, comparison: .lessOrEqual, asks: "size", "The same as size<=."),
            QueryField("id", .id, also: ["thread"], "A message or conversation, by the beginning of an id."),
            QueryField("mid", .name, also: ["messageid", "message-id"], "A message by its Message-ID."),
        ])

    /// The query fields of chat.
    public static let chat = QueryNoun(
        "chat messages", tags: .none, hasSavedQueries: false,
        example: "from:ana in:house has:attachment after:2026-11-01 words \"a phrase\" -not",
        fields: [
            QueryField("from", .person, also: ["sender"], "The name of its author; me is the user."),
            QueryField("in", .name, also: ["conversation", "room"], "A conversation, by part of its name."),
            QueryField("body", .words, also: ["text"], "Words of the text."),
            QueryField("filename", .words, also: ["file", "attachment"], "Part of the name of a file with it."),
            QueryField("is", .choice(["unread|new|unseen", "attachment|attachments|file"]), "A state: is:unread."),
            QueryField(
                "has", .choice(["attachment|attachments|file", "unread|new|unseen"]), asks: "is",
                "A part: has:attachment."),
        ] + QueryNoun.backDates("The day on which it was sent.") + [
            QueryField("id", .id, "The beginning of its id.")
        ])

    /// The fields for past dates.
    private static func backDates(_ doc: String) -> [QueryField] {
        [
            QueryField("date", .time(.back), also: ["on"], doc),
            QueryField(
                "after", .time(.back), also: ["since"], comparison: .greaterOrEqual, asks: "date",
                "The same as date>=: that day or later."),
            QueryField(
                "before", .time(.back), also: ["until"], comparison: .less, asks: "date", "The same as date<."),
        ]
    }

    private static let traits = [
        "unread|new|unseen", "read|seen", "starred|flagged|star", "answered|replied", "forwarded|passed", "draft",
        "deleted|trashed", "attachment|attachments|file", "invitation|invite|calendar", "list", "encrypted", "verified",
        "snoozed", "muted", "awaiting|waiting",
        "signed|signature", "broken", "bounce|report",
    ]
}

/// The parser of mail queries, and of chat queries, which have fewer fields.
public struct MailQueryParser {
    private let parser: QueryParser<MailQuery>

    /// - Parameters:
    ///   - noun: mail or chat.
    ///   - own: the user's addresses, for `me`.
    ///   - addresses: returns all addresses of the contacts with a name, for `from:ana`.
    ///   - saved: returns the saved query of a name, for `@name`.
    public init(
        noun: QueryNoun = .mail, dates: DatePhraseParser, own: [String],
        addresses: @escaping (String) throws -> [String] = { _ in [] },
        saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        let people = PersonNames(own: own, addresses: addresses)
        let now = MessageAway.stamp(dates.now)
        parser = QueryParser(noun: noun, dates: dates, saved: saved) { try MailQuery($0, people, now: now) }
    }

    /// Parses a query.
    /// - Throws: ``HelixError`` of code `usage` with the position of the error.
    public func parse(_ text: String) throws -> MailQuery { try parser.query(text) }
}

extension MailQuery {
    /// The condition of a term of ``QueryNoun/mail`` or ``QueryNoun/chat``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, _ names: PersonNames, now: String) throws {
        switch term {
        case .words(let text, _, let isPrefix): self = try MailQuery.words(text, nil, isPrefix: isPrefix)
        case .tag(let name): self = .label(name)
        case .field(let name, let comparison, .text(let text, let isQuoted)):
            self = try MailQuery.text(name, text, isQuoted, names, comparison)
        case .field("is", _, .choice("snoozed")): self = .has(.snoozed(now))
        case .field("is", _, .choice(let word)): self = .has(try MailQuery.trait(word))
        case .field("date", let comparison, .times(let times)): self = MailQuery.dated(comparison, times.instants)
        case .field("size", let comparison, .number(let bytes)): self = MailQuery.sized(comparison, bytes)
        case .field("id", _, .id(let prefix)): self = .id(prefix.text)
        case .field(let name, _, _): throw HelixError(.usage, "cannot search '\(name)' this way")
        }
    }

    private static func text(
        _ name: String, _ text: String, _ isQuoted: Bool, _ names: PersonNames, _ comparison: QueryComparison
    ) throws -> MailQuery {
        switch name {
        case "from": try people(text, .from, isQuoted, names)
        case "to": try people(text, .to, isQuoted, names)
        case "with": .any([try people(text, .from, isQuoted, names), try people(text, .to, isQuoted, names)])
        case "subject": try words(text, .subject, isQuoted)
        case "body": try words(text, .body, isQuoted)
        case "filename": try words(text, .attachment, isQuoted)
        case "in": .mailbox(text)
        case "account": .account(text)
        case "label": .label(text)
        case "list": .list(text)
        case "mid": .messageID(text.trimming { "<> ".contains($0) })
        default: throw HelixError(.usage, "cannot search '\(name)' this way")
        }
    }

    private static func people(
        _ text: String, _ field: Field, _ isQuoted: Bool, _ names: PersonNames
    ) throws -> MailQuery {
        guard let addresses = try names.addresses(text, isQuoted: isQuoted) else {
            return isAddress(text) ? try address(text, field) : try words(text, field, isQuoted)
        }
        let typed = text.lowercased() == "me" && !isQuoted ? [] : [try words(text, field, isQuoted)]
        let parts = try typed + addresses.map { try address($0, field) }
        return parts.count == 1 ? parts[0] : .any(parts)
    }

    /// Whether a text is a complete address, which stands for itself alone; others are words.
    private static func isAddress(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        return parts.count == 2 && !parts[0].isEmpty && parts[1].contains(".") && !parts[1].hasSuffix(".")
            && !text.contains { $0.isWhitespace || "*<>,\"".contains($0) }
    }

    /// The messages with an address: the words find them fast, and the comparison leaves out others with the same words.
    private static func address(_ text: String, _ field: Field) throws -> MailQuery {
        .all([try words(text, field, isPrefix: false), .address(text.lowercased(), field: field)])
    }

    private static func words(_ text: String, _ field: Field?, _ isQuoted: Bool) throws -> MailQuery {
        let isPrefix = !isQuoted && text.hasSuffix("*")
        let plain = isPrefix ? String(text.dropLast()) : text
        if !isQuoted, plain.contains("*") {
            throw HelixError(.usage, "'*' is allowed only at the end of a word")
        }
        return try words(plain, field, isPrefix: isPrefix)
    }

    private static func words(_ text: String, _ field: Field?, isPrefix: Bool) throws -> MailQuery {
        guard text.hasIndexedWord else { throw HelixError(.usage, "no word to search for in '\(text)'") }
        return .words(text, field: field, isPrefix: isPrefix)
    }

    private static func trait(_ word: String) throws -> Trait {
        switch word {
        case "unread": .unread
        case "read": .flag(.seen)
        case "starred": .flag(.flagged)
        case "answered": .flag(.answered)
        case "forwarded": .flag(.passed)
        case "draft": .flag(.draft)
        case "deleted": .flag(.deleted)
        case "attachment": .trait(.hasAttachment)
        case "invitation": .trait(.isInvitation)
        case "list": .trait(.isFromList)
        case "encrypted": .trait(.isEncrypted)
        case "signed": .trait(.isSigned)
        case "verified": .verified
        case "muted": .muted
        case "awaiting": .awaiting
        case "broken": .trait(.isBroken)
        case "bounce": .trait(.isReport)
        default: throw HelixError(.usage, "unknown state '\(word)'")
        }
    }

    /// The query for a date compared with a range of time.
    public static func dated(_ comparison: QueryComparison, _ times: Range<Int64>) -> MailQuery {
        let (start, end) = (Instant(times.lowerBound), Instant(times.upperBound))
        return switch comparison {
        case .less: .dated(from: nil, to: start)
        case .lessOrEqual: .dated(from: nil, to: end)
        case .equal: .dated(from: start, to: end)
        case .notEqual: .not(.dated(from: start, to: end))
        case .greaterOrEqual: .dated(from: start, to: nil)
        case .greater: .dated(from: end, to: nil)
        }
    }

    private static func sized(_ comparison: QueryComparison, _ bytes: Int) -> MailQuery {
        switch comparison {
        case .less: .size(atLeast: nil, atMost: bytes - 1)
        case .lessOrEqual: .size(atLeast: nil, atMost: bytes)
        case .equal: .all([.size(atLeast: bytes, atMost: nil), .size(atLeast: nil, atMost: bytes)])
        case .notEqual: .any([.size(atLeast: bytes + 1, atMost: nil), .size(atLeast: nil, atMost: bytes - 1)])
        case .greaterOrEqual: .size(atLeast: bytes, atMost: nil)
        case .greater: .size(atLeast: bytes + 1, atMost: nil)
        }
    }
}
