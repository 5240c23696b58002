import CGMime

/// A part of a message (RFC 2045).
public struct MIMEPart: Sendable {
    /// The kind of a part.
    public enum Kind: Sendable {
        /// Content.
        case leaf
        /// Other parts.
        case multipart
        /// A message.
        case message
    }

    /// Its index in ``MIMEMessage/parts``.
    public let index: Int
    /// Its kind.
    public let kind: Kind
    /// Its nesting depth; the message's own body is 0.
    public let depth: Int
    /// Its parent part.
    public let parent: Int?
    /// `text/plain`, in lower case.
    public let type: String
    /// Content-Type with its parameters.
    public let contentType: HeaderParameters
    /// `inline` or `attachment`, in lower case; empty if not set.
    public let disposition: String
    /// The file name set by the sender; untrusted.
    public let filename: String?
    /// Content-ID without brackets.
    public let contentID: String?
    /// Content-Description.
    public let description: String?
    /// Its encoded size in the message in bytes; 0 if unknown.
    public let encodedSize: Int

    /// Whether it is S/MIME in one part: encrypted, or signed (RFC 8551 §3.2).
    public var isOpaqueSMIME: Bool {
        guard kind == .leaf else { return false }
        // Programs that do not know its type name the file (RFC 8551 §3.2.1).
        return ["application/pkcs7-mime", "application/x-pkcs7-mime"].contains(type)
            || type == "application/octet-stream" && filename?.lowercased().hasSuffix(".p7m") == true
    }

    init(_ handle: OpaquePointer, _ index: Int32) {
        let part = helix_mime_part_at(handle, index)
        self.index = Int(index)
        depth = Int(part.depth)
        parent = part.parent < 0 ? nil : Int(part.parent)
        kind =
            Int(part.kind) == HELIX_MIME_MULTIPART
            ? .multipart : Int(part.kind) == HELIX_MIME_MESSAGE ? .message : .leaf
        contentType = HeaderParameters(part.content_type.map(MIMEMessage.bytes(of:)) ?? [])
        let type = part.type.map { String(cString: $0).lowercased() } ?? "text"
        let subtype = part.subtype.map { String(cString: $0).lowercased() } ?? "plain"
        // A Content-Type without a subtype is invalid (RFC 2045 §5.2): programs from before MIME write 'text'.
        let isPlain = kind == .leaf && !contentType.value.contains("/")
        self.type = isPlain ? "text/plain" : type + "/" + subtype
        let disposition = HeaderParameters(part.disposition.map(MIMEMessage.bytes(of:)) ?? [])
        self.disposition = disposition.value
        let name = disposition["filename"] ?? contentType["name"]
        filename = name.flatMap { $0.isEmpty ? nil : $0 }
        contentID = part.content_id.flatMap { MessageIDs.first(MIMEMessage.bytes(of: $0)) }
        description = part.description.map { EncodedWord.text(MIMEMessage.bytes(of: $0)) }
        encodedSize = max(0, Int(part.encoded_size))
    }

    /// Whether it is text to show with the message: not an attachment, and of a readable type.
    public var isBodyText: Bool {
        kind == .leaf && disposition != "attachment" && (type == "text/plain" || type == "text/html")
    }

    /// Whether it is an invitation or a reply to one (RFC 6047).
    public var isCalendar: Bool { kind == .leaf && (type == "text/calendar" || type == "application/ics") }

    /// A name to show: the one set by the sender, or a description.
    public var label: String {
        if let filename { return filename }
        if let description, !description.isEmpty { return description }
        if isCalendar { return "invite.ics" }
        if kind == .message { return "message.eml" }
        return type
    }
}
