import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A message that is read on the screen.
struct MailReader: Sendable {
    /// Its identity.
    let id: EntityID
    /// Its text, laid out for ``width`` columns.
    var text: UIText
    /// The addresses in the text, in the order of their numbers from 1.
    let links: [String]
    /// The columns that it is laid out for.
    let width: Int
    /// The images in it; nil if it cannot be read.
    var images: MailImages?

    /// Reads a message, as `helix mail read` does; it does not count as read by that.
    /// - Throws: ``HelixError``.
    init(_ id: EntityID, width: Int, height: Int, _ context: CommandContext) throws {
        let store = try context.store()
        let message = try store.message(id)
        let items = try context.messageItems([message])
        var viewer = context.viewer
        viewer.shortIDs = try store.shortIDs([id])
        // Room for the numbers of links.
        var canvas = Canvas(width: max(20, width - 5), isASCII: context.terminal.isASCII)
        MessageReport(items: items).draw(on: &canvas, for: viewer)
        links = MessageLinks.list(items[0])
        images = MailImages(items[0])
        text = UIText(lines: MessageLinks.numbered(canvas.lines, links), height: height)
        (self.id, self.width) = (id, width)
    }

    /// Reads the images of the message.
    /// - Throws: ``HelixError``.
    mutating func loadImages(for terminal: TerminalImages, _ context: CommandContext) throws {
        var own = images
        images = nil
        try own?.load(id, into: &text, width: width, for: terminal, context)
        images = own
    }

    /// A text in place of a message that cannot be read.
    init(_ id: EntityID, width: Int, height: Int, failure: HelixError) {
        var canvas = Canvas(width: max(20, width))
        canvas.paragraph(failure.message + (failure.hint.map { ". \($0)" } ?? "."), style: TextStyle(.red))
        (self.id, self.width, links) = (id, width, [])
        text = UIText(lines: canvas.lines, height: height)
    }
}

/// The web addresses in the text of a message, which have numbers.
enum MessageLinks {
    /// The addresses, each once, in the order of the text; as ``MailOpen`` counts them.
    static func list(_ item: MessageItem) -> [String] {
        var found: [String] = []
        for line in item.lines {
            for address in WebLinks.addresses(in: SafeText.line(line.text)) where !found.contains(address) {
                found.append(address)
            }
        }
        return found
    }

    /// Lines with the numbers behind the addresses.
    static func numbered(_ lines: [StyledText], _ links: [String]) -> [StyledText] {
        if links.isEmpty { return lines }
        return lines.map { line in
            guard !WebLinks.addresses(in: line.plain).isEmpty else { return line }
            var marked = StyledText()
            for piece in line.pieces {
                var rest = piece.text[...]
                for address in WebLinks.addresses(in: piece.text) {
                    guard let place = rest.firstRange(of: address) else { continue }
                    marked.append(rest[..<place.upperBound], piece.style)
                    if let number = links.firstIndex(of: address) { marked.append(" [\(number + 1)]", .bold) }
                    rest = rest[place.upperBound...]
                }
                marked.append(rest, piece.style)
            }
            return marked
        }
    }
}
