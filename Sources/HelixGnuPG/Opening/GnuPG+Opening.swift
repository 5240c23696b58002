import CGPGME
import HelixMail
import HelixModel

extension GnuPG {
    /// Verifies a detached signature.
    ///
    /// - Parameter text: the text, with CRLF line ends if it is a part of a message.
    public func verify(_ signature: [UInt8], of text: [UInt8]) -> [MessageSignature] {
        let code = helix_gpgme_verify(handle, signature, signature.count, text, text.count)
        return signatures(after: code)
    }

    /// Verifies a signature with its text in it.
    /// - Returns: the text, nil if there is none, and the signatures.
    public func verifyWhole(_ bytes: [UInt8]) -> (text: [UInt8]?, signatures: [MessageSignature]) {
        var found = helix_gpgme_bytes()
        let code = helix_gpgme_verify_whole(handle, bytes, bytes.count, Self.textLimit, &found)
        let text = code == 0 ? Self.take(found) : nil
        return (text, signatures(after: code))
    }

    /// Decrypts, and verifies the signatures inside.
    /// - Returns: the text, nil unless it is readable and protected against changes; the result; and the signatures.
    public func decrypt(
        _ bytes: [UInt8]
    ) -> (text: [UInt8]?, encryption: MessageEncryption, signatures: [MessageSignature]) {
        var found = helix_gpgme_bytes()
        var facts = helix_gpgme_decryption()
        let code = helix_gpgme_decrypt(handle, bytes, bytes.count, Self.textLimit, &found, &facts)
        let text = code == 0 ? Self.take(found) : nil
        var encryption = MessageEncryption(state: .decrypted, standard: standard)
        encryption.recipients = (0..<facts.recipient_count).map {
            String(cString: helix_gpgme_recipient_at(handle, $0))
        }
        if facts.lacks_integrity != 0 {
            encryption.state = .unprotected
            return (nil, encryption, [])
        }
        guard let text else {
            let failure = Failure(code: code)
            encryption.state = failure.isNoSecretKey ? .noKey : failure.isCancelled ? .cancelled : .failed
            // Signed or packed text in this form is not opened: GnuPG would also decrypt what is inside, and not say whether that
            // was changed.
            encryption.reason =
                failure.isTooLarge
                ? "its text exceeds \(Self.textLimit >> 20) MB"
                : failure.isNoData
                    ? "no encrypted text is in it, or not all of it; gpg may know more" : failure.reason
            return (nil, encryption, [])
        }
        let count = helix_gpgme_signature_count(handle)
        return (text, encryption, count > 0 ? signatures(after: 0) : [])
    }

    /// The signatures of the last operation, with the names of their keys.
    private func signatures(after code: UInt32) -> [MessageSignature] {
        let found = (0..<helix_gpgme_signature_count(handle)).map { index in
            signature(helix_gpgme_signature_at(handle, index))
        }
        if !found.isEmpty { return found.map(named) }
        var failed = MessageSignature(state: .failed, standard: standard)
        failed.reason = code == 0 ? "there is no signature in it" : Failure(code: code).reason
        return [failed]
    }

    private func signature(_ found: helix_gpgme_signature) -> MessageSignature {
        let state: MessageSignature.State =
            switch Int(found.status) {
            case HELIX_SIGNATURE_GOOD: .valid
            case HELIX_SIGNATURE_BAD: .changed
            case HELIX_SIGNATURE_NO_KEY: .unknownKey
            case HELIX_SIGNATURE_EXPIRED: .expired
            case HELIX_SIGNATURE_KEY_EXPIRED: .expiredKey
            case HELIX_SIGNATURE_KEY_REVOKED: .revokedKey
            case HELIX_SIGNATURE_UNTRUSTED: .untrusted
            default: .failed
            }
        var signature = MessageSignature(state: state, standard: standard)
        signature.fingerprint = found.fingerprint.map { String(cString: $0) } ?? ""
        signature.reason = found.reason.map { String(cString: $0) } ?? ""
        signature.created = Self.instant(found.created)
        signature.trust = Self.trust(found.validity)
        return signature
    }

    /// The signature with the user ids of its key.
    private func named(_ signature: MessageSignature) -> MessageSignature {
        var named = signature
        guard !signature.fingerprint.isEmpty, signature.state != .unknownKey,
            let key = try? keys(signature.fingerprint).first
        else { return named }
        (named.signer, named.addresses) = (key.name, key.addresses)
        return named
    }
}
