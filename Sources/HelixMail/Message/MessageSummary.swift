import CGMime
import FoundationEssentials
import HelixModel

/// The indexed data of a message: enough to list it, to thread it, and to find it by every word in it.
public struct MessageSummary: Sendable {
    /// Traits of a message.
    public struct Traits: OptionSet, Hashable, Sendable {
        /// The bits, as stored in the index.
        public let rawValue: Int
        /// Creates traits from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// It has attachments.
        public static let hasAttachment = Traits(rawValue: 1)
        /// It is malformed, and only partly readable.
        public static let isBroken = Traits(rawValue: 2)
        /// It is an invitation, or a reply to one.
        public static let isInvitation = Traits(rawValue: 4)
        /// It was sent through a mailing list.
        public static let isFromList = Traits(rawValue: 8)
        /// It is encrypted: its text is unknown.
        public static let isEncrypted = Traits(rawValue: 16)
        /// It is signed.
        public static let isSigned = Traits(rawValue: 32)
        /// It is a delivery failure report.
        public static let isReport = Traits(rawValue: 64)
        /// Only its headers are stored locally; the rest is on a server.
        public static let isPartial = Traits(rawValue: 128)
        /// A program sent it by itself, such as an answer while somebody is away (RFC 3834).
        public static let isAutomatic = Traits(rawValue: 256)
    }

    /// Message-ID without brackets; nil if it has none.
    public var messageID: String?
    /// The Message-IDs that it refers to, the nearest last.
    public var references: [String] = []
    /// Its Date, otherwise the time of arrival; nil if unknown.
    public var date: Instant?
    /// Subject, decoded; empty if there is none.
    public var subject = ""
    /// From, or Sender if that is missing.
    public var from: [MailAddress] = []
    /// To.
    public var to: [MailAddress] = []
    /// Cc.
    public var cc: [MailAddress] = []
    /// Bcc.
    public var bcc: [MailAddress] = []
    /// Reply-To.
    public var replyTo: [MailAddress] = []
    /// List-Id without its brackets.
    public var list: String?
    /// The names of its attachments.
    public var attachments: [String] = []
    /// Its traits.
    public var traits: Traits = []
    /// All text in it, including that of nested messages.
    public var text = ""
    /// The beginning of its text, for lists.
    public var snippet = ""
    /// The size of the whole message in bytes.
    public var size = 0
    /// The key that its sender sent with it.
    public var autocrypt: AutocryptHeader?

    /// The maximum size of indexed text per message, in bytes.
    private static let textLimit = 16 << 20

    /// Reads a file.
    /// - Throws: ``HelixError`` as ``MIMEMessage/init(path:)``.
    public init(path: String) throws { self.init(try MIMEMessage(path: path)) }

    /// Summarizes a message.
    public init(_ message: MIMEMessage) {
        size = message.size
        if message.isCut { traits.insert(.isBroken) }
        readHeaders(message)
        readParts(message)
        if hasAutocrypt {
            autocrypt = AutocryptHeader(of: message.headers, sender: from, isReport: traits.contains(.isReport))
        }
    }

    private var hasAutocrypt = false

