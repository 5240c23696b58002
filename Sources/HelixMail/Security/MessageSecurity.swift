import HelixModel

/// A standard for signed and encrypted mail.
public enum SecurityStandard: String, Sendable, CaseIterable {
    /// OpenPGP, in MIME (RFC 3156) or in the text.
    case openPGP = "openpgp"
    /// S/MIME (RFC 8551).
    case smime

    /// Its name, for people.
    public var name: String { self == .openPGP ? "OpenPGP" : "S/MIME" }
}

/// The trust in the owner of a key: the validity of its user id in the user's keyring.
public enum KeyTrust: String, Sendable, Comparable {
    /// Nobody whom the user trusts has certified the key.
    case unknown
    /// The user has said that it is not valid.
    case never
    /// It is certified by somebody whom the user trusts a little.
    case marginal
    /// It is certified.
    case full
    /// It is the user's own.
    case ultimate

    private var rank: Int {
        switch self {
        case .never: 0
        case .unknown: 1
        case .marginal: 2
        case .full: 3
        case .ultimate: 4
        }
    }

    /// Whether a key is trusted less.
    public static func < (left: KeyTrust, right: KeyTrust) -> Bool { left.rank < right.rank }
}

/// A signature of a message, verified.
public struct MessageSignature: Hashable, Sendable {
    /// The result of a verification.
    public enum State: String, Sendable {
        /// It belongs to the text and to a valid key.
        case valid
        /// The text is not the one that was signed.
        case changed
        /// The key is not known.
        case unknownKey = "unknown-key"
        /// The signature has expired.
        case expired
        /// The key had expired, or has since.
        case expiredKey = "expired-key"
        /// The key is revoked.
        case revokedKey = "revoked-key"
        /// It belongs to the text, but the certificate is not trusted.
        case untrusted
        /// It cannot be verified, for the reason.
        case failed
    }

    /// The result.
    public var state: State
    /// Its standard.
    public var standard: SecurityStandard
    /// The user id of the key; empty if unknown.
    public var signer = ""
    /// The addresses of the key that are not revoked, in lower case.
    public var addresses: [String] = []
    /// The fingerprint of the key, or its id if the key is not known.
    public var fingerprint = ""
    /// The trust in its owner.
    public var trust = KeyTrust.unknown
    /// The time of signing, as the signer says.
    public var created: Instant?
    /// The reason, if it cannot be verified.
    public var reason = ""

    /// Creates a signature.
    public init(state: State, standard: SecurityStandard) { (self.state, self.standard) = (state, standard) }
}

/// The encryption of a message or a part.
public struct MessageEncryption: Hashable, Sendable {
    /// The result of a decryption.
    public enum State: String, Sendable {
        /// The text is readable.
        case decrypted
        /// No secret key of the recipients is here.
        case noKey = "no-key"
        /// Nothing proves that the cipher text is unchanged, so the text is not shown (EFAIL).
        case unprotected
        /// The person cancelled the question for the passphrase.
        case cancelled
        /// It cannot be decrypted, for the reason.
        case failed
        /// It was not tried, for the reason.
        case untried
    }

    /// The result.
    public var state: State
    /// Its standard.
    public var standard: SecurityStandard
    /// The ids of the keys that it is encrypted to.
    public var recipients: [String] = []
    /// The reason, if it cannot be decrypted.
    public var reason = ""

    /// Creates an encryption.
    public init(state: State, standard: SecurityStandard) { (self.state, self.standard) = (state, standard) }
}

/// The signatures or the encryption around a message or a part of it.
public struct SecurityLayer: Hashable, Sendable {
    /// The signatures; several if several people signed.
    public var signatures: [MessageSignature] = []
    /// The encryption, if it is encrypted.
    public var encryption: MessageEncryption?
    /// Whether it is around the whole text; otherwise there is text outside.
    public var isWhole: Bool

    /// Creates a layer.
    public init(signatures: [MessageSignature] = [], encryption: MessageEncryption? = nil, isWhole: Bool) {
        (self.signatures, self.encryption, self.isWhole) = (signatures, encryption, isWhole)
    }
}

/// The signatures and encryption of a message.
public struct MessageSecurity: Hashable, Sendable {
    /// The layers, the outer ones first.
    public var layers: [SecurityLayer] = []
    /// Headers outside the signature or encryption that differ from those inside: with both values.
    public var differences: [HeaderDifference] = []

    /// A header that differs inside and outside.
    public struct HeaderDifference: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// Its value inside, which is signed or was encrypted.
        public var inner: String
        /// Its value outside, which nothing protects.
        public var outer: String

        /// Creates a difference.
        public init(name: String, inner: String, outer: String) {
            (self.name, self.inner, self.outer) = (name, inner, outer)
        }
    }

    /// Creates the security of a plain message.
    public init() {}

    /// Whether the message is neither signed nor encrypted.
    public var isPlain: Bool { layers.isEmpty }

    /// The signatures around the whole text.
    public var wholeSignatures: [MessageSignature] { layers.filter(\.isWhole).flatMap(\.signatures) }

    /// Whether all of its text was encrypted and is readable.
    public var isDecrypted: Bool { layers.contains { $0.isWhole && $0.encryption?.state == .decrypted } }

    /// Whether it, or a part of it, is encrypted.
    public var isEncrypted: Bool { layers.contains { $0.encryption != nil } }

    /// The result for the message as a whole: valid only if all its text is signed by its sender, and all signatures are valid.
    ///
    /// - Parameter sender: the address in From, in lower case.
    public func verdict(sender: String) -> SignatureVerdict? {
        let all = layers.flatMap(\.signatures)
        if all.isEmpty { return nil }
        for state in [
            MessageSignature.State.changed, .failed, .untrusted, .unknownKey, .revokedKey, .expiredKey, .expired,
        ] {
            if all.contains(where: { $0.state == state }) { return SignatureVerdict(rawValue: state.rawValue) }
        }
        let whole = wholeSignatures
        if whole.isEmpty { return .part }
        if !whole.contains(where: { $0.addresses.contains(sender) }) { return .otherSender }
        if differences.contains(where: { $0.name.lowercased() == "from" }) { return .otherSender }
        return .valid
    }
}

/// The result of the verification of a message, as it is stored.
public enum SignatureVerdict: String, Sendable, CaseIterable {
    /// All text is signed by the sender, and unchanged.
    case valid
    /// The text was changed.
    case changed
    /// The key is not known.
    case unknownKey = "unknown-key"
    /// The signature has expired.
    case expired
    /// The key had expired, or has since.
    case expiredKey = "expired-key"
    /// The key is revoked.
    case revokedKey = "revoked-key"
    /// The text is unchanged, but the certificate is not trusted.
    case untrusted
    /// It cannot be verified.
    case failed
    /// Valid, but there is text outside the signature.
    case part
    /// Valid, but of a key without the address of the sender.
    case otherSender = "other-sender"
}
