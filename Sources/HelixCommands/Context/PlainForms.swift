/// The commands that can be made without the argument parser, where no option is given.
///
/// The parser takes 2 ms of a program that takes 8, and even to ask the tree of commands for one takes 1: these are what
/// people type most, and prompts and scripts run all the time. A test runs each of them both ways.
enum PlainForms {
    /// The command that the arguments name, if they hold no option and it has a plain form.
    static func command(_ arguments: [String]) -> (any HelixCommand)? {
        if arguments.contains(where: { $0.hasPrefix("-") }) { return nil }
        guard let found = type(arguments) else { return nil }
        return found.type.plain(Array(arguments.dropFirst(found.count)))
    }

    /// The command that the first words name, and how many words they are.
    static func type(_ arguments: [String]) -> (type: any HelixCommand.Type, count: Int)? {
        guard let noun = arguments.first else { return nil }
        if let type = single(noun) { return (type, 1) }
        guard arguments.count > 1 else { return nil }
        return type(noun, arguments[1]).map { ($0, 2) }
    }

    private static func single(_ name: String) -> (any HelixCommand.Type)? {
        switch name {
        case "today": Today.self
        case "status": Status.self
        case "search": Search.self
        default: nil
        }
    }

    private static func type(_ noun: String, _ verb: String) -> (any HelixCommand.Type)? {
        switch (noun, verb) {
        case ("cal", "week"): CalWeek.self
        case ("cal", "day"): CalDay.self
        case ("cal", "month"): CalMonth.self
        case ("cal", "agenda"): CalAgenda.self
        case ("cal", "add"): CalAdd.self
        case ("cal", "search"): CalSearch.self
        case ("cal", "conflicts"): CalConflicts.self
        case ("tasks", "list"): TasksList.self
        case ("tasks", "next"): TasksNext.self
        case ("tasks", "search"): TasksSearch.self
        case ("tasks", "add"): TasksAdd.self
        case ("tasks", "edit"): TasksEdit.self
        case ("tasks", "done"): TasksDone.self
        case ("tasks", "move"): TasksMove.self
        case ("tasks", "board"): TasksBoard.self
        case ("time", "start"): TimeStart.self
        case ("time", "stop"): TimeStop.self
        case ("time", "status"): TimeStatus.self
        case ("time", "log"): TimeLog.self
        case ("time", "report"): TimeReport.self
        default: nil
        }
    }
}
