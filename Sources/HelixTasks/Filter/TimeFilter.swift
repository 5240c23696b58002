import HelixModel

/// The time entries that are meant.
public indirect enum TimeFilter: QueryTree, Hashable, Sendable {
    case everything
    case all([TimeFilter])
    case any([TimeFilter])
    case not(TimeFilter)
    /// All words of the text, in the title, the note or the title of the task.
    case text(String)
    /// The text as it stands, in one of those.
    case phrase(String)
    /// A tag of its own or of its task.
    case tag(String)
    /// Without any tag of its own or of its task.
    case untagged
    /// Its project or that of its task, and those below it; nil is none.
    case project(String?)
    /// Its customer; nil is none.
    case customer(String?)
    case billable
    case running
    /// Its time: it touches such a stretch, or begins before or ends after it.
    case time(QueryComparison, QueryTimes)
    /// Its length in seconds; one that runs lasts until now.
    case length(QueryComparison, Int)
    case id(EntityPrefix)
    /// A condition on its task.
    case task(TaskFilter)
}

extension TimeFilter {
    /// Whether a time is asked for, beside the range of a list.
    public var namesTime: Bool {
        switch self {
        case .time: true
        case .all(let parts), .any(let parts): parts.contains(where: \.namesTime)
        case .not(let part): part.namesTime
        default: false
        }
    }
}

extension QueryNoun {
    /// Time entries, and the fields that filters ask for.
    public static let timeEntries = QueryNoun(
        "time entries", tags: .both, hasSavedQueries: true,
        example: "project:house date:last_week length>1h is:billable +phone words",
        fields: [
            QueryField(
                "project", .name, also: ["proj", "pro"], canBeNone: true,
                "Its project or that of its task, or one below it."),
            QueryField("customer", .name, also: ["client"], canBeNone: true, "The customer of its project."),
            QueryField("tag", .name, also: ["tags"], canBeNone: true, "A tag of its own or of its task, as +tag."),
            QueryField("is", .choice(["billable", "running"]), "A state: is:billable."),
            QueryField("date", .time(.back), also: ["on", "start"], "A day that it touches."),
            QueryField(
                "after", .time(.back), also: ["since", "from"], comparison: .greaterOrEqual, asks: "date",
                "The same as date>=: on that day or later."),
            QueryField("before", .time(.back), also: ["to"], comparison: .less, asks: "date", "The same as date<."),
            QueryField("length", .length, also: ["duration"], "Its length."),
            QueryField(
                "text", .words, also: ["title", "note", "words"], "Words in its title or note, or its task's title."),
            QueryField("id", .id, "The beginning of its id."),
        ]
            + QueryNoun.tasks.fields.filter { ofTask.contains($0.name) }.map { field in
                var field = field
                field.doc = "Of its task. " + field.doc
                return field
            })

    /// The fields that are asked of the task of an entry.
    private static let ofTask: Set = [
        "status", "priority", "due", "estimate", "assignee", "block", "board", "column", "parent",
    ]
}

/// Reads the filters of time entries.
public struct TimeQueryParser {
    private let parser: QueryParser<TimeFilter>

    /// - Parameters:
    ///   - me: what `assignee:me` means.
    ///   - saved: the text of a saved view of tasks, used as `@name`.
    public init(
        dates: DatePhraseParser, me: [String] = [], saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        parser = QueryParser(noun: .timeEntries, dates: dates, saved: saved) { try TimeFilter($0, me: me) }
    }

    /// The filter that `text` says.
    /// - Throws: ``HelixError`` of code `usage` that points at the place.
    public func filter(_ text: String) throws -> TimeFilter { try parser.query(text) }
}

extension TimeFilter {
    /// The condition of a term of ``QueryNoun/timeEntries``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, me: [String]) throws {
        switch term {
        case .words(let text, let isQuoted, _): self = isQuoted ? .phrase(text) : .text(text)
        // What a task is at the moment is asked of the task: +overdue.
        case .tag(let name): self = TaskMark(rawValue: name.lowercased()).map { .task(.mark($0)) } ?? .tag(name)
        case .field("project", _, .text(let text, _)): self = .project(text)
        case .field("project", _, .any): self = .not(.project(nil))
        case .field("project", _, _): self = .project(nil)
        case .field("customer", _, .text(let text, _)): self = .customer(text)
        case .field("customer", _, .any): self = .not(.customer(nil))
        case .field("customer", _, _): self = .customer(nil)
        case .field("tag", _, .text(let text, _)):
            let tags = text.split(separator: ",").map { TimeFilter.tag(String($0)) }
            self = tags.count == 1 ? tags[0] : .all(tags)
        case .field("tag", _, .any): self = .not(.untagged)
        case .field("tag", _, _): self = .untagged
        case .field("is", _, .choice(let word)): self = word == "running" ? .running : .billable
        case .field("date", let comparison, .times(let times)): self = .time(comparison, times)
        case .field("length", let comparison, .number(let seconds)): self = .length(comparison, seconds)
        case .field("text", _, .text(let text, let isQuoted)): self = isQuoted ? .phrase(text) : .text(text)
        case .field("id", _, .id(let prefix)): self = .id(prefix)
        case .field: self = .task(try TaskFilter(term, me: me))
        }
    }
}
