import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

extension MessageReport {
    /// Draws the headers of a message: those that matter, or all.
    func drawHead(of message: MessageItem, on canvas: inout Canvas, _ viewer: Viewer) {
        if showsHeaders { return Self.drawHeaders(of: message, on: &canvas) }
        for line in SafeText.line(message.item.subject).wrapped(canvas.textWidth, keepsAddresses: true) {
            canvas.line(StyledText(line, .bold))
        }
        Self.drawLabels(of: message, on: &canvas, viewer)
        Self.drawFields(of: message, on: &canvas, viewer)
        if message.item.has(.isBroken) {
            canvas.paragraph("This message is malformed; its readable part is shown.", style: TextStyle(.red))
        }
        Self.drawSecurity(of: message, on: &canvas, viewer)
    }

    private static func drawHeaders(of message: MessageItem, on canvas: inout Canvas) {
        for header in message.headers {
            let name = StyledText(header.name + ": ", TextStyle(.cyan))
            let pieces = SafeText.line(header.value).wrapped(max(20, canvas.textWidth - 4), keepsAddresses: true)
            canvas.line(name + StyledText(pieces.first ?? ""))
            for piece in pieces.dropFirst() { canvas.line("    " + piece) }
        }
    }

    private static func drawLabels(of message: MessageItem, on canvas: inout Canvas, _ viewer: Viewer) {
        let labels = message.item.message.labels
        if labels.isEmpty { return }
        var line = StyledText()
        for label in labels {
            var piece = StyledText(viewer.words(label: label), TextStyle(.cyan))
            let agent = message.agentLabels.first { $0.label == label }?.agent
            if let agent { piece.append(" (by \(agent))", .dim) }
            if line.width > 0, line.width + 1 + piece.width > canvas.textWidth {
                canvas.line(line)
                line = StyledText()
            }
            line = line.width > 0 ? line + " " + piece : piece
        }
        canvas.line(line)
    }

    private static func drawFields(of message: MessageItem, on canvas: inout Canvas, _ viewer: Viewer) {
        let own = message.item.message
        func field(_ name: String, _ value: String) {
            if value.isEmpty { return }
            let list = value.split(separator: "\n").joined(separator: ", ")
            let pieces = SafeText.line(list).wrapped(max(20, canvas.textWidth - 6), keepsAddresses: true)
            for (index, piece) in pieces.prefix(3).enumerated() {
                var line = StyledText(index == 0 ? name : String(repeating: " ", count: 6), .dim)
                line.append(piece + (index == 2 && pieces.count > 3 ? " …" : ""))
                canvas.line(line)
            }
        }
        field("From  ", own.from)
        field("Reply ", message.replyTo)
        field("To    ", own.to)
        field("Cc    ", own.cc)
        field("Bcc   ", own.bcc)
        let civil = viewer.zone.civil(own.date)
        var date = StyledText("Date  ", .dim)
        date.append("\(viewer.day(civil.date)) \(viewer.clock(civil.secondOfDay))")
        if !message.hasDate { date.append(" (arrival; it has no valid date)", TextStyle(.yellow)) }
        date.append("  " + [own.account, own.mailbox].filter { !$0.isEmpty }.joined(separator: "/"), TextStyle(.green))
        date.append("  \(viewer.short(own.id))", .dim)
        canvas.line(date.fitted(canvas.textWidth))
    }

    private static func drawSecurity(of message: MessageItem, on canvas: inout Canvas, _ viewer: Viewer) {
        let security = message.security
        let lines = SecurityWords.lines(
            security.security, sender: security.sender, isDraft: message.item.message.flags.contains(.draft),
            day: { viewer.day(viewer.zone.date($0)) })
        // A label, as no subject can have one at this place.
        func show(_ name: String, _ lines: [SecurityWords.Line]) {
            for line in lines {
                let style = line.isWarning ? TextStyle(.yellow) : .plain
                let pieces = SafeText.line(line.text).wrapped(max(20, canvas.textWidth - 6), keepsAddresses: true)
                for (index, piece) in pieces.enumerated() {
                    canvas.line(
                        StyledText(index == 0 ? name : String(repeating: " ", count: 6), .dim)
                            + StyledText(piece, style))
                }
            }
        }
        show("Seal  ", lines)
        show("Check ", message.senderCheck?.lines ?? [])
    }
}
