import HelixModel

/// Writes a draft as a message (RFC 5322, RFC 2045), with LF line ends as in files.
///
/// Attachments are streamed, so they are never in memory as a whole.
public struct MessageWriter {
    /// Passes the bytes of an attachment to a closure, in pieces.
    public typealias Reader = (DraftAttachment, (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Void

    /// The header that marks the text of a draft as Markdown.
    static let markdownHeader = "X-Helix-Markdown"
    /// The header with the Message-ID that a draft forwards.
    static let forwardedHeader = "X-Helix-Forwarded"

    /// The header with the signature and encryption that a draft is to have.
    static let securityHeader = "X-Helix-Security"

    private let draft: MessageDraft
    private let date: Instant
    private let zone: Zone
    private let isFinal: Bool
    /// Whether the message is to be signed or encrypted: then nothing on the way may change it.
    private let isSealed: Bool
    private let autocrypt: String?
    private let read: Reader

    /// - Parameters:
    ///   - date: the date of the message, written in `zone`.
    ///   - isFinal: whether it is the message to send; otherwise a draft, which keeps the data for editing.
    ///   - autocrypt: the value of the Autocrypt header with the sender's key.
    ///   - read: reads attachments.
    public init(
        _ draft: MessageDraft, date: Instant, zone: Zone, isFinal: Bool, autocrypt: String? = nil,
        read: @escaping Reader
    ) {
        isSealed = draft.seal.isSealed
        self.autocrypt = autocrypt
        self.draft = draft
        self.date = date
        self.zone = zone
        self.isFinal = isFinal
        self.read = read
    }

    /// Writes the message in pieces.
    /// - Throws: what reading and `sink` throw; ``HelixError`` if cmark is missing and the text is Markdown.
    public func write(to sink: ([UInt8]) throws -> Void) throws {
        try sink(Array(head.utf8))
        let letters = try draft.attachments.map(letter)
        guard !draft.attachments.isEmpty else { return try writeText(to: sink) }
        let boundary = Self.boundary
        let encoding =
            letters.contains { $0?.contains { $0 >= 0x80 } == true } ? "Content-Transfer-Encoding: 8bit\n" : ""
        try sink(
            Array(
                (HeaderWriter.parameters("Content-Type", "multipart/mixed", [("boundary", boundary)]) + encoding
                    + "\n--\(boundary)\n").utf8))
        try writeText(to: sink)
        for (attachment, letter) in zip(draft.attachments, letters) {
            try sink(Array("\n--\(boundary)\n".utf8))
            if let letter { try write(letter, of: attachment, to: sink) } else { try write(attachment, to: sink) }
        }
        try sink(Array("\n--\(boundary)--\n".utf8))
    }

    /// The message as a whole.
    /// - Throws: as ``write(to:)``.
    public func bytes() throws -> [UInt8] {
        var all: [UInt8] = []
        try write { all += $0 }
        return all
    }

    private var head: String {
        var head = HeaderWriter.date(date, in: zone)
        if let from = draft.from { head += HeaderWriter.addresses("From", [from]) }
        for (name, list) in [
            ("Reply-To", draft.replyTo), ("To", draft.to), ("Cc", draft.cc), ("Bcc", isFinal ? [] : draft.bcc),
        ] where !list.isEmpty {
            head += HeaderWriter.addresses(name, list)
        }
        head += HeaderWriter.text("Subject", draft.subject)
        if let id = draft.messageID { head += HeaderWriter.ids("Message-ID", [id]) }
        if let id = draft.inReplyTo { head += HeaderWriter.ids("In-Reply-To", [id]) }
        if !draft.references.isEmpty { head += HeaderWriter.ids("References", draft.references) }
        if draft.isMarkdown, !isFinal { head += "\(Self.markdownHeader): yes\n" }
        if let id = draft.forwarded, !isFinal { head += HeaderWriter.ids(Self.forwardedHeader, [id]) }
        if !draft.seal.text.isEmpty, !isFinal { head += "\(Self.securityHeader): \(draft.seal.text)\n" }
        if let autocrypt, isFinal { head += "Autocrypt: \(autocrypt)\n" }
        return head + "MIME-Version: 1.0\n"
    }

    /// Writes the text, as one part or as two alternatives.
    private func writeText(to sink: ([UInt8]) throws -> Void) throws {
        // The scheduling message (RFC 6047 §2).
        if let calendar = draft.calendar {
            return try writeText(
                beside: { try write(calendar.text, as: "text/calendar", [("method", calendar.method)], to: sink) },
                to: sink)
        }
        guard draft.isMarkdown, isFinal else { return try write(draft.body, as: "text/plain", to: sink) }
        let html = try Markdown.html(draft.body, isAnswer: draft.inReplyTo != nil)
        try writeText(beside: { try write(html, as: "text/html", to: sink) }, to: sink)
    }

    /// Writes the text and an alternative form of it.
    private func writeText(beside other: () throws -> Void, to sink: ([UInt8]) throws -> Void) throws {
        let boundary = Self.boundary
        try sink(
            Array(
                (HeaderWriter.parameters("Content-Type", "multipart/alternative", [("boundary", boundary)])
                    + "\n--\(boundary)\n").utf8))
        try write(draft.body, as: "text/plain", to: sink)
        try sink(Array("\n--\(boundary)\n".utf8))
        try other()
        try sink(Array("\n--\(boundary)--\n".utf8))
    }

    private func write(
        _ text: String, as type: String, _ parameters: [(String, String)] = [], to sink: ([UInt8]) throws -> Void
    ) throws {
        let bytes = Self.lines(Array(text.utf8))
        let encoding = TransferEncoding.best(for: bytes, isSigned: isSealed)
        try sink(
            Array(
                (HeaderWriter.parameters("Content-Type", type, [("charset", "utf-8")] + parameters)
                    + "Content-Transfer-Encoding: \(encoding.rawValue)\n\n").utf8))
        try sink(encoding.encoded(bytes))
    }

    private func write(_ attachment: DraftAttachment, to sink: ([UInt8]) throws -> Void) throws {
        // A message that cannot be sent as a message part is sent as a file.
        let type = attachment.type.hasPrefix("message/") ? "application/octet-stream" : attachment.type
        try sink(Array((head(of: attachment, type: type) + "Content-Transfer-Encoding: base64\n\n").utf8))
        var encoder = Base64Encoder()
        try read(attachment) { try sink(encoder.lines($0, isLast: false)) }
        try sink(encoder.lines([], isLast: true))
    }

    private func write(_ letter: [UInt8], of attachment: DraftAttachment, to sink: ([UInt8]) throws -> Void) throws {
        let encoding: TransferEncoding = letter.contains { $0 >= 0x80 } ? .eightBit : .sevenBit
        let head = head(of: attachment, type: "message/rfc822")
        try sink(Array((head + "Content-Transfer-Encoding: \(encoding.rawValue)\n\n").utf8))
        try sink(letter)
    }

    private func head(of attachment: DraftAttachment, type: String) -> String {
        HeaderWriter.parameters(
            "Content-Type", type,
            [("charset", attachment.charset), ("method", attachment.method)].compactMap { name, value in
                value.map { (name, $0) }
            }, oldName: attachment.method == nil ? attachment.name : nil)
            + HeaderWriter.parameters("Content-Disposition", "attachment", [("filename", attachment.name)])
    }

    /// The bytes of an attached message, if they can be sent as a message part: it must not be encoded
    /// (RFC 2046 §5.2.1), so all its lines must be valid in mail.
    private func letter(_ attachment: DraftAttachment) throws -> [UInt8]? {
        guard attachment.type == "message/rfc822" else { return nil }
        var bytes: [UInt8] = []
        try read(attachment) { bytes += $0 }
        let lines = Self.lines(bytes)
        let isSound =
            !lines.contains(0) && lines.split(separator: 0x0A).allSatisfy { $0.count <= 998 }
            && !(isSealed && lines.contains { $0 >= 0x80 })
        return isSound ? (lines.last == 0x0A ? lines : lines + [0x0A]) : nil
    }

    /// A boundary; base64 and quoted-printable never contain `=_`.
    private static var boundary: String { "=_\(EntityID().text)" }

    /// Converts line ends to LF.
    private static func lines(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.contains(0x0D) else { return bytes }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        for (place, byte) in bytes.enumerated() {
            if byte == 0x0A, place > 0, bytes[place - 1] == 0x0D { continue }
            out.append(byte == 0x0D ? 0x0A : byte)
        }
        return out
    }
}
