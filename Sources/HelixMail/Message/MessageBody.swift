/// The readable sections of a message, and its attachments.
public struct MessageBody: Sendable {
    /// A section to show.
    public enum Section: Sendable {
        /// Plain text.
        case plain(MIMEPart)
        /// HTML without a plain text alternative.
        case html(MIMEPart)
        /// A nested message; the sections that follow, up to the end of its depth, belong to it.
        case message(MIMEPart)
        /// An invitation or a reply to one.
        case calendar(MIMEPart)

        /// Its part.
        public var part: MIMEPart {
            switch self {
            case .plain(let part), .html(let part), .message(let part), .calendar(let part): part
            }
        }
    }

    /// The sections to show, in order.
    public private(set) var sections: [Section] = []
    /// The parts that can be saved, including images of HTML.
    public private(set) var attachments: [MIMEPart] = []

    /// Whether attached messages are shown with what is in them; otherwise each is an attachment.
    private let opensMessages: Bool

    /// Collects the sections and attachments of a message.
    ///
    /// - Parameter opensMessages: false for a message that is sent again: what is in an attached message goes with that.
    public init(_ message: MIMEMessage, opensMessages: Bool = true) {
        self.opensMessages = opensMessages
        var children: [Int: [MIMEPart]] = [:]
        for part in message.parts { children[part.parent ?? -1, default: []].append(part) }
        if let root = message.parts.first { visit(root, children, message) }
    }

    private mutating func visit(
        _ part: MIMEPart, _ children: [Int: [MIMEPart]], _ message: MIMEMessage
    ) {
        let own = children[part.index, default: []]
        switch part.kind {
        case .message where !opensMessages && part.depth > 0: attachments.append(part)
        case .message:
            if part.disposition == "attachment" || part.depth == 0 && own.isEmpty {
                attachments.append(part)
            }
            sections.append(.message(part))
            for child in own { visit(child, children, message) }
        case .multipart where part.type == "multipart/alternative":
            visitAlternatives(own, children, message)
        case .multipart:
            for child in own { visit(child, children, message) }
        case .leaf:
            if part.isCalendar {
                sections.append(.calendar(part))
                attachments.append(part)
            } else if part.isBodyText, part.type == "text/plain" {
                sections.append(.plain(part))
                if part.filename != nil { attachments.append(part) }
            } else if part.isBodyText, part.type == "text/html", part.filename == nil || part.disposition == "inline" {
                sections.append(.html(part))
                if part.filename != nil { attachments.append(part) }
            } else if part.type == "text/rfc822-headers" || part.type == "message/delivery-status"
                || part.type == "message/disposition-notification"
            {
                sections.append(.plain(part))
            } else if !part.type.hasPrefix("multipart/") {
                attachments.append(part)
            }
        }
    }

    /// Selects the alternative to read; the others are skipped, but attachments of all of them are kept.
    private mutating func visitAlternatives(
        _ own: [MIMEPart], _ children: [Int: [MIMEPart]], _ message: MIMEMessage
    ) {
        func readable(_ part: MIMEPart, _ type: String) -> MIMEPart? {
            if part.kind == .leaf { return part.type == type && part.disposition != "attachment" ? part : nil }
            return children[part.index, default: []].lazy.compactMap { readable($0, type) }.first
        }
        let plain = own.first { readable($0, "text/plain") != nil && readable($0, "text/html") == nil }
        let html = own.last { readable($0, "text/html") != nil }
        var chosen = plain ?? html
        if let part = plain, html != nil, let leaf = readable(part, "text/plain"),
            message.content(of: leaf, limit: 4096).allSatisfy({ $0 <= 0x20 })
        {
            chosen = html
        }
        for part in own {
            if part.index == chosen?.index || part.isCalendar {
                visit(part, children, message)
            } else if part.kind == .multipart {
                keepAttachments(part, children)
            } else if chosen == nil || !part.isBodyText {
                visit(part, children, message)
            }
        }
    }

    private mutating func keepAttachments(_ part: MIMEPart, _ children: [Int: [MIMEPart]]) {
        for child in children[part.index, default: []] {
            if child.kind == .multipart {
                keepAttachments(child, children)
            } else if !child.isBodyText {
                attachments.append(child)
            }
        }
    }
}
