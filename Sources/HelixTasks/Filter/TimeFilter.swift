import HelixModel

/// A filter for time entries.
public indirect enum TimeFilter: QueryTree, Hashable, Sendable {
    case everything
    case all([TimeFilter])
    case any([TimeFilter])
    case not(TimeFilter)
    /// All words of the text, in the title, the note or the task's title.
    case text(String)
    /// The exact text, in one of those.
    case phrase(String)
    /// A tag of the entry or of its task.
    case tag(String)
    /// Neither the entry nor its task has a tag.
    case untagged
    /// The project of the entry or of its task, including subprojects; nil for no project.
    case project(String?)
    /// The customer; nil for no customer.
    case customer(String?)
    case billable
    case running
    /// The time: the entry overlaps the range, starts before it or ends after it.
    case time(QueryComparison, QueryTimes)
    /// The duration in seconds; a running entry lasts until now.
    case length(QueryComparison, Int)
    case id(EntityPrefix)
    /// A condition on the task.
    case task(TaskFilter)
}

extension TimeFilter {
    /// True if the filter contains a time, in addition to the range of a list.
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
    /// Time entries, and the fields of their filters.
    public static let timeEntries = QueryNoun(
        "time entries", tags: .both, hasSavedQueries: true,
        example: "project:house date:last_week length>1h is:billable +phone words",
        fields: [
            QueryField(
                "project", .name, also: ["proj", "pro"], canBeNone: true,
                "The project of the entry or of its task, or a subproject."),
            QueryField("customer", .name, also: ["client"], canBeNone: true, "The customer of the project."),
            QueryField("tag", .name, also: ["tags"], canBeNone: true, "A tag of the entry or of its task, as +tag."),
            QueryField("is", .choice(["billable", "running"]), "A state: is:billable."),
            QueryField("date", .time(.back), also: ["on", "start"], "A day that it overlaps."),
            QueryField(
                "after", .time(.back), also: ["since", "from"], comparison: .greaterOrEqual, asks: "date",
                "Short for date>=: on that day or later."),
            QueryField("before", .time(.back), also: ["to"], comparison: .less, asks: "date", "Short for date<."),
            QueryField("length", .length, also: ["duration"], "The duration."),
            QueryField(
                "text", .words, also: ["title", "note", "words"], "Words in the title, the note or the task's title."),
            QueryField("id", .id, "A prefix of the ID."),
        ]
            + QueryNoun.tasks.fields.filter { ofTask.contains($0.name) }.map { field in
                var field = field
                field.doc = "Task field: " + field.doc
                return field
            })

    /// The task fields that filters of time entries accept.
    private static let ofTask = Set(
        ["status", "priority", "due", "estimate", "block", "board", "column", "parent"]
            + TaskProperty.all.map(\.name))
}

/// Parses filters for time entries.
public struct TimeQueryParser {
    private let parser: QueryParser<TimeFilter>

    /// - Parameters:
    ///   - me: the values of `assignee:me`, evaluated for a filter by assignee only.
    ///   - saved: returns the text of a saved view of tasks, used as `@name`.
    public init(
        dates: DatePhraseParser, me: @autoclosure @escaping () throws -> [String] = [],
        saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        parser = QueryParser(noun: .timeEntries, dates: dates, saved: saved) {
            try TimeFilter($0, me: $0.asksAssignee ? me() : [])
        }
    }

    /// Parses a filter.
    /// - Throws: ``HelixError`` of code `usage` that shows the position of the error.
    public func filter(_ text: String) throws -> TimeFilter { try parser.query(text) }
}

extension TimeFilter {
    /// Creates a condition from a term of ``QueryNoun/timeEntries``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, me: [String]) throws {
        switch term {
        case .words(let text, let isQuoted, _): self = isQuoted ? .phrase(text) : .text(text)
        // Computed states belong to the task: +overdue.
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
