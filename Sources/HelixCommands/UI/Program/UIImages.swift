import HelixModel
import HelixStore
import HelixTerminal

/// Images between the lines of a text on the screen.
struct UIImages: Sendable {
    /// An image below a line.
    private struct Shown: Sendable {
        /// Its first line in the text.
        let line: Int
        let image: ScreenImage
    }

    private var shown: [Shown] = []

    /// The most bytes of an image file.
    static let limit = 40 << 20

    /// Adds an image, for which the text has blank lines.
    /// - Parameter line: the first of them.
    mutating func add(_ image: ScreenImage, at line: Int) { shown.append(Shown(line: line, image: image)) }

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

    /// Decodes an image, as small as the screen needs it.
    /// - Parameter key: the identity of the image in this size.
    /// - Throws: ``HelixError``: it cannot be decoded.
    static func image(
        _ bytes: [UInt8], _ key: String, _ name: String, _ most: (width: Int, height: Int), _ terminal: TerminalImages
    ) throws -> ScreenImage {
        let file = try MemoryFile().orThrow()
        guard Console(input: -1, output: file.descriptor, errors: -1).write(bytes) else {
            throw HelixError(.io, "the system has no room for the image")
        }
        return try image(at: "/proc/self/fd/\(file.descriptor)", key, name, most, terminal)
    }

    /// Decodes the image of a file, as small as the screen needs it.
    /// - Throws: ``HelixError``: it cannot be decoded.
    static func image(
        at path: String, _ key: String, _ name: String, _ most: (width: Int, height: Int), _ terminal: TerminalImages
    ) throws -> ScreenImage {
        let scaled = try ScaledImage(of: path, name: name, most: most, asPNG: terminal.form == .kitty)
        return ScreenImage(key, bytes: scaled.bytes, width: scaled.width, height: scaled.height, for: terminal)
    }
}
