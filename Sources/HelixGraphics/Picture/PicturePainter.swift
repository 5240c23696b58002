import CCairo
import Glibc
import HelixModel

/// The form of a file with pictures.
public enum PictureForm: String, Sendable {
    case svg, png, pdf

    /// The form of a file's name; nil if it has another ending.
    public init?(path: String) {
        guard let dot = path.lastIndex(of: ".") else { return nil }
        self.init(rawValue: path[path.index(after: dot)...].lowercased())
    }
}

/// A file with painted pictures.
public struct PaintedFile: Sendable {
    /// The bytes.
    public let bytes: [UInt8]
    /// The number of characters for which no font of the system has a sign: they are boxes in the file.
    public let unknownCharacters: Int
}

/// Painting of pictures by cairo, with texts laid by Pango: the fonts of the system, in any script.
public enum PicturePainter {
    /// The file with these pages.
    ///
    /// SVG and PNG show one page: more are an error.
    /// - Parameter time: the time at which a PDF says that it was made.
    /// - Throws: ``HelixError``: `configuration` without the libraries, `usage` for several pages in SVG or PNG.
    public static func file(_ form: PictureForm, _ pages: [Picture], time: Instant) throws -> PaintedFile {
        guard let first = pages.first else { return PaintedFile(bytes: [], unknownCharacters: 0) }
        guard form == .pdf || pages.count == 1 else {
            throw HelixError(
                .usage, "this takes \(pages.count) pages, and \(form.rawValue.uppercased()) has one",
                hint: "Write a PDF: --output FILE.pdf.")
        }
        switch form {
        case .svg: return PaintedFile(bytes: Array(SVGWriter.text(first).utf8), unknownCharacters: 0)
        case .png: return try paint(HELIX_PAINT_PNG, pages, scale: 2, time: time)
        case .pdf: return try paint(HELIX_PAINT_PDF, pages, scale: 1, time: time)
        }
    }

    /// A picture as PNG.
    /// - Parameter scale: the number of pixels for each point.
    /// - Throws: ``HelixError`` of code `configuration` without the libraries.
    public static func png(_ picture: Picture, scale: Double) throws -> [UInt8] {
        try paint(HELIX_PAINT_PNG, [picture], scale: scale, time: Instant(0)).bytes
    }

    /// The pixels of a picture, four bytes each (red, green, blue, opacity), line by line.
    /// - Throws: ``HelixError`` of code `configuration` without the libraries.
    public static func pixels(
        _ picture: Picture, scale: Double
    ) throws -> (bytes: [UInt8], width: Int, height: Int) {
        let bytes = try paint(HELIX_PAINT_PIXELS, [picture], scale: scale, time: Instant(0)).bytes
        return (bytes, Int((picture.width * scale).rounded()), Int((picture.height * scale).rounded()))
    }

    private static func paint(
        _ form: Int, _ pages: [Picture], scale: Double, time: Instant
    ) throws -> PaintedFile {
        guard let first = pages.first else { return PaintedFile(bytes: [], unknownCharacters: 0) }
        let painter = try begin(form, width: first.width, height: first.height, scale: scale)
        helix_paint_title(painter, first.title, ISO8601.text(time, in: .utc))
        for (place, page) in pages.enumerated() {
            if place > 0 { helix_paint_page(painter, page.width, page.height) }
            // Paper is white without paint.
            if form != HELIX_PAINT_PDF {
                helix_paint_rectangle(painter, 0, 0, page.width, page.height, 0, color(page.theme.background))
            }
            for shape in page.shapes { paint(shape, painter) }
        }
        var (pointer, size): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
        var unknown: Int32 = 0
        let isPainted = helix_paint_end(painter, &pointer, &size, &unknown) != 0
        defer { free(pointer) }
        guard isPainted else {
            throw HelixError(.io, "the picture cannot be painted", hint: "Is enough memory free?")
        }
        return PaintedFile(
            bytes: Array(UnsafeBufferPointer(start: pointer, count: size)), unknownCharacters: Int(unknown))
    }

    private static func paint(_ shape: PictureShape, _ painter: OpaquePointer) {
        switch shape {
        case .rectangle(let box, let radius, let fill):
            helix_paint_rectangle(painter, box.x, box.y, box.width, box.height, radius, color(fill))
        case .line(let points, let width, let isDashed, let stroke):
            line(points, painter, width: width, isDashed: isDashed, isFilled: false, stroke)
        case .area(let points, let fill): line(points, painter, width: 0, isDashed: false, isFilled: true, fill)
        case .text(let text): withText(text) { helix_paint_write(painter, $0, color(text.color)) }
        }
    }

    private static func line(
        _ points: [PicturePoint], _ painter: OpaquePointer, width: Double, isDashed: Bool, isFilled: Bool,
        _ stroke: PictureColor
    ) {
        let numbers = points.flatMap { [$0.x, $0.y] }
        helix_paint_line(
            painter, numbers, Int32(clamping: points.count), width, isDashed ? 1 : 0, isFilled ? 1 : 0, color(stroke))
    }

    fileprivate static func begin(
        _ form: Int, width: Double, height: Double, scale: Double
    ) throws -> OpaquePointer {
        guard helix_paint_is_there() != 0 else {
            throw HelixError(
                .configuration, "pictures in PNG and PDF need Pango and cairo, which are not installed",
                hint: "Install them: sudo apt-get install libpangocairo-1.0-0. SVG needs neither.")
        }
        guard helix_paint_has_fonts() != 0 else {
            throw HelixError(
                .configuration, "pictures in PNG and PDF need a font, and none is installed",
                hint: "Install one: sudo apt-get install fonts-dejavu-core. SVG needs none.")
        }
        guard let painter = helix_paint_begin(Int32(form), width, height, scale) else {
            throw HelixError(.io, "the picture cannot be painted", hint: "Is enough memory free?")
        }
        return painter
    }

    fileprivate static func withText<Result>(
        _ text: PictureText, _ use: (helix_paint_text) -> Result
    ) -> Result {
        text.text.withCString { pointer in
            use(
                helix_paint_text(
                    text: pointer, x: text.x, y: text.y, width: text.width, size: text.size,
                    is_bold: text.isBold ? 1 : 0, align: Int32(text.alignment.rawValue),
                    lines: Int32(clamping: text.lines)))
        }
    }

    private static func color(_ color: PictureColor) -> helix_paint_color {
        helix_paint_color(red: color.red, green: color.green, blue: color.blue, opacity: color.opacity)
    }
}

/// Measuring of texts by Pango, for pages whose layout depends on them.
public final class TextRuler {
    private let painter: OpaquePointer

    /// - Throws: ``HelixError`` of code `configuration` without the libraries.
    public init() throws { painter = try PicturePainter.begin(HELIX_PAINT_PIXELS, width: 1, height: 1, scale: 1) }

    deinit {
        var (pointer, size, unknown): (UnsafeMutablePointer<UInt8>?, Int, Int32) = (nil, 0, 0)
        _ = helix_paint_end(painter, &pointer, &size, &unknown)
        free(pointer)
    }

    /// The height of a text in its width.
    public func height(of text: PictureText) -> Double {
        var (width, height) = (0.0, 0.0)
        PicturePainter.withText(text) { helix_paint_measure(painter, $0, &width, &height) }
        return height
    }
}
