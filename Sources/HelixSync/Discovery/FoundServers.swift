import HelixModel
import HelixNetwork

/// The servers of an address, and the source that named them.
public struct FoundServers: Sendable {
    /// The server for reading mail.
    public var imap: AccountSettings.Server?
    /// The server for sending mail.
    public var smtp: AccountSettings.Server?
    /// The address of the calendars.
    public var calendars: String?
    /// The user name, if it is not the address.
    public var user: String?
    /// The display name of the source: `autoconfig.example.org`.
    public var source = ""
    /// Whether the source is known to be the domain's owner. DNS alone is not enough: an attacker who forges its answers would
    /// get the password.
    public var isCertain = true

    /// Creates an empty result.
    public init() {}
}

/// Thunderbird's description of a provider's servers
/// (https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat).
enum Autoconfig {
    /// Parses such a file for an address; nil if it is invalid, or names no server with a secure connection.
    static func read(_ bytes: [UInt8], address: String) -> FoundServers? {
        guard let root = try? XMLNode(bytes), root.name == "clientConfig" else { return nil }
        let parts = address.split(separator: "@", maxSplits: 1).map(String.init)
        func filled(_ text: String) -> String {
            text.replacing("%EMAILADDRESS%", with: address).replacing("%EMAILLOCALPART%", with: parts.first ?? "")
                .replacing("%EMAILDOMAIN%", with: parts.last ?? "").trimmingBlanks()
        }
        var found = FoundServers()
        for provider in root.all("emailProvider") {
            for node in provider.all("incomingServer") where found.imap == nil && node.label == "imap" {
                guard let server = server(node, filled) else { continue }
                found.imap = server
                let user = filled(node.first("username")?.text ?? "")
                found.user = user.isEmpty || user == address ? nil : user
            }
            for node in provider.all("outgoingServer") where found.smtp == nil && node.label == "smtp" {
                found.smtp = server(node, filled)
            }
        }
        for node in root.all("calendar") where found.calendars == nil {
            let url = filled(node.first("serverURL")?.text ?? "")
            if url.hasPrefix("https://") { found.calendars = url }
        }
        return found.imap == nil ? nil : found
    }

    private static func server(_ node: XMLNode, _ filled: (String) -> String) -> AccountSettings.Server? {
        let host = filled(node.first("hostname")?.text ?? "")
        guard !host.isEmpty, !host.contains(where: { $0.isWhitespace || "/:@".contains($0) }),
            let port = Int((node.first("port")?.text ?? "").trimmingBlanks()), (1...65535).contains(port)
        else { return nil }
        switch (node.first("socketType")?.text ?? "").trimmingBlanks().uppercased() {
        case "SSL": return AccountSettings.Server(host: host, port: port, security: Endpoint.Security.tls.rawValue)
        case "STARTTLS":
            return AccountSettings.Server(host: host, port: port, security: Endpoint.Security.starttls.rawValue)
        default: return nil
        }
    }
}
