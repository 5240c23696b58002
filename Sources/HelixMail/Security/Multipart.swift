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
