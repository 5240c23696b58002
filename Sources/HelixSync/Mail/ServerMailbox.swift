import HelixMail
import HelixModel
import HelixNetwork

/// A mailbox as a server lists it.
struct ServerMailbox: Hashable, Sendable {
    /// Its name on the server.
    var name: String
    /// Its display name, `/` between levels.
    var label: String
    /// The hierarchy delimiter of the server's names.
    var delimiter: String?
    /// Its special use (RFC 6154), if the server returns one.
    var role: Mailbox.Role?
    /// Whether it can hold messages.
    var isSelectable: Bool
    /// Its id, which survives a rename (RFC 8474 §4); nil if the server has none.
    var objectID: String?
    /// The value that must not change for its UIDs to stay valid.
    var uidValidity: UInt32 = 0
    /// The UID of the next message; nil if the server does not return it (RFC 3501 §6.3.1 makes it optional).
    var uidNext: UInt32?
    /// The number of messages; nil if the server does not return it.
    var count: Int?
    /// The reason why it cannot be opened; nil if it can.
    var refusal: Refusal?

    /// The reason why a mailbox cannot be opened.
    struct Refusal: Hashable, Sendable {
        /// The server's text.
        var text: String
        /// Whether rights are missing, so that a retry is pointless.
        var isLasting = false
    }
    /// Whether the user has subscribed to it (RFC 9051 §6.3.8).
    var isSubscribed = true
    /// Whether it belongs to another user (RFC 2342).
    var isForeign = false
    /// Whether it shows messages of other mailboxes: all of them, or those that are starred or important (RFC 6154, RFC 8457).
    var isView = false
    /// The user's rights in it, if the server lists those of all mailboxes at once (RFC 8440).
    var rights: MailboxRights?
    /// The number of the last change; nil if the server does not count them.
    var modSeq: Int?

    /// Whether it is synced. Mailboxes of other users, and views of other mailboxes, are only synced if they are selected by the
    /// settings or known already.
    func isSelected(by selection: CollectionSelection?, isKnown: Bool) -> Bool {
        guard let selection else { return !isForeign && !isView || isKnown }
        return selection.includes(label, isSubscribed: isSubscribed, isForeign: isForeign || isView)
    }

    /// Creates a mailbox of that name that can be opened.
    init(name: String, label: String) {
        (self.name, self.label) = (name, label)
        isSelectable = true
    }

    /// Removes the personal namespace prefix from the label.
    mutating func removePrefix(_ prefix: String) {
        guard let delimiter, !prefix.isEmpty, prefix.hasSuffix(delimiter), name.count > prefix.count,
            name.lowercased().hasPrefix(prefix.lowercased())
        else { return }
        let levels = prefix.split(separator: delimiter, omittingEmptySubsequences: false).count - 1
        let rest = label.split(separator: "/").dropFirst(levels).joined(separator: "/")
        // A name that would become the inbox is kept.
        if !rest.isEmpty, rest.lowercased() != "inbox" { label = rest }
    }
}

extension ServerMailbox.Refusal {
    /// Creates a refusal with the server's text.
    init(_ refusal: ServerRefusal) {
        text = refusal.text
        isLasting = ["NOPERM", "AUTHORIZATIONFAILED", "NONEXISTENT", "CANNOT"].contains(refusal.code)
    }
}

/// The flags of a message on the server: the standard ones, and the keywords that are labels in helix.
struct ServerFlags: Hashable, Sendable {
    var flags: MessageFlags
    var labels: [String]

    static let names: [(flag: MessageFlags, name: String)] = [
        (.seen, "\\Seen"), (.answered, "\\Answered"), (.flagged, "\\Flagged"), (.draft, "\\Draft"),
        (.deleted, "\\Deleted"), (.passed, "$Forwarded"),
    ]

    /// The flags and keywords of a command.
    static func words(_ flags: MessageFlags, _ labels: [String]) -> [String] {
        names.filter { flags.contains($0.flag) }.map(\.name) + labels
    }

    /// The flags that a mailbox does not store.
    ///
    /// - Parameter storable: those that it stores (RFC 9051 §7.1, PERMANENTFLAGS), in lower case; if nil, all except keywords are
    ///   assumed.
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
}

/// The flags and labels that a mailbox stores.
struct FlagSupport {
    /// The flags, in lower case, with their IMAP names; nil if the server does not list them.
    var storable: Set<String>?
    var takesLabels: Bool
}
