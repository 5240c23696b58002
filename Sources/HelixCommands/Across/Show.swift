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
        .json(ProjectReport.self),
    ]

    @Argument(
        help: ArgumentHelp("A task, event, time entry, file or material by its id, or a project.", valueName: "id"),
        completion: .custom(CompletionLists.entityIDs))
    var id: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let entity = try context.entity(id)
        let store = try context.store()
        switch entity.kind {
        case .task: return try context.presentTask(try store.task(entity.id))
        case .event:
            // Reuses the command, so that there is one way to show an event.
            var show = try CalShow.parse([entity.id.text])
            show.output = output
            try show.run(in: context)
        case .timeEntry:
            try context.present(
                TimeLogReport(items: context.items([try store.timeEntry(entity.id)])), ids: [entity.id])
        case .message:
            var read = try MailRead.parse([entity.id.text, "--keep-unread"])
            read.output = output
            try read.run(in: context)
        case .outgoing:
            var show = try OutboxShow.parse([entity.id.text])
            show.output = output
            try show.run(in: context)
        case .chatMessage:
            let items = try context.chatItems([try store.chatMessage(entity.id)])
            try context.present(ChatReport(items: items, showsConversation: true), ids: [entity.id])
        case .conversation:
            var show = try ChatShow.parse([entity.id.text])
            show.output = output
            try show.run(in: context)
        case .file: try context.presentFiles([try store.file(entity.id)])
        case .project: try context.presentProject(entity.id)
        default: try context.present(EntityReport(items: [entity]), ids: [entity.id])
        }
        if output.isMachine { return }
        let links = try store.links(of: entity.id)
        let partners = links.map { $0.a == entity.id ? $0.b : $0.a }.uniqued
        let others = try store.entities(partners)
        if others.isEmpty { return }
        try context.present(
            EntityReport(items: partners.compactMap { others[$0] }, title: "Linked with"), ids: partners)
    }
}

/// Entities by kind, id and title.
struct EntityReport: OrderedReport {
    static let schema = "helix.show/1"
    var items: [EntityCandidate]
    var title = ""
    var isTruncated = false

    func limited(to count: Int) -> EntityReport {
        EntityReport(items: Array(items.prefix(count)), title: title, isTruncated: items.count > count)
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if !title.isEmpty { canvas.line(StyledText(title, .bold)) }
        if items.isEmpty { canvas.line(StyledText("Nothing found.", .dim)) }
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
    }
}
