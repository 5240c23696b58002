import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSignatures

/// The settings of push notifications.
public struct PushConfiguration: Sendable {
    /// The account with Apple's service; nil for none.
    public var apple: Apple?
    /// The content that services of others can read.
    public var content = PushContent.names
    /// Whether targets may be in private networks, or on this machine.
    public var allowsPrivate = false
    /// The address of whoever runs the gateway, for the operators of Web Push services: `mailto:` or `https:` (RFC 8292 §2.1).
    public var contact: String?
    /// The file with the certificates of push services, in the place of the system's.
    public var authorities: String?

    /// The settings without any service that needs an account.
    public init() {}

    /// An account with Apple's push service.
    public struct Apple: Sendable {
        let key: CurveKey
        /// The identifier of the key.
        let keyID: String
        /// The identifier of the team that owns the app.
        let team: String
        /// The service's address, if it is not Apple's own.
        let address: String?

        /// - Parameter file: the key as Apple gives it (`AuthKey_….p8`).
        /// - Throws: ``HelixError``: the file cannot be read, or is no key.
        public init(file: String, keyID: String, team: String, address: String?) throws {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw HelixError(.notFound, "cannot read the key of Apple's push service, \(file)")
            }
            guard let key = CurveKey(pem: text) else {
                throw HelixError(.badInput, "\(file) is no P-256 key in PEM", hint: "Apple calls it AuthKey_….p8.")
            }
            (self.key, self.keyID, self.team, self.address) = (key, keyID, team, address)
        }

        /// The address of the service for a target.
        func server(isSandbox: Bool) -> String {
            address ?? "https://api\(isSandbox ? ".sandbox" : "").push.apple.com"
        }
    }
}
