import ArgumentParser
import HelixModel
import HelixStore

/// `helix time delete`
struct TimeDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete time entries.",
        discussion: """
            'helix undo' restores them. --where deletes all entries that match a filter.

              helix time delete k3f7
              helix time delete --where '+draft date:last_week'
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The entries.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entries: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Delete all entries that match this filter; see helix-query(7).", valueName: "filter"),
        completion: .custom(CompletionLists.timeQuery))
    var `where`: String?

    @Flag(name: .shortAndLong, help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if entries.isEmpty && `where` == nil { throw ValidationError("Give ids of entries, or --where.") }
        if !entries.isEmpty && `where` != nil { throw ValidationError("Ids and --where exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let all = try `where`.map { try context.timeEntries(where: $0) } ?? entries.map { try context.timeEntry($0) }
        let found = context.targeted(all, "entries")
        guard !found.isEmpty else { throw HelixError(.notFound, "no time entry matches '\(`where` ?? "")'") }
        let what = found.count == 1 ? "the entry for '\(found[0].title)'" : "\(found.count) entries"
        try context.confirm("Delete \(what)?", yes: yes)
        try context.store().change("delete \(what)", command: "time delete") { change in
            for details in found { try change.deleteEntry(details.entry.id) }
        }
        try context.presentTime(found.map { ("Deleted", $0) })
    }
}
