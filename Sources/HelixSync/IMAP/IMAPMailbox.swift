import HelixMail
import HelixModel
import HelixNetwork

/// Conversions of mailboxes from IMAP.
extension ServerMailbox {
    /// Creates a mailbox from `LIST (\HasNoChildren \Sent) "/" "Sent mail"`; nil if the values are invalid.
    init?(_ values: [IMAPValue], isUTF8: Bool) {
        guard values.count >= 3, let flags = values[0].values, let name = values[2].text else { return nil }
        self.init(name: name, label: name)
        let attributes = Set(flags.compactMap { $0.text?.lowercased() })
        isSelectable = !attributes.contains("\\noselect") && !attributes.contains("\\nonexistent")
        role = Self.roles.first { attributes.contains($0.key) }?.value
        isView = !attributes.isDisjoint(with: ["\\all", "\\flagged", "\\important"])
        delimiter = values[1].text
        let delimiter = delimiter ?? ""
        let parts = delimiter.isEmpty ? [name] : name.components(separatedBy: delimiter)
        let readable = parts.map { isUTF8 ? $0 : ModifiedUTF7.decoded($0) }
        // A slash in the server's name must not create a level.
        label = readable.map { $0.replacing("/", with: "_") }.joined(separator: "/")
        if label.lowercased() == "inbox" {
            label = "INBOX"
            role = .inbox
        }
    }

    private static let roles: [String: Mailbox.Role] = [
        "\\archive": .archive, "\\sent": .sent, "\\drafts": .drafts, "\\trash": .trash, "\\junk": .junk,
    ]

    /// Reads the values of a `STATUS` response.
    mutating func take(status values: [IMAPValue]) {
        var place = 0
        while place + 1 < values.count {
            let value = values[place + 1]
            switch values[place].text?.uppercased() {
            case "MESSAGES": count = value.number
            case "UIDNEXT": uidNext = value.number.flatMap { $0 > 0 ? UInt32(clamping: $0) : nil }
            case "UIDVALIDITY": uidValidity = UInt32(clamping: value.number ?? 0)
            case "HIGHESTMODSEQ": modSeq = value.number.flatMap { $0 > 0 ? $0 : nil }
            case "MAILBOXID":
                let parts = value.values ?? [value]
                objectID = parts.count == 1 ? Self.objectID(parts[0].text) : nil
            default: break
            }
            place += 2
        }
    }

    /// The id of a mailbox; nil if it is none (RFC 8474 §7): a server that returns other bytes after a rename identifies nothing.
    private static func objectID(_ text: String?) -> String? {
        guard let text, (1...255).contains(text.utf8.count) else { return nil }
        let isValid = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") || (48...57).contains(byte)
                || (65...90).contains(byte & ~32)
        }
        return isValid ? text : nil
    }

    /// Removes ids that stand at several mailboxes: they identify none (RFC 8474 §4.1 makes them unique).
    static func removeSharedIDs(_ mailboxes: inout [ServerMailbox]) {
        let counts = mailboxes.compactMap(\.objectID).reduce(into: [:]) { $0[$1, default: 0] += 1 }
        for place in mailboxes.indices {
            if let id = mailboxes[place].objectID, counts[id] != 1 { mailboxes[place].objectID = nil }
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension ServerFlags {
    /// Creates flags from IMAP flags. Keywords that begin with a dollar sign are reserved for programs.
    init(_ values: [IMAPValue]) {
        flags = []
        labels = []
        for case .atom(let name) in values {
            if let flag = Self.names.first(where: { $0.name.lowercased() == name.lowercased() })?.flag {
                flags.insert(flag)
            } else if !name.hasPrefix("\\"), !name.hasPrefix("$"), !MessageKeyword.foreign.contains(name.lowercased()) {
                labels.append(name)
            }
        }
    }
}
