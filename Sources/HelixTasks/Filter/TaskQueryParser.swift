import HelixModel

extension QueryNoun {
    /// Tasks, and the fields that filters ask for.
    public static let tasks = QueryNoun(
        "tasks", tags: .both, hasSavedQueries: true,
        example: "project:house priority>=high due<fri +billing -waiting (words or status:done)",
        fields: [
            QueryField(
                "project", .name, also: ["proj", "pro"], canBeNone: true,
                "The project, or one below it: project:house finds house.kitchen."),
            QueryField(
                "tag", .name, also: ["tags"], canBeNone: true, "A tag, as +tag; several in commas are all asked for."),
            QueryField(
                "status", .choice(statuses), also: ["state"],
                "The state. Without it lists have what is open and not hidden; status:all has all."),
            QueryField(
                "priority", .level(["low", "medium", "high", "critical"]), also: ["prio", "pri"], canBeNone: true,
                "The priority; none is less than low."),
            QueryField("due", .time(.ahead), canBeNone: true, "The day or time at which it is due."),
            QueryField("scheduled", .time(.ahead), also: ["sched"], canBeNone: true, "The day or time to begin."),
            QueryField(
                "wait", .time(.ahead), also: ["hidden"], canBeNone: true,
                "The time until which it is hidden."),
            QueryField("created", .time(.back), also: ["entry"], "The time at which it was made."),
            QueryField("modified", .time(.back), "The time of the last change."),
            QueryField("started", .time(.back), canBeNone: true, "The time since which it is worked on."),
            QueryField(
                "completed", .time(.back), also: ["ended", "end"], canBeNone: true, "The time at which it was done."),
            QueryField("urgency", .decimal, "The urgency, as 'helix tasks next' shows it."),
            QueryField("estimate", .length, also: ["est"], canBeNone: true, "The length of the work."),
            QueryField(
                "assignee", .person, also: ["for"], canBeNone: true, "The person whose task it is; me is the user."),
            QueryField("block", .name, canBeNone: true, "The block of work of its project."),
            QueryField("board", .name, "The board that it lies on."),
            QueryField("column", .name, also: ["col"], "The column of its board."),
            QueryField("kind", .choice(["task", "info"]), "Work, or a card that only tells."),
            QueryField("parent", .id, canBeNone: true, "The task that it is part of, by the beginning of its id."),
            QueryField(
                "depends", .id, also: ["dep"], canBeNone: true,
                "A task that it waits for, by the beginning of its id."),
            QueryField("id", .id, "The beginning of its id."),
            QueryField("title", .words, "Words in its title."),
            QueryField("notes", .words, also: ["note"], canBeNone: true, "Words in its notes."),
            QueryField(
                "text", .words, also: ["words"],
                "Words in title, notes or tags, each whole or as a beginning; the same as words alone."),
        ])

    /// States, and what a task is at the moment; all but `all` are also asked for like tags: `+overdue`.
    private static let statuses = [
        "open|pending|todo", "done|completed", "dropped|cancelled|canceled|deleted", "all", "waiting", "started|active",
        "blocked", "blocking", "overdue", "today", "recurring", "subtask", "parent", "tagged", "noted",
    ]
}

/// Reads the filters of tasks.
///
/// ```swift
/// let filter = try TaskQueryParser(dates: dates, me: ["ana@example.org"]).filter("project:house due<fri (+urgent or -tagged)")
/// ```
public struct TaskQueryParser {
    private let parser: QueryParser<TaskFilter>

    /// - Parameters:
    ///   - dates: reads the dates and times in filters.
    ///   - me: what `assignee:me` means.
    ///   - urgency: what makes tasks urgent.
    ///   - saved: the text of a saved view, used as `@name`.
    public init(
        dates: DatePhraseParser, me: [String] = [], urgency: UrgencyCoefficients = UrgencyCoefficients(),
        saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        parser = QueryParser(noun: .tasks, dates: dates, saved: saved) {
            try TaskFilter($0, me: me, urgency: urgency)
        }
    }

