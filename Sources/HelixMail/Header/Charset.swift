import Glibc

/// Decodes bytes in any character set that iconv supports. Decoding never fails: invalid bytes become U+FFFD, and
/// an unlabelled set is guessed.
public enum Charset {
    /// Decodes `bytes` in the set named by a message; if it is nil or unknown, the set is guessed.
    public static func text(_ bytes: some Collection<UInt8>, charset: String?) -> String {
        let name = canonical(charset)
        switch name {
        case nil: return guess(bytes)
        case let name? where ["utf-8", "us-ascii"].contains(name) && wideName(bytes) != nil: return guess(bytes)
        case "utf-8": return String(decoding: unmarked(bytes), as: UTF8.self)
        case "us-ascii": return isASCII(bytes) ? String(decoding: bytes, as: UTF8.self) : guess(bytes)
        case let name?: return converted(Array(bytes), from: name) ?? guess(bytes)
        }
    }

    /// The name of UTF-16, by its mark or because every other byte of the beginning is 0; nil for other text.
    private static func wideName(_ bytes: some Collection<UInt8>) -> String? {
        let head = Array(bytes.prefix(64))
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) { return "utf-16" }
        guard head.count >= 8, bytes.count % 2 == 0, head.contains(0) else { return nil }
        let zeros = (0..<2).map { side in stride(from: side, to: head.count, by: 2).count { head[$0] == 0 } }
        let least = head.count / 2 * 3 / 4
        if zeros[0] == 0, zeros[1] >= least { return "utf-16le" }
        return zeros[1] == 0 && zeros[0] >= least ? "utf-16be" : nil
    }

    /// Decodes unlabelled text: as UTF-8 if it is valid, otherwise in the set most common in such mail.
    public static func guess(_ bytes: some Collection<UInt8>) -> String {
        if let wide = wideName(bytes), let text = converted(Array(bytes), from: wide) { return text }
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        // Truncated UTF-8, or with one wrong byte, is still UTF-8: no other text has that many sequences by chance.
        let repaired = String(decoding: bytes, as: UTF8.self)
        var (wrong, right) = (0, 0)
        for scalar in repaired.unicodeScalars where scalar.value >= 0x80 {
            if scalar.value == 0xFFFD { wrong += 1 } else { right += 1 }
        }
        if right > wrong * 4 { return repaired }
        return converted(Array(bytes), from: "windows-1252") ?? String(decoding: bytes, as: UTF8.self)
    }

    /// The bytes without the byte order mark that some programs put before UTF-8.
    private static func unmarked<Bytes: Collection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    }

    private static func isASCII(_ bytes: some Collection<UInt8>) -> Bool { bytes.allSatisfy { $0 < 0x80 } }

    /// The iconv name of a set. Some labels name a smaller set than is actually sent (see the list in WHATWG's
    /// Encoding standard).
    private static func canonical(_ charset: String?) -> String? {
        guard let charset else { return nil }
        let name = charset.lowercased().filter { $0.isASCII && !$0.isWhitespace && $0 != "\"" && $0 != "'" }
        switch name {
        case "", "unknown-8bit", "x-unknown", "unknown", "default", "_autodetect", "_autodetect_all", "8bit", "binary":
            return nil
        case "utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8": return "utf-8"
        case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us", "646": return "us-ascii"
        case "iso-8859-1", "iso8859-1", "latin1", "iso_8859-1", "l1", "x-user-defined": return "windows-1252"
        case "iso-8859-9", "iso8859-9", "latin5": return "windows-1254"
        case "iso-8859-11", "tis-620": return "cp874"
        case "iso-8859-8-i", "iso-8859-8-e": return "iso-8859-8"
        case "iso-8859-6-i", "iso-8859-6-e": return "iso-8859-6"
        case "gb2312", "gbk", "x-gbk", "gb_2312-80", "euc-cn", "hz-gb-2312-x": return "gb18030"
        case "hz-gb-2312": return "hz"
        case "ks_c_5601-1987", "ks_c_5601", "ksc5601", "ksc_5601", "euc-kr", "x-windows-949": return "cp949"
        case "shift_jis", "shift-jis", "x-sjis", "sjis", "ms_kanji": return "cp932"
        case "iso-2022-jp", "csiso2022jp": return "iso-2022-jp-3"
        case "big5", "x-x-big5": return "big5-hkscs"
        case "x-mac-roman", "macroman", "x-macroman": return "macintosh"
        case "x-mac-cyrillic": return "mac-cyrillic"
        case "unicode-1-1-utf-7", "x-unicode-2-0-utf-7": return "utf-7"
        default:
            if name.hasPrefix("cp-") { return "cp" + name.dropFirst(3) }
            if name.hasPrefix("windows") && !name.hasPrefix("windows-") { return "windows-" + name.dropFirst(7) }
            return name.utf8.count > 40 || name.contains("/") ? nil : name
        }
    }

    private static func converted(_ bytes: [UInt8], from name: String) -> String? {
        guard let converter = iconv_open("UTF-8", name), converter != iconv_t(bitPattern: -1) else { return nil }
        defer { iconv_close(converter) }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count * 2)
        var source = bytes
        source.withUnsafeMutableBytes { buffer in
            var input = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var left = buffer.count
            var chunk = [CChar](repeating: 0, count: 4096)
            var isFlushing = false
            while true {
                let (code, problem, written) = chunk.withUnsafeMutableBufferPointer { room -> (Int, Int32, Int) in
                    var output = room.baseAddress
                    var space = room.count
                    let code =
                        isFlushing
                        ? iconv(converter, nil, nil, &output, &space)
                        : iconv(converter, &input, &left, &output, &space)
                    return (code, errno, room.count - space)
                }
                for place in 0..<written { out.append(UInt8(bitPattern: chunk[place])) }
                if code != -1 {
                    if isFlushing { break }
                    isFlushing = true
                } else if problem != E2BIG {
                    // A byte that is invalid in the set, or an incomplete character at the end.
                    if isFlushing { break }
                    out += [0xEF, 0xBF, 0xBD]
                    if problem == EINVAL || left == 0 { break }
                    input = input.map { $0 + 1 }
                    left -= 1
                }
            }
        }
        return String(decoding: out, as: UTF8.self)
    }
}
