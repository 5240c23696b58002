import ArgumentParser

/// `helix reminders`
struct Reminders: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reminders", abstract: "List, snooze and dismiss reminders of events and tasks.",
        discussion: """
            'helix watch' announces them when they go off.

              helix reminders
              helix reminders list tomorrow
              helix reminders snooze k3f7 --for 20m
              helix reminders dismiss --all
            """,
        subcommands: [RemindersList.self, RemindersSnooze.self, RemindersDismiss.self],
        defaultSubcommand: RemindersList.self)
}
