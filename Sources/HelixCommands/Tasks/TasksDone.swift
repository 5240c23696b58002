import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks

/// `helix tasks done`
struct TasksDone: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "done", abstract: "Mark tasks as done.",
        discussion: """
            Moves tasks to the done column, stops their timers and creates the next instance of recurring ones. Lists \
            tasks that are no longer blocked.

              helix tasks done k3f7
              helix tasks done k3f7 x2b9 --at "yesterday 17:00"
              helix tasks done 'project:house +operation'
              helix tasks list +today --ids | helix tasks done -
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("Tasks: ids, '-', or a filter.", valueName: "tasks"),
        completion: .custom(CompletionLists.tasksOrQuery))
    var tasks: [String]

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Completion time.", valueName: "when"))
    var at: String?

    @Flag(name: .long, help: "Show what would be done, and change nothing.")
    var dryRun = false

    @OptionGroup var blocked: BlockedOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard !words.isEmpty else { return nil }
        var command = Self()
        (command.tasks, command.at, command.dryRun) = (words, nil, false)
        (command.blocked, command.output) = (.unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let time = try at.map { try context.dates.moment($0).instant(in: context.zone) }
        if let time, time > context.now {
            throw HelixError(.usage, "'\(at ?? "")' is in the future: it cannot be a completion time")
        }
        try context.changeTasks(tasks, verb: "done", command: "tasks done", isDryRun: dryRun) { change, id, remarks in
            guard try change.task(id).task.state == .open else { return false }
            try blocked.check(id, change, context, &remarks)
            let completion = try change.completeTask(id, at: time, zone: context.zone)
            try remarks += CommandContext.remarks(completion, change, context)
            return true
        }
    }
}

extension Change {
    /// A remark on the open subtasks of a completed task.
    fileprivate func openPartsRemark(of id: EntityID, except others: [EntityID] = []) throws -> [String] {
        let parts = try openParts(of: id).filter { !others.contains($0) }
        return parts.isEmpty ? [] : ["Its part\(parts.count == 1 ? " stays" : "s stay") open: \(try described(parts))."]
    }

    /// A remark that dropping a recurring task ends its series.
    fileprivate func seriesRemark(of id: EntityID) throws -> [String] {
        let task = try task(id).task
        if task.recurrence == nil || task.state == .done { return [] }
        return ["'\(task.title)' does not recur any more; 'helix tasks done' would have created the next one."]
    }
}

extension CommandContext {
    /// Remarks on calendar time that is still booked for a task.
    fileprivate func bookingRemark(of id: EntityID) throws -> [String] {
        try bookings(of: id).prefix(3).map {
            "Its time is still booked, \(viewer.span($0.time)); 'helix cal delete \($0.event.text.prefix(6))' frees it."
        }
    }

    /// Remarks on a completed task.
    static func remarks(
        _ completion: TaskCompletion, _ change: Change, _ context: CommandContext
    ) throws -> [String] {
        var remarks: [String] = []
        if !completion.freed.isEmpty { remarks.append("Now free: \(try change.described(completion.freed)).") }
        if let next = completion.next, let due = try change.task(next).task.due {
            remarks.append("Recurs \(context.viewer.full(due)): \(next.text.prefix(6)).")
        }
        if let stopped = completion.stoppedTimer {
            remarks.append(
                stopped.isDiscarded
                    ? "Its timer was stopped; it had only just started, so no time was kept." : "Its timer was stopped."
            )
            remarks += CommandContext.remarks(stopped.adjustment)
        }
        try remarks += change.openPartsRemark(of: completion.task)
        try remarks += context.bookingRemark(of: completion.task)
        return remarks
    }

    /// Changes all tasks that the arguments select, in one change set, and reports it.
    ///
    /// - Parameters:
    ///   - state: the state for filters that do not set one.
    ///   - body: changes one task, may add remarks, and returns whether it changed.
    /// - Throws: ``HelixError``.
    func changeTasks(
        _ words: [String], verb: String, command: String, isDryRun: Bool = false, state: TaskState? = .open,
        remarks first: [String] = [], _ body: (Change, EntityID, inout [String]) throws -> Bool
    ) throws {
        let ids = try taskIDs(words, state: state)
        var remarks = first
        var changed: [EntityID] = []
        let found = try store().trying("\(verb)", command: command, isDryRun: isDryRun) { change in
            for id in ids where try body(change, id, &remarks) { changed.append(id) }
            change.summary =
                changed.count == 1 ? "\(verb): \(try change.described(changed))" : "\(verb): \(changed.count) tasks"
            return try change.tasks(changed)
        }
        let report = TaskChangeReport(verb: verb, items: try items(found), remarks: remarks, isDryRun: isDryRun)
        try present(report, ids: output.isMachine ? [] : Array(changed.prefix(30)))
    }
}

/// `helix tasks reopen`
struct TasksReopen: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "reopen", abstract: "Reopen closed tasks.",
        discussion: "  helix tasks reopen k3f7")
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(help: ArgumentHelp("Tasks: ids, '-', or a filter.", valueName: "tasks"))
    var tasks: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeTasks(tasks, verb: "reopened", command: "tasks reopen", state: nil) { change, id, _ in
            guard try change.task(id).task.state != .open else { return false }
            try change.reopenTask(id)
            return true
        }
    }
}

/// `helix tasks drop`
struct TasksDrop: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "drop", abstract: "Drop tasks: close them without completing them.",
        discussion: """
            Dropped tasks are hidden from lists and boards; 'helix tasks list status:dropped' lists them, 'reopen' \
            reopens them.

              helix tasks drop k3f7
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("Tasks: ids, '-', or a filter.", valueName: "tasks"),
        completion: .custom(CompletionLists.tasksOrQuery))
    var tasks: [String]

    @Flag(name: .long, help: "Show what would be dropped, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeTasks(tasks, verb: "dropped", command: "tasks drop", isDryRun: dryRun) {
            change, id, remarks in
            guard try change.task(id).task.state == .open else { return false }
            try change.dropTask(id)
            try remarks += change.openPartsRemark(of: id)
            try remarks += context.bookingRemark(of: id)
            try remarks += change.seriesRemark(of: id)
            return true
        }
    }
}

