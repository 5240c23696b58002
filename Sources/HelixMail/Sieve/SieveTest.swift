import HelixModel

/// A query as a test in Sieve (RFC 5228), if it can be said there.
///
/// A server compares texts in another way than the index of helix, which knows words, accents and scripts. So a test never holds
/// for a message that the query does not match: words are found between ASCII separators only, and in their own spelling. What it
/// misses, the same rule finds when helix syncs. For what a query excludes, the test is wider instead.
struct SieveTest {
    /// The reason why a query cannot be said in Sieve.
    struct Inexpressible: Error {
        let reason: String
        init(_ reason: String) { self.reason = reason }
    }

    /// The account's name.
    let account: String
    /// The extensions that the tests need.
    private(set) var extensions: Set<String> = []

    init(account: String) { self.account = account }

    /// The test that holds only for messages that a query matches.
    /// - Throws: ``Inexpressible``.
    mutating func text(_ query: MailQuery) throws -> String { try text(query, isWide: false) }

    /// - Parameter isWide: whether it holds for all messages that the query matches, and possibly more; otherwise only for such.
    private mutating func text(_ query: MailQuery, isWide: Bool) throws -> String {
        switch query {
        case .everything: return "true"
        case .all(let list): return try joined(list, "allof", isWide)
        case .any(let list): return try joined(list, "anyof", isWide)
        case .not(let inner): return "not " + (try text(inner, isWide: !isWide))
        case .account(let name): return name.lowercased() == account.lowercased() ? "true" : "false"
        case .mailbox(let name):
            guard name.lowercased() == "inbox" else { throw Inexpressible("it asks for the mailbox '\(name)'") }
            return "true"
        case .label(let label):
            guard !label.hasSuffix("*"), MessageKeyword.isKeyword(label) else {
                throw Inexpressible("the label '\(label)' is no keyword")
            }
            return flag(label)
        case .list(let text):
            let shown = SieveText.regexLiteral(text)
            return header(["list-id"], isWide ? shown : "<[^>]*\(shown)[^>]*>[ \t]*$")
        case .address(let address, let field):
            // The words beside it are the wider test.
            if isWide { return "true" }
            return "address :all :is \(SieveText.list(field == .from ? ["from"] : ["to", "cc", "bcc"])) "
                + SieveText.quoted(address)
        case .has(let trait): return try text(trait)
        case .words(let text, let field, let isPrefix):
            let pattern =
                isWide
                ? try SieveText.widePattern(text) : try SieveText.narrowPattern(text, isPrefix: isPrefix)
            switch field {
            case .subject: return header(["subject"], pattern)
            case .from: return header(["from"], pattern)
            case .to: return header(["to", "cc", "bcc"], pattern)
            case nil, .body: throw Inexpressible("it asks for words of the text, which the server does not index")
            case .attachment: throw Inexpressible("it asks for the names of files")
            }
        case .dated: throw Inexpressible("it asks for the date")
        case .size: throw Inexpressible("it asks for the size, which the server counts in another way")
        case .id, .oneOf, .thread, .messageID: throw Inexpressible("it asks for a single message")
        }
    }

    private mutating func joined(_ list: [MailQuery], _ word: String, _ isWide: Bool) throws -> String {
        let parts = try list.map { try text($0, isWide: isWide) }
        if parts.isEmpty { return word == "allof" ? "true" : "false" }
        return parts.count == 1 ? parts[0] : "\(word) (\(parts.joined(separator: ", ")))"
    }

    /// The test that holds for all messages that a query matches, and possibly for others.
    /// - Throws: ``Inexpressible``.
    mutating func wideText(_ query: MailQuery) throws -> String { try text(query, isWide: true) }

    private mutating func text(_ trait: MailQuery.Trait) throws -> String {
        switch trait {
        case .unread: return "not " + flag("\\Seen")
        case .flag(.seen): return flag("\\Seen")
        case .flag(.flagged): return flag("\\Flagged")
        case .trait(.isFromList):
            return #"anyof (exists "list-id", exists "list-post", exists "list-unsubscribe")"#
        case .trait(.hasAttachment): throw Inexpressible("it asks for attachments")
        default: throw Inexpressible("it asks for a state that only helix knows")
        }
    }

    private mutating func flag(_ name: String) -> String {
        extensions.insert("imap4flags")
        return "hasflag \(SieveText.quoted(name))"
    }

