import FoundationEssentials
import HelixMail
import HelixModel
import HelixSystem

/// The flags and labels that other programs keep in their own headers of a message.
struct ForeignMarks {
    var flags: MessageFlags = []
    var labels: [String] = []
    /// Whether the message was deleted, but not yet expunged from the file.
    var isDeleted = false
    /// The mailbox that Gmail's labels stand for.
    var mailbox: String?

    /// Gmail labels that are a flag or a mailbox.
    private static let gmail: Set<String> = [
        "inbox", "unread", "opened", "starred", "sent", "draft", "drafts", "archived", "trash", "spam", "chat",
        "important",
    ]
    /// The mailboxes that Gmail's labels stand for; the first that a message has counts.
    private static let mailboxes: [(label: String, mailbox: String)] = [
        ("trash", "Trash"), ("spam", "Junk"), ("draft", "Drafts"), ("drafts", "Drafts"), ("inbox", "INBOX"),
        ("sent", "Sent"), ("archived", "Archive"),
    ]
    /// Keywords that programs set for their own use.
    private static let own: Set<String> = ["nonjunk", "notjunk", "junk", "$forwarded", "$mdnsent", "nojunk"]
    /// Thunderbird's default labels.
    private static let thunderbird = [
        "$label1": "important", "$label2": "work", "$label3": "personal", "$label4": "todo", "$label5": "later",
    ]

    /// - Parameter isMbox: whether the message is in an mbox file, to which helix adds the mailbox.
    init(_ message: MIMEMessage, isMbox: Bool) {
        for name in ["Status", "X-Status"] {
            let letters = message.text(of: name) ?? ""
            if letters.contains("R") && name == "Status" { flags.insert(.seen) }
            if letters.contains("A") { flags.insert(.answered) }
            if letters.contains("F") { flags.insert(.flagged) }
            if letters.contains("D") && name == "X-Status" { isDeleted = true }
        }
        readMozilla(message)
        readGmail(message)
        if isMbox, let name = message.text(of: MboxMarks.mailbox)?.trimmingBlanks().percentDecoded {
            mailbox = ImportedMailbox.path(name.split(separator: "/").map(String.init))
        }
        for name in ["X-Keywords", "X-Label"] {
            let words = (message.text(of: name) ?? "").split { $0 == "," || $0.isWhitespace }
            add(words.map(String.init))
        }
    }

    /// Reads Thunderbird's bits (read, answered, marked, expunged, forwarded) and labels.
    private mutating func readMozilla(_ message: MIMEMessage) {
        if let text = message.text(of: "X-Mozilla-Status"), let bits = Int(text.trimmingBlanks(), radix: 16) {
            if bits & 0x1 != 0 { flags.insert(.seen) }
            if bits & 0x2 != 0 { flags.insert(.answered) }
            if bits & 0x4 != 0 { flags.insert(.flagged) }
            if bits & 0x8 != 0 { isDeleted = true }
            if bits & 0x1000 != 0 { flags.insert(.passed) }
        }
        let keys = (message.text(of: "X-Mozilla-Keys") ?? "").split(whereSeparator: \.isWhitespace)
        add(keys.map { Self.thunderbird[$0.lowercased()] ?? String($0) })
    }

    /// Reads Gmail's labels as Google Takeout writes them: all in one line, including words for read and starred.
    private mutating func readGmail(_ message: MIMEMessage) {
        guard let text = message.text(of: "X-Gmail-Labels") else { return }
        let labels = Self.items(text)
        let words = Set(labels.map { $0.lowercased() })
        if !words.contains("unread") { flags.insert(.seen) }
        if words.contains("starred") { flags.insert(.flagged) }
        if words.contains("draft") || words.contains("drafts") { flags.insert(.draft) }
        mailbox = Self.mailboxes.first { words.contains($0.label) }?.mailbox
        add(labels.filter { !Self.gmail.contains($0.lowercased()) && !$0.lowercased().hasPrefix("category ") })
        if words.contains("important") { add(["important"]) }
    }

    /// Splits a comma-separated list; items that contain a comma are quoted.
    private static func items(_ text: String) -> [String] {
        var (items, item, isQuoted) = ([String](), "", false)
        for sign in text {
            if sign == "\"" {
                isQuoted.toggle()
            } else if sign == ",", !isQuoted {
                items.append(item)
                item = ""
            } else {
                item.append(sign)
            }
        }
        return (items + [item]).map { $0.trimmingBlanks() }
    }

    private mutating func add(_ words: [String]) {
        for label in Self.labels(words) where !labels.contains(where: { $0.lowercased() == label.lowercased() }) {
            labels.append(label)
        }
    }

    /// Words as labels; a label is one word, without characters that have a meaning in a query.
    static func labels(_ words: [String]) -> [String] {
        var labels: [String] = []
        for word in words where !Self.own.contains(word.lowercased()) {
            let isPart: (Character) -> Bool = { sign in
                !sign.isWhitespace && !"\"():@".contains(sign)
                    && !sign.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            }
            let label = String(word.map { isPart($0) ? $0 : "_" }.prefix(100))
            guard label.contains(where: { $0 != "_" }) else { continue }
            if !labels.contains(where: { $0.lowercased() == label.lowercased() }) { labels.append(label) }
        }
        return labels
    }
}
