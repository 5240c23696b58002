import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// The images of a message that is read on the screen: those of people whom one knows, in terminals that show them.
struct MailImages: Sendable {
    /// An image below the text.
    struct Shown: Sendable {
        /// Its first line in the text.
        let line: Int
        let image: ScreenImage
    }

    /// The parts that are images.
    let parts: [MessageItem.Attachment]
    /// Whether the sender is known; images of others are not decoded.
    let isKnown: Bool
    /// The images that were read.
    private(set) var shown: [Shown] = []
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
                let bytes = whole.content(of: part, limit: MailImages.limit)
                let image = try MailImages.image(
                    bytes, "\(id.text)/\(attachment.part)/\(width)", attachment.name, most, terminal)
                text.lines += [StyledText(), head.fitted(width)]
                shown.append(Shown(line: text.lines.count, image: image))
                text.lines += [StyledText](repeating: StyledText(), count: image.rows)
            } catch let error as HelixError {
                head.append("  " + error.message, TextStyle(.red))
                text.lines += [StyledText(), head.fitted(width)]
            }
        }
    }

    /// The most bytes of an image file.
    private static let limit = 40 << 20

    private static func image(
        _ bytes: [UInt8], _ key: String, _ name: String, _ most: (width: Int, height: Int), _ terminal: TerminalImages
    ) throws -> ScreenImage {
        let file = try MemoryFile().orThrow()
        guard Console(input: -1, output: file.descriptor, errors: -1).write(bytes) else {
            throw HelixError(.io, "the system has no room for the image")
        }
        let scaled = try ScaledImage(
            of: "/proc/self/fd/\(file.descriptor)", name: name, most: most, asPNG: terminal.form == .kitty)
        return ScreenImage(key, bytes: scaled.bytes, width: scaled.width, height: scaled.height, for: terminal)
    }

    /// The images that are seen in an area whose first line is a line of the text.
    func placed(in area: ScreenArea, from top: Int) -> [PlacedImage] {
        shown.compactMap { own in
            let (first, last) = (max(own.line, top), min(own.line + own.image.rows, top + area.height))
            guard first < last else { return nil }
            let cells = ScreenArea(
                x: area.x, y: area.y + first - top, width: min(area.width, own.image.columns), height: last - first)
            return PlacedImage(own.image, in: cells, hiddenRows: first - own.line)
        }
    }
}
