import FoundationEssentials

/// A content transfer encoding (RFC 2045 §6).
enum TransferEncoding: String {
    case sevenBit = "7bit"
    case quotedPrintable = "quoted-printable"
    case base64 = "base64"
    case eightBit = "8bit"

    /// The encoding that changes a text least and survives transport.
    ///
    /// - Parameter isSigned: whether blanks at the end of lines must survive, too (RFC 3156 §5).
    static func best(for text: [UInt8], isSigned: Bool = false) -> TransferEncoding {
        var column = 0
        var isPlain = true
        var high = 0
        for (place, byte) in text.enumerated() {
            if byte == 0x0A {
                column = 0
                if isSigned, place > 0, text[place - 1] == 0x20 || text[place - 1] == 0x09 { isPlain = false }
                continue
            }
            // 'From ' at the beginning of a line is changed in mbox files; a single dot ends a message for programs that
            // forget to double it.
            if column == 0, text[place...].starts(with: "From ".utf8) || text[place...].starts(with: ".\n".utf8) {
                isPlain = false
            }
            column += 1
            if byte >= 0x80 { high += 1 }
            if byte >= 0x7F || byte < 0x20 && byte != 0x09 || column > 78 { isPlain = false }
        }
        if isPlain { return .sevenBit }
        return high * 3 > text.count ? .base64 : .quotedPrintable
    }

    /// Encodes a text, with LF line ends, including the last line.
    func encoded(_ text: [UInt8]) -> [UInt8] {
        switch self {
        case .sevenBit, .eightBit: text.last == 0x0A || text.isEmpty ? text : text + [0x0A]
        case .quotedPrintable: Self.quotedPrintable(text)
        case .base64: Base64Encoder.lines(text)
        }
    }

    private static func quotedPrintable(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        var out: [UInt8] = []
        out.reserveCapacity(text.count + text.count / 8)
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            var column = 0
            for (place, byte) in zip(line.indices, line) {
                let isLast = place == line.endIndex - 1
                var isPlain = byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "=") || byte == 0x09
                if isLast, byte == 0x20 || byte == 0x09 { isPlain = false }
                if column + (isPlain ? 1 : 3) > (isLast ? 76 : 75) {
                    out += [UInt8(ascii: "="), 0x0A]
                    column = 0
                }
                let isRisky = line[place...].starts(with: "From ".utf8) || isLast && byte == UInt8(ascii: ".")
                if column == 0, isRisky { isPlain = false }
                if isPlain {
                    out.append(byte)
                } else {
                    out += [UInt8(ascii: "="), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
                }
                column += isPlain ? 1 : 3
            }
            out.append(0x0A)
        }
        // Drop the added line end if the text had its own.
        if text.last == 0x0A { out.removeLast() }
        return out
    }
}

/// A Base64 encoder (RFC 4648) with lines of 76 characters, as in mail.
struct Base64Encoder {
    private var rest: [UInt8] = []

    /// Encodes bytes as one line.
    static func text(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Encodes bytes as lines.
    static func lines(_ bytes: [UInt8]) -> [UInt8] {
        var encoder = Base64Encoder()
        return encoder.lines(bytes, isLast: true)
    }

    /// The lines of a piece; an incomplete line is kept for the next piece.
    mutating func lines(_ bytes: some Sequence<UInt8>, isLast: Bool) -> [UInt8] {
        let all = rest + bytes
        let whole = isLast ? all.count : all.count / 57 * 57
        rest = Array(all[whole...])
        if whole == 0 { return [] }
        let options: Data.Base64EncodingOptions = [.lineLength76Characters, .endLineWithLineFeed]
        return Array(Data(all[..<whole]).base64EncodedData(options: options)) + [0x0A]
    }
}
