import HelixModel
import NIOCore
import NIOHTTP1

/// The address of a client, and whether it is this machine without a proxy in between.
struct ClientOrigin: Sendable {
    var address: String
    var isLocal: Bool

    /// - Parameter trustsProxy: whether the addresses in a proxy's headers are trusted.
    init(_ channel: any Channel, _ head: HTTPRequestHead, trustsProxy: Bool) {
        let address = channel.remoteAddress?.ipAddress ?? "?"
        let forwarded = head.headers["x-forwarded-for"].last?.split(separator: ",").last
        let isLoopback = Network.isLoopback(address)
        if isLoopback, trustsProxy, let forwarded {
            (self.address, isLocal) = (String(forwarded).trimmingBlanks(), false)
            return
        }
        self.address = address
        // A proxy that names no address hides its client.
        if trustsProxy {
            isLocal = false
            return
        }
        let isForwarded = ["x-forwarded-for", "forwarded", "x-real-ip", "via", "x-forwarded-host"].contains {
            head.headers.contains(name: $0)
        }
        var host = (head.headers.first(name: "host") ?? "").lowercased()
        if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = String(host[..<colon]) }
        isLocal = isLoopback && !isForwarded && ["localhost", "127.0.0.1", "[::1]"].contains(host)
    }
}
