import ArgumentParser
import HelixContacts
import HelixModel
import HelixStore
import HelixTerminal

/// `helix contacts merge`
struct ContactsMerge: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "merge", abstract: "Find contacts that are the same, and merge them.",
        discussion: """
            Without contacts, lists those that may be the same person, and changes nothing: the same name, or the same address or \
            number with names that agree. With contacts, merges the others into the first, which keeps its id; nothing that \
            only one of them has is lost, and values that differ are in the notes. 'helix undo' takes a merge apart again.

              helix contacts merge
              helix contacts merge ana k3f7
              helix contacts merge --all --dry-run
            """)
    static let reports: [PrintedReport] = [.json(MergeReport.self)]

    @Argument(
        help: ArgumentHelp("Contacts: ids, names or addresses; the first one is kept.", valueName: "contact"),
        completion: .custom(CompletionLists.contacts))
    var who: [String] = []

    @Flag(name: .long, help: "Merge all that are listed without contacts.")
    var all = false

    @Flag(name: [.short, .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all, !who.isEmpty { throw ValidationError("Name contacts, or --all.") }
        if who.count == 1 { throw ValidationError("Name at least two contacts.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        var groups: [ContactDoubles.Group]
        if who.isEmpty {
            var entries: [ContactDoubles.Entry] = []
            try store.forEachContact(.everything) { entries.append(.init($0.id, $0.card.contact)) }
            groups = ContactDoubles.groups(entries)
        } else {
            let ids = try who.map { try context.contact($0).id }.uniqued
            guard ids.count > 1 else {
                throw HelixError(.usage, "these are one contact already", hint: "Name another one by its id.")
            }
            groups = [ContactDoubles.Group(ids: ids, shared: [])]
        }
        let shortIDs = try store.shortIDs(groups.flatMap(\.ids))
        let names = Dictionary(
            uniqueKeysWithValues: try groups.flatMap(\.ids).uniqued.map { ($0, try store.contact($0).card.contact) })
        var items = groups.map { group in
            MergeItem(group: group, contacts: group.ids.compactMap { names[$0] }, isMerged: false, conflicts: [])
        }
        let merges = all || !who.isEmpty
        if merges, !groups.isEmpty {
            let count = groups.reduce(0) { $0 + $1.ids.count }
            try context.confirm("Merge \(count) contacts into \(groups.count)?", yes: yes || !who.isEmpty)
            try context.noteReadOnlyBooks(groups.flatMap(\.ids))
            let what =
                groups.count == 1
                ? "'\(items[0].contacts.first?.name ?? "")'" : "\(count) contacts into \(groups.count)"
            try store.change("merge \(what)", command: "contacts merge") { change in
                for (place, group) in groups.enumerated() {
                    items[place].conflicts = try change.mergeContacts(group.ids)
                    items[place].isMerged = true
                }
            }
        }
        try context.present(MergeReport(items: items), shortIDs: shortIDs)
    }
}

/// Contacts that are one, or may be.
struct MergeItem: DescribedItem {
    let group: ContactDoubles.Group
    let contacts: [Contact]
    var isMerged: Bool
    /// The values that differed.
    var conflicts: [String]

    static let described = list {
        Field("kind", .choice(["contact"]), "The kind of the item.") { _ in EntityKind.contact.rawValue }
        Field("id", .id, "The contact that is kept.") { $0.group.ids.first?.text ?? "" }
        Field("name", .string, "Its name.") { $0.contacts.first?.name ?? "" }.foreign
        Field("others", .array(.id), "The contacts that it replaces.") { $0.group.ids.dropFirst().map(\.text) }
        Field("shared", .array(.string), "What they have in common.") { $0.group.shared }.foreign
        Field("merged", .bool, "Whether they were merged.") { $0.isMerged }
        Field("conflicts", .array(.string), "Values that differed, which are in the notes.") { $0.conflicts }.foreign
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// Merged contacts, or those that may be the same.
struct MergeReport: CuttableReport {
    static let schema = "helix.contacts.merge/1"
    var items: [MergeItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No contacts that look the same.", .dim)) }
        for item in items {
            let verb = item.isMerged ? "Merged " : ""
            var head = StyledText(verb, TextStyle(.green))
            head.append(item.contacts.first?.name ?? "", .bold)
            if !item.group.shared.isEmpty { head.append("  \(item.group.shared.joined(separator: ", "))", .dim) }
            canvas.line(head.fitted(canvas.textWidth))
            var table = Table([.init(), .init("name", minimum: 10), .init("addresses", minimum: 12)])
            for (id, contact) in zip(item.group.ids, item.contacts) {
                let values = (contact.emails + contact.phones).map(\.text).joined(separator: ", ")
                table.row([
                    StyledText(viewer.short(id), .dim), StyledText(contact.name), StyledText(values, .dim),
                ])
            }
            table.draw(on: &canvas, indent: 2)
            for conflict in item.conflicts {
                canvas.line(StyledText("  in its notes: \(conflict)", TextStyle(.yellow)).fitted(canvas.textWidth))
            }
        }
        if let first = items.first, !first.isMerged {
            let ids = first.group.ids.map { viewer.short($0) }.joined(separator: " ")
            canvas.line()
            canvas.paragraph("Nothing was changed. Merge: helix contacts merge \(ids), or --all.", style: .dim)
        }
    }
}
