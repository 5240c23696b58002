/// The rights of the user in a mailbox on a server.
public struct MailboxRights: OptionSet, Hashable, Sendable {
    /// The bits; the store keeps the missing rights.
    public let rawValue: Int

    /// Creates rights from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Messages can be marked as read.
    public static let keepSeen = MailboxRights(rawValue: 1)
    /// Messages can have other flags and keywords.
    public static let keepFlags = MailboxRights(rawValue: 2)
    /// Messages can be added.
    public static let insert = MailboxRights(rawValue: 4)
    /// Messages can be removed.
    public static let remove = MailboxRights(rawValue: 8)
    /// The mailbox itself can be renamed and deleted.
    public static let delete = MailboxRights(rawValue: 16)
    /// The mailbox is synced: a message moved into another one would disappear from the server.
    public static let sync = MailboxRights(rawValue: 32)
    /// All rights: those in the user's own mailboxes.
    public static let all: MailboxRights = [.keepSeen, .keepFlags, .insert, .remove, .delete, .sync]

    /// Parses the letters of `MYRIGHTS` (RFC 4314 §2.1). Servers of RFC 2086 write `d` where newer ones write `t`, `e` and `x`.
    public init(letters: String) {
        var rights: MailboxRights = .sync
        let letters = Set(letters)
        let isOld = letters.isDisjoint(with: "texk")
        if letters.contains("s") { rights.insert(.keepSeen) }
        if letters.contains("w") { rights.insert(.keepFlags) }
        if letters.contains("i") { rights.insert(.insert) }
        if letters.isSuperset(of: "te") || isOld && letters.contains("d") { rights.insert(.remove) }
        if letters.contains("x") || isOld && letters.contains("c") { rights.insert(.delete) }
        self = rights
    }

    /// Derives rights from the permanent flags of a mailbox (RFC 9051 §7.1, PERMANENTFLAGS), in lower case. Without `\Deleted`,
    /// messages cannot be removed.
    public init(permanentFlags flags: Set<String>) {
        var rights: MailboxRights = [.insert, .delete, .sync]
        if flags.contains("\\seen") { rights.insert(.keepSeen) }
        if !flags.isDisjoint(with: ["\\answered", "\\flagged", "\\draft", "\\*"]) { rights.insert(.keepFlags) }
        if flags.contains("\\deleted") { rights.insert(.remove) }
        self = rights
    }
}
