import FoundationEssentials
import HelixMail
import HelixModel
import HelixSystem

/// The names of flags and labels, and raw headers, as JMAP has them (RFC 8621 §4.1).
enum MailKeywords {
    private static let flags: [(flag: MessageFlags, word: String)] = [
        (.seen, "$seen"), (.answered, "$answered"), (.flagged, "$flagged"), (.draft, "$draft"), (.passed, "$forwarded"),
    ]

    /// The keywords of flags and labels.
    static func keywords(_ set: MessageFlags, _ labels: [String]) -> [String] {
        flags.filter { set.contains($0.flag) }.map(\.word) + labels
    }

    /// The flag of a keyword; nil for a label.
    static func flag(_ word: String) -> MessageFlags? { flags.first { $0.word == word.lowercased() }?.flag }

    /// The flags and labels of keywords.
    static func parts(_ words: [String]) -> (flags: MessageFlags, labels: [String]) {
        words.reduce(into: (MessageFlags(), [String]())) { parts, word in
            if let flag = flag(word) { parts.0.insert(flag) } else { parts.1.append(word) }
        }
    }

    /// The header fields of a file in their order, each unfolded only by its reader.
    static func headers(of path: String) throws -> [JSONText] {
        guard let handle = FileStream(reading: path) else {
            throw HelixError(.notFound, "the file of a message cannot be read")
        }
        defer { try? handle.close() }
        let bytes = (try? handle.read(upToCount: 256 << 10)) ?? Data()
        let text = String(decoding: bytes, as: UTF8.self)
        var fields: [(name: String, value: String)] = []
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = line.hasSuffix("\r") ? line.dropLast() : line
            if line.isEmpty { break }
            if line.hasPrefix(" ") || line.hasPrefix("\t"), !fields.isEmpty {
                fields[fields.count - 1].value += "\r\n" + line
            } else if let colon = line.firstIndex(of: ":") {
                fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
            }
        }
        return fields.map { ["name": .string($0.name), "value": .string($0.value)] }
    }
}
