/// A field of a noun that queries ask for: its names, the values that it takes, and the words that the pages of the
/// manual say about it. The parser, the errors and the pages are made of this alone.
public struct QueryField: Sendable {
    /// The values that a field takes.
    public enum Kind: Sendable {
        /// Words that stand in it.
        case words
        /// The same text.
        case name
        /// Part of a name or address; `me` is the user.
        case person
        /// One of some values; their other names follow after `|`: `open|pending`.
        case choice([String])
        /// One of some values, from the lowest to the highest.
        case level([String])
        /// A day, a time or a range of them, looked for in a direction if its year or week is not said.
        case time(DatePhraseParser.Direction)
        /// A length of time.
        case length
        /// A number, also with a point and below 0; values are hundredths.
        case decimal
        /// A number of bytes: `500k`, `1M`.
        case size
        /// The beginning of an id.
        case id
    }

    /// The name that pages and errors say.
    public var name: String
    /// The values that it takes.
    public var kind: Kind
    /// Other names.
    public var aliases: [String]
    /// Whether something may have none: `project:none`.
    public var canBeNone: Bool
    /// The comparison that the name says already, as `after:` does.
    public var comparison: QueryComparison?
    /// The field that the noun asks for; another name if several fields ask for one thing.
    public var asks: String
    /// A sentence for the pages.
    public var doc: String

    /// A field.
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

    /// Whether values can be compared by `<` and `>`.
    public var hasOrder: Bool {
        switch kind {
        case .level, .time, .length, .size, .decimal: comparison == nil
        case .words, .name, .person, .choice, .id: false
        }
    }

    /// The values in words.
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

    /// The values that can be named, each by its first name.
    public var choiceNames: [String] { choices.map { $0[0] } }

    /// The values that can be named, each by its names.
    var choices: [[String]] {
        switch kind {
        case .choice(let list), .level(let list): list.map { $0.split(separator: "|").map(String.init) }
        default: []
        }
    }
}

/// A kind of thing that queries look for, with its fields.
public struct QueryNoun: Sendable {
    /// The plural: `tasks`.
    public var name: String
    /// Its fields, in the order of the pages.
    public var fields: [QueryField]
    /// Whether `+x` asks for a tag, and whether `-x` asks for none instead of taking a word away.
    public var tags: Tags
    /// Whether queries have names: `@name`.
    public var hasSavedQueries: Bool
    /// A query that shows the most of it, for hints.
    public var example: String

    /// The meaning of the signs before a word.
    public enum Tags: Sendable {
        /// No tags: `+x` is a word, and `-x` is not the word.
        case none
        /// `+x` is a tag, and `-x` is not the word.
        case plus
        /// `+x` is a tag, and `-x` is not the tag.
        case both
    }

    /// A noun.
    public init(
        _ name: String, tags: Tags, hasSavedQueries: Bool, example: String, fields: [QueryField]
    ) {
        self.name = name
        self.tags = tags
        self.hasSavedQueries = hasSavedQueries
        self.example = example
        self.fields = fields
    }

    /// The field of a name or another name.
    func field(_ name: String) -> QueryField? {
        fields.first { $0.name == name } ?? fields.first { $0.aliases.contains(name) }
    }

    /// The arguments that are read as one field with a value of several words.
    public func whole(_ arguments: [String], dates: DatePhraseParser) -> [String] {
        arguments.filter { line([$0], dates: dates) != $0 }
    }

    /// The line that arguments of the shell make: `project:big house` as one argument is one value, `due:fri report` is not.
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

    /// The name that somebody probably meant.
    func nearest(_ name: String) -> String? {
        let names = fields.map(\.name) + fields.flatMap(\.aliases)
        return EditDistance.suggestion(for: name, among: names)
    }
}
