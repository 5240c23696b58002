import HelixModel

/// Reads the search language: `from:ana to:me subject:"site visit" has:attachment after:2026-01-01 words "a phrase" pre*
/// -not or ( )`.
public struct MailQueryParser {
    private let dates: DatePhraseParser
    private let own: [String]
    private let saved: (String) throws -> String?

    /// - Parameters:
    ///   - own: the user's addresses, which `me` stands for.
    ///   - saved: the query that was saved under a name, for `@name`.
    public init(dates: DatePhraseParser, own: [String], saved: @escaping (String) throws -> String? = { _ in nil }) {
        self.dates = dates
        self.own = own
        self.saved = saved
    }

    private enum Token: Equatable {
        case open
        case close
        case or
        case and
        case not
        /// A field if one is named, what is asked of it, and whether that stands in quotes.
        case term(field: String?, text: String, isQuoted: Bool)
    }

    /// Reads a query.
    /// - Throws: ``HelixError`` of code `usage` that shows what cannot be understood.
    public func parse(_ text: String) throws -> MailQuery { try parse(text, depth: 0) }

    private func parse(_ text: String, depth: Int) throws -> MailQuery {
        var tokens = try tokens(text)[...]
        let query = try either(&tokens, text, depth)
        if !tokens.isEmpty { throw problem("there is a ')' too many", text) }
        return query
    }

    private func problem(_ what: String, _ text: String) -> HelixError {
        HelixError(
            .usage, "\(what): \(text)",
            hint:
                "As in: from:ana subject:\"site visit\" has:attachment is:unread after:2026-01-01 words \"a phrase\" -not."
        )
    }

    private func tokens(_ text: String) throws -> [Token] {
        var tokens: [Token] = []
        var rest = Substring(text)
        func quoted() throws -> String {
            rest.removeFirst()
            guard let end = rest.firstIndex(of: "\"") else { throw problem("a quotation mark is not closed", text) }
            let inner = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            return inner
        }
        while true {
            rest = rest.drop(while: \.isWhitespace)
            guard let first = rest.first else { return tokens }
            switch first {
            case "(":
                tokens.append(.open)
                rest.removeFirst()
            case ")":
                tokens.append(.close)
                rest.removeFirst()
            case "-" where rest.dropFirst().first.map { !$0.isWhitespace && $0 != "-" } == true,
                "!" where rest.dropFirst().first.map { !$0.isWhitespace } == true:
                tokens.append(.not)
                rest.removeFirst()
            case "\"": tokens.append(.term(field: nil, text: try quoted(), isQuoted: true))
            default:
                let word = rest.prefix { !$0.isWhitespace && $0 != "(" && $0 != ")" && $0 != "\"" }
                rest = rest[word.endIndex...]
                switch word.lowercased() {
                case "or", "||": tokens.append(.or)
                case "and", "&&": tokens.append(.and)
                case "not": tokens.append(.not)
                default:
                    guard let colon = word.firstIndex(of: ":"), colon != word.startIndex,
                        word[..<colon].allSatisfy({ $0.isLetter || $0 == "-" })
                    else {
                        tokens.append(.term(field: nil, text: String(word), isQuoted: false))
                        continue
                    }
                    let field = word[..<colon].lowercased()
                    let value = String(word[word.index(after: colon)...])
                    if value.isEmpty, rest.first == "\"" {
                        tokens.append(.term(field: field, text: try quoted(), isQuoted: true))
                    } else {
                        tokens.append(.term(field: field, text: value, isQuoted: false))
                    }
                }
            }
        }
    }

