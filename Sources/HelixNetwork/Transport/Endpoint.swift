import HelixModel

/// A server, and the sign-in for it.
public struct Endpoint: Sendable {
    /// The encryption of the connection.
    public enum Security: String, Sendable, CaseIterable {
        /// TLS from the first byte on.
        case tls
        /// Unencrypted at first; encryption is required before the sign-in (RFC 2595, RFC 3207).
        case starttls
        /// Unencrypted: for servers on this machine only.
        case none
    }

    /// The credential for the sign-in.
    public enum Credential: Sendable {
        /// None: the server requires no sign-in.
        case none
        /// A password.
        case password(String)
        /// A token of OAuth 2 (RFC 7628, and XOAUTH2).
        case token(String)
    }

    /// The protocol: `imap`, `smtp`, `sieve`, `http`.
    public var scheme: String
    /// Its name or address.
    public var host: String
    /// Its port.
    public var port: Int
    /// The encryption of the connection.
    public var security: Security
    /// The user name; empty for none.
    public var user: String
    /// The credential for the sign-in.
    public var credential: Credential
    /// A file of certificates to trust instead of the system's.
    public var authorities: String?
    /// The SHA-256 of the only trusted certificate, in lower-case hexadecimal digits; authorities are ignored then.
    public var fingerprint: String?
    /// Whether to compress the connection if the server can; nil for connections to other machines before large transfers.
    public var isPacked: Bool?

    /// Creates an endpoint.
    public init(
        scheme: String, host: String, port: Int, security: Security, user: String, credential: Credential,
        authorities: String? = nil, fingerprint: String? = nil
    ) {
        self.fingerprint = fingerprint
        self.scheme = scheme
        self.host = host
        self.port = port
        self.security = security
        self.user = user
        self.credential = credential
        self.authorities = authorities
    }

    /// `imaps://mail.example.org:993`
    var url: String {
        let name = host.contains(":") ? "[\(host)]" : host
        let scheme = isBare ? "http" : scheme
        return "\(scheme)\(security == .tls ? "s" : ""):" + "//\(name):\(port)"
    }

    /// Whether libcurl does not know the protocol, and only connects.
    var isBare: Bool { scheme == "sieve" }

    /// Its name in errors.
    public var label: String { "\(host):\(port)" }

    /// Whether it is this machine, so that the connection cannot be intercepted.
    public var isLoopback: Bool { Endpoint.isLoopback(host) }

    /// Whether a host is this machine.
    public static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
