import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail thread`
struct MailThread: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "thread", abstract: "Show a conversation as a tree.",
        discussion: """
              helix mail thread k3f7
              helix mail read k3f7 --thread
            """)

    @Argument(
        help: ArgumentHelp("Any message of it, by its id.", valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var id: String

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        let messages = try store.thread(message.thread)
        let tree = MessageTree(messages, references: try store.references(in: message.thread))
        let report = ThreadReport(
            items: tree.rows.map { ThreadItem(item: MailItem(message: $0.message), depth: $0.depth) })
        try context.present(report, ids: messages.map(\.id))
    }
}

/// Messages under what they answer.
struct MessageTree {
    /// In order: each message after what it answers.
    private(set) var rows: [(message: EmailMessage, depth: Int)] = []

    init(_ messages: [EmailMessage], references: [EntityID: [String]]) {
        var byMessageID: [String: EntityID] = [:]
        for message in messages { if let id = message.messageID { byMessageID[id] = byMessageID[id] ?? message.id } }
        var children: [EntityID: [EmailMessage]] = [:]
        var roots: [EmailMessage] = []
        for message in messages {
            // The nearest that is here; one's own copy is none.
            let parent = references[message.id, default: []].reversed().lazy.compactMap { byMessageID[$0] }.first {
                $0 != message.id
            }
            if let parent { children[parent, default: []].append(message) } else { roots.append(message) }
        }
        var seen: Set<EntityID> = []
        func visit(_ message: EmailMessage, _ depth: Int) {
            guard seen.insert(message.id).inserted, depth < 500 else { return }
            rows.append((message, depth))
            for child in children[message.id, default: []] { visit(child, depth + 1) }
        }
        for root in roots { visit(root, 0) }
        // Messages that claim to answer each other in a circle.
        for message in messages where !seen.contains(message.id) { visit(message, 0) }
    }
}

/// A message of a conversation.
struct ThreadItem: ReportItem {
    let item: MailItem
    let depth: Int

    static let fields =
        MailItem.fields + [SchemaField("depth", .integer, "How many messages lie above it in the tree.")]

    func json(for viewer: Viewer) -> JSONObject {
        var json = item.json(for: viewer)
        json.set("depth", depth)
        return json
    }
}

/// A conversation.
struct ThreadReport: CuttableReport {
    static let schema = "helix.mail.thread/1"
    var items: [ThreadItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let first = items.first {
            canvas.line(StyledText(first.item.subject, .bold).fitted(canvas.width))
        }
        var table = Table([.init(), .init(), .init(right: true), .init(minimum: 14), .init(minimum: 10)])
        var subject = items.first?.item.message.subject ?? ""
        for row in items {
            let style: TextStyle = row.item.isUnread ? .bold : .plain
            let indent = String(repeating: "  ", count: min(row.depth, 10)) + (row.depth > 0 ? "└ " : "")
            // A subject says something where it changes.
            var text = StyledText()
            let base = row.item.message.subject.replacing("Re: ", with: "")
            if base != subject.replacing("Re: ", with: "") { text.append(row.item.subject + "  ") }
            subject = row.item.message.subject
            text.append(row.item.message.snippet, .dim)
            table.row([
                StyledText(viewer.short(row.item.message.id), .dim), row.item.marks,
                StyledText(viewer.brief(row.item.message.date), .dim),
                StyledText(indent, .dim) + StyledText(row.item.sender, style) + row.item.signs, text,
            ])
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("There is more; --limit cut the list.", .dim)) }
    }
}
