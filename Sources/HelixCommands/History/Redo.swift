import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix redo`
struct Redo: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "redo", abstract: "Redo the last undone change.",
        discussion: """
            Works until something else is changed.

              helix redo
              helix redo --list
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Flag(name: .long, help: "List what can be redone, next first.")
    var list = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        if list {
            let all = try store.redoable(limit: output.isMachine ? ListLimit.everything : context.listLimit(20))
            return try context.present(
                HistoryReport(items: all.map { HistoryItem(change: $0) }, empty: "Nothing to redo."))
        }
        guard let target = try store.redoable(limit: 1).first else {
            throw HelixError(
                .notFound, "nothing to redo",
                hint: "Only the last undone change can be redone, until something else is changed.")
        }
        try context.present(
            HistoryReport(
                items: [
                    HistoryItem(change: try context.reversing(target.id) { try store.redo(target.id) }, verb: "Redid:")
                ], empty: ""))
    }
}
