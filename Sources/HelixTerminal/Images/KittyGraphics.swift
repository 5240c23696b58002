import FoundationEssentials

/// The graphics protocol of kitty (https://sw.kovidgoyal.net/kitty/graphics-protocol/).
public enum KittyGraphics {
    /// Shows a PNG at the cursor, and goes to the line below it.
    public static func shown(_ png: [UInt8]) -> [UInt8] { data(png, "a=T,f=100,q=2") + [0x0A] }

    /// Gives a PNG to the terminal, under a number.
    static func transmitted(_ png: [UInt8], as number: Int) -> [UInt8] { data(png, "a=t,f=100,q=2,i=\(number)") }

    /// Places a part of an image at the cursor, which stays.
    /// - Parameters:
    ///   - top: the first line of pixels.
    ///   - height: the number of lines.
    static func placed(_ number: Int, columns: Int, rows: Int, top: Int, width: Int, height: Int) -> [UInt8] {
        command("a=p,i=\(number),p=1,c=\(columns),r=\(rows),x=0,y=\(top),w=\(width),h=\(height),C=1,q=2")
    }

    /// Takes all images from the screen; the terminal keeps their data.
    static let cleared = command("a=d,d=a,q=2")

    /// Forgets an image.
    static func forgotten(_ number: Int) -> [UInt8] { command("a=d,d=I,i=\(number),q=2") }

    private static func command(_ keys: String) -> [UInt8] { Array("\u{1B}_G\(keys);\u{1B}\\".utf8) }

    /// Data in pieces of 4,096 bytes.
    private static func data(_ bytes: [UInt8], _ keys: String) -> [UInt8] {
        let text = Array(Data(bytes).base64EncodedString().utf8)
        var output: [UInt8] = []
        var place = 0
        while place < text.count {
            let end = min(place + 4096, text.count)
            let head = place == 0 ? keys + "," : ""
            output += Array("\u{1B}_G\(head)m=\(end < text.count ? 1 : 0);".utf8) + text[place..<end]
            output += Array("\u{1B}\\".utf8)
            place = end
        }
        return output
    }
}
