import ArgumentParser

/// `helix history`
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "List and show changes.",
        discussion: """
            Without a command it lists.

              helix history
              helix history k3f7        # of one item, with each changed field
              helix history --by planner
            """,
        subcommands: [HistoryList.self, HistoryShow.self], defaultSubcommand: HistoryList.self)
}
