import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The images of a message that is read on the screen: those of people whom one knows, in terminals that show them.
struct MailImages: Sendable {
    /// The parts that are images.
    let parts: [MessageItem.Attachment]
    /// Whether the sender is known; images of others are not decoded.
    let isKnown: Bool
    /// The images that were read.
    private(set) var shown = UIImages()
    private(set) var isLoaded = false

    init(_ item: MessageItem) {
        parts = item.attachments.filter { $0.type.lowercased().hasPrefix("image/") }
        isKnown = item.senderCheck?.isKnown ?? true
    }

    /// Whether there are images to read.
    var isWaiting: Bool { !parts.isEmpty && !isLoaded }

    /// Reads the images, and adds room for them to the text.
    mutating func load(
        _ id: EntityID, into text: inout UIText, width: Int, for terminal: TerminalImages, _ context: CommandContext
    ) throws {
        isLoaded = true
        guard isKnown else {
            let count = parts.count == 1 ? "1 image is" : "\(parts.count) images are"
            let words =
                "\(count) not shown: you have not written to the sender. 'helix mail open ID --part N' opens one."
            text.lines += [StyledText(), StyledText(words, .dim).fitted(width)]
            return
        }
        var message = try context.store().message(id)
        let whole = try context.readable(context.wholeFile(&message), verifies: false).message
        let most = (width: width * terminal.cellWidth, height: max(4, text.height - 2) * terminal.cellHeight)
        for attachment in parts {
            guard let part = whole.parts.first(where: { $0.index == attachment.part - 1 }) else { continue }
            var head = StyledText("⎘ ", .dim)
            head.append(attachment.name, .dim)
            do {
                let bytes = whole.content(of: part, limit: UIImages.limit)
                let image = try UIImages.image(
                    bytes, "\(id.text)/\(attachment.part)/\(width)", attachment.name, most, terminal)
                text.lines += [StyledText(), head.fitted(width)]
                shown.add(image, at: text.lines.count)
                text.lines += [StyledText](repeating: StyledText(), count: image.rows)
            } catch let error as HelixError {
                head.append("  " + error.message, TextStyle(.red))
                text.lines += [StyledText(), head.fitted(width)]
            }
        }
    }
}
