import HelixMail
import HelixModel

/// The flags and labels that other programs keep in their own headers of a message.
struct ForeignMarks {
    var flags: MessageFlags = []
    var labels: [String] = []
    /// Whether the message was deleted, but not yet expunged from the file.
    var isDeleted = false

    /// Gmail labels that are a flag or a mailbox.
    private static let gmail: Set<String> = [
        "inbox", "unread", "opened", "starred", "sent", "draft", "drafts", "archived", "trash", "spam", "chat",
        "important",
    ]
    /// Keywords that programs set for their own use.
    private static let own: Set<String> = ["nonjunk", "notjunk", "junk", "$forwarded", "$mdnsent", "nojunk"]
    /// Thunderbird's default labels.
    private static let thunderbird = [
        "$label1": "important", "$label2": "work", "$label3": "personal", "$label4": "todo", "$label5": "later",
    ]

    init(_ message: MIMEMessage) {
        for name in ["Status", "X-Status"] {
            let letters = message.text(of: name) ?? ""
            if letters.contains("R") && name == "Status" { flags.insert(.seen) }
            if letters.contains("A") { flags.insert(.answered) }
            if letters.contains("F") { flags.insert(.flagged) }
            if letters.contains("D") && name == "X-Status" { isDeleted = true }
        }
        readMozilla(message)
        readGmail(message)
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

    /// Adds labels; a label is one word, without characters that have a meaning in a query.
    private mutating func add(_ words: [String]) {
        for word in words where !Self.own.contains(word.lowercased()) {
            let isPart: (Character) -> Bool = { sign in
                !sign.isWhitespace && !"\"():@".contains(sign)
                    && !sign.unicodeScalars.contains { $0.value < 32 || $0.value == 127 }
            }
            let label = String(word.map { isPart($0) ? $0 : "_" }.prefix(100))
            guard label.contains(where: { $0 != "_" }) else { continue }
            if !labels.contains(where: { $0.lowercased() == label.lowercased() }) { labels.append(label) }
        }
    }
}

/// Detection of files that are not mail, with hints how to convert them.
enum ForeignFile {
    /// Rejects a file that is not mail, by its first bytes.
    /// - Throws: ``HelixError`` of code `badInput`.
    static func refuse(_ head: [UInt8], _ path: String) throws {
        func begins(_ text: String) -> Bool { head.starts(with: Array(text.utf8)) }
        func refusal(_ what: String, _ hint: String) -> HelixError {
            HelixError(.badInput, "\(path) is \(what), not mail", hint: hint)
        }
        if begins("PK\u{3}\u{4}") { throw refusal("a ZIP archive", "Unpack it first: unzip \(path)") }
        if begins("!BDN") {
            throw refusal(
                "an Outlook mailbox (.pst)",
                "Convert it to mbox files: readpst -o FOLDER \(path) (package pst-utils).")
        }
        if head.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            throw refusal(
                "an Outlook message (.msg)",
                "Convert it to .eml: msgconvert \(path) (package libemail-outlook-message-perl).")
        }
        if head.starts(with: [0x1F, 0x8B]) { throw refusal("compressed", "Unpack it first: gunzip \(path)") }
        if begins("%PDF") { throw refusal("a PDF", "Attach it to a message: helix mail new --attach \(path)") }
        let text = String(decoding: head.prefix(64), as: UTF8.self).uppercased()
        if text.contains("BEGIN:VCALENDAR") {
            throw refusal("a calendar", "Import it with 'helix cal import \(path)'.")
        }
        if text.contains("BEGIN:VCARD") {
            throw refusal("a contacts file", "helix stores no contacts; addresses are completed from your mail.")
        }
        guard beginsMessage(head) else {
            throw refusal("without a header", "A message begins with headers such as 'From: Ana <ana@example.org>'.")
        }
    }

    /// Whether bytes begin like a message or an mbox file: with a header, or with a line 'From ' before it.
    private static func beginsMessage(_ head: [UInt8]) -> Bool {
        var lines = head.split(separator: 10, omittingEmptySubsequences: false).prefix(40).map { line in
            line.last == 13 ? line.dropLast() : line
        }
        while let first = lines.first, first.isEmpty { lines.removeFirst() }
        if head.starts(with: [0xEF, 0xBB, 0xBF]), let first = lines.first { lines[0] = first.dropFirst(3) }
        // The length before a message of Apple Mail (.emlx).
        if let first = lines.first, !first.isEmpty, first.allSatisfy({ (48...57).contains($0) || $0 == 32 }) {
            lines.removeFirst()
        }
        if let first = lines.first, first.starts(with: Array("From ".utf8)) || first.starts(with: Array(">From ".utf8))
        {
            return true
        }
        // One known mail header is enough: other texts have lines with a colon, too.
        for line in lines {
            if line.first == 32 || line.first == 9 { continue }
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
            let name = String(decoding: line[..<colon], as: UTF8.self).trimmingBlanks().lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return false }
            if fields.contains(name) || families.contains(where: name.hasPrefix) { return true }
        }
        return false
    }

    /// Known header fields (RFC 5322 §3.6, RFC 2045, and fields that servers add).
    private static let fields: Set<String> = [
        "from", "to", "cc", "bcc", "sender", "reply-to", "subject", "date", "message-id", "in-reply-to", "references",
        "received", "return-path", "delivered-to", "envelope-to", "mime-version", "content-type",
        "content-transfer-encoding", "comments", "keywords", "dkim-signature", "authentication-results", "status",
        "newsgroups", "path",
    ]
    private static let families = ["x-", "resent-", "list-", "arc-", "content-"]

    /// The message in an Apple Mail file, which begins with its length and ends with a property list; nil for other files.
    static func appleMail(_ bytes: [UInt8]) -> (message: [UInt8], flags: MessageFlags)? {
        guard let end = bytes.prefix(24).firstIndex(of: 10),
            let count = Int(String(decoding: bytes[..<end], as: UTF8.self).trimmingBlanks()), count > 0,
            end + 1 + count <= bytes.count
        else { return nil }
        let message = Array(bytes[(end + 1)..<(end + 1 + count)])
        let list = String(decoding: bytes[(end + 1 + count)...], as: UTF8.self)
        var flags: MessageFlags = []
        if let key = list.firstRange(of: "<key>flags</key>"),
            let open = list[key.upperBound...].firstRange(of: "<integer>"),
            let bits = Int(list[open.upperBound...].prefix { $0.isNumber })
        {
            if bits & 1 != 0 { flags.insert(.seen) }
            if bits & 4 != 0 { flags.insert(.answered) }
            if bits & 16 != 0 { flags.insert(.flagged) }
        }
        return (message, flags)
    }
}
