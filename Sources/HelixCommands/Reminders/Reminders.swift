import ArgumentParser

/// `helix reminders`
struct Reminders: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "List when reminders of events and tasks go off.",
        discussion: """
            helix does not announce them yet: a script can ask for the next ones.

              helix reminders
              helix reminders list tomorrow
            """,
        subcommands: [RemindersList.self], defaultSubcommand: RemindersList.self)
}
