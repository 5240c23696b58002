import Foundation
import HelixCrypto
import HelixMail
import HelixModel
import TestSupport
import Testing

/// Real messages, compared with what Python's email package reads where another library says the same.
@Suite(.enabled(if: Corpora.isAvailable, "needs the corpora"))
struct MessageCorpusTests {
    struct Expected: Decodable {
        struct Attachment: Decodable, Equatable {
            var name: String?
            var type: String?
            var size: Int?
            var sha256: String?
        }
        var firm: [String]?
        var subject: String?
        var from: [[String]]?
        var to: [[String]]?
        var cc: [[String]]?
        var date: String?
        var messageId: String?
        var text: String?
        var html: String?
        var attachments: [Attachment]?
        var structure: String?
    }

    /// What others see otherwise, and why helix does not.
    static let disputed: Set<String> = [
        // The message inside has no body at all; Python gives it an empty one.
        "sisimai__lhost-postfix-01.eml structure",
        // The message inside is in base64, which RFC 2046 §5.2.1 forbids: it is an attachment, not looked into.
        "phpmmp__issue274.eml structure", "mime4j__base64encoded-rfc822message-nested.eml structure",
        // A first header with a blank before it is a header.
        "enmime__bad-header-start.eml from",
        // 8-bit bytes without a name are read as what most such mail is in; Python keeps them as they are.
        "mail-rb__content_transfer_encoding_7-bit.eml text", "mail-rb__attachment_pdf_non_ascii.eml text",
        "flanker__from-encoding.eml from", "flanker__mailformed-headers.eml from", "stalwart-legacy__052.eml subject",
        "stalwart-legacy__052.eml text", "stalwart-legacy__052.eml to", "zbateson__m3007.eml to",
        // An encoded word cut in the middle of a word: the blank between its halves is not there (RFC 2047 §6.2).
        "phpmmp__m0124.eml from",
        // Two encoded words with a blank between them and one at the end of the first.
        "stalwart-legacy__009.eml to", "stalwart-legacy__011.eml to", "stalwart-legacy__016.eml to",
        "stalwart-legacy__023.eml to",
        // Backslashes of Windows that nobody doubled are part of the name.
        "stalwart-legacy__035.eml attachments",
        // A line end in a name is a blank: a name has one line.
        "phpmmp__issue250.eml attachments",
        // An id without brackets is an id.
        "mail-rb__mix_caps_content_type.eml message_id", "zbateson__m4009.eml message_id",
        // Boundaries that begin with one another, and multiparts that never end.
        "cpython__msg_38.eml structure", "stalwart-malformed__002.eml structure",
        "stalwart-malformed__014.eml structure",
    ]

    @Test(arguments: ["mime", "charset", "malformed", "dsn", "invite", "big"])
    func messagesAreReadAsOthersReadThem(folder: String) throws {
        let expected = try Corpora.json("mail/\(folder)_expected.json", as: [String: Expected].self)
        var wrong: [String] = []
        for (name, expected) in expected.sorted(by: { $0.key < $1.key }) {
            let message = try MIMEMessage(path: Corpora.file("mail/\(folder)/\(name)").path)
            for field in expected.firm ?? [] where !Self.disputed.contains("\(name) \(field)") {
                if let difference = difference(field, message, expected) { wrong.append("\(name) \(difference)") }
            }
        }
        #expect(wrong.isEmpty, "\(wrong.count):\n\(wrong.joined(separator: "\n"))")
    }

    private func difference(_ field: String, _ message: MIMEMessage, _ expected: Expected) -> String? {
        func compare<Value: Equatable>(_ found: Value, _ wanted: Value) -> String? {
            found == wanted ? nil : "\(field): \(found) ≠ \(wanted)"
        }
        func squeezed(_ text: String?) -> String {
            (text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        // A name that only a comment gives is shown here and passed over there.
        func addresses(_ name: String, _ wanted: [[String]]?) -> String? {
            let found = MailAddress.list(message.header(name) ?? []).filter { !$0.address.isEmpty }
            let wanted = wanted ?? []
            let isSame =
                found.count == wanted.count
                && zip(found, wanted).allSatisfy { $1.last == $0.address && ($1.first == $0.name || $1.first == "") }
            return isSame ? nil : "\(name): \(found.map(\.text)) ≠ \(wanted)"
        }
        switch field {
        case "subject": return compare(squeezed(message.text(of: "Subject")), squeezed(expected.subject))
        case "from": return addresses("From", expected.from)
        case "to": return addresses("To", expected.to)
        case "cc": return addresses("Cc", expected.cc)
        case "message_id":
            return compare(message.header("Message-ID").flatMap { MessageIDs.first($0) }, expected.messageId)
        case "date":
            let found = message.header("Date").flatMap { MailDate.instant($0) }
            return compare(found.map { ISO8601.text($0, in: .utc) }, expected.date)
        case "structure": return compare(structure(message, nil), expected.structure ?? "")
        case "text", "html":
            let type = field == "text" ? "text/plain" : "text/html"
            let wanted = field == "text" ? expected.text : expected.html
            let part = message.parts.first { $0.type == type && $0.disposition != "attachment" }
            let found = part.map { message.text(of: $0) } ?? ""
            return squeezed(found).hasPrefix(squeezed(wanted.map { String($0.prefix(1000)) }))
                ? nil : "\(field): \(squeezed(found).prefix(200)) ≠ \(squeezed(wanted).prefix(200))"
        case "attachments":
            let found = message.parts.filter { $0.kind == .leaf }.map { part -> String in
                let hash = SHA256.hash(message.content(of: part)).map { String(format: "%02x", $0) }.joined()
                return "\(part.filename ?? "") \(part.type) \(hash)"
            }
            let missing = (expected.attachments ?? []).filter { wanted in
                guard let hash = wanted.sha256, wanted.type?.hasPrefix("message/") != true else { return false }
                return !found.contains("\(wanted.name ?? "") \(wanted.type ?? "") \(hash)")
            }
            return missing.isEmpty ? nil : "attachments: \(found) lack \(missing)"
        default: return nil
        }
    }

    private func structure(_ message: MIMEMessage, _ parent: Int?) -> String {
        message.parts.filter { $0.parent == parent }.map { part in
            part.kind == .leaf ? part.type : "\(part.type)(\(structure(message, part.index)))"
        }.joined(separator: ",")
    }
}
