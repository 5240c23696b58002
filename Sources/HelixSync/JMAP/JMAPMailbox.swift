import HelixMail
import HelixModel
import HelixNetwork

/// A mailbox of a server of JMAP (RFC 8621 §2).
struct JMAPMailbox {
    /// Its name for programs, which it keeps.
    var id: String
    /// The one above it.
    var parent: String?
    /// What its messages are known by is good for ever.
    static let validity: UInt32 = 1
    /// The state of a mailbox in which nothing is new.
    static let unchanged = 1

    var mailbox: ServerMailbox

    private init?(_ json: JSONText) {
        guard let id = json["id"]?.text, let name = json["name"]?.text else { return nil }
        self.id = id
        parent = json["parentId"]?.text
        // A slash that is no level must not make one here.
        mailbox = ServerMailbox(name: id, label: name.replacing("/", with: "_"))
        mailbox.uidValidity = Self.validity
        mailbox.count = json["totalEmails"]?.integer.map { Int(clamping: $0) }
        mailbox.isSubscribed = json["isSubscribed"]?.bool ?? true
        mailbox.role = json["role"]?.text.flatMap { Mailbox.Role(rawValue: $0.lowercased()) }
        let rights = json["myRights"]
        func may(_ name: String) -> Bool { rights?[name]?.bool ?? true }
        var own: MailboxRights = .sync
        if may("maySetSeen") { own.insert(.keepSeen) }
        if may("maySetKeywords") { own.insert(.keepFlags) }
        if may("mayAddItems") { own.insert(.insert) }
        if may("mayRemoveItems") { own.insert(.remove) }
        if may("mayRename") || may("mayDelete") { own.insert(.delete) }
        mailbox.rights = own
        if !may("mayReadItems") {
            mailbox.refusal = ServerMailbox.Refusal(text: "its messages may not be read", isLasting: true)
        }
    }

    /// The mailboxes of an answer to `Mailbox/get`, each under its whole name.
    /// - Throws: ``HelixError`` for an answer that has none, which no account is without.
    static func list(_ answer: JSONText) throws -> [JMAPMailbox] {
        var boxes = (answer["list"]?.elements ?? []).compactMap { JMAPMailbox($0) }
        guard !boxes.isEmpty else {
            throw HelixError(
                .protocol, "the server names no mailbox", hint: "Ask its keeper: every account has an inbox.")
        }
        let parts = Dictionary(
            boxes.map { ($0.id, ($0.mailbox.label, $0.parent)) }, uniquingKeysWith: { first, _ in first })
        for index in boxes.indices {
            var levels: [String] = []
            var next: String? = boxes[index].id
            // No list is so deep; one that goes round is not followed for ever.
            while let id = next, let (label, parent) = parts[id], levels.count < 50 {
                levels.insert(label, at: 0)
                next = parent
            }
            boxes[index].mailbox.label = levels.joined(separator: "/")
            if boxes[index].mailbox.role == .inbox { boxes[index].mailbox.label = "INBOX" }
        }
        return boxes
    }
}
