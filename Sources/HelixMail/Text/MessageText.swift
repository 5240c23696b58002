/// The readable text of a message, line by line: plain text if there is any, otherwise rendered HTML.
public struct MessageText: Sendable {
    /// The kind of a line.
    public enum Kind: Hashable, Sendable {
        /// The sender's text.
        case own
        /// Quoted text, with its depth.
        case quote(Int)
        /// An attribution: who wrote the quoted text, and when.
        case attribution
        /// The sender's signature.
        case signature
        /// The heading of a nested message.
        case heading
        /// The URL of a numbered link.
        case link
    }

    /// A line, not wrapped.
    public struct Line: Hashable, Sendable {
        /// Its kind.
        public var kind: Kind
        /// Its text; quotes without `>`.
        public var text: String
    }

    /// The lines.
    public private(set) var lines: [Line] = []
    /// The invitations in it, in iCalendar.
    public private(set) var calendars: [String] = []
    /// Whether the text was truncated.
    public private(set) var isCut = false
    /// The number of characters that its HTML hides from readers, and that are left out.
    public private(set) var hiddenCount = 0

    /// Whether there are headings that say how each part is protected: no line of the text may look like one.
    private var hasLabels = false

    /// The maximum size of text shown per part, in bytes.
    private static let limit = 4 << 20

    /// Reads the sections of `body`.
    ///
    /// - Parameter label: the words above a section that is protected in another way than the one before; nil if all are alike.
    /// - Throws: ``HelixError`` if a library is missing.
    public init(_ message: MIMEMessage, body: MessageBody, label: ((MIMEPart) -> String?)? = nil) throws {
        var last: String?
        hasLabels = label != nil
        for section in body.sections {
            if let words = label?(section.part), words != last {
                if !lines.isEmpty { lines.append(Line(kind: .own, text: "")) }
                lines.append(Line(kind: .heading, text: words))
                last = words
            }
            switch section {
            case .plain(let own): addPlain(message, own)
            case .html(let own): try addHTML(message, own)
            case .message(let own): addHead(message, own)
            case .calendar(let own): calendars.append(message.text(of: own, limit: Self.limit))
            }
        }
        while lines.last?.text.isEmpty == true { lines.removeLast() }
        while lines.first?.text.isEmpty == true { lines.removeFirst() }
    }

    /// All lines as one text.
    public var plain: String {
        lines.map { line in
            guard case .quote(let depth) = line.kind else { return line.text }
            return String(repeating: ">", count: depth) + (line.text.isEmpty ? "" : " ") + line.text
        }.joined(separator: "\n")
    }

    private mutating func addPlain(_ message: MIMEMessage, _ part: MIMEPart) {
        var text = message.text(of: part, limit: Self.limit)
        if text.utf8.count >= Self.limit { isCut = true }
        if part.contentType["format"]?.lowercased() == "flowed" {
            text = FlowedText.unfolded(text, deletesSpace: part.contentType["delsp"]?.lowercased() == "yes")
        }
        add(text)
    }

    private mutating func addHTML(_ message: MIMEMessage, _ part: MIMEPart) throws {
        let source = message.text(of: part, limit: Self.limit)
        let html = try HTMLText(source)
        hiddenCount = html.hiddenCount
        isCut = isCut || html.isCut || source.utf8.count >= Self.limit
        add(html.text)
        if html.links.isEmpty { return }
        lines.append(Line(kind: .own, text: ""))
        for (index, link) in html.links.enumerated() {
            lines.append(Line(kind: .link, text: "[\(index + 1)] \(link)"))
        }
    }

    private mutating func addHead(_ message: MIMEMessage, _ part: MIMEPart) {
        if !lines.isEmpty { lines.append(Line(kind: .own, text: "")) }
        let headers = message.headers(of: part)
        for name in ["From", "To", "Date", "Subject"] {
            if let raw = MIMEMessage.first(name, in: headers) {
                lines.append(Line(kind: .heading, text: "\(name): \(EncodedWord.text(raw))"))
            }
        }
        lines.append(Line(kind: .own, text: ""))
    }

    private mutating func add(_ text: String) {
        if let last = lines.last, !last.text.isEmpty { lines.append(Line(kind: .own, text: "")) }
        var isSignature = false
        var blanks = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = hasLabels ? Substring(Self.withoutRules(line)) : line
            let (depth, rest) = Self.quote(line)
            if depth > 0 {
                isSignature = false
                blanks = 0
                lines.append(Line(kind: .quote(depth), text: rest))
                continue
            }
            if line == "-- " || line == "--" { isSignature = true }
            // Collapse runs of empty lines.
            blanks = line.allSatisfy(\.isWhitespace) ? blanks + 1 : 0
            if blanks > 2 { continue }
            lines.append(Line(kind: isSignature ? .signature : .own, text: String(line)))
        }
        for place in lines.indices.dropLast() where lines[place].kind == .own && Self.isAttribution(lines[place].text) {
            let next = lines[(place + 1)...].first { !$0.text.isEmpty }
            if case .quote? = next?.kind { lines[place].kind = .attribution }
        }
    }

    /// A line whose horizontal rules are hyphens.
    private static func withoutRules(_ line: Substring) -> String {
        String(line.map { "─━═╌╍┄┅┈┉—―⸺⸻".contains($0) ? "-" : $0 })
    }

    /// The quote depth of a line, and the rest of it.
    private static func quote(_ line: Substring) -> (depth: Int, rest: String) {
        var rest = line
        var depth = 0
        while rest.first == ">" {
            depth += 1
            rest = rest.dropFirst()
            if rest.hasPrefix(" >") { rest = rest.dropFirst() }
        }
        if depth == 0 { return (0, "") }
        // `>From ` is an escape of mbox files, not a quote.
        if depth == 1, rest.hasPrefix("From ") { return (0, "") }
        return (min(depth, 50), String(rest.hasPrefix(" ") ? rest.dropFirst() : rest))
    }

    private static func isAttribution(_ text: String) -> Bool { text.hasSuffix(":") && text.utf8.count < 400 }
}
