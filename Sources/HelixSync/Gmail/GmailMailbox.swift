import HelixMail
import HelixModel
import HelixNetwork

/// The local mailboxes of a Gmail account. Gmail stores each message once, with labels; locally it is in one of these mailboxes,
/// and its other labels stay labels.
enum GmailMailbox: String, CaseIterable {
    case inbox = "\\Inbox"
    case drafts = "\\Drafts"
    case sent = "\\Sent"
    case archive = "\\All"
    case trash = "\\Trash"
    case spam = "\\Junk"

    /// The parts of Gmail's 'All Mail', which differ only in their labels.
    static let labelled: [GmailMailbox] = [.inbox, .drafts, .sent, .archive]

    var isLabelled: Bool { self != .trash && self != .spam }

    var label: String {
        switch self {
        case .inbox: "INBOX"
        case .drafts: "Drafts"
        case .sent: "Sent"
        case .archive: "Archive"
        case .trash: "Trash"
        case .spam: "Spam"
        }
    }

    var role: Mailbox.Role {
        switch self {
        case .inbox: .inbox
        case .drafts: .drafts
        case .sent: .sent
        case .archive: .archive
        case .trash: .trash
        case .spam: .junk
        }
    }

    /// The mailbox of a message in 'All Mail' with these labels. Mail sent to oneself is in the inbox while it has that label.
    init(labels: [String]) {
        let system = Set(labels.map { $0.lowercased() })
        if system.contains("\\draft") || system.contains("\\drafts") {
            self = .drafts
        } else if system.contains("\\inbox") {
            self = .inbox
        } else if system.contains("\\sent") {
            self = .sent
        } else {
            self = .archive
        }
    }
}

/// The state of a message in 'All Mail'.
struct GmailMessage {
    let uid: UInt32
    let mailbox: GmailMailbox
    let flags: ServerFlags

    /// Parses the items of a `FETCH`; nil if some are missing, as in unsolicited responses.
    init?(_ values: [IMAPValue], _ names: GmailLabels) {
        guard let items = values.first?.values else { return nil }
        var uid: UInt32?
        var labels: [String]?
        var flags: ServerFlags?
        for place in stride(from: 0, to: items.count - 1, by: 2) {
            let value = items[place + 1]
            switch items[place].text?.uppercased() {
            case "UID": uid = value.number.map { UInt32(clamping: $0) }
            case "FLAGS": flags = value.values.map(ServerFlags.init)
            case "X-GM-LABELS": labels = value.values?.compactMap(\.text)
            default: break
            }
        }
        guard let uid, uid > 0, let labels, var flags else { return nil }
        flags.labels = labels.compactMap(names.local)
        if labels.contains(where: { $0.lowercased() == "\\starred" }) { flags.flags.insert(.flagged) }
        (self.uid, self.mailbox, self.flags) = (uid, GmailMailbox(labels: labels), flags)
    }
}
