import HelixModel

/// Whom an answer goes to.
public enum ReplyAudience: Sendable {
    /// Whoever wrote it.
    case sender
    /// All who got it.
    case all
    /// The list that it came by.
    case list
}

/// A message that somebody answers or sends on.
public struct AnsweredMessage {
    private let message: MIMEMessage
    private let body: MessageBody
    private let text: MessageText
    private let summary: MessageSummary
    private let file: String

    /// The message in a file.
    /// - Throws: ``HelixError`` as ``MIMEMessage/init(path:)``.
    public init(file: String) throws {
        self.file = file
        message = try MIMEMessage(path: file)
        body = MessageBody(message)
        text = try MessageText(message, body: body)
        summary = MessageSummary(message)
    }

    /// An answer.
    ///
    /// - Parameters:
    ///   - own: the addresses of whoever answers, the usual one first; none of them is answered to.
    ///   - when: when the message was written, in words.
    /// - Throws: ``HelixError`` of code `usage` if it came by no list, and a list is to be answered.
    public func reply(to audience: ReplyAudience, own: [MailAddress], when: String) throws -> MessageDraft {
        var draft = MessageDraft()
        draft.from = sender(among: own)
        let mine = Set(own.map { $0.address.lowercased() })
        func others(_ list: [MailAddress]) -> [MailAddress] {
            list.filter { !mine.contains($0.address.lowercased()) }.compactMap { try? $0.deliverable() }
        }
        let isOwn = !summary.from.isEmpty && others(summary.from).isEmpty
        switch audience {
        case .list:
            guard let list = listAddress else {
                throw HelixError(
                    .usage, "the message came by no list that says where to write",
                    hint: "'helix mail reply-all' answers all who got it.")
            }
            draft.to = [list]
        case .sender: draft.to = isOwn ? others(summary.to) : others(answered)
        case .all:
            let followUp = message.header("Mail-Followup-To").map { others(MailAddress.list($0)) } ?? []
            draft.to = !followUp.isEmpty ? followUp : isOwn ? others(summary.to) : others(answered)
            if followUp.isEmpty { draft.cc = others((isOwn ? [] : summary.to) + summary.cc) }
            // Where all answers go to the list, whoever wrote is none of the list's addresses.
            if followUp.isEmpty, draft.to.isEmpty { (draft.to, draft.cc) = (draft.cc, []) }
        }
        // A note to oneself is answered to oneself.
        if draft.to.isEmpty, draft.cc.isEmpty { draft.to = (isOwn ? summary.to : answered).filter(\.isSendable) }
        draft.tidy()
        draft.subject = "Re: " + Self.bare(summary.subject, without: ["re", "aw", "sv", "antw", "r", "rif", "odp"])
        draft.inReplyTo = summary.messageID
        // All of them: the index keeps the last hundred, and the first is the root.
        var named = message.headers.filter { $0.name.lowercased() == "references" }.flatMap { MessageIDs.list($0.raw) }
        if named.isEmpty { named = summary.references }
        draft.references = named.filter { $0 != summary.messageID } + [summary.messageID].compactMap { $0 }
        if draft.references.count > 30 { draft.references = [draft.references[0]] + draft.references.suffix(29) }
        let author = summary.from.first?.label.oneLine ?? "somebody"
        draft.body = "On \(when), \(author) wrote:\n" + quoted
        return draft
    }

    /// The message, sent on.
    ///
    /// - Parameters:
    ///   - asAttachment: as it is, as something attached; otherwise its text is quoted and its attachments come along.
    /// - Throws: nothing today; what is attached is read when it is written.
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
                    source: .message(file))
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
        draft.body = "\n" + (lines + [""]).joined(separator: "\n") + "\n" + text.plain + "\n"
        draft.attachments = DraftAttachment.all(of: body, in: message, file: file)
        return draft
    }

    /// Where the sender wants answers. A list that writes itself there is not asked for: that address is among those
    /// that got the message anyway (notmuch and mutt do the same).
    private var answered: [MailAddress] {
        guard !summary.replyTo.isEmpty else { return summary.from }
        let got = Set((summary.to + summary.cc).map { $0.address.lowercased() })
        let isLists = summary.replyTo.allSatisfy {
            got.contains($0.address.lowercased()) || $0.address.lowercased() == listAddress?.address.lowercased()
        }
        return isLists && summary.traits.contains(.isFromList) ? summary.from : summary.replyTo
    }

    /// Where one writes to the list (RFC 2369 §3.4).
    private var listAddress: MailAddress? {
        let post = message.text(of: "List-Post") ?? ""
        guard let start = post.firstRange(of: "<mailto:")?.upperBound, let end = post[start...].firstIndex(of: ">")
        else {
            return nil
        }
        let address = MailAddress(address: String(post[start..<end].prefix { $0 != "?" }))
        return address.isSendable ? address : nil
    }

    /// Which of one's own addresses it is about: the one that wrote it, or that it went to.
    private func sender(among own: [MailAddress]) -> MailAddress? {
        let delivered = message.headers
            .filter { ["delivered-to", "x-original-to", "envelope-to"].contains($0.name.lowercased()) }
            .flatMap { MailAddress.list($0.raw) }
        for list in [summary.from, summary.to + summary.cc, delivered] {
            let got = Set(list.map { $0.address.lowercased() })
            if let found = own.first(where: { got.contains($0.address.lowercased()) }) { return found }
        }
        return own.first
    }

    /// A subject without marks such as `Re:` in front.
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

    /// The text as a quote, without the signature; long lines are broken.
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

extension MessageDraft {
    /// Takes out whom it would go to twice.
    fileprivate mutating func tidy() {
        var known: Set<String> = []
        to = to.filter { known.insert($0.address.lowercased()).inserted }
        cc = cc.filter { known.insert($0.address.lowercased()).inserted }
    }
}

extension String {
    /// The text in lines of at most so many characters, broken at blanks; a word that is longer keeps its length.
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
