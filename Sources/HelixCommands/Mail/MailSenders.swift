import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A sender, in a report.
struct SenderItem: DescribedItem {
    let sender: SenderCount

    static let described = list {
        Field("name", .string, "The newest name.") { $0.sender.sender.name }.foreign
        Field("address", .string, "The address.") { $0.sender.sender.address }.foreign
        Field("count", .integer, "The number of messages.") { $0.sender.count }
        Field("unread", .integer, "The number of unread messages.") { $0.sender.unread }
        Field("size", .integer, "Their size in bytes.") { $0.sender.size }
        Field("newest", .time, "The date of the newest message.") { item, viewer in viewer.iso(item.sender.newest) }
        Field("list", .bool, "Whether mailing lists sent any of them.") { $0.sender.isList }
    }
}

/// The senders of messages, those with the most first.
struct SendersReport: CuttableReport {
    static let schema = "helix.mail.senders/1"
    var items: [SenderItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No messages.", .dim)) }
        var table = Table([
            .init(right: true), .init(right: true), .init(right: true), .init(right: true), .init(minimum: 12),
            .init(minimum: 16),
        ])
        for item in items {
            let sender = item.sender
            table.row([
                StyledText("\(sender.count)", .bold),
                StyledText(sender.unread > 0 ? "\(sender.unread) unread" : "", TextStyle(.yellow)),
                StyledText(ByteCount.text(sender.size), .dim), StyledText(viewer.brief(sender.newest), .dim),
                StyledText(sender.sender.address),
                StyledText(sender.sender.name + (sender.isList ? " (list)" : ""), .dim),
            ])
        }
        table.draw(on: &canvas)
        if let first = items.first, first.sender.count > 1 {
            canvas.paragraph(
                "All of one: 'helix mail archive --query from:\(SafeText.line(first.sender.sender.address))'; "
                    + "'mail unsubscribe ID' leaves a list.", style: .dim)
        }
    }
}