    private func either(_ tokens: inout ArraySlice<Token>, _ text: String, _ depth: Int) throws -> MailQuery {
        if depth > 50 { throw problem("the query is nested too deep, or names itself", text) }
        var parts = [try all(&tokens, text, depth)]
        while tokens.first == .or {
            tokens.removeFirst()
            parts.append(try all(&tokens, text, depth))
        }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private func all(_ tokens: inout ArraySlice<Token>, _ text: String, _ depth: Int) throws -> MailQuery {
        var parts: [MailQuery] = []
        while let token = tokens.first, token != .close, token != .or {
            if token == .and {
                tokens.removeFirst()
                continue
            }
            parts.append(try one(&tokens, text, depth))
        }
        if parts.isEmpty {
            if tokens.isEmpty && depth == 0 && !text.contains(where: { !$0.isWhitespace }) { return .all }
            throw problem("something is missing beside 'or' or in brackets", text)
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private func one(_ tokens: inout ArraySlice<Token>, _ text: String, _ depth: Int) throws -> MailQuery {
        if depth > 50 { throw problem("the query is nested too deep", String(text.prefix(200))) }
        guard let token = tokens.popFirst() else { throw problem("something is missing at the end", text) }
        switch token {
        case .not: return .not(try one(&tokens, text, depth + 1))
        case .open:
            let inner = try either(&tokens, text, depth + 1)
            guard tokens.popFirst() == .close else { throw problem("a bracket is not closed", text) }
            return inner
        case .term(let field, let value, let isQuoted): return try term(field, value, isQuoted, text, depth)
        case .close, .or, .and: throw problem("something is missing", text)
        }
    }

    private func term(
        _ field: String?, _ value: String, _ isQuoted: Bool, _ text: String, _ depth: Int
    ) throws -> MailQuery {
        guard let field else {
            if !isQuoted, value.hasPrefix("@"), value.count > 1, let query = try saved(String(value.dropFirst())) {
                return try parse(query, depth: depth + 1)
            }
            return value == "*" ? .all : try words(value, nil, isQuoted, text)
        }
        if value.isEmpty { throw problem("nothing stands after '\(field):'", text) }
        switch field {
        case "from", "sender": return try people(value, .from, isQuoted, text)
        case "to", "cc", "bcc", "recipient": return try people(value, .to, isQuoted, text)
        case "with": return .or([try people(value, .from, isQuoted, text), try people(value, .to, isQuoted, text)])
        case "subject": return try words(value, .subject, isQuoted, text)
        case "body", "text": return try words(value, .body, isQuoted, text)
        case "filename", "file", "attachment": return try words(value, .attachment, isQuoted, text)
        case "in", "mailbox", "folder": return .mailbox(value)
        case "account": return .account(value)
        case "label", "tag": return .label(value)
        case "list": return .list(value)
        case "is", "has": return try trait(value.lowercased(), text)
        case "after", "since": return .dated(from: try day(value, text).start, to: nil)
        case "before", "until": return .dated(from: nil, to: try day(value, text).start)
        case "on", "date":
            let range = try day(value, text)
            return .dated(from: range.start, to: range.end)
        case "larger": return .size(atLeast: try bytes(value, text), atMost: nil)
        case "smaller": return .size(atLeast: nil, atMost: try bytes(value, text))
        case "id", "thread": return .id(value)
        default:
            // 'http://…' and 'std::map' are words.
            if !isQuoted, value.hasPrefix("/") || value.hasPrefix(":") {
                return try words(field + ":" + value, nil, true, text)
            }
            let near = Self.fields.first { EditDistance.isOneSlip($0, field) }.map { "Did you mean \($0)? " } ?? ""
            throw HelixError(
                .usage, "there is no field '\(field)' to search in: \(text)",
                hint: near
                    + "There are: \(Self.fields.joined(separator: ", ")). In quotes it is searched for as it stands.")
        }
    }

    private static let fields = [
        "from", "to", "with", "subject", "body", "filename", "has", "is", "in", "account", "label", "list", "after",
        "before", "date", "larger", "smaller", "id",
    ]

    private func people(_ value: String, _ field: MailQuery.Field, _ isQuoted: Bool, _ text: String) throws -> MailQuery
    {
        guard value.lowercased() == "me", !isQuoted else { return try words(value, field, isQuoted, text) }
        if own.isEmpty {
            throw HelixError(
                .usage, "'me' is nobody yet: \(text)",
                hint: "helix config set user.email you@example.org says who you are.")
        }
        let parts = try own.map { try words($0, field, true, text) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    private func words(_ value: String, _ field: MailQuery.Field?, _ isQuoted: Bool, _ text: String) throws -> MailQuery
    {
        let isPrefix = !isQuoted && value.hasSuffix("*")
        let plain = isPrefix ? String(value.dropLast()) : value
        if !isQuoted, plain.contains("*") {
            throw problem("a '*' can only stand at the end of a word, not as in '\(value)'", text)
        }
        guard plain.unicodeScalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil })
        else { throw problem("there is no word to search for in '\(value)'", text) }
        return .words(plain, field: field, isPrefix: isPrefix)
    }

    private func trait(_ value: String, _ text: String) throws -> MailQuery {
        switch value {
        case "unread", "new", "unseen": return .has(.unread)
        case "read", "seen": return .has(.flag(.seen))
        case "starred", "flagged", "star": return .has(.flag(.flagged))
        case "answered", "replied": return .has(.flag(.answered))
        case "forwarded", "passed": return .has(.flag(.passed))
        case "draft": return .has(.flag(.draft))
        case "deleted", "trashed": return .has(.flag(.deleted))
        case "attachment", "attachments", "file": return .has(.trait(.hasAttachment))
        case "invitation", "invite", "calendar": return .has(.trait(.isInvitation))
        case "list": return .has(.trait(.isFromList))
        case "encrypted": return .has(.trait(.isEncrypted))
        case "signed", "signature": return .has(.trait(.isSigned))
        case "broken": return .has(.trait(.isBroken))
        case "report", "bounce": return .has(.trait(.isReport))
        default:
            throw HelixError(
                .usage, "no message is or has '\(value)': \(text)",
                hint: "There are: unread, read, starred, answered, forwarded, draft, attachment, invitation, list, "
                    + "encrypted, signed, broken, bounce.")
        }
    }

    private func day(_ value: String, _ text: String) throws -> TimeRange {
        do {
            return try dates.looking(.back).range(value.replacing("_", with: " ")).timeRange(in: dates.zone)
        } catch let error as HelixError {
            throw HelixError(error.code, "\(error.message) (in: \(text))", hint: error.hint)
        }
    }

    private func bytes(_ value: String, _ text: String) throws -> Int {
        let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let factors: [String: Double] = [
            "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1024, "mib": 1_048_576,
        ]
        guard let number = Double(digits), let factor = factors[value[digits.endIndex...].lowercased()],
            number * factor < 1e15
        else { throw problem("'\(value)' is no size, such as 500k or 1M", text) }
        return Int(number * factor)
    }
}
