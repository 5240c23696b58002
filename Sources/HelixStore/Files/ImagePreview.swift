import CPixbuf
import FoundationEssentials
import Glibc
import HelixModel

/// A smaller copy of an image, for screens and slow connections. The original is not changed.
public struct ImagePreview: Sendable {
    /// The bytes of the copy.
    public let bytes: [UInt8]
    /// `image/jpeg`, or `image/png` for an image with transparent parts.
    public let type: String

    /// The most pixels at each side that may be asked for.
    public static let largest = 4096

    /// Makes a copy of the image in a file.
    ///
    /// - Parameters:
    ///   - name: the name of the image, for errors.
    ///   - most: the most pixels at each side; a smaller image keeps its size.
    /// - Throws: ``HelixError``: `configuration` without GDK-PixBuf, `badInput` for a file that is no image.
    public init(of path: String, name: String, most: Int) throws {
        var (pointer, size, isPNG): (UnsafeMutablePointer<UInt8>?, Int, Int32) = (nil, 0, 0)
        let result = helix_preview(path, Int32(clamping: most), &pointer, &size, &isPNG)
        defer { free(pointer) }
        try ImagePreview.check(result, name)
        bytes = Array(UnsafeBufferPointer(start: pointer, count: size))
        type = isPNG == 0 ? "image/jpeg" : "image/png"
    }

    fileprivate static func check(_ result: Int32, _ name: String) throws {
        switch Int(result) {
        case Int(HELIX_PREVIEW_DONE): break
        case Int(HELIX_PREVIEW_NO_LIBRARY):
            throw HelixError(
                .configuration, "cannot make '\(name)' smaller: GDK-PixBuf is not installed",
                hint: "Install it: sudo apt-get install libgdk-pixbuf-2.0-0.")
        case Int(HELIX_PREVIEW_TOO_LARGE):
            throw HelixError(.badInput, "cannot make '\(name)' smaller: it has more than 100 million pixels")
        default: throw HelixError(.badInput, "cannot make '\(name)' smaller: it is not an image, or is damaged")
        }
    }
}

/// An image in the size of the screen on which it is shown.
public struct ScaledImage: Sendable {
    /// PNG, or four bytes a pixel: red, green, blue, opacity.
    public let bytes: [UInt8]
    /// The size in pixels.
    public let width, height: Int

    /// Reads the image in a file.
    /// - Parameters:
    ///   - name: the name of the image, for errors.
    ///   - most: the greatest width and height in pixels; a smaller image keeps its size.
    /// - Throws: ``HelixError``: `configuration` without GDK-PixBuf, `badInput` for a file that is no image.
    public init(of path: String, name: String, most: (width: Int, height: Int), asPNG: Bool) throws {
        var (pointer, size): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
        var (width, height): (Int32, Int32) = (0, 0)
        let result = helix_scaled_image(
            path, Int32(clamping: most.width), Int32(clamping: most.height), asPNG ? 1 : 0, &pointer, &size, &width,
            &height)
        defer { free(pointer) }
        try ImagePreview.check(result, name)
        bytes = Array(UnsafeBufferPointer(start: pointer, count: size))
        (self.width, self.height) = (Int(width), Int(height))
    }
}

extension Store {
    /// A smaller copy of an attached image, from its verified bytes.
    ///
    /// - Parameter most: the most pixels at each side.
    /// - Throws: ``HelixError``: `notFound` if its bytes are not stored, `badInput` if it is no image.
    public func preview(of file: FileRecord, most: Int) throws -> ImagePreview {
        guard let path = path(of: file) else {
            throw HelixError(
                .notFound, "the bytes of '\(file.name)' are not stored here", hint: "Fetch them: helix sync.")
        }
        return try ImagePreview(of: path, name: file.name, most: most)
    }
}

extension FileRecord {
    /// The safe name of a smaller copy: `photo-small.jpg`.
    public func safeName(for preview: ImagePreview) -> String {
        let stem = safeName.deletingPathExtension
        return stem + "-small." + (preview.type == "image/png" ? "png" : "jpg")
    }
}
