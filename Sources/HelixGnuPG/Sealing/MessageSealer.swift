import HelixMail
import HelixModel

/// Signs and encrypts a written message, with its headers inside (RFC 9788).
public struct MessageSealer: Sendable {
    /// The keys of recipients.
    public struct Recipients: Sendable {
        /// The fingerprints of keys in the keyring, those of the sender among them.
        public var keys: [String]
        /// The paths of files with other keys.
        public var files: [String] = []
        /// Whether the ids of the keys are left out of the message.
        public var isHidden = false

        /// Creates recipients.
        public init(keys: [String], files: [String] = [], isHidden: Bool = false) {
            (self.keys, self.files, self.isHidden) = (keys, files, isHidden)
        }
    }

    /// The standard.
    public let standard: SecurityStandard
    /// The fingerprint of the key that signs; nil for none.
    public let signer: String?
    /// The keys to encrypt to; nil to leave the message readable.
    public let recipients: Recipients?

    /// Creates a sealer.
    public init(_ standard: SecurityStandard, signer: String?, recipients: Recipients?) {
        (self.standard, self.signer, self.recipients) = (standard, signer, recipients)
    }

    /// The subject outside of encrypted messages (RFC 9788 §3.2.1).
    static let obscuredSubject = "[...]"

    /// The headers that are not repeated inside: they describe the way of the message, or its content.
    private static func isOuter(_ name: String) -> Bool {
        name.hasPrefix("content-") || name == "mime-version" || name == "autocrypt" || name == "bcc"
    }

    /// The message with its seal.
    ///
    /// - Parameters:
    ///   - bytes: the message, with LF line ends.
    ///   - isDraft: whether it is a draft: then Bcc and the headers for editing are inside, and only there.
    /// - Throws: ``HelixError``: no signature could be made, or a key cannot be used.
    public func sealed(_ bytes: [UInt8], isDraft: Bool = false) throws -> [UInt8] {
        let engine = try GnuPG(standard)
        do {
            let payload = payload(of: bytes, isDraft: isDraft)
            let outer = HeaderBlock.without(bytes) { name in
                name.hasPrefix("content-") || name == "mime-version" || name == "subject" && recipients != nil
                    || isDraft && recipients != nil && (name == "bcc" || name.hasPrefix("x-helix-"))
            }
            let subject = recipients == nil ? "" : "Subject: \(Self.obscuredSubject)\n"
            let head = outer + Array((subject + "MIME-Version: 1.0\n").utf8)
            guard let recipients else { return head + (try signed(payload, engine)) }
            return head + (try encrypted(payload, recipients, engine))
        } catch let failure as GnuPG.Failure {
            let what = recipients == nil ? "signed" : "encrypted"
            throw HelixError(
                failure.isCancelled ? .conflict : .configuration, "the message was not \(what): \(failure.reason)",
                hint: failure.isCancelled ? "You cancelled the question for the passphrase." : nil)
        }
    }

    /// The content with the headers of the message.
    private func payload(of bytes: [UInt8], isDraft: Bool) -> [UInt8] {
        let headers = HeaderBlock.without(bytes) { name in
            Self.isOuter(name) && !(isDraft && name == "bcc") || name.hasPrefix("x-helix-") && !isDraft
        }
        let content = HeaderBlock.without(bytes) { !$0.hasPrefix("content-") }
        let mark = recipients == nil ? "clear" : "cipher"
        // The second parameter is for programs from before RFC 9788.
        let parameters = "; hp=\"\(mark)\"; protected-headers=\"v1\""
        let outer = recipients == nil ? [] : Array("HP-Outer: Subject: \(Self.obscuredSubject)\n".utf8)
        return headers + outer + HeaderBlock.adding(parameters, to: content) + HeaderBlock.body(bytes)
    }

    /// Signs an entity (RFC 3156 §5, RFC 8551 §3.5.3).
    private func signed(_ entity: [UInt8], _ engine: GnuPG) throws -> [UInt8] {
        guard let signer else { return entity }
        let (signature, digest) = try engine.signature(of: LineEnds.canonical(entity), by: signer)
        let isPGP = standard == .openPGP
        let type = isPGP ? "application/pgp-signature" : "application/pkcs7-signature"
        let part =
            isPGP
            ? Multipart.plain(signature, type: type, [("name", "signature.asc")])
            : Multipart.file(signature, type: type, name: "smime.p7s")
        // sha256 is sha-256 in S/MIME (RFC 8551 §3.5.3.2).
        let name = isPGP ? "pgp-\(digest)" : digest.replacing("sha", with: "sha-")
        return Multipart.written(
            [entity, part], type: "multipart/signed", parameters: [("protocol", type), ("micalg", name)])
    }

    /// Encrypts an entity (RFC 3156 §4 and §6.2, RFC 8551 §3.3).
    private func encrypted(_ entity: [UInt8], _ recipients: Recipients, _ engine: GnuPG) throws -> [UInt8] {
        if standard == .smime {
            let cipher = try engine.encrypted(try signed(entity, engine), to: recipients.keys)
            return Multipart.file(
                cipher, type: "application/pkcs7-mime", [("smime-type", "enveloped-data")], name: "smime.p7m")
        }
        let cipher = try engine.encrypted(
            LineEnds.canonical(entity), to: recipients.keys, files: recipients.files, signer: signer,
            isHidden: recipients.isHidden)
        return Multipart.written(
            [
                Multipart.plain(Array("Version: 1\n".utf8), type: "application/pgp-encrypted"),
                Multipart.plain(cipher, type: "application/octet-stream", [("name", "encrypted.asc")]),
            ], type: "multipart/encrypted", parameters: [("protocol", "application/pgp-encrypted")])
    }
}
