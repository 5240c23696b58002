import HelixMail
import HelixModel
import HelixNetwork

/// A mailbox as a server lists it.
struct ServerMailbox: Hashable, Sendable {
    /// Its name as the server writes it.
    var name: String
    /// The name that people read, `/` between levels.
    var label: String
    /// What stands between levels of the server's names.
    var delimiter: String?
    /// What it is for (RFC 6154), if the server says so.
    var role: Mailbox.Role?
    /// Whether it can hold messages.
    var isSelectable: Bool
    /// What makes its numbers good.
    var uidValidity: UInt32 = 0
    /// The number that the next message will have; nil if the server does not say (RFC 3501 §6.3.1 leaves it free).
    var uidNext: UInt32?
    /// How many messages it has; nil if the server does not say.
    var count: Int?
    /// Why it cannot be opened; nil if it can.
    var refusal: Refusal?

    /// The reason why a mailbox cannot be opened.
    struct Refusal: Hashable, Sendable {
        /// The server's words.
        var text: String
        /// Whether it is a matter of rights, which no other try changes.
        var isLasting = false
    }
    /// Whether other programs show it (RFC 9051 §6.3.8).
    var isSubscribed = true
    /// Whether it is another user's (RFC 2342).
    var isForeign = false
    /// The user's rights in it, if the server names those of all mailboxes at once (RFC 8440).
    var rights: MailboxRights?
    /// The number of the last change; nil if the server does not count them.
    var modSeq: Int?

    /// Whether it is synced. Those of other users are not unless somebody asked for them, or had them before.
    func isSelected(by selection: CollectionSelection?, isKnown: Bool) -> Bool {
        guard let selection else { return !isForeign || isKnown }
        return selection.includes(label, isSubscribed: isSubscribed, isForeign: isForeign)
    }

    /// A mailbox from `LIST (\HasNoChildren \Sent) "/" "Sent mail"`; nil for what is none.
    init?(_ values: [IMAPValue], isUTF8: Bool) {
        guard values.count >= 3, let flags = values[0].values, let name = values[2].text else { return nil }
        self.name = name
        let attributes = Set(flags.compactMap { $0.text?.lowercased() })
        isSelectable = !attributes.contains("\\noselect") && !attributes.contains("\\nonexistent")
        role = Self.roles.first { attributes.contains($0.key) }?.value
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

    /// Takes away from the label what all of one's own mailboxes begin with.
    mutating func removePrefix(_ prefix: String) {
        guard let delimiter, !prefix.isEmpty, prefix.hasSuffix(delimiter), name.count > prefix.count,
            name.lowercased().hasPrefix(prefix.lowercased())
        else { return }
        let levels = prefix.components(separatedBy: delimiter).count - 1
        let rest = label.split(separator: "/").dropFirst(levels).joined(separator: "/")
        // What would be the inbox is not.
        if !rest.isEmpty, rest.lowercased() != "inbox" { label = rest }
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
            default: break
            }
            place += 2
        }
    }
}

extension ServerMailbox.Refusal {
    /// A refusal with the server's words.
    init(_ refusal: IMAPRefusal) {
        text = refusal.text
        isLasting = ["NOPERM", "AUTHORIZATIONFAILED", "NONEXISTENT", "CANNOT"].contains(refusal.code)
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}

/// The flags of a message as a server has them: the standard ones, and keywords that are labels here.
struct ServerFlags: Hashable, Sendable {
    var flags: MessageFlags
    var labels: [String]

    init(flags: MessageFlags, labels: [String]) {
        self.flags = flags
        self.labels = labels
    }

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

    private static let names: [(flag: MessageFlags, name: String)] = [
        (.seen, "\\Seen"), (.answered, "\\Answered"), (.flagged, "\\Flagged"), (.draft, "\\Draft"),
        (.deleted, "\\Deleted"), (.passed, "$Forwarded"),
    ]
    /// Keywords that other programs write for themselves.
    private static let foreign: Set<String> = ["junk", "nonjunk", "notjunk", "forwarded", "redirected"]

    /// The words of a command.
    static func words(_ flags: MessageFlags, _ labels: [String]) -> [String] {
        names.filter { flags.contains($0.flag) }.map(\.name) + labels.filter(isKeyword)
    }

    /// The flags that a mailbox does not keep.
    ///
    /// - Parameter storable: those that it says it keeps (RFC 9051 §7.1, PERMANENTFLAGS), in lower case; nil if it does not say:
    ///   then all but keywords.
    static func unstorable(_ storable: Set<String>?) -> MessageFlags {
        var flags: MessageFlags = []
        for (flag, name) in names {
            let isKept =
                storable.map { $0.contains(name.lowercased()) || !name.hasPrefix("\\") && $0.contains("\\*") }
                ?? name.hasPrefix("\\")
            if !isKept { flags.insert(flag) }
        }
        return flags
    }

    /// Whether a label can be a keyword of a server: ASCII without signs that mean something (RFC 9051 §9, atom).
    ///
    /// Words that other programs write for themselves are not: 'junk' would train a filter. As labels they stay here.
    static func isKeyword(_ label: String) -> Bool {
        !label.isEmpty && !foreign.contains(label.lowercased())
            && label.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"(){%*\"\\]$".utf8.contains($0) }
    }
}
