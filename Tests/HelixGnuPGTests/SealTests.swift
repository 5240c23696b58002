import Foundation
import HelixGnuPG
import HelixMail
import HelixModel
import TestSupport
import Testing

/// Messages that helix signs and encrypts, and opens again.
@Suite(.enabled(if: TestKeyring.shared != nil), .serialized)
struct SealTests {
    let keyring: TestKeyring

    init() throws { keyring = try #require(TestKeyring.shared) }

    /// A random message, as it is written before it is sealed.
    private func draft(_ generator: inout SeededGenerator) -> MessageDraft {
        let words = ["Straße", "plan", "From me", ".", "-- ", "trailing  ", "漢字", "=3D", "", "a b\tc", "-----", "x"]
        var draft = MessageDraft()
        draft.from = MailAddress(name: "Ana Ruiz", address: "ana@example.org")
        draft.to = [MailAddress(name: "Bo", address: "bo@example.org")]
        draft.subject = (words.randomElement(using: &generator) ?? "") + " Grüße"
        draft.messageID = "a.\(Int.random(in: 0..<1000, using: &generator))@example.org"
        draft.body = (0..<Int.random(in: 0..<20, using: &generator)).map { _ in
            (0..<Int.random(in: 0..<12, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: " ") + "\n"
        }.joined()
        draft.isMarkdown = Bool.random(using: &generator)
        for index in 0..<Int.random(in: 0..<3, using: &generator) {
            let bytes = (0..<Int.random(in: 0..<3000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            draft.attachments.append(
                DraftAttachment(
                    name: "file-\(index).bin", type: "application/octet-stream", size: bytes.count,
                    source: .content(bytes)))
        }
        return draft
    }

    private func written(_ draft: MessageDraft) throws -> [UInt8] {
        try MessageWriter(draft, date: Instant(1_790_000_000), zone: .utc, isFinal: true) { attachment, sink in
            guard case .content(let bytes) = attachment.source else { return }
            try bytes.withUnsafeBufferPointer { try sink($0) }
        }.bytes()
    }

    /// The text and the attachments of a message.
    private func content(_ message: MIMEMessage) throws -> [String] {
        let body = MessageBody(message)
        return [message.text(of: "Subject") ?? "", try MessageText(message, body: body).plain]
            + body.attachments.map { "\($0.label) \(message.content(of: $0))" }
    }

    @Test(arguments: [SecurityStandard.openPGP, .smime], [(true, false), (false, true), (true, true)])
    func sealedMessagesAreReadAsTheyWere(standard: SecurityStandard, kind: (signs: Bool, encrypts: Bool)) throws {
        var generator = SeededGenerator(seed: 7)
        let isCertificate = standard == .smime
        let own = try keyring.fingerprint(
            isCertificate ? "carla@example.org" : "ana@example.org", isCertificate: isCertificate)
        let other = try keyring.fingerprint(
            isCertificate ? "dan@example.org" : "bo@example.org", isCertificate: isCertificate)
        for _ in 0..<12 {
            var draft = draft(&generator)
            (draft.seal.signs, draft.seal.encrypts) = kind
            if isCertificate { draft.from = MailAddress(name: "Carla", address: "carla@example.org") }
            let bytes = try written(draft)
            let sealer = MessageSealer(
                standard, signer: kind.signs ? own : nil,
                recipients: kind.encrypts ? .init(keys: [own, other]) : nil)
            let sealed = try sealer.sealed(bytes)
            #expect(sealed.allSatisfy { $0 < 0x80 }, "nothing on the way may change it")
            let opened = try OpenedMessage(sealed)
            #expect(try content(opened.message) == content(MIMEMessage(bytes)))
            #expect(opened.security.isDecrypted == kind.encrypts)
            #expect(opened.security.differences == [])
            let sender = draft.from?.address ?? ""
            #expect(opened.security.verdict(sender: sender) == (kind.signs ? .valid : nil), "\(opened.security)")
            #expect(opened.security.verdict(sender: "mallory@example.org") == (kind.signs ? .otherSender : nil))
            if kind.encrypts {
                #expect(String(decoding: sealed, as: UTF8.self).contains("Subject: [...]\n"))
                // gpgsm names the key that it has used only.
                #expect(opened.security.layers.first?.encryption?.recipients.count == (isCertificate ? 1 : 2))
            }
        }
    }

    @Test func aChangedTextIsNotValid() throws {
        var generator = SeededGenerator(seed: 8)
        let own = try keyring.fingerprint("ana@example.org")
        var draft = MessageDraft()
        draft.from = MailAddress(name: "Ana", address: "ana@example.org")
        draft.subject = "Plans"
        draft.body = "Pay 100 to Bo.\n"
        draft.seal.signs = true
        let sealed = try MessageSealer(.openPGP, signer: own, recipients: nil).sealed(try written(draft))
        let text = String(decoding: sealed, as: UTF8.self)
        let start = try #require(text.range(of: "hp=\"clear\"")).upperBound
        let end = try #require(text.range(of: "Bo.")).upperBound
        let places =
            text.utf8.distance(from: text.startIndex, to: start)..<text.utf8.distance(from: text.startIndex, to: end)
        for _ in 0..<25 {
            var changed = sealed
            let place = Int.random(in: places, using: &generator)
            changed[place] = changed[place] == 0x61 ? 0x62 : 0x61
            let verdict = try OpenedMessage(changed).security.verdict(sender: "ana@example.org")
            #expect(verdict != .valid && verdict != nil)
        }
    }
}
