import ArgumentParser
import HelixModel
import HelixStore

/// `helix tasks start`
struct TasksStart: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "start", abstract: "Start the timer on a task.",
        discussion: """
            Same as 'helix time start' with the task. Moves the card out of the first column if there is room.

              helix tasks start k3f7
              helix tasks start k3f7 --at "10 min ago"
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The task.", valueName: "id"), completion: .custom(CompletionLists.taskIDs))
    var task: String

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start.", valueName: "when"))
    var at: String?

    @OptionGroup var blocked: BlockedOptions
    @OptionGroup var options: TimeOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let details = try context.task(task)
        if blocked.onBlocked == .fail {
            try context.store().trying("check", command: "tasks start", isDryRun: true) { change in
                var warnings: [String] = []
                try blocked.check(details.task.id, change, context, &warnings)
            }
        }
        try context.startClock([details.task.id.text], at: at, options: options, command: "tasks start")
    }
}

/// `helix tasks stop`
struct TasksStop: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "stop", abstract: "Stop the timer.",
        discussion: "  helix tasks stop\n  helix tasks stop --at 17:30")
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("End.", valueName: "when"))
    var at: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.stopClock(at: at, command: "tasks stop") }
}
