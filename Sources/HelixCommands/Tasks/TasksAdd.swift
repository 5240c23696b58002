import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The options that describe a task, for `add` and `edit`.
struct TaskOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Notes; '' removes them from a task.", valueName: "text"))
    var notes: String?

    @Option(
        name: [.customShort("p"), .long], help: ArgumentHelp("The project; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.projects))
    var project: String?

    @Option(name: .long, help: ArgumentHelp("The project's block; created if missing.", valueName: "name"))
    var block: String?

    @Option(name: .long, help: ArgumentHelp("low, medium, high, critical or none.", valueName: "word"))
    var priority: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Due date.", valueName: "when"))
    var due: String?

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Scheduled start.", valueName: "when"))
    var scheduled: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Hide it from lists until then.", valueName: "when")
    )
    var wait: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Estimated duration.", valueName: "length"))
    var estimate: String?

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Tag; may be repeated. In an existing task, +word adds one, -word removes one, and a plain word replaces all.",
            valueName: "word"))
    var tag: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The board.", valueName: "name"), completion: .custom(CompletionLists.boards))
    var board: String?

    @Option(
        name: .long, help: ArgumentHelp("The column.", valueName: "name"), completion: .custom(CompletionLists.columns))
    var column: String?

    @Option(
        name: .long, help: ArgumentHelp("Parent task.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var parent: String?

    @Option(
        name: .long, help: ArgumentHelp("Assignee; 'me' is you.", valueName: "who"),
        completion: .custom(CompletionLists.contacts))
    var assignee: String?

    @Option(
        name: .customLong("repeat"),
        help: ArgumentHelp(
            "Repetition: weekly, 'last fri of the month', '2 weeks after done'.", valueName: "phrase"),
        completion: .list(CompletionLists.repetitions + ["2 weeks after done"]))
    var repetition: String?

    @Option(
        name: .long, help: ArgumentHelp("Depends on this task; may be repeated.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var depends: [String] = []

    @Option(name: .long, help: ArgumentHelp("Add a checklist item; may be repeated.", valueName: "text"))
    var step: [String] = []

    @Flag(name: .long, help: "An informational card.")
    var info = false

    /// No options given.
    static var unset: TaskOptions {
        var options = TaskOptions()
        (options.notes, options.project, options.priority, options.due) = (nil, nil, nil, nil)
        (options.scheduled, options.wait, options.estimate, options.tag) = (nil, nil, nil, [])
        (options.board, options.column, options.parent, options.assignee) = (nil, nil, nil, nil)
        (options.repetition, options.depends, options.step, options.info) = (nil, [], [], false)
        options.block = nil
        return options
    }

    /// Merges the options into the changes of the line.
    /// - Throws: ``HelixError`` of code `usage`.
    /// - Parameter isEdit: whether plain tags replace the existing ones.
    func apply(to changes: inout TaskChanges, _ lines: TaskLineParser, isEdit: Bool = false) throws {
        let values = [
            ("notes", notes), ("project", project), ("block", block), ("priority", priority), ("due", due),
            ("scheduled", scheduled),
            ("wait", wait), ("estimate", estimate), ("board", board), ("column", column), ("parent", parent),
            ("assignee", assignee), ("repeat", repetition),
        ]
        for (name, value) in values {
            guard let value else { continue }
            let before = changes
            try lines.set(name, value, &changes)
            // The line must not set the same field to another value.
            guard changes == before || !lines.says(name, before) else {
                throw HelixError(
                    .usage, "'\(name)' is set in the line, and by --\(name) to '\(value)'",
                    hint: "Set it once.")
            }
        }
        if isEdit, tag.count == 1, tag[0].isEmpty || tag[0].lowercased() == "none" {
            changes.take(nil, isEdit: true)
        } else {
            let tags = try TagChange(tag)
            guard isEdit || tags.removals.isEmpty else {
                throw HelixError(
                    .usage, "'--tag \(tag.joined(separator: " "))' removes a tag, but a new task has none")
            }
            changes.take(tags, isEdit: isEdit)
        }
        if let both = changes.addedTags.first(where: { tag in
            changes.removedTags.contains { $0.lowercased() == tag.lowercased() }
        }) {
            throw HelixError(.usage, "the tag '\(both)' is both added and removed", hint: "Do one of the two.")
        }
        changes.blockers += depends.map { EntityPrefix($0) }
        if step.contains(where: { $0.trimmingBlanks().isEmpty }) {
            throw HelixError(.usage, "--step is empty", hint: "Give it a text: --step 'buy paint'.")
        }
        changes.addedSteps += step
        if info { changes.kind = .info }
    }
}

/// `helix tasks add`
struct TasksAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a task.",
        discussion: """
            Reads +tag, project:, due:, priority:, estimate:, scheduled:, wait:, repeat:, parent:, depends:, board:, \
            column: and assignee: from the line; the rest is the title.

              helix tasks add "Send invoice to Ana +billing due:fri 17:00 priority:high"
              helix tasks add "Water the plants" --repeat "3 days after done"
              helix tasks add "Paint the door" --project house --step "buy paint" \\
                  --step "sand it"
              helix tasks add --from-mail k3f7 due:fri
              helix tasks add due:fri -- Say +1 to the plan
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("The task, with fields; after -- the title alone.", valueName: "text"))
    var text: [String] = []

    @Option(name: .long, help: ArgumentHelp("The title; the words are then fields.", valueName: "text"))
    var title: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Link to this message; its subject is the default title.", valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var fromMail: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Link to this chat message; its text is the default title.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var fromChat: String?

    @OptionGroup var options: TaskOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.text, command.options, command.output) = (words, .unset, .unset)
        (command.fromMail, command.fromChat, command.title) = (nil, nil, nil)
        command.changes = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let lines = context.taskLines
        let (line, rest) = try text.lineAndTitle(of: "tasks add", takesShort: true)
        if let title, !rest.isEmpty { throw HelixError.twoTitles(rest.joined(separator: " "), title) }
        var changes = try lines.changes(
            ArgumentQuoting.line(line, isField: TaskLineParser.isField, isWhole: lines.isWhole))
        try options.apply(to: &changes, lines)
        if let given = title ?? (rest.isEmpty ? nil : rest.joined(separator: " ")) {
            if let found = changes.title { throw HelixError.twoTitles(found, given) }
            changes.title = given
        }
        let message = try fromMail.map { try context.store().message(try context.messageID($0)) }
        if changes.title == nil, let message { changes.title = message.plainSubject }
        let said = try fromChat.map { try context.chatMessage($0) }
        if let said {
            if changes.title == nil { changes.title = said.title }
            // Text that does not fit in the title becomes notes.
            if changes.title != said.content, case .keep = changes.notes { changes.notes = .set(said.content) }
        }
        if let words = changes.title.flatMap({ context.timeWords(in: $0) }) {
            context.note(
                StyledText("'\(words)' stays in the title" + context.fieldHint(words, beside: changes) + ".", .dim))
        }
        guard let title = changes.title else {
            throw HelixError(
                .usage, "the task has no title", hint: "Give it one: helix tasks add \"Buy milk due:fri\".")
        }
        let store = try context.store()
        let id = try store.change("add '\(title)'", command: "tasks add") { change in
            let id = try change.addTask(changes, dates: context.dates)
            for origin in [message?.id, said?.id].compactMap({ $0 }) { _ = try change.addLink(id, origin, .related) }
            return id
        }
        try context.presentTasks("added", [id])
    }
}

extension CommandContext {
    /// Reports changed tasks.
    /// - Throws: ``HelixError``.
    func presentTasks(_ verb: String, _ ids: [EntityID], remarks: [String] = []) throws {
        let items = try items(try store().tasks(ids))
        try present(
            TaskChangeReport(verb: verb, items: items, remarks: remarks), ids: output.isMachine ? [] : ids)
    }
}

extension CommandContext {
    /// The words of a title that look like a date or time; tasks read those only in fields.
    fileprivate func timeWords(in title: String) -> String? {
        let dates = dates.looking(.ahead)
        guard let explanation = try? dates.explanation(of: title), !explanation.when.saysNoTime else {
            return limit(in: title, dates)
        }
        let words = explanation.rows.filter { $0.kind != "words" }.map(\.text).joined(separator: " ")
        return words.isEmpty || explanation.title.isEmpty ? nil : words
    }

    /// A hint with the field for such words.
    fileprivate func fieldHint(_ words: String, beside changes: TaskChanges) -> String {
        let dates = dates.looking(.ahead)
        if case .keep = changes.due, (try? dates.taskTime(words)) != nil {
            return "; due:\"\(words)\" would set the due date"
        }
        if case .keep = changes.recurrence, (try? dates.repetition(words)) != nil {
            return "; repeat:\"\(words)\" would set the recurrence"
        }
        let length = words.hasPrefix("for ") ? String(words.dropFirst(4)) : words
        if case .keep = changes.estimate, (try? dates.duration(length)) != nil {
            return "; estimate:\"\(length)\" would set the estimate"
        }
        return ""
    }

    /// A date or time after `until`, `before`, `by` or `at`: `Read book until friday 5pm`.
    private func limit(in title: String, _ dates: DatePhraseParser) -> String? {
        let words = title.split(separator: " ")
        for index in words.indices.dropLast()
        where ["until", "till", "before", "by", "at", "on"].contains(words[index].lowercased()) {
            let rest = words[(index + 1)...].prefix(4)
            for count in stride(from: rest.count, to: 0, by: -1) {
                let said = rest.prefix(count).joined(separator: " ")
                if (try? dates.moment(said)) != nil { return said }
            }
        }
        return nil
    }
}
