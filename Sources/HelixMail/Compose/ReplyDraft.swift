import HelixModel

/// The recipients of a reply.
public enum ReplyAudience: Sendable {
    /// The sender.
    case sender
    /// The sender and all recipients.
    case all
    /// The mailing list.
    case list
}

/// A message that is replied to or forwarded.
public struct AnsweredMessage {
    private let message: MIMEMessage
    private let body: MessageBody
    private let text: MessageText
    private let summary: MessageSummary
    /// Its file; nil if it was decrypted.
    private let file: String?
    private let bytes: [UInt8]

    /// Reads the message from a file.
    /// - Throws: ``HelixError`` as ``MIMEMessage/init(path:)``.
    public init(file: String) throws { try self.init(MIMEMessage(path: file), file: file, bytes: []) }

    /// Takes a message that was decrypted, and its bytes.
    /// - Throws: ``HelixError`` if a library is missing.
    public init(_ message: MIMEMessage, bytes: [UInt8]) throws { try self.init(message, file: nil, bytes: bytes) }

    private init(_ message: MIMEMessage, file: String?, bytes: [UInt8]) throws {
        (self.message, self.file, self.bytes) = (message, file, bytes)
        body = MessageBody(message)
        text = try MessageText(message, body: body)
        summary = MessageSummary(message)
    }

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - own: the user's addresses, the default one first; they are excluded from the recipients.
    ///   - when: the date of the message, in words.
    /// - Throws: ``HelixError`` of code `usage` for a reply to the list, if the message has no List-Post address.
    public func reply(to audience: ReplyAudience, own: [MailAddress], when: String) throws -> MessageDraft {
        var draft = MessageDraft()
        draft.from = sender(among: own)
        func others(_ list: [MailAddress]) -> [MailAddress] {
            list.filter { address in !own.contains { address.isDelivered(to: $0) } }.compactMap {
                try? $0.deliverable()
            }
        }
        let isOwn = !summary.from.isEmpty && others(summary.from).isEmpty
        switch audience {
        case .list:
            guard let list = listAddress else {
                throw HelixError(
                    .usage, "no mailing list address in the message",
                    hint: "'helix mail reply-all' replies to all recipients.")
            }
            draft.to = [list]
        case .sender: draft.to = isOwn ? others(summary.to) : others(answered)
        case .all:
            let followUp = message.header("Mail-Followup-To").map { others(MailAddress.list($0)) } ?? []
            draft.to = !followUp.isEmpty ? followUp : isOwn ? others(summary.to) : others(answered)
            if followUp.isEmpty { draft.cc = others((isOwn ? [] : summary.to) + summary.cc) }
            // If no one is left in To, such as when all replies go to the list, Cc becomes To.
            if followUp.isEmpty, draft.to.isEmpty { (draft.to, draft.cc) = (draft.cc, []) }
        }
        // A reply to an own note goes to oneself.
        if draft.to.isEmpty, draft.cc.isEmpty { draft.to = (isOwn ? summary.to : answered).filter(\.isSendable) }
        draft.tidy()
        draft.subject = "Re: " + Self.bare(summary.subject, without: ["re", "aw", "sv", "antw", "r", "rif", "odp"])
        draft.inReplyTo = summary.messageID
        // All references: the index keeps only the last hundred, and the first is the root.
        var named = message.headers.filter { $0.name.lowercased() == "references" }.flatMap { MessageIDs.list($0.raw) }
        if named.isEmpty { named = summary.references }
        draft.references = named.filter { $0 != summary.messageID } + [summary.messageID].compactMap { $0 }
        if draft.references.count > 30 { draft.references = [draft.references[0]] + draft.references.suffix(29) }
        let author = summary.from.first?.label.oneLine ?? "somebody"
        draft.body = "On \(when), \(author) wrote:\n" + quoted
        return draft
    }

    /// Creates a forwarded message.
    ///
    /// - Parameters:
    ///   - asAttachment: whether the original is attached unchanged; otherwise its text and attachments are included.
    /// - Throws: nothing at present; attachments are read when the message is written.
    public func forward(asAttachment: Bool, own: [MailAddress], when: String) -> MessageDraft {
        var draft = MessageDraft()
        draft.from = sender(among: own)
        draft.forwarded = summary.messageID
        draft.subject = "Fwd: " + Self.bare(summary.subject, without: ["fwd", "fw", "wg", "tr", "i", "enc", "vb"])
        if asAttachment {
            let name = FileName.safe(summary.subject, fallback: "message")
            draft.attachments = [
                DraftAttachment(
                    name: String(name.prefix(80)) + ".eml", type: "message/rfc822", size: summary.size,
                    source: file.map { .message($0) } ?? .content(bytes))
            ]
            return draft
        }
        var lines = [ForwardedText.heading]
        func field(_ name: String, _ list: [MailAddress]) {
            if !list.isEmpty { lines.append("\(name): " + list.map(\.typed).joined(separator: ", ")) }
        }
        field("From", summary.from)
        lines += ["Date: \(when)", "Subject: \(summary.subject.oneLine)"]
        field("To", summary.to)
        field("Cc", summary.cc)
        let own = MessageBody(message, opensMessages: false)
        let words = (try? MessageText(message, body: own).plain) ?? text.plain
        draft.body = "\n" + (lines + [""]).joined(separator: "\n") + "\n" + words + "\n"
        draft.attachments = DraftAttachment.all(of: own, in: message, file: file)
        return draft
    }

