import CResolver
import HelixModel

/// A DNS client for services.
public struct NameServer: Sendable {
    private let address: String?
    private let port: UInt16

    /// A host that offers a service (RFC 2782).
    public struct Service: Hashable, Sendable {
        /// The host.
        public var host: String
        /// Its port; 0 if unspecified.
        public var port: Int
        var priority: Int
        var weight: Int
    }

    /// - Parameter place: the name server, such as `127.0.0.1:5353`; nil for the system's.
    /// - Throws: ``HelixError`` of code `configuration` for an invalid address.
    public init(_ place: String? = nil) throws {
        guard let place, !place.isEmpty else {
            (address, port) = (nil, 53)
            return
        }
        let parts = place.split(separator: ":")
        guard parts.count <= 2, let number = parts.count == 2 ? UInt16(parts[1]) : 53 else {
            throw HelixError(.configuration, "'\(place)' is no name server address", hint: "Example: 127.0.0.1:5353.")
        }
        (address, port) = (String(parts[0]), number)
    }

    /// The hosts that offer a service of a domain, by priority; also empty if no server answers. A domain that declares the
    /// service as unavailable has none (RFC 6186 §3.4).
    public func services(_ name: String) -> [Service] {
        records(name, type: 33).filter { $0.port > 0 && NameServer.isHost($0.host) }
    }

    /// The mail exchangers of a domain.
    public func mailExchangers(_ name: String) -> [String] {
        records(name, type: 15).map(\.host).filter(NameServer.isHost)
    }

    private static func isHost(_ text: String) -> Bool {
        !text.isEmpty && text != "."
            && text.utf8.allSatisfy {
                ($0 >= 48 && $0 <= 57) || ($0 | 32 >= 97 && $0 | 32 <= 122) || "-._".utf8.contains($0)
            }
    }

    /// The first TXT record of a domain.
    public func text(_ name: String) -> String? { records(name, type: 16).first?.host }

    private func records(_ name: String, type: Int32) -> [Service] {
        guard (try? NetworkDoor.requireOpen()) != nil else { return [] }
        var found = [helix_record](repeating: helix_record(), count: 16)
        let count = helix_records(name, type, &found, 16, address, port)
        return found.prefix(max(0, Int(count))).map { record in
            let text = withUnsafeBytes(of: record.text) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            return Service(
                host: text, port: Int(record.port), priority: Int(record.priority), weight: Int(record.weight))
        }.sorted { ($0.priority, -$0.weight) < ($1.priority, -$1.weight) }
    }
}
