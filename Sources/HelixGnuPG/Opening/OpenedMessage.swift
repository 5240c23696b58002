import HelixMail
import HelixModel

/// A message with its encrypted parts replaced by their texts, and its signatures verified.
///
/// The text that is shown is the one that was verified: a signed or encrypted part is replaced by the bytes that GnuPG has accepted. Parts are not
/// joined: text outside of a layer stays a part of its own (EFAIL).
public struct OpenedMessage {
    /// The message to read.
    public let message: MIMEMessage
    /// The bytes of that message.
    public let bytes: [UInt8]
    /// Its signatures and encryption.
    public let security: MessageSecurity
    /// The number of each layer by the index of the part that it is around.
    private let places: [Int: Int]

    /// The parameter of Content-Type that marks the part inside a layer; its value is not known to senders.
    static let marker = "x-helix-layer"
    /// The headers that are taken from inside a layer (RFC 9788): From stays the outer one, by which servers check the sender.
    private static let protected = [
        "subject", "to", "cc", "bcc", "reply-to", "in-reply-to", "references", "keywords", "date",
    ]

    /// Opens a message.
    ///
    /// - Parameters:
    ///   - bytes: the whole message.
    ///   - options: what is tried.
    /// - Throws: ``HelixError`` if the bytes are no message, or a library is missing.
    public init(_ bytes: [UInt8], _ options: OpeningOptions = OpeningOptions()) throws {
        let outer = try MIMEMessage(bytes, keepsOpaque: true)
        var opener = MessageOpener(options, raw: bytes)
        guard let root = outer.parts.first, let entity = try opener.rebuilt(root, in: outer, isWhole: true) else {
            (message, self.bytes, places) = (outer, bytes, [:])
            security = opener.security
            return
        }
        var security = opener.security
        let head = Self.head(of: bytes, outer, inside: opener.protectedHeaders, &security)
        let whole = head + entity
        self.bytes = whole
        message = try MIMEMessage(whole, keepsOpaque: true)
        self.security = security
        var places: [Int: Int] = [:]
        for part in message.parts {
            guard let mark = part.contentType[Self.marker], let number = opener.number(of: mark) else { continue }
            places[part.index] = number
        }
        self.places = places
    }

    /// Whether a message has parts that GnuPG opens.
    public static func isNeeded(_ message: MIMEMessage) -> Bool {
        if message.isOpaqueSigned { return true }
        let types: Set<String> = ["multipart/signed", "multipart/encrypted", "application/pgp-encrypted"]
        return message.parts.contains { part in
            if types.contains(part.type) || part.isOpaqueSMIME { return true }
            guard part.type == "text/plain", part.kind == .leaf, part.disposition != "attachment" else { return false }
            return ArmoredText.isLikely(message.content(of: part, limit: 1 << 20))
        }
    }

    /// The layers around a part, the outer ones first.
    public func layers(around part: MIMEPart) -> [SecurityLayer] {
        var found: [SecurityLayer] = []
        var next: MIMEPart? = part
        while let part = next {
            if let number = places[part.index], security.layers.indices.contains(number) {
                found.insert(security.layers[number], at: 0)
            }
            next = part.parent.map { message.parts[$0] }
        }
        return found
    }

    /// The headers of the message with those from inside.
    private static func head(
        of bytes: [UInt8], _ outer: MIMEMessage, inside: [MIMEMessage.Header], _ security: inout MessageSecurity
    ) -> [UInt8] {
        var taken: [String: MIMEMessage.Header] = [:]
        for header in inside {
            let name = header.name.lowercased()
            if protected.contains(name) || name.hasPrefix("x-helix-"), taken[name] == nil { taken[name] = header }
        }
        for name in ["subject", "from", "to", "cc", "date"] {
            guard let inner = inside.first(where: { $0.name.lowercased() == name }),
                let value = outer.header(name), EncodedWord.text(value) != inner.text,
                // Senders replace the subject of encrypted messages (RFC 9788 §3.2.1).
                !(name == "subject" && security.isEncrypted && isObscured(EncodedWord.text(value)))
            else { continue }
            security.differences.append(.init(name: inner.name, inner: inner.text, outer: EncodedWord.text(value)))
        }
        var head = HeaderBlock.without(bytes) { name in
            name.hasPrefix("content-") || name == "mime-version" || taken[name] != nil
                // Anybody can add one outside, to get the reply.
                || name == "reply-to" && !inside.isEmpty
        }
        for header in inside where taken[header.name.lowercased()]?.raw == header.raw {
            taken[header.name.lowercased()] = nil
            head += Array("\(header.name):".utf8) + header.raw
            if header.raw.last != 0x0A { head.append(0x0A) }
        }
        return head + Array("MIME-Version: 1.0\n".utf8)
    }

    private static func isObscured(_ subject: String) -> Bool {
        ["...", "[...]", "encrypted message", "re: ...", "encrypted e-mail"].contains(subject.lowercased())
    }
}

/// The steps that are tried when a message is opened.
public struct OpeningOptions: Sendable {
    /// Whether signatures are verified.
    public var verifies = true
    /// The reason for which nothing is decrypted; nil to decrypt.
    public var refusal: String?

    /// Creates options that try everything.
    public init() {}
}
