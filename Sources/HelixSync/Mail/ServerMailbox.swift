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
    /// What the server calls it whatever its name is (RFC 8474 §4); nil if it does not say.
    var objectID: String?
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
    /// Whether it shows messages that lie in other mailboxes: all of them, or those that are starred or important (RFC 6154,
    /// RFC 8457).
    var isView = false
    /// The user's rights in it, if the server names those of all mailboxes at once (RFC 8440).
    var rights: MailboxRights?
    /// The number of the last change; nil if the server does not count them.
    var modSeq: Int?

    /// Whether it is synced. Those of other users, and those that show others' messages, are not unless somebody asked for them, or
    /// had them before.
    func isSelected(by selection: CollectionSelection?, isKnown: Bool) -> Bool {
        guard let selection else { return !isForeign && !isView || isKnown }
        return selection.includes(label, isSubscribed: isSubscribed, isForeign: isForeign || isView)
    }

    /// A mailbox of that name that can be opened.
    init(name: String, label: String) {
        (self.name, self.label) = (name, label)
        isSelectable = true
    }

    /// Takes away from the label what all of one's own mailboxes begin with.
    mutating func removePrefix(_ prefix: String) {
        guard let delimiter, !prefix.isEmpty, prefix.hasSuffix(delimiter), name.count > prefix.count,
            name.lowercased().hasPrefix(prefix.lowercased())
        else { return }
        let levels = prefix.split(separator: delimiter, omittingEmptySubsequences: false).count - 1
        let rest = label.split(separator: "/").dropFirst(levels).joined(separator: "/")
        // What would be the inbox is not.
        if !rest.isEmpty, rest.lowercased() != "inbox" { label = rest }
    }
}

extension ServerMailbox.Refusal {
    /// A refusal with the server's words.
    init(_ refusal: ServerRefusal) {
        text = refusal.text
        isLasting = ["NOPERM", "AUTHORIZATIONFAILED", "NONEXISTENT", "CANNOT"].contains(refusal.code)
    }
}

/// The flags of a message as a server has them: the standard ones, and keywords that are labels here.
struct ServerFlags: Hashable, Sendable {
    var flags: MessageFlags
    var labels: [String]

    static let names: [(flag: MessageFlags, name: String)] = [
        (.seen, "\\Seen"), (.answered, "\\Answered"), (.flagged, "\\Flagged"), (.draft, "\\Draft"),
        (.deleted, "\\Deleted"), (.passed, "$Forwarded"),
    ]
    /// Keywords that other programs write for themselves.
    static let foreign: Set<String> = ["junk", "nonjunk", "notjunk", "forwarded", "redirected"]

    /// The words of a command.
    static func words(_ flags: MessageFlags, _ labels: [String]) -> [String] {
        names.filter { flags.contains($0.flag) }.map(\.name) + labels
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

/// The flags and labels that a mailbox keeps.
struct FlagSupport {
    /// The flags, in lower case, as IMAP names them; nil if the server does not say.
    var storable: Set<String>?
    var takesLabels: Bool
}
