import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

extension EntityKind {
    /// The kinds of entities that can be linked by id.
    static var linkable: [EntityKind] { EntityDescriptor.all.filter(\.isLinkable).map(\.kind) }
}

extension CommandContext {
    /// The entity of any kind whose id begins with `prefix`.
    /// - Throws: ``HelixError`` of code `notFound` or `ambiguous`.
    func entity(_ prefix: String) throws -> EntityCandidate {
        let store = try store()
        do {
            return try store.entity(EntityPrefix(prefix), kinds: EntityKind.linkable)
        } catch let error as HelixError where error.code == .notFound {
            // Everywhere else projects are identified by name.
            guard let project = try HelixError.ifFound({ try store.project(named: prefix) }) else { throw error }
            return EntityCandidate(id: project.id, kind: .project, title: project.name)
        }
    }
}

/// `helix link`
struct LinkCommand: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "link", abstract: "Link two items of any kind.",
        discussion: """
            A task with an event, an event with a project, a time entry with a task. 'helix show' lists the links.

              helix link k3f7 x2b9
            """)
    static let reports: [PrintedReport] = [.json(LinkReport.self)]

    @Argument(help: ArgumentHelp("The first item.", valueName: "id"), completion: .custom(CompletionLists.entityIDs))
    var first: String

    @Argument(help: ArgumentHelp("The second item.", valueName: "id"), completion: .custom(CompletionLists.entityIDs))
    var second: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (a, b) = (try context.entity(first), try context.entity(second))
        let isNew = try context.store().change("link '\(a.title)' with '\(b.title)'", command: "link") { change in
            try change.addLink(a.id, b.id, .related)
        }
        try context.present(
            LinkReport(items: [LinkItem(a: a, b: b, kind: .related)], verb: isNew ? "Linked" : "Linked already"),
            ids: [a.id, b.id])
    }
}

/// `helix unlink`
struct UnlinkCommand: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "unlink", abstract: "Remove the links between two items.",
        discussion: "  helix unlink k3f7 x2b9")
    static let reports: [PrintedReport] = [.json(LinkReport.self)]

    @Argument(help: ArgumentHelp("The first item.", valueName: "id"), completion: .custom(CompletionLists.entityIDs))
    var first: String

    @Argument(help: ArgumentHelp("The second item.", valueName: "id"), completion: .custom(CompletionLists.entityIDs))
    var second: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let (a, b) = (try context.entity(first), try context.entity(second))
        try context.store().change("unlink '\(a.title)' and '\(b.title)'", command: "unlink") { change in
            if try change.removeLinks(a.id, b.id) == 0 {
                throw HelixError(.notFound, "'\(a.title)' and '\(b.title)' are not linked")
            }
        }
        try context.present(
            LinkReport(items: [LinkItem(a: a, b: b, kind: .related)], verb: "Unlinked"), ids: [a.id, b.id])
    }
}

/// A link in a report.
struct LinkItem: DescribedItem {
    let a: EntityCandidate
    let b: EntityCandidate
    let kind: Link.Kind

    static let described = list {
        Field("kind", .choice(Link.Kind.allCases.map(\.rawValue)), "The relation between the two.") { $0.kind.rawValue }
        Field("a", .object(EntityCandidate.fields), "The first item.") { JSONValue.object($0.a.json(for: $1)) }
        Field("b", .object(EntityCandidate.fields), "The second item.") { JSONValue.object($0.b.json(for: $1)) }
        Field("links", .array(.id), "The identities of both items.") { [$0.a.id.text, $0.b.id.text] }
    }

}

extension EntityCandidate: DescribedItem {
    static let described = list {
        Field("kind", .choice(EntityKind.allCases.map(\.rawValue)), "Description.") { $0.kind.rawValue }
        Field("id", .id, "Its identity.") { $0.id }
        Field("title", .string, "Name.") { $0.title }.foreign
        Field(
            "date", .time, required: false, "When it takes place, is due, was sent or was done; set only in searches."
        ) { item, viewer in item.moment.map { viewer.iso($0) } }
        Field("links", .array(.id), "Always empty here; 'helix show' lists them.") { _ in [String]() }
    }
}

/// Links that were added or removed.
struct LinkReport: CuttableReport {
    static let schema = "helix.link/1"
    var items: [LinkItem]
    var isTruncated = false
    let verb: String

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            var line = StyledText("\(verb)  ", TextStyle(.green))
            line.append(viewer.short(item.a.id) + " ", .dim)
            line.append(item.a.title)
            line.append(" ↔ ", .dim)
            line.append(viewer.short(item.b.id) + " ", .dim)
            line.append(item.b.title)
            canvas.line(line.fitted(canvas.textWidth))
        }
    }
}
