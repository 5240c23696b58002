import HelixModel

/// A server, and how to sign in there.
public struct Endpoint: Sendable {
    /// How the connection is kept from others' eyes.
    public enum Security: String, Sendable, CaseIterable {
        /// TLS from the first byte on.
        case tls
        /// It begins in the clear and must be encrypted before anybody signs in (RFC 2595, RFC 3207).
        case starttls
        /// In the clear: for servers on this machine only.
        case none
    }

    /// What one signs in with.
    public enum Credential: Sendable {
        /// Nothing: the server asks for nothing.
        case none
        /// A password.
        case password(String)
        /// A token of OAuth 2 (RFC 7628, and XOAUTH2).
        case token(String)
    }

    /// What is spoken: `imap`, `smtp`, `http`.
    public var scheme: String
    /// Its name or address.
    public var host: String
    /// Its port.
    public var port: Int
    /// How the connection is kept from others' eyes.
    public var security: Security
    /// Whom one signs in as; empty for nobody.
    public var user: String
    /// What one signs in with.
    public var credential: Credential
    /// A file of certificates to trust instead of the system's.
    public var authorities: String?
    /// The SHA-256 of the one certificate that is trusted, in lower-case hexadecimal digits; then nobody else's word counts.
    public var fingerprint: String?
    /// Whether the line is packed where the server can; nil for lines to other machines, as soon as much comes.
    public var isPacked: Bool?

    /// Such a server.
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
        return "\(scheme)\(security == .tls ? "s" : ""):" + "//\(name):\(port)"
    }

    /// What errors call it.
    public var label: String { "\(host):\(port)" }

    /// Whether it is this machine, which nobody can listen to on the way.
    public var isLoopback: Bool { Endpoint.isLoopback(host) }

    /// Whether a host is this machine.
    public static func isLoopback(_ host: String) -> Bool {
        if host == "localhost" || host == "::1" || host == "[::1]" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
