import HelixMail
import HelixModel

/// A key of OpenPGP, or a certificate of S/MIME, in the user's keyring.
public struct GnuPGKey: Hashable, Sendable {
    /// A name with an address, as a key says it.
    public struct UserID: Hashable, Sendable {
        /// The user id as a whole: `Ana Ruiz <ana@example.org>`.
        public var text: String
        /// Its address, in lower case; empty if it has none.
        public var address: String
        /// The trust that the key belongs to it.
        public var trust: KeyTrust
        /// Whether its owner, or GnuPG, has declared it invalid.
        public var isRevoked: Bool
    }

    /// Its fingerprint, in hexadecimal digits.
    public var fingerprint: String
    /// Its standard.
    public var standard: SecurityStandard
    /// Its user ids, the primary one first.
    public var users: [UserID] = []
    /// The time of creation.
    public var created: Instant?
    /// The time of expiry; nil if it does not expire.
    public var expires: Instant?
    /// Whether one may encrypt to it.
    public var canEncrypt = false
    /// Whether it can sign.
    public var canSign = false
    /// Whether its secret part is here.
    public var isSecret = false
    /// Whether it has expired.
    public var isExpired = false
    /// Whether it is revoked.
    public var isRevoked = false
    /// Whether the user has disabled it.
    public var isDisabled = false
    /// Whether GnuPG does not accept it.
    public var isInvalid = false

    /// Whether it can be used at all.
    public var isUsable: Bool { !isExpired && !isRevoked && !isDisabled && !isInvalid }

    /// Its first user id that is not revoked.
    public var name: String { (users.first { !$0.isRevoked } ?? users.first)?.text ?? "" }

    /// The addresses of its user ids that are not revoked.
    public var addresses: [String] { users.filter { !$0.isRevoked && !$0.address.isEmpty }.map(\.address) }

    /// The trust that it belongs to an address; `unknown` if it does not have it.
    public func trust(of address: String) -> KeyTrust {
        users.filter { !$0.isRevoked && $0.address == address.lowercased() }.map(\.trust).max() ?? .unknown
    }

    /// The word for its state.
    public var state: String {
        isRevoked ? "revoked" : isExpired ? "expired" : isDisabled ? "disabled" : isInvalid ? "invalid" : "usable"
    }
}
