import HelixMail
import HelixModel
import HelixNetwork

/// Mailboxes and flags in the words of IMAP.
extension ServerMailbox {
    /// A mailbox from `LIST (\HasNoChildren \Sent) "/" "Sent mail"`; nil for what is none.
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
        // A slash that is no level must not make one here.
        label = readable.map { $0.replacing("/", with: "_") }.joined(separator: "/")
        if label.lowercased() == "inbox" {
            label = "INBOX"
            role = .inbox
        }
    }

    private static let roles: [String: Mailbox.Role] = [
        "\\archive": .archive, "\\sent": .sent, "\\drafts": .drafts, "\\trash": .trash, "\\junk": .junk,
    ]

    /// Takes what `STATUS` says of it.
    mutating func take(status values: [IMAPValue]) {
        var place = 0
        while place + 1 < values.count {
            let value = values[place + 1]
            switch values[place].text?.uppercased() {
            case "MESSAGES": count = value.number
            case "UIDNEXT": uidNext = value.number.flatMap { $0 > 0 ? UInt32(clamping: $0) : nil }
            case "UIDVALIDITY": uidValidity = UInt32(clamping: value.number ?? 0)
            case "HIGHESTMODSEQ": modSeq = value.number.flatMap { $0 > 0 ? $0 : nil }
            case "MAILBOXID": objectID = value.values?.first?.text ?? value.text
            default: break
            }
            place += 2
        }
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

extension ServerFlags {
    /// Flags as the server says them. Keywords that begin with a dollar sign are programs' own.
    init(_ values: [IMAPValue]) {
        flags = []
        labels = []
        for case .atom(let name) in values {
            if let flag = Self.names.first(where: { $0.name.lowercased() == name.lowercased() })?.flag {
                flags.insert(flag)
            } else if !name.hasPrefix("\\"), !name.hasPrefix("$"), !Self.foreign.contains(name.lowercased()) {
                labels.append(name)
            }
        }
    }
}
