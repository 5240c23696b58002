import HelixModel

/// Shortens the long texts of an answer until it fits: a mail of a megabyte is read in part, not at all or whole.
enum AnswerCut {
    /// The answer with its long texts cut to one length, and that length in bytes; nil if that is not enough.
    static func fitting(_ json: JSONText, bytes: Int) -> (json: JSONText, length: Int)? {
        var length = bytes
        while length >= 500 {
            let cut = cut(json, to: length)
            if cut.compact.utf8.count <= bytes { return (cut, length) }
            length /= 2
        }
        return nil
    }

    private static func cut(_ json: JSONText, to length: Int) -> JSONText {
        switch json {
        case .string(let text) where text.utf8.count > length: .string(cut(text, to: length))
        case .array(let elements): .array(elements.map { cut($0, to: length) })
        case .object(let fields):
            .object(fields.map { JSONText.Field(name: $0.name, value: cut($0.value, to: length)) })
        default: json
        }
    }

    /// The fence around what a stranger wrote stays closed.
    private static func cut(_ text: String, to length: Int) -> String {
        let tail = text.suffix(80)
        let fence = tail.firstRange(of: "[/untrusted ").map { String(tail[$0.lowerBound...]) }
        var bytes = text.utf8.prefix(length)[...]
        // Not in the middle of a character's bytes.
        while !bytes.isEmpty, String(bytes) == nil { bytes = bytes.dropLast() }
        return (String(bytes) ?? "") + "…" + (fence.map { " " + $0 } ?? "")
    }
}
