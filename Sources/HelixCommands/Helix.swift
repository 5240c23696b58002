import ArgumentParser

/// `helix`
struct Helix: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "helix", abstract: "Calendar and more at the prompt, over one local store.",
        discussion: """
            Everything works at once, without an account and without a network.

              helix cal add "Lunch with Ana tomorrow 12:30 for 45m at Cafe Roma"
              helix cal week
              helix undo
            """,
        version: version,
        subcommands: [
            Cal.self, Tasks.self, Time.self, Undo.self, Redo.self, HistoryCommand.self, Config.self, Doctor.self, Backup.self, Restore.self,
            Schema.self, Completions.self,
        ])
}
