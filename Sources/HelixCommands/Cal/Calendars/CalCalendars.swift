import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal calendars`
struct CalCalendars: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "calendars", abstract: "List and change calendars.",
        subcommands: [
            CalendarsList.self, CalendarsAdd.self, CalendarsRename.self, CalendarsColor.self, CalendarsHide.self,
            CalendarsShow.self, CalendarsDelete.self, CalendarsDefault.self,
        ], defaultSubcommand: CalendarsList.self)
}

/// `helix cal calendars list`
struct CalendarsList: ListingCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List calendars.")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(CalendarsReport(items: try context.calendarItems()))
    }
}

/// `helix cal calendars add`
struct CalendarsAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Create a calendar.",
        discussion: """
            The calendar is local; with --account the next sync creates it on that account's server.

              helix cal calendars add work green
              helix cal calendars add family --account dav
            """)
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "Name of the calendar.")
    var name: String

    @Argument(help: ArgumentHelp("Colour; default: the next unused one.", valueName: "color"))
    var calendarColor: CalendarColor?

    @Option(
        name: .long, help: ArgumentHelp("Create it on the server of this account, too.", valueName: "name"),
        completion: .custom(CompletionLists.allAccounts))
    var account: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let other = try account.map { try context.calendarAccount($0) }
        try context.changeCalendars("add calendar '\(name)'", "cal calendars add") { change in
            let made = try change.addCalendar(name, color: calendarColor)
            if let other { try change.remoteCalendars.addWaiting(calendar: made.id, board: nil, of: other) }
            return made.id
        }
        if let other { context.note("'helix sync' creates it on the server or in the folder of '\(other.name)'.") }
    }
}

/// `helix cal calendars rename`
struct CalendarsRename: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "rename", abstract: "Rename a calendar.",
        discussion: "  helix cal calendars rename personal home")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @Argument(help: "Its new name.")
    var newName: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeCalendars("rename calendar '\(name)' to '\(newName)'", "cal calendars rename") { change in
            let id = try change.calendar(named: name).id
            try change.renameCalendar(id, to: newName)
            return id
        }
    }
}

/// `helix cal calendars color`
struct CalendarsColor: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "color", abstract: "Change the colour of a calendar.",
        discussion: "  helix cal calendars color work magenta")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @Argument(help: "The colour.")
    var calendarColor: CalendarColor

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeCalendars("color calendar '\(name)' \(calendarColor.rawValue)", "cal calendars color") {
            change in
            let id = try change.calendar(named: name).id
            try change.colorCalendar(id, calendarColor)
            return id
        }
    }
}

/// `helix cal calendars hide`
struct CalendarsHide: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "hide", abstract: "Hide a calendar from views and conflicts.",
        discussion: "  helix cal calendars hide holidays")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeCalendars("hide calendar '\(name)'", "cal calendars hide") { change in
            let id = try change.calendar(named: name).id
            try change.hideCalendar(id, true)
            return id
        }
    }
}

/// `helix cal calendars show`
struct CalendarsShow: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a hidden calendar again.",
        discussion: "  helix cal calendars show holidays")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeCalendars("show calendar '\(name)'", "cal calendars show") { change in
            let id = try change.calendar(named: name).id
            try change.hideCalendar(id, false)
            return id
        }
    }
}

/// `helix cal calendars default`
struct CalendarsDefault: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "default", abstract: "Set the default calendar for new events.",
        discussion: "  helix cal calendars default work")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeCalendars("make '\(name)' the default calendar", "cal calendars default") { change in
            let id = try change.calendar(named: name).id
            try change.setDefaultCalendar(id)
            return id
        }
    }
}

/// `helix cal calendars delete`
struct CalendarsDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete a calendar and its events.",
        discussion: "'helix undo' restores it with all its events.\n\n  helix cal calendars delete old --yes")
    static let reports: [PrintedReport] = [.json(CalendarsReport.self)]

    @Argument(help: "The calendar.", completion: .custom(CompletionLists.calendars))
    var name: String

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let calendar = try store.calendar(named: name)
        let count = try store.eventCounts()[calendar.id] ?? 0
        try context.confirm("Delete the calendar '\(calendar.name)' with its \(count) events?", yes: yes)
        try store.change("delete calendar '\(calendar.name)'", command: "cal calendars delete") { change in
            try change.deleteCalendar(calendar.id)
        }
        if !context.isDryRun {
            context.note("Deleted '\(StyledText(calendar.name).plain)' with \(count) events.")
        }
        try context.present(CalendarsReport(items: try context.calendarItems()))
    }
}

extension CalendarColor: ExpressibleByArgument {}

extension CommandContext {
    /// The account named `name`, to which calendars and boards can be added.
    /// - Throws: ``HelixError``: `notFound`; `usage` for an account without calendars, or a read-only one.
    func calendarAccount(_ name: String) throws -> Account {
        let account = try store().account(named: name)
        guard account.kind == .caldav || account.kind == .vdir, account.settings.isReadOnly != true else {
            throw HelixError(
                .usage,
                account.kind.hasCalendars
                    ? "'\(account.name)' is read-only" : "'\(account.name)' has no calendars",
                hint: "'helix account list' shows the kind of each account.")
        }
        return account
    }

    func changeCalendars(_ summary: String, _ command: String, _ body: (Change) throws -> EntityID) throws {
        let store = try store()
        let id = try store.change(summary, command: command, body)
        try present(CalendarsReport(items: try calendarItems(id)))
    }
}
