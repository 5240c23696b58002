import ArgumentParser
import HelixMail
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
    static let reports: [PrintedReport] = [.json(ThreadReport.self)]

    @Argument(
        help: ArgumentHelp("Any message of the conversation, by id.", valueName: "id"),
        completion: .custom(CompletionLists.messageIDs))
    var id: String

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(id))
        let messages = try store.thread(message.thread)
        let tree = MessageTree(messages, references: try store.references(in: message.thread))
        let items = try context.items(tree.rows.map(\.message))
        let report = ThreadReport(items: zip(items, tree.rows).map { ThreadItem(item: $0, depth: $1.depth) })
        try context.present(report, ids: messages.map(\.id))
    }
}

/// A message of a conversation.
struct ThreadItem: DescribedItem {
    let item: MailItem
    let depth: Int

    static let described =
        MailItem.described.of { (item: ThreadItem) in item.item }
        + list { Field("depth", .integer, "Its depth in the tree, from 0.") { $0.depth } }
}

/// A conversation as a tree.
struct ThreadReport: CuttableReport {
    static let schema = "helix.mail.thread/1"
    var items: [ThreadItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let first = items.first {
            canvas.line(StyledText(first.item.subject, .bold).fitted(canvas.textWidth))
        }
        let wide = canvas.width >= 60
        var table = Table([
            .init(), .init(), .init(right: true), .init(), .init(minimum: wide ? 14 : 6),
            .init(minimum: wide ? 10 : 8),
        ])
        var subject = items.first?.item.message.subject ?? ""
        let branches = TreeLines.prefixes(depths: items.map(\.depth), most: wide ? max(4, canvas.width / 16) : 2)
        for (row, branch) in zip(items, branches) {
            let style: TextStyle = row.item.isUnread ? .bold : .plain
            // Show the subject only where it changes.
            var text = StyledText()
            if ThreadSubject.base(row.item.message.subject).text != ThreadSubject.base(subject).text {
                text.append(row.item.subject + "  ")
            }
            subject = row.item.message.subject
            text.append(row.item.message.snippet, .dim)
            table.row([
                StyledText(viewer.short(row.item.message.id), .dim), row.item.marks,
                StyledText(viewer.brief(row.item.message.date, isNarrow: !wide), .dim), row.item.signs,
                StyledText(branch, .dim) + StyledText(row.item.sender, style), text,
            ])
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.line(StyledText("More results: raise --limit.", .dim)) }
    }
}
