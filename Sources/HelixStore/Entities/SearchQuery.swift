import HelixCalendar
import HelixMail
import HelixModel
import HelixTasks

/// A query over all kinds of entities; each kind is searched by the fields that it has.
public indirect enum SearchQuery: QueryTree, Hashable, Sendable {
    case everything
    case all([SearchQuery])
    case any([SearchQuery])
    case not(SearchQuery)
    case words(String, isPrefix: Bool)
    /// A tag of tasks and time, a label of mail, a category of events.
    case tag(String)
    /// A person who attends an event, wrote or received a message, or is assigned a task.
    case person(String)
    /// A project, or one below it.
    case project(String)
    case kind(EntityKind)
    /// The time shown in results.
    case time(QueryComparison, QueryTimes)
    case id(EntityPrefix)

    /// The kinds that are searched, in the order of results.
    static let searches: [(kind: EntityKind, search: EntitySearch)] = EntityDescriptor.all.compactMap { entity in
        entity.search.map { (entity.kind, $0) }
    }.sorted { $0.search.order < $1.search.order }

    /// Plain words, each matched as a prefix.
    /// - Throws: ``HelixError`` of code `usage` if they contain no letter or number.
    public static func words(_ text: String) throws -> SearchQuery {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard text.hasIndexedWord else {
            throw HelixError(.usage, "no word to search for", hint: "helix search invoice ana")
        }
        return .all(words.filter { String($0).hasIndexedWord }.map { .words(String($0), isPrefix: true) })
    }
}

extension QueryNoun {
    /// Entities of all kinds, and the query fields of `helix search`.
    public static let everything = QueryNoun(
        "results", tags: .plus, hasSavedQueries: false,
        example: "invoice with:ana kind:mail after:2026-11-01 \"a phrase\" -draft",
        fields: [
            QueryField("kind", .choice(Array(kinds.keys).sorted()), also: ["type"], "The kind of entity."),
            QueryField(
                "date", .time(.neutral), also: ["on"],
                "The time shown in results: start of an event or of work, due time of a task, date of a message."),
            QueryField(
                "after", .time(.neutral), also: ["since"], comparison: .greaterOrEqual, asks: "date",
                "Short for date>=."),
            QueryField(
                "before", .time(.neutral), also: ["until"], comparison: .less, asks: "date", "Short for date<."),
            QueryField(
                "with", .person, also: ["from", "to", "who"],
                "A participant, sender, recipient or assignee."),
            QueryField("project", .name, "A project and its subprojects: their tasks and time."),
            QueryField("tag", .name, also: ["label", "category"], "A tag, label or category, as +tag."),
            QueryField("id", .id, "A prefix of the ID."),
        ])

    fileprivate static let kinds: [String: EntityKind] = Dictionary(
        uniqueKeysWithValues: SearchQuery.searches.map { ($0.search.word, $0.kind) })
}

/// Parses the queries of `helix search`.
public struct SearchQueryParser {
    private let parser: QueryParser<SearchQuery>

    /// Creates a parser.
    /// - Parameter addresses: returns all addresses of the contacts with a name, for `with:ana`.
    public init(dates: DatePhraseParser, addresses: @escaping (String) throws -> [String] = { _ in [] }) {
        parser = QueryParser(noun: .everything, dates: dates) { term in
            if case .field("with", _, .text(let text, _)) = term {
                let found = try addresses(text)
                if !found.isEmpty { return .any(try [SearchQuery(term)] + found.map { .person($0) }) }
            }
            return try SearchQuery(term)
        }
    }

    /// Parses a query.
    /// - Throws: ``HelixError`` of code `usage` that shows the position of the error.
    public func parse(_ text: String) throws -> SearchQuery { try parser.query(text) }
}