    /// The addresses for replies to the sender. A Reply-To set by a mailing list is ignored: that address is among
    /// the recipients anyway (as in notmuch and mutt).
    private var answered: [MailAddress] {
        guard !summary.replyTo.isEmpty else { return summary.from }
        let got = Set((summary.to + summary.cc).map { $0.address.lowercased() })
        let isLists = summary.replyTo.allSatisfy {
            got.contains($0.address.lowercased()) || $0.address.lowercased() == listAddress?.address.lowercased()
        }
        return isLists && summary.traits.contains(.isFromList) ? summary.from : summary.replyTo
    }

    /// The posting address of the list (RFC 2369 §3.4).
    private var listAddress: MailAddress? {
        let post = message.text(of: "List-Post") ?? ""
        guard let start = post.firstRange(of: "<mailto:")?.upperBound, let end = post[start...].firstIndex(of: ">")
        else {
            return nil
        }
        let address = MailAddress(address: String(post[start..<end].prefix { $0 != "?" }))
        return address.isSendable ? address : nil
    }

    /// The user's own address among the sender and the recipients.
    private func sender(among own: [MailAddress]) -> MailAddress? {
        let delivered = message.headers
            .filter { ["delivered-to", "x-original-to", "envelope-to"].contains($0.name.lowercased()) }
            .flatMap { MailAddress.list($0.raw) }
        // The first address of the message that is the user's: in To before Cc.
        for address in summary.from + summary.to + summary.cc + delivered {
            if let found = own.first(where: { address.address.lowercased() == $0.address.lowercased() }) {
                return found
            }
            if let found = own.first(where: address.isDelivered) { return found }
        }
        return own.first
    }

    /// A subject without prefixes such as `Re:`.
    private static func bare(_ subject: String, without marks: Set<String>) -> String {
        var rest = subject.trimmed
        while let colon = rest.prefix(8).firstIndex(of: ":") {
            var mark = rest[..<colon].lowercased()
            if mark.hasSuffix("]"), let open = mark.firstIndex(of: "[") { mark = String(mark[..<open]) }
            guard marks.contains(mark.trimmed) else { break }
            rest = String(rest[rest.index(after: colon)...]).trimmed
        }
        return rest
    }

    /// The quoted text, without the signature; long lines are wrapped.
    private var quoted: String {
        var lines: [String] = []
        for line in text.lines where line.kind != .signature {
            var marks = ">"
            if case .quote(let depth) = line.kind { marks += String(repeating: ">", count: depth) }
            for piece in line.text.brokenLines(76 - marks.count) {
                lines.append(piece.isEmpty ? marks : marks + " " + piece)
            }
        }
        while let last = lines.last, last.allSatisfy({ $0 == ">" }) { lines.removeLast() }
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }
}

extension MailAddress {
    /// Whether mail for it arrives at an address: the same one, or one with a part after a plus sign (RFC 5233).
    func isDelivered(to own: MailAddress) -> Bool {
        let (mine, its) = (own.address.lowercased(), address.lowercased())
        if mine == its { return true }
        guard let at = its.lastIndex(of: "@"), let plus = its[..<at].firstIndex(of: "+"), plus > its.startIndex else {
            return false
        }
        return its[..<plus] + its[at...] == mine
    }
}

extension MessageDraft {
    /// Removes duplicate recipients: each address is in one of To, Cc and Bcc, in that order.
    public mutating func tidy() {
        var known: Set<String> = []
        for list in [\MessageDraft.to, \.cc, \.bcc] {
            self[keyPath: list].removeAll { !known.insert($0.address.lowercased()).inserted }
        }
    }
}

extension String {
    /// The text in lines of at most `width` characters, wrapped at blanks; longer words are not split.
    fileprivate func brokenLines(_ width: Int) -> [String] {
        if count <= width { return [self] }
        var lines: [String] = []
        var line = ""
        for word in split(separator: " ", omittingEmptySubsequences: false) {
            if !line.isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = String(word)
            } else {
                line += (line.isEmpty ? "" : " ") + word
            }
        }
        return lines + [line]
    }
}
