import HelixModel
import HelixNetwork

/// The servers of an address, and where that was found.
public struct FoundServers: Sendable {
    /// Where mail is read.
    public var imap: AccountSettings.Server?
    /// Where mail is sent.
    public var smtp: AccountSettings.Server?
    /// Where calendars are.
    public var calendars: String?
    /// Whom one signs in as, if that is not the address.
    public var user: String?
    /// Who said so, for people: `autoconfig.example.org`.
    public var source = ""
    /// Whether it is certain that the domain's owner says so. The domain name system alone is not: who can forge its answers
    /// would get the password.
    public var isCertain = true

    /// Nothing yet.
    public init() {}
}

/// Thunderbird's description of a provider's servers
/// (https://wiki.mozilla.org/Thunderbird:Autoconfiguration:ConfigFileFormat).
enum Autoconfig {
    /// What such a file says of an address; nil if it is none, or names no server that can be reached safely.
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
