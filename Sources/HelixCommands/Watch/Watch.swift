import ArgumentParser
import HelixStore

/// `helix watch`
struct Watch: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Keep running: sync, announce reminders and news, run hooks.",
        discussion: """
            'helix watch' alone is 'helix watch run'; 'helix watch run --help' describes it.

              helix watch
              helix watch log
            """,
        subcommands: [WatchRun.self, WatchLog.self], defaultSubcommand: WatchRun.self)
}

/// `helix watch log`
struct WatchLog: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "log", abstract: "List what was announced, the newest first.",
        discussion: """
            Also what waits for the end of quiet hours, and the hooks that failed. Notices are kept for sixty days.

              helix watch log
              helix watch log --limit 200 --json
            """)
    static let reports: [PrintedReport] = [.json(NoticeReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let limit = min(context.listLimit(50), 1_000_000)
        let found = try context.store().notices(limit: limit + 1)
        try context.present(
            NoticeReport(
                items: found.prefix(limit).map { NoticeItem(notice: $0) }, isTruncated: found.count > limit))
    }
}
