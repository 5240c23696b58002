/// An image for a full screen, scaled for its terminal.
public final class ScreenImage: Sendable {
    /// The name by which it is known: two images of a name are the same.
    public let name: String
    /// PNG for kitty's protocol, else four bytes a pixel (red, green, blue, opacity).
    public let bytes: [UInt8]
    /// The size in pixels.
    public let width, height: Int
    /// The size in cells.
    public let columns, rows: Int

    /// Creates an image.
    public init(_ name: String, bytes: [UInt8], width: Int, height: Int, for terminal: TerminalImages) {
        (self.name, self.bytes, self.width, self.height) = (name, bytes, width, height)
        columns = max(1, (width + terminal.cellWidth - 1) / terminal.cellWidth)
        rows = max(1, (height + terminal.cellHeight - 1) / terminal.cellHeight)
    }
}

/// An image on the screen, or the part of it that is seen.
public struct PlacedImage: Hashable, Sendable {
    /// The image.
    public let image: ScreenImage
    /// The cells.
    public let area: ScreenArea
    /// The number of its rows above the area.
    public let hiddenRows: Int

    /// Places an image in the rows of an area that begins `hiddenRows` below its upper edge.
    public init(_ image: ScreenImage, in area: ScreenArea, hiddenRows: Int) {
        (self.image, self.area, self.hiddenRows) = (image, area, hiddenRows)
    }

    /// Whether both show the same part of the same image at the same place.
    public static func == (one: PlacedImage, other: PlacedImage) -> Bool {
        one.image.name == other.image.name && one.area == other.area && one.hiddenRows == other.hiddenRows
    }

    /// Hashes the name and the place.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(image.name)
        hasher.combine(area)
        hasher.combine(hiddenRows)
    }

    /// The lines of pixels that are seen, and their number.
    func pixels(cellHeight: Int) -> (top: Int, height: Int) {
        let top = min(image.height - 1, hiddenRows * cellHeight)
        return (top, max(1, min(image.height - top, area.height * cellHeight)))
    }
}

/// The images of the frames that a terminal shows.
struct ImageWriter {
    private let terminal: TerminalImages
    private var shown: [PlacedImage] = []
    /// The images that a terminal of kitty's protocol keeps, by name, and the order in which they were used.
    private var numbers: [String: Int] = [:]
    private var latest: [String] = []
    private var counter = 0

    /// The most images that the terminal keeps.
    private static let most = 12

    init(_ terminal: TerminalImages) { self.terminal = terminal }

    /// The lines whose cells are to be written again, since an image lay on them that is not there any more.
    func staleLines(for images: [PlacedImage]) -> Set<Int> {
        guard terminal.form == .sixel, images != shown else { return [] }
        return Set(shown.flatMap { $0.area.y..<$0.area.y + $0.area.height })
    }

    /// The bytes that show images instead of the former ones.
    mutating func bytes(for images: [PlacedImage]) -> [UInt8] {
        if images == shown { return [] }
        var output = terminal.form == .kitty && !shown.isEmpty ? KittyGraphics.cleared : []
        for placed in images { output += bytes(placed) }
        shown = images
        return output
    }

    /// The screen was cleared.
    mutating func forget() { shown = [] }

    private mutating func bytes(_ placed: PlacedImage) -> [UInt8] {
        let image = placed.image
        let (top, height) = placed.pixels(cellHeight: terminal.cellHeight)
        let position = Array("\u{1B}[\(placed.area.y + 1);\(placed.area.x + 1)H".utf8)
        guard terminal.form == .kitty else {
            let part = image.bytes[(top * image.width * 4)..<((top + height) * image.width * 4)]
            return position + SixelWriter.bytes(Array(part), width: image.width, height: height)
        }
        var output: [UInt8] = []
        let number: Int
        if let known = numbers[image.name] {
            number = known
            latest.removeAll { $0 == image.name }
        } else {
            counter += 1
            number = counter
            numbers[image.name] = number
            output += KittyGraphics.transmitted(image.bytes, as: number)
        }
        latest.append(image.name)
        if latest.count > ImageWriter.most, let old = numbers.removeValue(forKey: latest.removeFirst()) {
            output += KittyGraphics.forgotten(old)
        }
        return output + position
            + KittyGraphics.placed(
                number, columns: image.columns, rows: min(placed.area.height, image.rows - placed.hiddenRows), top: top,
                width: image.width, height: height)
    }
}
