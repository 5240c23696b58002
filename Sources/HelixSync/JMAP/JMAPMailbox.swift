import HelixMail
import HelixModel
import HelixNetwork

/// A mailbox of a JMAP server (RFC 8621 §2).
struct JMAPMailbox {
    /// Its immutable id.
    var id: String
    /// The id of its parent.
    var parent: String?
    /// The UIDVALIDITY of all mailboxes: message ids never change.
    static let validity: UInt32 = 1
    /// The MODSEQ of a mailbox without changes.
    static let unchanged = 1

    var mailbox: ServerMailbox
    /// The name with all levels, if the server is a gateway.
    private var fullName: String?

    private init?(_ json: JSONText) {
        guard let id = json["id"]?.text, let name = json["name"]?.text else { return nil }
        self.id = id
        parent = json["parentId"]?.text
        // A slash in the server's name must not create a level. A gateway returns all levels at once.
        fullName = json["fullName"]?.text
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
            mailbox.refusal = ServerMailbox.Refusal(text: "no permission to read its messages", isLasting: true)
        }
    }

    /// Parses the mailboxes in a response to `Mailbox/get`, each with its full name.
    /// - Throws: ``HelixError`` for a response without mailboxes, which no account has.
    static func list(_ answer: JSONText) throws -> [JMAPMailbox] {
        var boxes = (answer["list"]?.elements ?? []).compactMap { JMAPMailbox($0) }
        guard !boxes.isEmpty else {
            throw HelixError(
                .protocol, "the server lists no mailbox", hint: "Ask its administrator: every account has an inbox.")
        }
        let parts = Dictionary(
            boxes.map { ($0.id, ($0.mailbox.label, $0.parent)) }, uniquingKeysWith: { first, _ in first })
        for index in boxes.indices {
            var levels: [String] = []
            var next: String? = boxes[index].id
            // The depth is limited, in case the parents form a loop.
            while let id = next, let (label, parent) = parts[id], levels.count < 50 {
                levels.insert(label, at: 0)
                next = parent
            }
            boxes[index].mailbox.label = boxes[index].fullName ?? levels.joined(separator: "/")
            if boxes[index].mailbox.role == .inbox { boxes[index].mailbox.label = "INBOX" }
        }
        return boxes
    }
}
