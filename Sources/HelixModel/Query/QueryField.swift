/// A queryable field of a noun: its names, its values, and its text for the manual pages. The parser, the errors and the
/// pages are derived from it.
public struct QueryField: Sendable {
    /// The values that a field accepts.
    public enum Kind: Sendable {
        /// Words that the field contains.
        case words
        /// The whole text.
        case name
        /// Part of a name or address; `me` is the user.
        case person
        /// One of several values; aliases follow after `|`: `open|pending`.
        case choice([String])
        /// One of several values, from the lowest to the highest.
        case level([String])
        /// A day, a time or a range of them; the direction decides the year or week if it is missing.
        case time(DatePhraseParser.Direction)
        /// A length of time.
        case length
        /// A number, also a decimal or negative one; values are hundredths.
        case decimal
        /// A number of bytes: `500k`, `1M`.
        case size
        /// The prefix of an id.
        case id
    }

    /// The name in pages and errors.
    public var name: String
    /// The values that the field accepts.
    public var kind: Kind
    /// The aliases.
    public var aliases: [String]
    /// Whether the field may be empty: `project:none`.
    public var canBeNone: Bool
    /// The comparison that the name implies, as `after:` does.
    public var comparison: QueryComparison?
    /// The field that the noun looks up; another name if several fields map to it.
    public var asks: String
    /// A sentence for the manual pages.
    public var doc: String

    /// Creates a field.
    public init(
        _ name: String, _ kind: Kind, also aliases: [String] = [], canBeNone: Bool = false,
        comparison: QueryComparison? = nil, asks: String? = nil, _ doc: String
    ) {
        self.name = name
        self.kind = kind
        self.aliases = aliases
        self.canBeNone = canBeNone
        self.comparison = comparison
        self.asks = asks ?? name
        self.doc = doc
    }

    /// Whether values can be compared with `<` and `>`.
    public var hasOrder: Bool {
        switch kind {
        case .level, .time, .length, .size, .decimal: comparison == nil
        case .words, .name, .person, .choice, .id: false
        }
    }

    /// The accepted values in words.
    public var values: String {
        switch kind {
        case .words: "words"
        case .name: "name"
        case .person: "name or address"
        case .choice, .level: choiceNames.joined(separator: ", ")
        case .time: "day, time or range"
        case .length: "length of time"
        case .decimal: "number"
        case .size: "bytes, 500k, 1M"
        case .id: "id"
        }
    }

    /// The named values, each by its first name.
    public var choiceNames: [String] { choices.map { $0[0] } }

    /// The named values, each with all its names.
    var choices: [[String]] {
        switch kind {
        case .choice(let list), .level(let list): list.map { $0.split(separator: "|").map(String.init) }
        default: []
        }
    }
}

/// A queryable kind of entity with its fields.
public struct QueryNoun: Sendable {
    /// The plural: `tasks`.
    public var name: String
    /// The fields, in the order of the pages.
    public var fields: [QueryField]
    /// The meaning of `+x` and `-x`.
    public var tags: Tags
    /// Whether the noun has saved queries: `@name`.
    public var hasSavedQueries: Bool
    /// An example that shows most of the syntax, for hints.
    public var example: String

    /// The meaning of the signs before a word.
    public enum Tags: Sendable {
        /// No tags: `+x` matches a word, and `-x` excludes it.
        case none
        /// `+x` matches a tag, and `-x` excludes a word.
        case plus
        /// `+x` matches a tag, and `-x` excludes it.
        case both
    }

    /// Creates a noun.
    public init(
        _ name: String, tags: Tags, hasSavedQueries: Bool, example: String, fields: [QueryField]
    ) {
        self.name = name
        self.tags = tags
        self.hasSavedQueries = hasSavedQueries
        self.example = example
        self.fields = fields
    }

    /// The field with that name or alias.
    func field(_ name: String) -> QueryField? {
        fields.first { $0.name == name } ?? fields.first { $0.aliases.contains(name) }
    }

    /// The arguments, with each that is one field with a value of several words quoted.
    public func whole(_ arguments: [String], dates: DatePhraseParser) -> [String] {
        arguments.filter { line([$0], dates: dates) != $0 }
    }

    /// The query line of shell arguments: `project:big house` as one argument is one value, `due:fri report` is not.
    public func line(_ arguments: [String], dates: DatePhraseParser) -> String {
        func isWhole(_ name: String, _ value: String) -> Bool {
            guard let field = field(name) else { return true }
            switch field.kind {
            case .time(let direction):
                return (try? dates.looking(direction).range(value.replacing("_", with: " "))) != nil
            case .length: return (try? dates.duration(value)) != nil
            case .choice, .level, .size, .decimal, .id: return false
            case .words, .name, .person: return true
            }
        }
        return ArgumentQuoting.line(arguments, isWhole: isWhole)
    }

    /// The field name that was probably meant.
    func nearest(_ name: String) -> String? {
        let names = fields.map(\.name) + fields.flatMap(\.aliases)
        return EditDistance.suggestion(for: name, among: names)
    }
}
