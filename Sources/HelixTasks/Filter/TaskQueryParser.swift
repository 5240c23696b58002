import HelixModel

extension QueryNoun {
    /// Tasks, and the fields of their filters.
    public static let tasks = QueryNoun(
        "tasks", tags: .both, hasSavedQueries: true,
        example: "project:house priority>=high due<fri +billing -waiting (words or status:done)",
        fields: [
            QueryField(
                "project", .name, also: ["proj", "pro"], canBeNone: true,
                "The project or a subproject: project:house matches house.kitchen."),
            QueryField(
                "tag", .name, also: ["tags"], canBeNone: true, "A tag, as +tag; of several in commas all must match."),
            QueryField(
                "status", .choice(statuses), also: ["state"],
                "The state. The default is open and not hidden; status:all matches all tasks."),
            QueryField(
                "priority", .level(["low", "medium", "high", "critical"]), also: ["prio", "pri"], canBeNone: true,
                "The priority; none is less than low."),
            QueryField("due", .time(.ahead), canBeNone: true, "The day or time at which it is due."),
            QueryField("scheduled", .time(.ahead), also: ["sched"], canBeNone: true, "The planned start of work."),
            QueryField(
                "wait", .time(.ahead), also: ["hidden"], canBeNone: true,
                "The time until which it is hidden."),
            QueryField("created", .time(.back), also: ["entry"], "The time of creation."),
            QueryField("modified", .time(.back), "The time of the last change."),
            QueryField("started", .time(.back), canBeNone: true, "The time at which work started."),
            QueryField(
                "completed", .time(.back), also: ["ended", "end"], canBeNone: true, "The time of completion."),
            QueryField("urgency", .decimal, "The urgency, as shown by 'helix tasks next'."),
            QueryField("estimate", .length, also: ["est"], canBeNone: true, "The estimated duration."),
        ]
            + TaskProperty.all.map {
                QueryField(
                    $0.name, $0.queryKind, also: $0.aliases, canBeNone: true,
                    $0.doc.dropLast() + ($0.isPerson ? "; me is the user." : "."))
            } + [
                QueryField("block", .name, canBeNone: true, "The block of its project."),
                QueryField("board", .name, "The board of the task."),
                QueryField("column", .name, also: ["col"], "The column of the board."),
                QueryField("kind", .choice(["task", "info"]), "A task, or a card for information."),
                QueryField("parent", .id, canBeNone: true, "The parent task, by a prefix of its ID."),
                QueryField(
                    "depends", .id, also: ["dep"], canBeNone: true,
                    "A task that blocks it, by a prefix of its ID."),
                QueryField("id", .id, "A prefix of the ID."),
                QueryField("title", .words, "Words in the title."),
                QueryField("notes", .words, also: ["note"], canBeNone: true, "Words in the notes."),
                QueryField(
                    "text", .words, also: ["words"],
                    "Words or prefixes in title, notes or tags; like plain words."),
            ])

    /// The values of `status:`: states and computed states; all but `all` can also be written like tags: `+overdue`.
    private static let statuses = [
        "open|pending|todo", "done|completed", "dropped|cancelled|canceled|deleted", "all", "waiting", "started|active",
        "blocked", "blocking", "overdue", "today", "recurring", "subtask", "parent", "tagged", "noted",
    ]
}

/// Parses filters for tasks.
///
/// ```swift
/// let filter = try TaskQueryParser(dates: dates, me: ["ana@example.org"]).filter("project:house due<fri (+urgent or -tagged)")
/// ```
public struct TaskQueryParser {
    private let parser: QueryParser<TaskFilter>

    /// - Parameters:
    ///   - dates: parses the dates and times in filters.
    ///   - me: the values of `assignee:me`, evaluated for a filter by assignee only.
    ///   - urgency: the coefficients of urgency.
    ///   - saved: returns the text of a saved view, used as `@name`.
    public init(
        dates: DatePhraseParser, me: @autoclosure @escaping () throws -> [String] = [],
        urgency: UrgencyCoefficients = UrgencyCoefficients(),
        saved: @escaping (String) throws -> String? = { _ in nil }
    ) {
        parser = QueryParser(noun: .tasks, dates: dates, saved: saved) {
            try TaskFilter($0, me: $0.asksAssignee ? me() : [], urgency: urgency)
        }
    }

    /// Parses a filter; all its parts must match, unless they are separated by `or`.
    /// - Throws: ``HelixError`` of code `usage` that shows the position of the error.
    public func filter(_ text: String) throws -> TaskFilter { try parser.query(text) }
}

extension QueryTerm {
    /// Whether it is a condition on the person in charge.
    var asksAssignee: Bool {
        if case .field("assignee", _, _) = self { return true }
        return false
    }
}

extension TaskFilter {
    /// Creates a condition from a term of ``QueryNoun/tasks``.
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
        // A field without a value is the negation of a field with any value.
        if value == .any { return .not(try field(name, comparison, .none, me)) }
        let property = TaskProperty.named(name)
        if property?.kind == .day {
            if case .times(let times) = value { return .day(name, comparison, times) }
            return .day(name, .equal, nil)
        }
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
        default:
            guard let property else { throw HelixError(.usage, "cannot filter tasks by '\(name)' in this way") }
            if case .number(let hundredths) = value { return .number(name, comparison, hundredths) }
            guard case .text(let text, let isQuoted) = value else { return .property(name, nil) }
            return property.isPerson && text.lowercased() == "me" && !isQuoted
                ? .any((me + ["me"]).map { TaskFilter.property(name, $0) }) : .property(name, text)
        }
    }

    private static let timeFields: [String: TimeField] = [
        "due": .due, "scheduled": .scheduled, "wait": .hidden, "created": .created, "modified": .modified,
        "started": .started, "completed": .completed,
    ]
}

extension TaskProperty {
    /// The values of its field in queries.
    fileprivate var queryKind: QueryField.Kind {
        switch kind {
        case .text: .name
        case .person: .person
        case .number: .decimal
        case .day: .time(.ahead)
        }
    }
}
