import HelixModel
import HelixStore
import HelixTerminal

/// The images of a conversation on the screen, in terminals that show them. Those that others sent are shown once one has written
/// there oneself; nothing is fetched for them.
struct ChatImages: Sendable {
    /// The terminal; nil if it shows no images.
    var terminal: TerminalImages?
    /// The images that were decoded, by the hash of their bytes; nil if one cannot be shown.
    private var decoded: [String: ScreenImage?] = [:]
    /// Those that are decoded next, the last one first.
    private var waiting: [ChatAttachment] = []
    private var shown = UIImages()

    /// The most images of a conversation: the last ones.
    private static let limit = 12

    /// Whether there is an image to decode.
    var isWaiting: Bool { terminal != nil && !waiting.isEmpty }

    /// Begins to draw messages.
    mutating func begin(_ messages: [ChatMessage]) {
        shown = UIImages()
        waiting = []
        guard terminal != nil else { return }
        let isKnown = messages.contains(where: \.isMine)
        let files = messages.filter { !$0.isDeleted && ($0.isMine || isKnown) }.flatMap(\.attachments)
            .filter { $0.type.lowercased().hasPrefix("image/") && $0.size <= UIImages.limit }
        waiting = files.suffix(ChatImages.limit).filter { decoded[$0.sha256] == nil }
    }

    /// Decodes the next image; one that is not stored here, or is damaged, is left out: its name stands in its place.
    mutating func decodeNext(columns: Int, lines: Int, _ store: Store) {
        guard let terminal, let file = waiting.popLast() else { return }
        let most = (width: max(4, columns) * terminal.cellWidth, height: max(4, lines) * terminal.cellHeight)
        let image = store.path(of: file).flatMap {
            try? UIImages.image(at: $0, "\(file.sha256)/\(columns)", file.name, most, terminal)
        }
        decoded[file.sha256] = .some(image)
    }

    /// Makes room for the images of a message below it.
    mutating func draw(_ message: ChatMessage, on canvas: inout Canvas) {
        guard terminal != nil, !message.isDeleted else { return }
        for file in message.attachments {
            guard case .some(.some(let image)) = decoded[file.sha256] else { continue }
            shown.add(image, at: canvas.lines.count)
            for _ in 0..<image.rows { canvas.line() }
        }
    }

    /// The images that are seen in an area whose first line is a line of the text.
    func placed(in area: ScreenArea, from top: Int) -> [PlacedImage] { shown.placed(in: area, from: top) }
}
