import FoundationEssentials
import HelixCrypto
import HelixModel

/// A WebSocket connection to a server (RFC 6455), without extensions. It belongs to one thread.
public final class WebSocketSession {
    /// The result of a wait.
    public enum Arrival: Sendable {
        /// A message, text or binary.
        case message([UInt8])
        /// The server closed the connection, with a reason.
        case closed(code: Int, reason: String)
        /// The other descriptor is readable.
        case woken
        /// The wait timed out.
        case timeout
    }

    private let stream: NetworkStream
    private let label: String
    private var reader: WebSocketReader
    private var hasClosed = false
    /// The fields of the server's response, names in lower case.
    public private(set) var fields: [String: String] = [:]

    /// Connects and opens a WebSocket.
    ///
    /// - Parameters:
    ///   - path: the path on the server: `/`.
    ///   - headers: `Name: value`, beside those of the protocol.
    ///   - largest: the maximum size of a message in bytes.
    ///   - patience: the timeout in seconds of the handshake, and of a send.
    /// - Throws: ``HelixError``: `offline`, `notAllowed` for a certificate, `protocol` if it is not a WebSocket server.
    public init(
        _ endpoint: Endpoint, path: String = "/", headers: [String] = [], largest: Int, patience: Int = 30
    ) throws {
        stream = try NetworkStream(endpoint, patience: patience)
        label = endpoint.label
        reader = WebSocketReader(largest: largest)
        var random = SystemRandomNumberGenerator()
        let key = Data((0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }).base64EncodedString()
        let host = endpoint.host.contains(":") ? "[\(endpoint.host)]" : endpoint.host
        let lines =
            [
                "GET \(path) HTTP/1.1", "Host: \(host):\(endpoint.port)", "Connection: Upgrade", "Upgrade: websocket",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)", "User-Agent: helix",
            ] + headers
        try stream.send(Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8))
        try readAnswer(to: key)
    }

    private func readAnswer(to key: String) throws {
        var head: [UInt8] = []
        var rest: [UInt8] = []
        while true {
            if let end = head.firstRange(of: Array("\r\n\r\n".utf8)) {
                rest = Array(head[end.upperBound...])
                head = Array(head[..<end.lowerBound])
                break
            }
            guard head.count < 65536 else { throw noSocket("its answer is too long") }
            try stream.receive { head += $0 }
        }
        // By bytes: CR LF is one Character.
        let lines = head.split { $0 == 0x0D || $0 == 0x0A }.map { String(decoding: $0, as: UTF8.self) }
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { continue }
            fields[line[..<colon].lowercased()] = line[line.index(after: colon)...].drop { $0 == " " }.description
        }
        let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        guard status == 101 else {
            if status == 401 || status == 403 {
                throw HelixError(.notAllowed, "\(label) refuses the connection (HTTP status \(status))")
            }
            if status == 429 || status == 503 {
                throw HelixError(.offline, "\(label) is busy (HTTP status \(status))", hint: "Try again in a while.")
            }
            throw noSocket("it answers with HTTP status \(status)")
        }
        let text = Data((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        let expected = Data(SHA1.hash(text)).base64EncodedString()
        guard fields["sec-websocket-accept"] == expected else { throw noSocket("its answer has a wrong key") }
        guard fields["sec-websocket-extensions"] == nil else { throw noSocket("it uses unrequested extensions") }
        reader.append(rest)
    }

    private func noSocket(_ reason: String) -> HelixError {
        HelixError(.protocol, "\(label) is not a gateway: \(reason)", hint: "Check the address and its port.")
    }

    /// Sends a text message.
    /// - Throws: ``HelixError`` of code `offline`.
    public func send(_ text: [UInt8]) throws { try send(WebSocketFrame(.text, text)) }

    private func send(_ frame: WebSocketFrame) throws {
        var random = SystemRandomNumberGenerator()
        try stream.send(frame.encoded(mask: UInt32.random(in: 0...UInt32.max, using: &random)))
    }

    /// Sends a ping.
    /// - Throws: ``HelixError`` of code `offline`.
    public func ping() throws { try send(WebSocketFrame(.ping, [])) }

    /// Closes the connection. Later messages are not read.
    public func close(code: Int = 1000, reason: String = "") {
        if hasClosed { return }
        hasClosed = true
        let bytes = [UInt8(code >> 8 & 0xFF), UInt8(code & 0xFF)] + reason.utf8.prefix(123)
        // The connection may be broken already.
        try? send(WebSocketFrame(.close, bytes))
    }

    /// Waits for a message.
    ///
    /// - Parameters:
    ///   - milliseconds: the timeout; 0 returns only what has arrived.
    ///   - wake: another descriptor that ends the wait; -1 for none.
    /// - Throws: ``HelixError``: `offline` if the connection breaks, `protocol`.
    public func receive(milliseconds: Int, wake: Int32 = -1) throws -> Arrival {
        let end = Deadline(milliseconds: milliseconds)
        while true {
            while let frame = try reader.next() {
                switch frame.opcode {
                case .ping: try send(WebSocketFrame(.pong, frame.payload))
                case .pong: break
                case .close:
                    let code = frame.payload.count >= 2 ? Int(frame.payload[0]) << 8 | Int(frame.payload[1]) : 1005
                    close(code: code == 1005 ? 1000 : code)
                    return .closed(code: code, reason: String(decoding: frame.payload.dropFirst(2), as: UTF8.self))
                default: return .message(frame.payload)
                }
            }
            if try stream.receiveNow({ reader.append($0) }) { continue }
            let rest = end.rest
            switch try stream.wait(milliseconds: rest, wake: wake) {
            case .readable: continue
            case .woken: return .woken
            case .timeout: return .timeout
            }
        }
    }
}

/// The end of a wait, on a monotonic clock.
public struct Deadline: Sendable {
    private let end: ContinuousClock.Instant

    /// Creates a deadline that many milliseconds from now.
    public init(milliseconds: Int) { end = .now + .milliseconds(milliseconds) }

    /// The remaining milliseconds; at least 0.
    public var rest: Int {
        let left = ContinuousClock.now.duration(to: end).components
        return max(0, Int(left.seconds) * 1000 + Int(left.attoseconds / 1_000_000_000_000_000))
    }
}
