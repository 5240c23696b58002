import HelixModel

/// A writer of headers: folded, and encoded where they are not ASCII (RFC 5322 §2.2.3, RFC 2047, RFC 2231).
struct HeaderWriter {
    /// The maximum line length (RFC 5322 §2.1.1).
    private static let width = 76

    /// Writes a text header.
    static func text(_ name: String, _ value: String) -> String {
        var words: [String] = []
        var pending: [Substring] = []
        func flush() {
            if !pending.isEmpty { words += encoded(pending.joined(separator: " "), inPhrase: false) }
            pending = []
        }
        let pieces = value.oneLine.split(separator: " ", omittingEmptySubsequences: false)
        // Several blanks in a header that is folded would be read as one.
        let isFolded = name.utf8.count + 2 + value.utf8.count > width || pieces.contains(where: needsEncoding)
        func encodes(_ place: Int) -> Bool {
            needsEncoding(pieces[place])
                || isFolded && pieces[max(0, place - 1)...min(place + 1, pieces.count - 1)].contains { $0.isEmpty }
        }
        // Blanks between encoded words are not part of the text, so words between two encoded ones are encoded, too.
        let first = pieces.indices.first(where: encodes)
        let last = pieces.indices.last(where: encodes)
        for (place, piece) in pieces.enumerated() {
            if let first, let last, place >= first, place <= last {
                pending.append(piece)
            } else {
                flush()
                words.append(String(piece))
            }
        }
        flush()
        return folded(name, words)
    }

    /// Writes an address header.
    static func addresses(_ name: String, _ list: [MailAddress]) -> String {
        var words: [String] = []
        for (place, address) in list.enumerated() {
            var own = phrase(address.name)
            // Internationalized domains are sent in ASCII.
            let ascii = (try? address.deliverable())?.address ?? address.address
            own.append(own.isEmpty ? ascii : "<\(ascii)>")
            if place < list.count - 1 { own[own.count - 1] += "," }
            words += own
        }
        return folded(name, words)
    }

    /// Writes a header of Message-IDs.
    ///
    /// Invalid ids are omitted: they could end the line and inject another header.
    static func ids(_ name: String, _ ids: [String]) -> String {
        let sound = ids.compactMap { id in MessageID.written(id) ?? MessageID.written(id.filter { !$0.isWhitespace }) }
        return sound.isEmpty ? "" : folded(name, sound.map { "<\($0)>" })
    }

    /// Writes a header with parameters.
    ///
    /// - Parameter oldName: the file name for programs that read it only in Content-Type, encoded by RFC 2047; omitted
    ///   if it would need several encoded words.
    static func parameters(
        _ name: String, _ value: String, _ parameters: [(String, String)], oldName: String? = nil
    ) -> String {
        folded(name, [value] + parameters.flatMap(parameter) + (oldName.map(oldParameter) ?? []), separator: ";")
    }

    private static func oldParameter(_ name: String) -> [String] {
        let plain = parameter("name", name)
        if plain.count == 1, plain[0].hasPrefix("name=") { return plain }
        let words = encoded(name.oneLine, inPhrase: false)
        return words.count == 1 ? ["name=\"\(words[0])\""] : []
    }

    /// Writes a Date header (RFC 5322 §3.3) in the given zone.
    static func date(_ instant: Instant, in zone: Zone) -> String {
        let civil = zone.civil(instant)
        let seconds = civil.secondOfDay
        let clock = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { ISO8601.padded($0, 2) }.joined(
            separator: ":")
        // Historical offsets have seconds, which a Date header cannot express.
        let offset = zone.offset(at: instant) / 60
        let sign = offset < 0 ? "-" : "+"
        let shift = ISO8601.padded(abs(offset) / 60, 2) + ISO8601.padded(abs(offset) % 60, 2)
        let day = "\(DateWords.name(civil.date.weekday)), \(civil.date.day) \(DateWords.name(month: civil.date.month))"
        return "Date: \(day) \(ISO8601.padded(civil.date.year, 4)) \(clock) \(sign)\(shift)\n"
    }

    /// The words of a display name, as a phrase.
    private static func phrase(_ name: String) -> [String] {
        let name = name.oneLine
        if name.isEmpty { return [] }
        let pieces = name.split(separator: " ")
        if pieces.contains(where: needsEncoding) { return encoded(name, inPhrase: true) }
        if pieces.allSatisfy({ $0.utf8.allSatisfy(isAtom) }) { return pieces.map(String.init) }
        let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return ["\"\(quoted)\""]
    }