    /// The filter that `text` says; all parts must hold, unless `or` stands between them.
    /// - Throws: ``HelixError`` of code `usage` that points at the place.
    public func filter(_ text: String) throws -> TaskFilter { try parser.query(text) }
}

extension TaskFilter {
    /// The condition of a term of ``QueryNoun/tasks``.
    /// - Throws: ``HelixError`` of code `usage`.
    init(_ term: QueryTerm, me: [String], urgency: UrgencyCoefficients = UrgencyCoefficients()) throws {
        switch term {
        case .words(let text, let isQuoted, _): self = isQuoted ? .phrase(text) : .text(text)
        case .tag(let name): self = TaskMark(rawValue: name.lowercased()).map { .mark($0) } ?? .tag(name)
        case .field("urgency", let comparison, .number(let hundredths)):
            self = .urgency(comparison, hundredths, urgency)
        case .field(let name, let comparison, let value): self = try TaskFilter.field(name, comparison, value, me)
        }
    }

    private static func field(
        _ name: String, _ comparison: QueryComparison, _ value: QueryValue, _ me: [String]
    ) throws -> TaskFilter {
        // A field without a value is the opposite of one with any.
        if value == .any { return .not(try field(name, comparison, .none, me)) }
        if let time = timeFields[name] {
            if case .times(let times) = value { return .time(time, comparison, times) }
            return .time(time, .equal, nil)
        }
        switch (name, value) {
        case ("project", .text(let text, _)): return .project(text)
        case ("project", _): return .project(nil)
        case ("tag", .text(let text, _)):
            let tags = text.split(separator: ",").map { TaskFilter.tag(String($0)) }
            return tags.count == 1 ? tags[0] : .all(tags)
        case ("tag", _): return .not(.mark(.tagged))
        case ("status", .choice("all")): return .any([.state(.open), .state(.done), .state(.dropped)])
        case ("status", .choice(let word)):
            return TaskState(rawValue: word).map { .state($0) } ?? TaskMark(rawValue: word).map { .mark($0) }
                ?? .everything
        case ("priority", .choice(let word)): return .priority(comparison, TaskPriority(word))
        case ("priority", _): return .priority(.equal, nil)
        case ("estimate", .number(let seconds)): return .estimate(comparison, seconds)
        case ("estimate", _): return .estimate(.equal, nil)
        case ("assignee", .text(let text, let isQuoted)):
            return text.lowercased() == "me" && !isQuoted
                ? .any((me + ["me"]).map { TaskFilter.assignee($0) }) : .assignee(text)
        case ("assignee", _): return .assignee(nil)
        case ("block", .text(let text, _)): return .block(text)
        case ("block", _): return .block(nil)
        case ("board", .text(let text, _)): return .board(text)
        case ("column", .text(let text, _)): return .column(text)
        case ("kind", .choice(let word)): return TaskKind(rawValue: word).map { .kind($0) } ?? .everything
        case ("parent", .id(let prefix)): return .parent(prefix)
        case ("parent", _): return .parent(nil)
        case ("depends", .id(let prefix)): return .depends(prefix)
        case ("depends", _): return .depends(nil)
        case ("id", .id(let prefix)): return .id(prefix)
        case ("title", .text(let text, _)): return .title(text)
        case ("notes", .text(let text, _)): return .notes(text)
        case ("notes", _): return .notes(nil)
        case ("text", .text(let text, let isQuoted)): return isQuoted ? .phrase(text) : .text(text)
        default: throw HelixError(.usage, "tasks cannot be asked for '\(name)' so")
        }
    }

    private static let timeFields: [String: TimeField] = [
        "due": .due, "scheduled": .scheduled, "wait": .hidden, "created": .created, "modified": .modified,
        "started": .started, "completed": .completed,
    ]
}
