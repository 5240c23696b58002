import ArgumentParser
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix undo`
struct Undo: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change.",
        discussion: """
            Undoes one command as a whole. 'helix redo' redoes it. --by and --run undo all that an agent or a device did, \
            newest first, or nothing at all.

              helix undo
              helix undo --list
              helix undo 4h2k
              helix undo --by planner
            """)
    static let reports: [PrintedReport] = [.json(HistoryReport.self)]

    @Argument(
        help: "A change by its id; default: the last one.",
        completion: .custom(CompletionLists.changeSets))
    var id: String?

    @Flag(name: .long, help: "List what can be undone, next first.")
    var list = false

    @OptionGroup var actors: ActorOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if id != nil, !actors.isEmpty { throw ValidationError("An id, and --by or --run exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        if list {
            let all = try store.undoable(
                actors.filter(), limit: output.isMachine ? ListLimit.everything : context.listLimit(20))
            return try context.present(
                HistoryReport(items: all.map { HistoryItem(change: $0) }, empty: "Nothing to undo."))
        }
        if !actors.isEmpty { return try undoAll(in: context) }
        let target = try id.map { try context.changeSet($0) } ?? store.undoable(limit: 1).first?.id
        guard let target else {
            if let profile = store.profile, profile.change.isEmpty {
                throw profile.refusal("undo a change", rule: .change)
            }
            throw HelixError(
                .notFound, "nothing to undo",
                hint: store.profile == nil ? nil : "An agent takes back its own changes alone.")
        }
        do {
            try context.present(
                HistoryReport(
                    items: [
                        HistoryItem(change: try context.reversing(target) { try store.undo(target) }, verb: "Undid:")
                    ], empty: ""))
        } catch let error as HelixError where id == nil && error.code != .busy && error.code != .io {
            // A change that cannot be undone does not block those before it.
            let rest = try store.undoable(limit: 50)
            guard let place = rest.firstIndex(where: { $0.id == target }),
                // The next one that can be undone by itself.
                let next = rest[(place + 1)...].prefix(20).first(where: { store.canUndo($0.id) })
            else { throw error }
            throw HelixError(
                error.code, error.message,
                hint: [
                    error.hint,
                    "The next that can be undone: 'helix undo \(next.id.text.prefix(6))' (\(next.summary)).",
                ]
                .compactMap { $0 }.joined(separator: " "))
        }
    }

    /// Undoes all changes of an agent or a device.
    private func undoAll(in context: CommandContext) throws {
        let store = try context.store()
        if let by = actors.by, let kind = ChangeActor.Kind(rawValue: by.lowercased()), actors.run == nil {
            throw HelixError(
                .usage, "--by \(by) would undo all that was ever changed by each \(kind.rawValue)",
                hint: "Name an agent or a device, or undo single changes. 'helix history --by \(by)' lists them.")
        }
        let all = try store.undoable(actors.filter(), limit: ListLimit.everything)
        if all.isEmpty {
            throw HelixError(.notFound, "nothing to undo", hint: "'helix history' shows who made which change.")
        }
        // All of them, or none: a rehearsal finds what cannot be undone. A change of a mailbox is made on the disk at once.
        if !changes.dryRun {
            try store.rehearsing {
                for change in all where try store.mailboxChange(change.id) == nil { try store.undo(change.id) }
            }
        }
        let items = try all.map { change in
            HistoryItem(change: try context.reversing(change.id) { try store.undo(change.id) }, verb: "Undid:")
        }
        try context.present(HistoryReport(items: items, empty: ""))
    }
}