    /// `name=value`, in several parts if needed (RFC 2231).
    private static func parameter(_ name: String, _ value: String) -> [String] {
        let value = value.oneLine
        let isPlain = value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        if isPlain, value.utf8.count <= 60 {
            if !value.isEmpty, value.utf8.allSatisfy(isToken) { return ["\(name)=\(value)"] }
            let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return ["\(name)=\"\(quoted)\""]
        }
        var parts: [String] = []
        var part = ""
        for scalar in value.unicodeScalars {
            let text = scalar.utf8.map {
                isToken($0) && !"*'%".utf8.contains($0) ? String(UnicodeScalar($0)) : "%" + hex($0)
            }
            .joined()
            if part.utf8.count + text.utf8.count > 50 {
                parts.append(part)
                part = ""
            }
            part += text
        }
        parts.append(part)
        if parts.count == 1 { return ["\(name)*=UTF-8''\(part)"] }
        return parts.enumerated().map { "\(name)*\($0)*=\($0 == 0 ? "UTF-8''" : "")\($1)" }
    }

    /// A text as encoded words. Only the last may end with `=`: many programs lose the words after such a one.
    private static func encoded(_ text: String, inPhrase: Bool) -> [String] {
        let bytes = text.utf8.count
        let plain = text.utf8.filter { $0 < 0x80 }.count
        return plain * 3 >= bytes * 2 ? encodedByQ(text, inPhrase: inPhrase) : encodedByB(text, inPhrase: inPhrase)
    }

    private static func encodedByQ(_ text: String, inPhrase: Bool) -> [String] {
        var words: [String] = []
        var word = ""
        for scalar in text.unicodeScalars {
            let piece = scalar.utf8.map { byte in
                if byte == 0x20 { return "_" }
                let isLetter = isLetterOrDigit(byte) || "!*+-/".utf8.contains(byte)
                let isPlain = isLetter || !inPhrase && byte > 0x20 && byte < 0x7F && !"=?_".utf8.contains(byte)
                return isPlain ? String(UnicodeScalar(byte)) : "=" + hex(byte)
            }.joined()
            if word.utf8.count + piece.utf8.count > 50 {
                words.append(word)
                word = ""
            }
            word += piece
        }
        words.append(word)
        return words.map { "=?UTF-8?Q?\($0)?=" }
    }

    private static func encodedByB(_ text: String, inPhrase: Bool) -> [String] {
        var words: [String] = []
        var rest = Array(text.unicodeScalars)[...]
        while !rest.isEmpty {
            var bytes: [UInt8] = []
            var whole: (count: Int, bytes: [UInt8])?
            var count = 0
            for scalar in rest {
                if bytes.count + scalar.utf8.count > 36 { break }
                bytes += scalar.utf8
                count += 1
                if bytes.count % 3 == 0 { whole = (count, bytes) }
            }
            if count < rest.count {
                guard let whole else {
                    // Characters of two and three bytes whose lengths never add up to a multiple of three.
                    let piece = String(String.UnicodeScalarView(rest.prefix(4)))
                    words += encodedByQ(piece, inPhrase: inPhrase)
                    rest = rest.dropFirst(4)
                    continue
                }
                (count, bytes) = whole
            }
            words.append("=?UTF-8?B?\(Base64Encoder.text(bytes))?=")
            rest = rest.dropFirst(count)
        }
        return words
    }

    /// Folds words into lines, separated by blanks.
    private static func folded(_ name: String, _ words: [String], separator: String = "") -> String {
        var out = name + ":"
        var column = out.utf8.count
        for (place, word) in words.enumerated() {
            let text = word + (place < words.count - 1 ? separator : "")
            // Some programs take a line of blanks for the end of the headers.
            if place > 0, !word.isEmpty, column + 1 + text.utf8.count > width {
                out += "\n"
                column = 0
            }
            out += " " + text
            column += 1 + text.utf8.count
        }
        return out + "\n"
    }

    /// Whether a word must be encoded: not ASCII, similar to an encoded word, or too long for a line.
    private static func needsEncoding(_ word: Substring) -> Bool {
        word.utf8.contains { $0 >= 0x80 } || word.contains("=?") || word.utf8.count > 400
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    private static func isAtom(_ byte: UInt8) -> Bool {
        isLetterOrDigit(byte) || "!#$%&'*+-/=?^_`{|}~".utf8.contains(byte)
    }
    private static func isToken(_ byte: UInt8) -> Bool { isLetterOrDigit(byte) || "!#$&+-.^_`{|}~".utf8.contains(byte) }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789ABCDEF")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
