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
    /// Whether quoted text is shown whole.
    let showsQuotes: Bool
    /// The recipients and the subject of a draft, as they are typed.
    private(set) var fields: [String: String] = [:]
    /// Whether its text is not stored here yet.
    private(set) var isPartial = false
    /// Whether its text is being fetched.
    private(set) var isFetched = false

    /// Reads a message, as `helix mail read` does; it does not count as read by that.
    /// - Throws: ``HelixError``.
    init(
        _ id: EntityID, width: Int, height: Int, showsQuotes: Bool = false, _ context: CommandContext
    ) throws {
        let store = try context.store()
        let message = try store.message(id)
        let items = try context.messageItems([message])
        var viewer = context.viewer
        viewer.shortIDs = try store.shortIDs([id])
        // Room for the numbers of links.
        var canvas = Canvas(width: max(20, width - 5), isASCII: context.terminal.isASCII)
        MessageReport(items: items, foldsQuotes: !showsQuotes).draw(on: &canvas, for: viewer)
        links = MessageLinks.list(items[0])
        images = MailImages(items[0])
        text = UIText(lines: MessageLinks.numbered(canvas.lines, links), height: height)
        (self.id, self.width, self.showsQuotes) = (id, width, showsQuotes)
    }

    /// Reads the images of the message.
    /// - Throws: ``HelixError``.
    mutating func loadImages(for terminal: TerminalImages, _ context: CommandContext) throws {
        var own = images
        images = nil
        try own?.load(id, into: &text, width: width, for: terminal, context)
        images = own
    }

    /// Reads a draft that is looked at before it leaves, with its protection and what may have been forgotten.
    /// - Throws: ``HelixError``.
    init(draft id: EntityID, width: Int, height: Int, _ context: CommandContext) throws {
        // All of it leaves, and all of it is shown.
        try self.init(id, width: width, height: height, showsQuotes: true, context)
        var canvas = Canvas(width: max(20, width - 5))
        do {
            let session = try DraftSession(draft: id, command: "mail edit", context: context)
            fields = ["subject": session.draft.subject]
            for (name, list) in [("to", session.draft.to), ("cc", session.draft.cc)] {
                fields[name] = list.map(\.quoted).joined(separator: ", ")
            }
            for line in session.review {
                canvas.paragraph(line.plain.trimmingBlanks(), style: line.pieces.last?.style ?? .plain)
            }
        } catch let error as HelixError where error.code != .locked {
            canvas.paragraph(error.message + (error.hint.map { ". \($0)" } ?? "."), style: TextStyle(.red))
        }
        text = UIText(lines: canvas.lines + [StyledText()] + text.lines, height: height)
    }

    /// The head of a message whose text is not stored here yet.
    /// - Parameter isFetched: whether it is being fetched.
    init(_ item: MailItem, width: Int, height: Int, isFetched: Bool) {
        self.init(item.message.id, width: width, height: height, lines: [])
        (isPartial, self.isFetched) = (true, isFetched)
        text.lines = [StyledText(item.subject, .bold), StyledText(item.person), StyledText()]
        text.lines.append(
            StyledText(
                "The text is not stored here yet. " + (isFetched ? "It is being fetched." : "Enter fetches it."), .dim))
    }

    /// Says that the text could not be fetched.
    mutating func didNotFetch() {
        guard isPartial else { return }
        text.lines[text.lines.count - 1] = StyledText(
            "The text could not be fetched; the line below says why.", TextStyle(.red))
        text.lines.append(StyledText("Open the message again to try once more.", .dim))
    }

    /// A text in place of a message that cannot be read.
    init(_ id: EntityID, width: Int, height: Int, failure: HelixError) {
        var canvas = Canvas(width: max(20, width))
        canvas.paragraph(failure.message + (failure.hint.map { ". \($0)" } ?? "."), style: TextStyle(.red))
        self.init(id, width: width, height: height, lines: canvas.lines)
    }

    private init(_ id: EntityID, width: Int, height: Int, lines: [StyledText]) {
        (self.id, self.width, links, showsQuotes) = (id, width, [], false)
        text = UIText(lines: lines, height: height)
    }
}

/// The web addresses in the text of a message, which have numbers.
enum MessageLinks {
    /// The addresses, each once, as ``MailOpen`` counts them: those that have a number in the text of an HTML message keep it,
    /// the others follow in the order of the text.
    static func list(_ item: MessageItem) -> [String] {
        var found = item.lines.filter { $0.kind == .link }.map { line in
            SafeText.line(line.text.drop { $0 != " " }.dropFirst())
        }
        for line in item.lines where line.kind != .link {
            let text = SafeText.line(line.text)
            for address in WebLinks.addresses(in: text) where !found.contains(address) && !isLabel(address, in: text) {
                found.append(address)
            }
        }
        return found
    }

    /// Whether an address is the text of a link that has a number, and leads elsewhere.
    private static func isLabel(_ address: String, in text: String) -> Bool {
        guard let place = text.firstRange(of: address + " [") else { return false }
        let rest = text[place.upperBound...]
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        return !digits.isEmpty && rest.dropFirst(digits.count).first == "]"
    }

    /// Lines with the numbers behind the addresses.
    static func numbered(_ lines: [StyledText], _ links: [String]) -> [StyledText] {
        if links.isEmpty { return lines }
        return lines.map { line in
            let plain = line.plain
            guard !WebLinks.addresses(in: plain).isEmpty else { return line }
            var marked = StyledText()
            for piece in line.pieces {
                var rest = piece.text[...]
                for address in WebLinks.addresses(in: piece.text) {
                    guard let place = rest.firstRange(of: address) else { continue }
                    marked.append(rest[..<place.upperBound], piece.style)
                    // The list of numbered links has the numbers already.
                    if let number = links.firstIndex(of: address), !isLabel(address, in: plain),
                        !plain.hasPrefix("[\(number + 1)] ")
                    {
                        marked.append(" [\(number + 1)]", .bold)
                    }
                    rest = rest[place.upperBound...]
                }
                marked.append(rest, piece.style)
            }
            return marked
        }
    }
}