/// `helix tasks delete`
struct TasksDelete: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete tasks.",
        discussion: """
            Subtasks and tracked time of a deleted task are kept. 'helix undo' restores it.

              helix tasks delete k3f7 --yes
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("Tasks: ids, '-', or a filter.", valueName: "tasks"),
        completion: .custom(CompletionLists.tasksOrQuery))
    var tasks: [String]

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @Flag(name: .long, help: "Show what would be deleted, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let ids = try context.taskIDs(tasks, state: nil)
        let store = try context.store()
        let details = try store.tasks(ids)
        if !ids.isEmpty, !dryRun {
            let what = ids.count == 1 ? "'\(details.first?.task.title ?? "")'" : "\(ids.count) tasks"
            try context.confirm("Delete \(what)?", yes: yes)
        }
        let short = try store.shortIDs(ids)
        let what = details.count == 1 ? "'\(details[0].task.title)'" : "\(details.count) tasks"
        let items = try context.items(details)
        var remarks: [String] = []
        _ = try store.trying("delete \(what)", command: "tasks delete", isDryRun: dryRun) { change in
            for id in ids {
                try remarks += change.openPartsRemark(of: id, except: ids)
                try remarks += context.bookingRemark(of: id)
                try remarks += change.seriesRemark(of: id)
                try change.deleteTask(id)
            }
        }
        let report = TaskChangeReport(verb: "deleted", items: items, remarks: remarks, isDryRun: dryRun)
        try context.present(report, shortIDs: short)
    }
}
