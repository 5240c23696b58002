import FoundationEssentials
import HelixModel
import HelixNetwork

/// The address of a gateway.
public struct GatewayAddress: Hashable, Sendable {
    /// The host name or IP address.
    public var host: String
    /// The port.
    public var port: Int
    /// Whether the connection is encrypted.
    public var isSecure: Bool
    /// The path of the request.
    public var path: String

    /// Parses `wss://host:port/path`, `ws://127.0.0.1`, `https://…`, `http://…`, or a host with or without a port. The default
    /// port is 443 for an encrypted connection, else 18789.
    /// - Throws: ``HelixError`` of code `configuration`.
    public init(_ text: String) throws {
        let plain = text.contains("://") ? text : GatewayAddress.guess(text)
        guard let url = URL(address: plain), let scheme = url.scheme?.lowercased(), let host = url.host,
            ["ws", "wss", "http", "https"].contains(scheme), url.user == nil, url.query == nil, url.fragment == nil,
            (1...65535).contains(url.port ?? 1)
        else {
            throw HelixError(
                .configuration, "'\(text)' is not a gateway address",
                hint: "Use the form wss://gateway.example.org or ws://127.0.0.1:18789.")
        }
        isSecure = scheme == "wss" || scheme == "https"
        // Foundation keeps the brackets of an IPv6 address.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (isSecure ? 443 : GatewayProtocol.port)
        path = url.path.isEmpty ? "/" : url.path
    }

    /// Adds a scheme to a host: `ws` for this machine, `wss` for any other.
    private static func guess(_ text: String) -> String {
        let host =
            text.hasPrefix("[")
            ? String(text.prefix { $0 != "]" }) + "]" : String(text.prefix { $0 != ":" && $0 != "/" })
        return (Endpoint.isLoopback(host) ? "ws://" : "wss://") + text
    }

    /// `wss://host:port/path`
    public var text: String {
        let name = host.contains(":") ? "[\(host)]" : host
        return "\(isSecure ? "wss" : "ws")://\(name):\(port)\(path == "/" ? "" : path)"
    }

    /// The host and port, for error messages.
    public var label: String { "\(host):\(port)" }
}
