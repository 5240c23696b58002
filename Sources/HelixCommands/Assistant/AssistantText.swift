import HelixCrypto
import HelixModel

/// Texts that go to an assistant, and come from one.
extension Assistant {
    /// The first JSON object in a text: models like to write around it.
    static func object(in text: String) -> JSONText? {
        let bytes = Array(text.utf8)
        var start = bytes.startIndex
        search: while let open = bytes[start...].firstIndex(of: UInt8(ascii: "{")) {
            start = open + 1
            var (depth, isQuoted, isEscaped) = (0, false, false)
            for place in open..<bytes.endIndex {
                let byte = bytes[place]
                if isQuoted {
                    if isEscaped {
                        isEscaped = false
                    } else if byte == 0x5C {
                        isEscaped = true
                    } else if byte == 0x22 {
                        isQuoted = false
                    }
                    continue
                }
                switch byte {
                case 0x22: isQuoted = true
                case UInt8(ascii: "{"): depth += 1
                case UInt8(ascii: "}"): depth -= 1
                default: break
                }
                if depth == 0 {
                    if let json = try? JSONText(Array(bytes[open...place])) { return json }
                    continue search
                }
            }
            return nil
        }
        return nil
    }

    /// A hash of what is sent, without the random words of the fences.
    static func digest(_ messages: [JSONText]) -> String {
        let text = JSONText.array(messages).compact
        return SHA256.hash(Array(withoutFences(text, marks: false).utf8)).map {
            String($0 >> 4, radix: 16) + String($0 & 15, radix: 16)
        }.joined()
    }

    /// A text without the marks of fences, or only without their random words.
    static func withoutFences(_ text: String, marks: Bool = true) -> String {
        var out = ""
        var rest = text[...]
        while let mark = rest.firstRange(of: "untrusted ") {
            let start = rest[..<mark.lowerBound].last
            let end = rest[mark.upperBound...].firstIndex(of: "]")
            let isOpen = start == "["
            let isClose = start == "/" && rest[..<mark.lowerBound].dropLast().last == "["
            guard isOpen || isClose, let end, rest.distance(from: mark.upperBound, to: end) < 80 else {
                out += rest[..<mark.upperBound]
                rest = rest[mark.upperBound...]
                continue
            }
            var before = rest[..<mark.lowerBound].dropLast(isOpen ? 1 : 2)
            if marks, isClose, before.last == " " { before = before.dropLast() }
            out += before
            if !marks { out += isOpen ? "[untrusted]" : "[/untrusted]" }
            rest = rest[rest.index(after: end)...]
            if marks, isOpen, rest.first == " " { rest = rest.dropFirst() }
        }
        return out + rest
    }
}
