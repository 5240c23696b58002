import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix show`
struct Show: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show any item by its id, with its links.",
        discussion: "  helix show k3f7")
    static let reports: [PrintedReport] = [
        .json(EntityReport.self), .json(TaskReport.self), .json(EventReport.self), .json(TimeLogReport.self),
        .json(MessageReport.self), .json(OutboxReport.self), .json(ChatReport.self), .json(FileReport.self),
        .json(ProjectReport.self), .json(ContactReport.self),
    ]

    @Argument(
        help: ArgumentHelp("A task, event, time entry, file or material by its id, or a project.", valueName: "id"),
        completion: .custom(CompletionLists.entityIDs))
    var id: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentEntity(try context.entity(id), isMachine: output.isMachine)
    }
}

extension CommandContext {
    /// Presents an entity of any kind, and those that it is linked with.
    /// - Throws: ``HelixError``.
    func presentEntity(_ entity: EntityCandidate, isMachine: Bool) throws {
        let store = try store()
        switch entity.kind {
        case .task: return try presentTask(try store.task(entity.id))
        case .event: try presentEvent(try event(entity.id.text))
        case .timeEntry:
            try present(
                TimeLogReport(items: items([try store.timeEntry(entity.id)])), ids: [entity.id])
        case .message:
            try presentMessages([try mailStore(.unset).message(entity.id)])
        case .outgoing:
            try presentOutgoing(try outgoing(entity.id.text), isMachine: isMachine)
        case .chatMessage:
            let items = try chatItems([try store.chatMessage(entity.id)])
            try present(ChatReport(items: items, showsConversation: true), ids: [entity.id])
        case .conversation:
            try presentConversation(
                try conversation(entity.id.text), marksRead: !isMachine)
        case .file: try presentFiles([try store.file(entity.id)])
        case .project: try presentProject(entity.id)
        case .contact: try presentContact(try store.contact(entity.id))
        default: try present(EntityReport(items: [entity]), ids: [entity.id])
        }
        if isMachine { return }
        let links = try store.links(of: entity.id)
        let partners = links.map { $0.a == entity.id ? $0.b : $0.a }.uniqued
        let others = try store.entities(partners)
        if others.isEmpty { return }
        try present(
            EntityReport(items: partners.compactMap { others[$0] }, title: "Linked with"), ids: partners)
    }
}

/// Entities by kind, id and title.
struct EntityReport: OrderedReport {
    static let schema = "helix.show/1"
    var items: [EntityCandidate]
    var title = ""
    var isTruncated = false
    /// The line in place of an empty list.
    var nothing = "Nothing found."
    var remarks: [String] = []

    func limited(to count: Int) -> EntityReport {
        EntityReport(
            items: Array(items.prefix(count)), title: title, isTruncated: isTruncated || items.count > count,
            nothing: nothing, remarks: remarks)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if !title.isEmpty { canvas.line(StyledText(title, .bold)) }
        if items.isEmpty { canvas.line(StyledText(nothing, .dim)) }
        let hasDates = items.contains { $0.moment != nil }
        var table = Table([.init(), .init(), .init(minimum: 10)] + (hasDates ? [.init()] : []))
        for item in items {
            let cells = [
                StyledText(viewer.short(item.id), .dim), StyledText(item.kind.name, TextStyle(.cyan)),
                StyledText(item.title.isEmpty ? "(no title)" : item.title),
            ]
            table.row(cells + (hasDates ? [StyledText(item.moment.map { viewer.text($0) } ?? "", .dim)] : []))
        }
        table.draw(on: &canvas, indent: title.isEmpty ? 0 : 2)
        if isTruncated { canvas.line(StyledText("More results: raise --limit or narrow the query.", .dim)) }
        for remark in remarks { canvas.paragraph(remark, style: TextStyle(.yellow)) }
    }
}