extension SearchQuery {
    /// Creates a condition from a term of ``QueryNoun/everything``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm) throws {
        switch term {
        case .words(let text, let isQuoted, let isPrefix):
            guard text.hasIndexedWord else { throw HelixError(.usage, "no word to search for in '\(text)'") }
            self = .words(text, isPrefix: isPrefix || !isQuoted)
        case .tag(let name), .field("tag", _, .text(let name, _)): self = .tag(name)
        case .field("kind", _, .choice(let word)):
            let kind = QueryNoun.kinds.first { $0.key.split(separator: "|").first.map(String.init) == word }
            self = .kind(kind?.value ?? .task)
        case .field("with", _, .text(let text, _)):
            guard text.hasIndexedWord else { throw HelixError(.usage, "no name in '\(text)'") }
            self = .person(text)
        case .field("project", _, .text(let text, _)): self = .project(text)
        case .field("date", let comparison, .times(let times)): self = .time(comparison, times)
        case .field("id", _, .id(let prefix)): self = .id(prefix)
        case .field(let name, _, _): throw HelixError(.usage, "cannot search '\(name)' in this way")
        }
    }

    /// True if entities of a kind can match at all.
    func canMean(_ kind: EntityKind) -> Bool {
        switch self {
        case .all(let parts): parts.allSatisfy { $0.canMean(kind) }
        case .any(let parts): parts.contains { $0.canMean(kind) }
        case .not(.kind(let other)): other != kind
        case .kind(let other): other == kind
        case .time: SearchQuery.can(kind, .time)
        case .person: SearchQuery.can(kind, .person)
        case .tag: SearchQuery.can(kind, .tag)
        case .project: SearchQuery.can(kind, .project)
        case .everything, .not, .words, .id: true
        }
    }

    private static func can(_ kind: EntityKind, _ aspect: EntitySearch.Aspect) -> Bool {
        EntityDescriptor.of(kind).search?.aspects.contains(aspect) ?? false
    }

    /// The query for entities of one kind; `leaf` returns nil for terms that do not apply to them.
    func asked<Tree: QueryTree>(of kind: EntityKind, _ leaf: (SearchQuery) -> Tree?) -> Tree {
        switch self {
        case .everything: .everything
        case .all(let parts): .all(parts.map { $0.asked(of: kind, leaf) })
        case .any(let parts): .any(parts.map { $0.asked(of: kind, leaf) })
        case .not(let part): .not(part.asked(of: kind, leaf))
        case .kind(let other): other == kind ? .everything : .not(.everything)
        default: leaf(self) ?? .not(.everything)
        }
    }

    var tasks: TaskFilter {
        asked(of: .task) { leaf in
            switch leaf {
            case .words(let text, let isPrefix): isPrefix ? .text(text) : .phrase(text)
            case .tag(let name): .tag(name)
            case .person(let name): .property(TaskProperty.assignee.name, name)
            case .project(let name): .project(name)
            case .time(let comparison, let times): .time(.due, comparison, times)
            case .id(let prefix): .id(prefix)
            default: nil
            }
        }
    }

    var timeEntries: TimeFilter {
        asked(of: .timeEntry) { leaf in
            switch leaf {
            case .words(let text, let isPrefix): isPrefix ? .text(text) : .phrase(text)
            case .tag(let name): .tag(name)
            case .project(let name): .project(name)
            case .time(let comparison, let times): .time(comparison, times)
            case .id(let prefix): .id(prefix)
            default: nil
            }
        }
    }

    var events: EventQuery {
        asked(of: .event) { leaf in
            switch leaf {
            case .words(let text, let isPrefix): .words(text, field: nil, isPrefix: isPrefix)
            case .tag(let name): .category(name)
            case .person(let name): .words(name, field: .people, isPrefix: true)
            case .time(let comparison, let times): .time(comparison, times)
            case .id(let prefix): .id(prefix)
            default: nil
            }
        }
    }

    func messages(of kind: EntityKind) -> MailQuery {
        asked(of: kind) { leaf in
            switch leaf {
            case .words(let text, let isPrefix): .words(text, field: nil, isPrefix: isPrefix)
            case .tag(let name): kind == .message ? .label(name) : nil
            case .person(let name):
                kind == .message
                    ? .any([.words(name, field: .from, isPrefix: true), .words(name, field: .to, isPrefix: true)])
                    : .words(name, field: .from, isPrefix: true)
            case .time(let comparison, let times): MailQuery.dated(comparison, times.instants)
            case .id(let prefix): .id(prefix.text)
            default: nil
            }
        }
    }

    /// A condition on rows that have only an ID and words.
    struct Plain: QueryTree {
        var sql: String
        var arguments: [String] = []

        static var everything: Plain { Plain(sql: "1") }
        static func all(_ parts: [Plain]) -> Plain { joined(parts, "AND") }
        static func any(_ parts: [Plain]) -> Plain { joined(parts, "OR") }
        static func not(_ part: Plain) -> Plain { Plain(sql: "NOT \(part.sql)", arguments: part.arguments) }

        private static func joined(_ parts: [Plain], _ word: String) -> Plain {
            Plain(sql: ConditionTree.joined(parts.map(\.sql), by: word), arguments: parts.flatMap(\.arguments))
        }
    }

    /// The condition on rows that have an `id` and words in some columns; projects are also matched by `name`.
    func plain(of kind: EntityKind, columns: [String]) -> Plain {
        let joined = columns.map { "ifnull(\($0), '')" }.joined(separator: " || ' ' || ")
        return asked(of: kind) { leaf in
            switch leaf {
            case .words(let text, _): Plain(sql: "helix_has(\(joined), ?)", arguments: [text])
            case .id(let prefix): Plain(sql: "(id >= ? AND id < ?)", arguments: [prefix.text, prefix.text + "~"])
            case .project(let name) where kind == .project:
                Plain(
                    sql: "(name = ? OR name LIKE ? ESCAPE '\\')",
                    arguments: [name, TaskFilterSQL.escaped(name) + ".%"])
            default: nil
            }
        }
    }
}