    private mutating func header(_ names: [String], _ pattern: String) -> String {
        extensions.formUnion(["regex", "variables"])
        return "header :regex \(SieveText.list(names)) \(SieveText.pattern(pattern))"
    }
}

/// Texts in Sieve scripts.
enum SieveText {
    /// A quoted string (RFC 5228 §2.4.2). Scripts have no control characters but line ends and tabs.
    static func quoted(_ text: String) -> String { "\"\(escaped(text))\"" }

    /// The text between the quotes.
    private static func escaped(_ text: String) -> String {
        let plain = text.unicodeScalars.filter { $0 == "\t" || $0 == "\n" || $0.value >= 0x20 && $0.value != 0x7F }
        let lines = String(String.UnicodeScalarView(plain)).replacing("\n", with: "\r\n")
        let escaped = lines.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        // A variable would stand there (RFC 5229 §3), which no escape prevents.
        return escaped.replacing("${", with: dollar + "{")
    }

    /// The variable that stands for a dollar sign.
    static let dollar = "${dollar}"

    /// A list of strings.
    static func list(_ texts: [String]) -> String { "[\(texts.map(quoted).joined(separator: ", "))]" }

    /// The characters of ASCII that separate words, as a POSIX bracket expression.
    private static let separators = "][ \t!\"#$%&'()*+,./:;<=>?@\\^_`{|}~-"
    /// Anything beyond ASCII.
    private static let foreign = "[^ -~]"

    /// A text that a POSIX extended regular expression matches as it is.
    static func regexLiteral(_ text: String) -> String {
        text.filter { $0 >= " " }.map { character -> String in
            if character.isLetter || character.isNumber || character == " " { return String(character) }
            return ".[*^$()+?{|\\".contains(character) ? "\\" + String(character) : String(character)
        }.joined()
    }

    /// The commands that set the variables of patterns: what stands before, between and after words.
    static let variables =
        [("start", "(^|[\(separators)])"), ("gap", "[\(separators)]+"), ("end", "([\(separators)]|$)")]
        .map { "set \(quoted($0.0)) \(quoted($0.1));" }.joined(separator: "\n")

    /// A variable in a pattern; the control character is in no query.
    private static func variable(_ name: String) -> String { "\u{1}\(name)\u{2}" }

    /// A pattern as a string.
    static func pattern(_ text: String) -> String {
        let parts = text.split(separator: "\u{1}", omittingEmptySubsequences: false).enumerated().map { place, part in
            guard place > 0, let end = part.firstIndex(of: "\u{2}") else { return escaped(String(part)) }
            return "${\(part[..<end])}" + escaped(String(part[part.index(after: end)...]))
        }
        return "\"" + parts.joined() + "\""
    }

    /// The words of a phrase: runs of letters and digits, as the index sees them.
    private static func words(_ text: String) throws -> [Substring] {
        let words = text.split { !$0.isLetter && !$0.isNumber }
        guard !words.isEmpty, words.count <= 20 else {
            throw SieveTest.Inexpressible("'\(text)' cannot be compared by the server")
        }
        return words
    }

    /// The pattern that matches only texts with the words of a phrase, next to each other.
    static func narrowPattern(_ text: String, isPrefix: Bool) throws -> String {
        let words = try words(text).map { word in
            word.map { character in
                if character.isASCII { return String(character) }
                let forms = [String(character), character.lowercased(), character.uppercased()].uniqued
                return "(" + forms.joined(separator: "|") + ")"
            }.joined()
        }
        return variable("start") + words.joined(separator: variable("gap")) + (isPrefix ? "" : variable("end"))
    }

    /// The pattern that matches at least the texts with the words of a phrase, with any accents.
    static func widePattern(_ text: String) throws -> String {
        let words = try words(text).map { word in
            // The index takes ß for ss.
            let plain = (String(word).normalized(.nfd) ?? String(word)).lowercased().replacing("ß", with: "ss")
            var scalars = Array(plain.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark })[...]
            var pattern = ""
            while let scalar = scalars.popFirst() {
                let rest = scalars.prefix { $0 == scalar }
                // Another letter, with any marks, may be folded to it.
                if scalar == "s", !rest.isEmpty {
                    scalars = scalars.dropFirst(rest.count)
                    pattern += "(s|\(foreign))+"
                } else {
                    pattern += scalar.isASCII ? "(\(scalar)|\(foreign)+)\(foreign)*" : foreign + "+"
                }
            }
            return pattern
        }
        return words.joined(separator: "[^0-9A-Za-z]+")
    }
}
