import HelixModel

/// Entities of MIME (RFC 2045) that are written from others.
public enum Multipart {
    /// A multipart/mixed of entities, each with its own headers.
    ///
    /// - Parameters:
    ///   - type: the subtype and its parameters.
    ///   - parameters: more parameters of Content-Type.
    public static func written(
        _ entities: [[UInt8]], type: String = "multipart/mixed", parameters: [(String, String)],
        headers: String = ""
    ) -> [UInt8] {
        let boundary = "=_\(EntityID().text)"
        var text = Array(
            (HeaderWriter.parameters("Content-Type", type, [("boundary", boundary)] + parameters) + headers).utf8)
        for entity in entities { text += Array("\n--\(boundary)\n".utf8) + entity }
        return text + Array("\n--\(boundary)--\n".utf8)
    }

    /// The bytes of the first part of a multipart in a message, up to the line end that belongs to the boundary (RFC 2046 §5.1.1);
    /// nil if there is no complete one.
    public static func firstPart(of bytes: [UInt8], boundary: String) -> [UInt8]? {
        let mark = Array("--\(boundary)".utf8)
        var (start, begin) = (0, -1)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A) ?? bytes.count
            let line = bytes[start..<end]
            if line.starts(with: mark) {
                let rest = line.dropFirst(mark.count)
                let isLine = rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
                if begin < 0, isLine {
                    begin = end + 1
                } else if begin >= 0, isLine || rest.starts(with: "--".utf8) {
                    var last = start
                    if last > begin, bytes[last - 1] == 0x0A { last -= 1 }
                    if last > begin, bytes[last - 1] == 0x0D { last -= 1 }
                    return begin <= last ? Array(bytes[begin..<last]) : nil
                }
            }
            start = end + 1
        }
        return nil
    }

    /// An entity of bytes in Base64, with its file name.
    public static func file(_ bytes: [UInt8], type: String, _ parameters: [(String, String)] = [], name: String)
        -> [UInt8]
    {
        let head =
            HeaderWriter.parameters("Content-Type", type, parameters + [("name", name)])
            + HeaderWriter.parameters("Content-Disposition", "attachment", [("filename", name)])
            + "Content-Transfer-Encoding: base64\n\n"
        return Array(head.utf8) + Base64Encoder.lines(bytes)
    }

    /// An entity of text that needs no encoding.
    public static func plain(_ bytes: [UInt8], type: String, _ parameters: [(String, String)] = []) -> [UInt8] {
        Array((HeaderWriter.parameters("Content-Type", type, parameters) + "\n").utf8) + bytes
    }

    /// A text/plain entity.
    public static func text(_ bytes: [UInt8], charset: String) -> [UInt8] {
        Array(
            (HeaderWriter.parameters("Content-Type", "text/plain", [("charset", charset)])
                + "Content-Transfer-Encoding: 8bit\n\n").utf8) + bytes
    }
}

/// Line ends of signed entities.
public enum LineEnds {
    /// The bytes with CRLF at the end of each line (RFC 3156 §5, RFC 8551 §3.1.1).
    public static func canonical(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + bytes.count / 32)
        var last: UInt8 = 0
        for byte in bytes {
            if byte == 0x0A, last != 0x0D { out.append(0x0D) }
            out.append(byte)
            last = byte
        }
        return out
    }
}

/// The headers of an entity as bytes.
public enum HeaderBlock {
    /// The headers of a message without some; without the empty line at their end.
    ///
    /// - Parameter isDropped: receives the name of each header, in lower case.
    public static func without(_ bytes: [UInt8], _ isDropped: (String) -> Bool) -> [UInt8] {
        var head = RawHead.without(bytes) { line in
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            return isDropped(String(decoding: name, as: UTF8.self).lowercased().trimmed)
        }.head
        if let last = head.last, last != 0x0A { head.append(0x0A) }
        return head
    }

    /// The empty line after the headers of a message, and its body.
    public static func body(_ bytes: [UInt8]) -> [UInt8] { Array(bytes[RawHead.without(bytes) { _ in true }.end...]) }

    /// The headers of an entity with more parameters in Content-Type; with a Content-Type if there was none.
    public static func adding(_ parameters: String, to headers: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        var isType = false
        var isFound = false
        for line in headers.split(separator: 0x0A) {
            let isFolded = line.first == 0x20 || line.first == 0x09
            if isType, !isFolded { out = Array(out.dropLast()) + Array((parameters + "\n").utf8) }
            if !isFolded {
                isType = String(decoding: line.prefix(13), as: UTF8.self).lowercased() == "content-type:"
                isFound = isFound || isType
            }
            out += line + [0x0A]
        }
        if isType { out = Array(out.dropLast()) + Array((parameters + "\n").utf8) }
        return isFound ? out : Array("Content-Type: text/plain; charset=utf-8\(parameters)\n".utf8) + out
    }

    /// Whether bytes begin with a header, or the empty line that ends headers.
    public static func isEntity(_ bytes: [UInt8]) -> Bool {
        if bytes.first == 0x0A || bytes.starts(with: [0x0D, 0x0A]) { return true }
        let name = bytes.prefix(1000).prefix { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
        return !name.isEmpty && bytes.dropFirst(name.count).first == UInt8(ascii: ":")
    }
}
