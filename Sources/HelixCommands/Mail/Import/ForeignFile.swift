import HelixMail
import HelixModel

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

    /// Whether bytes begin like an mbox file: with a line 'From ', or with MMDF's separator.
    static func beginsMbox(_ head: [UInt8]) -> Bool {
        let text = head.drop { [0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) }
        return ["From ", ">From ", "\u{1}\u{1}\u{1}\u{1}"].contains { text.starts(with: $0.utf8) }
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
