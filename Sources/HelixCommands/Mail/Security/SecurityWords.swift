import HelixMail
import HelixModel
import HelixTerminal

/// The words for signatures and encryption, which never depend on colours.
enum SecurityWords {
    /// A line, and whether it warns.
    struct Line: Hashable {
        var text: String
        var isWarning: Bool
    }

    /// The lines at the top of a message: its signatures, its encryption, and what is not protected.
    ///
    /// - Parameter sender: the address in From, in lower case.
    static func lines(
        _ security: MessageSecurity, sender: String, isDraft: Bool = false, day: (Instant) -> String
    ) -> [Line] {
        var lines: [Line] = []
        for layer in security.layers {
            // The usual case takes one line.
            if layer.isWhole, layer.encryption?.state == .decrypted, layer.signatures.count == 1,
                layer.signatures[0].state == .valid
            {
                let line = words(layer.signatures[0], sender: sender, day: day)
                lines.append(Line(text: "Encrypted, and s" + line.text.dropFirst(), isWarning: line.isWarning))
                continue
            }
            if let encryption = layer.encryption { lines.append(words(encryption, isWhole: layer.isWhole)) }
            for signature in layer.signatures {
                var line = words(signature, sender: sender, day: day)
                if !layer.isWhole { line = Line(text: "A part only: " + line.text, isWarning: true) }
                lines.append(line)
            }
            if layer.encryption?.state == .decrypted, layer.signatures.isEmpty, security.layers.count == 1,
                !isDraft
            {
                lines.append(Line(text: "Not signed: anybody can have written it.", isWarning: true))
            }
        }
        if security.layers.contains(where: { !$0.isWhole }) {
            lines.append(
                Line(text: "Some of the text is outside of that protection; the headings say which.", isWarning: true))
        }
        for difference in security.differences {
            lines.append(
                Line(
                    text: difference.name.lowercased() == "from"
                        ? "From inside is another one: \(difference.inner)"
                        : "\(difference.name) outside, where nothing protects it, is another one: \(difference.outer)",
                    isWarning: true))
        }
        return lines
    }

    private static func key(_ fingerprint: String) -> String {
        fingerprint.isEmpty ? "" : "key \(fingerprint.suffix(16))"
    }

    private static func words(
        _ signature: MessageSignature, sender: String, day: (Instant) -> String
    ) -> Line {
        let who = signature.signer.isEmpty ? key(signature.fingerprint) : signature.signer
        let when = signature.created.map { ", \(day($0))" } ?? ""
        switch signature.state {
        case .valid:
            let isSender = signature.addresses.contains(sender)
            let trust =
                switch signature.trust {
                case .ultimate: "your own key"
                case .full: "trusted"
                case .marginal: "somewhat trusted"
                case .never: "a key that you do not trust"
                case .unknown: "not certified by anybody you trust"
                }
            let other = isSender ? "" : " This is not the sender."
            return Line(
                text: "Signed by \(who): valid (\(trust); \(key(signature.fingerprint))\(when)).\(other)",
                isWarning: !isSender || signature.trust < .marginal)
        case .changed:
            return Line(text: "NOT VALID: the text was changed after \(who) signed it.", isWarning: true)
        case .unknownKey:
            return Line(
                text: "Signed with an unknown key, so nothing is known: \(signature.fingerprint.suffix(16)). "
                    + "'helix mail keys fetch \(sender.isEmpty ? "ADDRESS" : sender)' looks for it.", isWarning: true)
        case .expired: return Line(text: "Signed by \(who), but the signature has expired.", isWarning: true)
        case .expiredKey: return Line(text: "Signed by \(who), with a key that has expired.", isWarning: true)
        case .revokedKey:
            return Line(text: "Signed by \(who), with a key that is revoked: it may be stolen.", isWarning: true)
        case .untrusted:
            return Line(
                text:
                    "Signed by \(who); the text is unchanged, but the certificate is not trusted: \(signature.reason).",
                isWarning: true)
        case .failed:
            return Line(text: "Signed; the signature cannot be verified: \(signature.reason).", isWarning: true)
        }
    }

    private static func words(_ encryption: MessageEncryption, isWhole: Bool) -> Line {
        let standard = encryption.standard.name
        let what = isWhole ? "Encrypted" : "Encrypted in part"
        switch encryption.state {
        case .decrypted: return Line(text: "\(what) (\(standard)); decrypted.", isWarning: false)
        case .noKey:
            let keys = encryption.recipients.filter { !$0.isEmpty && $0.contains { $0 != "0" } }
            return Line(
                text: "\(what) (\(standard)); you have none of the secret keys"
                    + (keys.isEmpty ? "." : ": \(keys.prefix(5).joined(separator: ", ")).")
                    + " Its text is unknown.", isWarning: true)
        case .unprotected:
            return Line(
                text: "\(what) (\(standard)), without protection against changes: the text is not shown, because "
                    + "somebody may have changed it to send its content away.", isWarning: true)
        case .cancelled:
            return Line(text: "\(what) (\(standard)); not decrypted: you cancelled the passphrase.", isWarning: true)
        case .failed:
            return Line(text: "\(what) (\(standard)); it cannot be decrypted: \(encryption.reason).", isWarning: true)
        case .untried:
            return Line(text: "\(what) (\(standard)); not decrypted: \(encryption.reason).", isWarning: true)
        }
    }

    /// A few words for one layer, above its part.
    static func short(_ layer: SecurityLayer, sender: String) -> String {
        var words: [String] = []
        if let encryption = layer.encryption {
            words.append(encryption.state == .decrypted ? "was encrypted" : "encrypted")
        }
        for signature in layer.signatures {
            let who = signature.signer.isEmpty ? "an unknown key" : signature.signer
            words.append(
                signature.state == .valid
                    ? "signed by \(who)\(signature.addresses.contains(sender) ? "" : ", not the sender")"
                    : "signature of \(who): \(signature.state.rawValue)")
        }
        return words.joined(separator: ", ")
    }
}
