import CGMime

/// A name and an address of a header (RFC 5322 §3.4).
public struct MailAddress: Hashable, Sendable {
    /// The display name; empty if there is none.
    public var name: String
    /// The address; empty for a group without members, of which only the name is known.
    public var address: String

    /// Creates an address.
    public init(name: String = "", address: String) {
        self.name = name
        self.address = address
    }

    /// `Name <address>`, or the part that is present. The name is as people read it, not encoded for a header.
    public var text: String {
        name.isEmpty ? address : address.isEmpty ? name : "\(name) <\(address)>"
    }

    /// ``text`` with a name in quotes that would read as several addresses.
    public var quoted: String {
        guard !address.isEmpty, name.contains(where: { ",;:<>@\"()[]\\".contains($0) }) else { return text }
        return "\"\(name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\" <\(address)>"
    }

    /// The name, or the address if there is none.
    public var label: String { name.isEmpty ? address : name }

    /// Parses an address from its ``text``.
    public init(text: some StringProtocol) {
        // By bytes: mail lists call this for each row.
        let text = String(text)
        if text.utf8.last == UInt8(ascii: ">"), let open = text.utf8.lastIndex(of: UInt8(ascii: "<")) {
            let head = text.utf8[..<open].last == 0x20 ? text[..<text.utf8.index(before: open)] : text[..<open]
            let isTrimmed = [head.utf8.first, head.utf8.last].allSatisfy { (0x21..<0x80).contains($0 ?? 0) }
            name = isTrimmed ? String(head) : head.trimmed
            address = String(text[text.utf8.index(after: open)...].utf8.dropLast()) ?? ""
        } else if text.utf8.contains(UInt8(ascii: "@")) {
            (name, address) = ("", text)
        } else {
            (name, address) = (text, "")
        }
    }

    /// The addresses of a raw header value, in order; groups are expanded.
    public static func list(_ raw: some Collection<UInt8>) -> [MailAddress] {
        // Control characters make the library reject a whole list.
        let bytes = EncodedWord.unfolded(raw).map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }
        if bytes.isEmpty { return [] }
        let value = String(decoding: prepared(bytes), as: UTF8.self)
        let found = parsed(value)
        // Comments within an address are valid, but the library cannot parse them.
        let second = found.isEmpty && value.contains("(") ? parsed(HeaderComments.removed(value)) : found
        return second.isEmpty ? lastResort(value) : second
    }

    /// The address between the last `<` and `>` of an invalid value, with the text before it as the name.
    private static func lastResort(_ value: String) -> [MailAddress] {
        guard let close = value.lastIndex(of: ">"), let open = value[..<close].lastIndex(of: "<") else { return [] }
        let address = value[value.index(after: open)..<close].trimmed
        guard address.contains("@"), !address.contains(where: \.isWhitespace) else { return [] }
        var name = ""
        var isEscaped = false
        for sign in value[..<open] {
            if !isEscaped, sign == "\\" || sign == "\"" {
                isEscaped = sign == "\\"
            } else {
                name.append(sign)
                isEscaped = false
            }
        }
        return [MailAddress(name: name.trimmed, address: address)]
    }

    private static func parsed(_ value: String) -> [MailAddress] {
        var found = Found()
        withUnsafeMutablePointer(to: &found) { found in
            helix_mime_addresses(value, found) { context, name, address in
                let list = context?.assumingMemoryBound(to: Found.self)
                guard let list, list.pointee.list.count < 10_000 else { return }
                let name = name.map { String(cString: $0) } ?? ""
                let address = address.map { String(cString: $0) } ?? ""
                list.pointee.list.append(MailAddress(name: name.trimmed, address: address.trimmed))
            }
        }
        // The library parses a name after its address as another address.
        return found.list.filter { !($0.name.isEmpty && $0.address.hasPrefix("\"") && !$0.address.contains("@")) }
    }

    private struct Found { var list: [MailAddress] = [] }

    /// The value in UTF-8 with encoded words already decoded, each run of them as a quoted string, so that the library
    /// has nothing left to decode.
    private static func prepared(_ bytes: [UInt8]) -> [UInt8] {
        guard EncodedWord.contains(bytes) else {
            return bytes.allSatisfy { $0 < 0x80 } ? bytes : Array(Charset.guess(bytes).utf8)
        }
        var out: [UInt8] = []
        var isInQuotes = false
        for piece in EncodedWord.pieces(bytes) {
            if piece.isEncoded {
                let quoted = piece.text.utf8.flatMap { byte -> [UInt8] in
                    switch byte {
                    case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
                    case 0..<0x20: [0x20]
                    default: [byte]
                    }
                }
                out += isInQuotes ? quoted : [0x22] + quoted + [0x22]
                continue
            }
            var isEscaped = false
            for byte in piece.text.utf8 {
                if byte == 0x22, !isEscaped { isInQuotes.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                out.append(byte)
            }
        }
        return out
    }
}

/// The ids in a Message-ID, In-Reply-To or References header (RFC 5322 §3.6.4), without their brackets.
public enum MessageIDs {
    /// The ids of a raw value, in order, without duplicates; other words are skipped unless there is nothing else.
    public static func list(_ raw: some Collection<UInt8>) -> [String] {
        var ids: [String] = []
        var current: [UInt8]?
        for byte in raw {
            switch byte {
            case UInt8(ascii: "<"): current = []
            case UInt8(ascii: ">"):
                if let bytes = current, !bytes.isEmpty {
                    let id = String(decoding: bytes, as: UTF8.self)
                    if !ids.contains(id) { ids.append(id) }
                }
                current = nil
            case 0...0x20: break
            default: if current?.count ?? 999 < 998 { current?.append(byte) }
            }
            // A list of ten thousand ids is useless for threading.
            if ids.count >= 500 { break }
        }
        return ids
    }

    /// The id of a message: the first in brackets, or the whole value if a program omitted them.
    public static func first(_ raw: some Collection<UInt8>) -> String? {
        if let id = list(raw).first { return id }
        let bare = String(decoding: EncodedWord.unfolded(raw), as: UTF8.self)
            .filter { !$0.isWhitespace && $0 != "<" && $0 != ">" }
        return bare.isEmpty || bare.utf8.count > 998 ? nil : bare
    }
}

extension StringProtocol {
    /// The text without blanks at both ends.
    var trimmed: String {
        let head = drop(while: \.isWhitespace)
        guard let last = head.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return String(head[...last])
    }
}
