import FoundationEssentials
import HelixModel
import HelixStore
import HelixSystem

/// A list of tags written by `notmuch dump` (notmuch-dump(1), format batch-tag): `+TAG +TAG -- id:MESSAGE-ID`.
struct NotmuchTags {
    /// The tags of each message, by Message-ID.
    private(set) var tags: [(message: String, tags: [String])] = []

    /// Whether a file begins like such a list.
    static func isList(_ head: [UInt8]) -> Bool {
        let text = String(decoding: head.prefix(2000), as: UTF8.self)
        if text.hasPrefix("#notmuch-dump") { return true }
        guard let line = text.split(separator: "\n").first else { return false }
        return line.hasPrefix("+") && line.contains(" -- id:")
    }

    init(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
            guard let end = line.firstRange(of: "-- id:") else { continue }
            var name = Self.decoded(line[end.upperBound...])
            if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 {
                name = String(name.dropFirst().dropLast()).replacing("\"\"", with: "\"")
            }
            let words = line[..<end.lowerBound].split(separator: " ").filter { $0.hasPrefix("+") }
            tags.append((name, words.map { Self.decoded($0.dropFirst()) }))
        }
    }

    /// Decodes `%20`, as notmuch writes characters that have a meaning in the list.
    private static func decoded(_ text: some StringProtocol) -> String {
        let text = String(text).trimmingBlanks()
        return text.percentDecoded ?? text
    }

    /// Tags that notmuch sets by itself.
    private static let automatic: Set<String> = [
        "inbox", "unread", "flagged", "replied", "passed", "draft", "attachment", "signed", "encrypted", "new",
    ]

    /// The change that a message's tags stand for.
    static func edit(_ tags: [String]) -> MessageEdit {
        var edit = MessageEdit()
        edit.isOptional = true
        edit.addedLabels = ForeignMarks.labels(tags.filter { !automatic.contains($0.lowercased()) })
        let flags: [(tag: String, flag: MessageFlags)] = [
            ("flagged", .flagged), ("replied", .answered), ("passed", .passed),
        ]
        for (tag, flag) in flags where tags.contains(tag) { edit.set.insert(flag) }
        // Only its absence says that a message was read.
        if !tags.contains("unread") { edit.set.insert(.seen) }
        return edit
    }
}

extension MailFileImporter {
    /// Adds the labels and flags of lists of tags to the messages that are in the store.
    /// - Throws: ``HelixError``.
    mutating func label(_ store: Store, isDryRun: Bool) throws {
        let all = tags.flatMap(\.tags)
        if all.isEmpty { return }
        var groups: [[String]: [EntityID]] = [:]
        var unknown = 0
        for (message, tags) in all {
            let found = try store.messages(withID: message)
            if found.isEmpty { unknown += 1 }
            groups[tags.sorted(), default: []] += found
        }
        let edits = groups.sorted { $0.key.joined(separator: " ") < $1.key.joined(separator: " ") }
        if isDryRun { return count(labelled: groups.values.reduce(0) { $0 + $1.count }, unknown: unknown) }
        var changed = 0
        try store.change("", command: "mail import", origin: .importing) { change in
            for (tags, ids) in edits { changed += try change.editMessages(ids, NotmuchTags.edit(tags)).count }
            change.summary = "label \(changed) \(changed == 1 ? "message" : "messages") by notmuch's tags"
        }
        count(labelled: changed, unknown: unknown)
    }
}