    private mutating func readHeaders(_ message: MIMEMessage) {
        var dates: [Instant] = []
        var inReplyTo: [String] = []
        // The transmitter of the message (RFC 5322 §3.6.2). It is used only if there is no author: programs write the
        // two headers in either order.
        var transmitters: [MailAddress] = []
        for header in message.headers {
            switch header.name.lowercased() {
            case "subject": if subject.isEmpty { subject = header.text }
            // Of several, the one with an address: mbox lines are mistaken for headers.
            case "from":
                if from.isEmpty || from.contains(where: { $0.address.contains(" ") || !$0.address.contains("@") }) {
                    let found = MailAddress.list(header.raw)
                    if !found.isEmpty { from = found }
                }
            case "sender": if transmitters.isEmpty { transmitters = MailAddress.list(header.raw) }
            case "to": to += MailAddress.list(header.raw)
            case "cc": cc += MailAddress.list(header.raw)
            case "bcc": bcc += MailAddress.list(header.raw)
            case "reply-to": if replyTo.isEmpty { replyTo = MailAddress.list(header.raw) }
            case "message-id": if messageID == nil { messageID = MessageIDs.first(header.raw) }
            case "references": references = Array(MessageIDs.list(header.raw).suffix(100))
            case "in-reply-to": inReplyTo = MessageIDs.list(header.raw)
            case "date": if date == nil { date = MailDate.instant(header.raw) }
            case "received": if dates.count < 3 { dates += [MailDate.received(header.raw)].compactMap { $0 } }
            case "list-id":
                list = MessageIDs.list(header.raw).last ?? header.text
                traits.insert(.isFromList)
            case "x-helix-body":
                // Written before the headers by helix itself, with the size of the whole message.
                let parts = header.text.split(separator: "=")
                guard header.text.hasPrefix("absent; size="), let whole = parts.last.flatMap({ Int($0) }) else {
                    continue
                }
                size = whole
                traits.insert(.isPartial)
            case "autocrypt": hasAutocrypt = true
            case "auto-submitted":
                if !header.text.lowercased().hasPrefix("no") { traits.insert(.isAutomatic) }
            case "precedence":
                if header.text.lowercased().hasPrefix("auto") { traits.insert(.isAutomatic) }
            case "list-post", "list-unsubscribe": traits.insert(.isFromList)
            default: break
            }
        }
        if from.isEmpty { from = transmitters }
        // Some programs omit References, and some put words into In-Reply-To.
        for id in inReplyTo where id.contains("@") && !references.contains(id) { references.append(id) }
        if let own = messageID { references.removeAll { $0 == own } }
        date = date ?? dates.first
        if message.headers.isEmpty || from.isEmpty && subject.isEmpty && date == nil { traits.insert(.isBroken) }
    }

    /// The text of a calendar: its summaries, locations and descriptions.
    private static func words(ofCalendar text: String) -> String {
        let unfolded = text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        let names = ["SUMMARY", "LOCATION", "DESCRIPTION", "COMMENT", "CONTACT"]
        return unfolded.split(separator: "\n").compactMap { line -> String? in
            let name = line.prefix { $0 != ":" && $0 != ";" }
            guard names.contains(name.uppercased()), let colon = line.firstIndex(of: ":") else { return nil }
            return String(line[line.index(after: colon)...]).replacing("\\n", with: " ").replacing("\\N", with: " ")
                .replacing("\\", with: "")
        }.joined(separator: "\n")
    }

    private mutating func readParts(_ message: MIMEMessage) {
        let body = MessageBody(message)
        var pieces: [String] = []
        var room = Self.textLimit
        func add(_ text: String) {
            if text.isEmpty || room <= 0 { return }
            pieces.append(text.utf8.count > room ? String(decoding: text.utf8.prefix(room), as: UTF8.self) : text)
            room -= text.utf8.count
        }
        for section in body.sections where room > 0 {
            switch section {
            case .plain(let part):
                let text = message.text(of: part, limit: room)
                readArmor(text)
                if snippet.isEmpty { snippet = Self.snippet(text) }
                add(text)
            case .html(let part):
                // Without libxml2, index the HTML source.
                let html = message.text(of: part, limit: min(room, 2 << 20))
                let text = (try? HTMLText(html, numbersLinks: false))?.text ?? html
                if snippet.isEmpty { snippet = Self.snippet(text) }
                add(text)
            case .message(let part):
                for name in ["Subject", "From", "To"] {
                    if let raw = MIMEMessage.first(name, in: message.headers(of: part)) { add(EncodedWord.text(raw)) }
                }
            case .calendar(let part):
                traits.insert(.isInvitation)
                add(Self.words(ofCalendar: message.text(of: part, limit: min(room, 1 << 20))))
            }
        }
        text = pieces.joined(separator: "\n")
        if message.isOpaqueSigned { traits.insert(.isSigned) }
        for part in message.parts {
            switch part.type {
            case "multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime":
                traits.insert(.isEncrypted)
            case "multipart/signed": traits.insert(.isSigned)
            case "multipart/report", "message/delivery-status": traits.insert(.isReport)
            default: break
            }
        }
        let real = body.attachments.filter { part in
            // Signatures of the message and inline images of HTML do not count as attachments.
            if part.type == "application/pgp-signature" || part.type.hasSuffix("pkcs7-signature") { return false }
            if part.isOpaqueSMIME || part.parent.map({ message.parts[$0].type }) == "multipart/encrypted" {
                return false
            }
            return part.contentID == nil || part.disposition == "attachment" || !part.type.hasPrefix("image/")
        }
        attachments = real.prefix(1000).map(\.label)
        if !attachments.isEmpty { traits.insert(.hasAttachment) }
    }

