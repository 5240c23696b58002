import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks

/// `helix tasks edit`
struct TasksEdit: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit tasks: one, several, or all that match a filter.",
        discussion: """
            The first word selects: an id, several separated by commas, '-' for ids on standard input, or a filter. The \
            rest are changes, as in add; 'none' clears a field, -tag removes a tag, title: sets the title. 'helix undo' \
            reverts all of it. Without changes, opens the task in your editor.

              helix tasks edit k3f7
              helix tasks edit k3f7 due:fri priority:high
              helix tasks edit k3f7 title:"A better title"
              helix tasks edit 'project:house +billing' priority:high -urgent --dry-run
              helix tasks edit k3f7 --check 1 --step "another one"
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("Tasks: ids, '-', or a filter.", valueName: "tasks"),
        completion: .custom(CompletionLists.tasksOrQuery))
    var tasks: String

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Fields to change.", valueName: "changes"))
    var changes: [String] = []

    @Option(name: .long, help: ArgumentHelp("Set the title.", valueName: "text"))
    var title: String?

    @OptionGroup var options: TaskOptions

    @Option(name: .long, help: ArgumentHelp("Check steps of the checklist, by number or 'all'.", valueName: "n,n"))
    var check: [String] = []

    @Option(name: .long, help: ArgumentHelp("Uncheck steps of the checklist.", valueName: "n,n"))
    var uncheck: [String] = []

    @Option(name: .long, help: ArgumentHelp("Remove checklist items.", valueName: "n,n"))
    var removeStep: [String] = []

    @Flag(name: .long, help: "Show what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard let first = words.first else { return nil }
        var command = Self()
        (command.tasks, command.changes, command.options) = (first, Array(words.dropFirst()), .unset)
        (command.title, command.check, command.uncheck, command.removeStep) = (nil, [], [], [])
        (command.dryRun, command.output) = (false, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let lines = context.taskLines
        var said = try lines.changes(
            ArgumentQuoting.line(
                changes.plainWords(of: "tasks edit"), isField: TaskLineParser.isField, isWhole: lines.isWhole),
            for: .edit)
        try options.apply(to: &said, lines, isEdit: true)
        if let title {
            if let found = said.title, found != title { throw HelixError.twoTitles(found, title) }
            try lines.set("title", title, &said)
        }
        let ids = try context.taskIDs([tasks])
        guard !said.isEmpty || !steps.isEmpty else {
            guard ids.count == 1, context.canEdit else {
                throw HelixError(
                    .usage, "no changes given",
                    hint:
                        "Example: helix tasks edit k3f7 due:fri priority:high +tag. For one task on a terminal, the editor opens."
                )
            }
            return try openEditor(ids[0], context)
        }
        if said.title != nil, ids.count > 1 {
            throw HelixError(
                .usage, "\(ids.count) tasks would all get the title '\(said.title ?? "")'",
                hint: "Write what should change as field:value, +tag or -tag.")
        }
        try change(ids, said, context)
    }

    /// The changes of checklist steps by options.
    private var steps: StepChanges { StepChanges(check: check, uncheck: uncheck, remove: removeStep) }

    /// Rejects the removal of a tag that none of the tasks has.
    private func refuseMissing(_ tags: [String], _ ids: [EntityID], _ change: Change) throws {
        guard !tags.isEmpty else { return }
        let known = try ids.reduce(into: Set<String>()) {
            $0.formUnion(try change.task($1).task.tags.map { $0.lowercased() })
        }
        guard let missing = tags.first(where: { !known.contains($0.lowercased()) }) else { return }
        let whose = ids.count == 1 ? "the task has no tag" : "none of the \(ids.count) tasks has a tag"
        throw HelixError(
            .usage, "\(whose) '\(missing)'",
            hint: known.isEmpty ? "There are no tags." : "Tags: \(known.sorted().prefix(20).joined(separator: ", "))."
        )
    }

    /// Changes tasks.
    /// - Throws: ``HelixError``.
    func change(_ ids: [EntityID], _ said: TaskChanges, _ context: CommandContext) throws {
        let store = try context.store()
        let steps = steps
        var changed: [EntityID] = []
        let what = ids.count == 1 ? "a task" : "\(ids.count) tasks"
        let items = try store.trying("edit \(what)", command: "tasks edit", isDryRun: dryRun) { change in
            try refuseMissing(said.removedTags, ids, change)
            for id in ids {
                let edited = try change.editTask(id, said, dates: context.dates)
                let stepped = try steps.apply(to: id, change)
                if edited || stepped { changed.append(id) }
            }
            if ids.count == 1, let id = changed.first { change.summary = "edit \(try change.described([id]))" }
            // Only the tasks that are shown are read again.
            return try change.tasks(
                output.isMachine ? changed : Array(changed.prefix(TaskChangeReport.shown(of: changed.count))))
        }
        let report = TaskChangeReport(
            verb: "changed", items: try context.items(items), further: changed.count - items.count, isDryRun: dryRun)
        try context.present(report, ids: output.isMachine ? [] : items.map(\.task.id))
    }
}

/// Changes to the steps of a checklist.
private struct StepChanges {
    let check: [String]
    let uncheck: [String]
    let remove: [String]

    var isEmpty: Bool { check.isEmpty && uncheck.isEmpty && remove.isEmpty }

    func apply(to id: EntityID, _ change: Change) throws -> Bool {
        if isEmpty { return false }
        var list = try change.task(id).task.checklist
        func places(_ words: [String]) throws -> [Int] {
            try words.flatMap { $0.split(separator: ",") }.flatMap { word -> [Int] in
                if word == "all" { return Array(list.indices) }
                guard let number = Int(word), list.indices.contains(number - 1) else {
                    throw HelixError(
                        .usage, "no step \(word) in the checklist of \(try change.described([id]))",
                        hint: "'helix tasks show ID' numbers them.")
                }
                return [number - 1]
            }
        }
        let before = list
        let both = Set(try places(check)).intersection(try places(uncheck))
        if let place = both.min() {
            throw HelixError(.usage, "step \(place + 1) is both checked and unchecked", hint: "Do one of the two.")
        }
        for place in try places(check) { list[place].done = true }
        for place in try places(uncheck) { list[place].done = false }
        for place in Set(try places(remove)).sorted().reversed() { list.remove(at: place) }
        if list == before { return false }
        try change.setChecklist(id, list)
        return true
    }
}
