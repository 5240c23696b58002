import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix history list`
struct HistoryList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List changes, newest first.",
        discussion: """
              helix history
              helix history k3f7        # of one item, with each changed field
              helix history --by planner
              helix history --limit 5 --json
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Argument(
        help: "Show only changes to this item, by a prefix of its id.",
        completion: .custom(CompletionLists.eventIDs))
    var id: String?

    @OptionGroup var actors: ActorOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let limit = context.listLimit(30)
        let entity = try id.map { try context.anyEntity($0) }
        let found = try store.history(actors.filter(of: entity), limit: limit + 1)
        try context.present(
            HistoryReport(
                items: try found.prefix(limit).map { change in
                    HistoryItem(
                        change: change, fields: try entity.map { try store.fieldChanges(change.id, of: $0) } ?? [])
                }, isTruncated: found.count > limit,
                empty: actors.isEmpty ? "No changes yet." : "No such changes."))
        if found.isEmpty, let profile = store.profile {
            context.explain(
                "The profile '\(profile.name)' sees no changes here; those of others may be hidden from it.")
        }
    }
}

/// The options that select changes by their actor.
struct ActorOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Only changes by an agent or device, by its name, or by all of a class: person, script, agent, device or sync.",
            valueName: "name"))
    var by: String?

    @Option(name: .long, help: ArgumentHelp("Only changes of one run of an agent.", valueName: "id"))
    var run: String?

    func validate() throws {
        if by?.isEmpty == true { throw ValidationError("--by needs a name.") }
        if run?.isEmpty == true { throw ValidationError("--run needs an id.") }
    }

    /// Whether nothing is selected.
    var isEmpty: Bool { by == nil && run == nil }

    /// The filter for changes of an entity, or of all.
    func filter(of entity: EntityID? = nil) -> HistoryFilter { HistoryFilter(entity: entity, actor: by, run: run) }
}
