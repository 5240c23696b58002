import FoundationEssentials

/// The encoding of mailbox names in IMAP and Maildir++ (RFC 3501 §5.1.3).
public enum ModifiedUTF7 {
    /// Encodes a name as ASCII.
    public static func encoded(_ name: String) -> String {
        var out = ""
        var pending: [UInt16] = []
        func flush() {
            if pending.isEmpty { return }
            let bytes = pending.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
            let text = Data(bytes).base64EncodedString().replacing("/", with: ",")
            out += "&" + text.prefix { $0 != "=" } + "-"
            pending = []
        }
        for unit in name.utf16 {
            if unit >= 0x20, unit < 0x7F {
                flush()
                out += unit == 0x26 ? "&-" : String(UnicodeScalar(UInt8(unit)))
            } else {
                pending.append(unit)
            }
        }
        flush()
        return out
    }

    /// Decodes a name; invalid sequences are kept.
    public static func decoded(_ name: String) -> String {
        guard name.contains("&") else { return name }
        var out = ""
        var rest = name[...]
        while let mark = rest.firstIndex(of: "&") {
            out += rest[..<mark]
            let tail = rest[rest.index(after: mark)...]
            guard let end = tail.firstIndex(of: "-") else { return name }
            let code = tail[..<end]
            if code.isEmpty {
                out += "&"
            } else {
                var text = String(code.replacing(",", with: "/"))
                while text.utf8.count % 4 != 0 { text += "=" }
                guard let data = Data(base64Encoded: text), data.count % 2 == 0 else { return name }
                let units = stride(from: 0, to: data.count, by: 2).map { UInt16(data[$0]) << 8 | UInt16(data[$0 + 1]) }
                out += String(decoding: units, as: UTF16.self)
            }
            rest = tail[tail.index(after: end)...]
        }
        return out + rest
    }
}
