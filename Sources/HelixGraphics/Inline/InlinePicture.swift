import HelixModel
import HelixTerminal

/// Pictures between the lines of a terminal.
public enum InlinePicture {
    /// The sequence that shows a picture at the cursor, and leaves the cursor on the line below it.
    ///
    /// - Parameter columns: the columns that the picture may take.
    /// - Throws: ``HelixError`` of code `configuration` without cairo and Pango.
    public static func sequence(_ picture: Picture, for images: TerminalImages, columns: Int) throws -> [UInt8] {
        let pixels = Double(columns * images.cellWidth)
        // Larger than twice its size in points, letters look coarse beside the terminal's.
        let scale = min(pixels / picture.width, 2)
        switch images.form {
        case .kitty: return KittyGraphics.shown(try PicturePainter.png(picture, scale: scale))
        case .sixel:
            let painted = try PicturePainter.pixels(picture, scale: scale)
            return SixelWriter.bytes(painted.bytes, width: painted.width, height: painted.height) + [0x0A]
        }
    }
}
