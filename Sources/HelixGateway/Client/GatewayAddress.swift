import Foundation
import HelixModel
import HelixNetwork

/// Where a gateway is.
public struct GatewayAddress: Hashable, Sendable {
    /// Its name or address.
    public var host: String
    /// Its port.
    public var port: Int
    /// Whether what is said is encrypted.
    public var isSecure: Bool
    /// What is asked for there.
    public var path: String

    /// Reads `wss://host:port/path`, `ws://127.0.0.1`, `https://…`, `http://…`, or a host with or without a port. Without a
    /// port it is 443 where it is encrypted, and 18789 else.
    /// - Throws: ``HelixError`` of code `configuration`.
    public init(_ text: String) throws {
        let plain = text.contains("://") ? text : GatewayAddress.guess(text)
        guard let url = URL(string: plain), let scheme = url.scheme?.lowercased(), let host = url.host, !host.isEmpty,
            ["ws", "wss", "http", "https"].contains(scheme), url.user == nil, url.query == nil, url.fragment == nil,
            (1...65535).contains(url.port ?? 1)
        else {
            throw HelixError(
                .configuration, "'\(text)' is no address of a gateway",
                hint: "Like wss://gateway.example.org or ws://127.0.0.1:18789.")
        }
        isSecure = scheme == "wss" || scheme == "https"
        // Foundation leaves the brackets of an IPv6 address where they are.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (isSecure ? 443 : GatewayProtocol.port)
        path = url.path.isEmpty ? "/" : url.path
    }

    /// A host alone is this machine, or somewhere else behind TLS.
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

    /// What errors call it.
    public var label: String { "\(host):\(port)" }
}
