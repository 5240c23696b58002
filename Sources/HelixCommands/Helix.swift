import ArgumentParser

/// `helix`
struct Helix: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "helix", abstract: "Mail, calendar, tasks, time tracking, contacts and chat for the command line.",
        discussion: """
            Works immediately, without an account or a network; accounts add sync and chat.

              helix cal add "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma"
              helix cal week
              helix tasks add "Send invoice to Ana +billing due:fri 17:00"
              helix tasks board
              helix today
              helix undo
            """,
        version: version,
        subcommands: [
            Cal.self, Mail.self, Tasks.self, Time.self, Projects.self, Chat.self, Contacts.self, Today.self,
            UICommand.self,
            Status.self, Search.self,
            Reminders.self, Remind.self, Watch.self,
            Ask.self, Plan.self, Extract.self, Show.self, Open.self, Dates.self, Fields.self,
            LinkCommand.self,
            UnlinkCommand.self, Undo.self, Redo.self, HistoryCommand.self, Review.self, Sync.self, Outbox.self,
            AccountCommand.self,
            Gateway.self,
            Config.self, Lock.self, Unlock.self, VaultCommand.self,
            Doctor.self,
            Backup.self,
            Restore.self, Schema.self, MCP.self, Completions.self,
        ])
}