    /// Notes signatures and encryption in a text itself, without MIME.
    private mutating func readArmor(_ text: String) {
        guard text.utf8.contains(UInt8(ascii: "-")), text.contains("-----BEGIN PGP ") else { return }
        for piece in ArmoredText.pieces(text) ?? [] {
            switch piece {
            case .signed: traits.insert(.isSigned)
            case .encrypted: traits.insert(.isEncrypted)
            case .plain: break
            }
        }
    }

    /// The number of attribution lines above a quote; 0 for none.
    private static func attribution(_ lines: ArraySlice<String.UTF8View.SubSequence>) -> Int {
        func isQuote(_ line: String.UTF8View.SubSequence) -> Bool { line.first == UInt8(ascii: ">") }
        func isBlank(_ line: String.UTF8View.SubSequence) -> Bool { line.allSatisfy { $0 == 0x20 || $0 == 0x0D } }
        for count in 1...2 {
            let head = lines.prefix(count)
            guard head.count == count, head.reduce(0, { $0 + $1.count }) < 400,
                let last = head.last?.reversed().drop(while: { $0 == 0x20 || $0 == 0x0D }).first,
                last == UInt8(ascii: ":"),
                head.first.map({ !isBlank($0) && !isQuote($0) }) ?? false,
                lines.dropFirst(count).first(where: { !isBlank($0) }).map(isQuote) ?? false
            else { continue }
            // Of two lines, the first may be the sender's own text.
            let first = head.first.map { String(decoding: $0.prefix(4), as: UTF8.self) } ?? ""
            if count == 2, !["On ", "Am ", "Le ", "El ", "Il ", "Op ", "Den "].contains(where: first.hasPrefix) {
                continue
            }
            return count
        }
        return 0
    }

    /// The beginning of the sender's own text.
    private static func snippet(_ text: String) -> String {
        var words: [UInt8] = []
        let lines = text.utf8.prefix(8192).split(separator: 0x0A)
        var isAttribution = 0
        for (place, line) in lines.enumerated() {
            // Skip attributions such as 'On Monday somebody wrote:', on one line or two.
            if isAttribution == 0 { isAttribution = attribution(lines[place...]) }
            if isAttribution > 0 {
                isAttribution -= 1
                continue
            }
            let line = line.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
            guard let first = line.first, first != UInt8(ascii: ">") else { continue }
            if line.elementsEqual("--".utf8) || line.elementsEqual("-- ".utf8) { break }
            if !words.isEmpty { words.append(0x20) }
            words += line
            if words.count > 240 { break }
        }
        let text = String(decoding: words.prefix(240), as: UTF8.self).split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        // Remove an incomplete character at the end.
        return String(text.prefix(160)).trimmingSuffix("\u{FFFD}")
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        var text = self
        while text.last == suffix { text.removeLast() }
        return text
    }
}
