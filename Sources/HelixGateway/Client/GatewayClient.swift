import FoundationEssentials
import HelixModel
import HelixNetwork

/// A connection to a gateway that has approved this device. It belongs to one thread.
///
/// ```swift
/// let client = try GatewayClient(target, identity: identity)
/// let boards = try client.call("tasks.boards.list")
/// ```
public final class GatewayClient {
    /// A gateway's address, with the credentials for it.
    public struct Target: Sendable {
        /// The address.
        public var address: GatewayAddress
        /// The client's description of itself.
        public var request: ConnectRequest
        /// A file of certificates to trust instead of the system's.
        public var authorities: String?
        /// The SHA-256 of the only certificate that is trusted.
        public var fingerprint: String?
        /// Whether secrets may be sent unencrypted.
        public var allowsPlaintext: Bool

        /// Creates a target.
        public init(
            address: GatewayAddress, request: ConnectRequest, authorities: String? = nil, fingerprint: String? = nil,
            allowsPlaintext: Bool = false
        ) {
            self.address = address
            self.request = request
            self.authorities = authorities
            self.fingerprint = fingerprint
            self.allowsPlaintext = allowsPlaintext
        }
    }

    /// An event from the gateway.
    public struct Event: Sendable {
        /// The name.
        public var name: String
        /// The payload.
        public var payload: JSONText
        /// Whether earlier events were lost: the local state must be fetched again.
        public var isAfterGap: Bool
    }

    /// The result of waiting.
    public enum Arrival: Sendable {
        /// The gateway sent an event.
        case event(Event)
        /// The other descriptor is readable.
        case woken
        /// The time is over.
        case timeout
    }

    /// The gateway's description of itself.
    public let hello: GatewayHello
    /// The host and port, for error messages.
    public let label: String
    private let socket: WebSocketSession
    private var events: [Event] = []
    private var answers: [String: [Result<JSONText, GatewayError>]] = [:]
    private var lastNumber = 0
    private var lastSequence: Int64?
    private var lastHeard = ContinuousClock.now

    /// The timeout for the gateway's challenge and hello, in milliseconds.
    private static let patience = 15_000

    /// Connects and signs in.
    ///
    /// - Parameter patience: the timeout in seconds of the connection and the handshake.
    /// - Throws: ``HelixError``: `offline`; `notAllowed` if this device must be approved first, for a certificate, and for a
    ///   secret that would be sent unencrypted; `authentication`; `protocol`.
    public init(_ target: Target, identity: DeviceIdentity, patience: Int = 30) throws {
        let address = target.address
        label = address.label
        if !address.isSecure, !Endpoint.isLoopback(address.host), !target.allowsPlaintext {
            throw HelixError(
                .notAllowed, "the connection to \(address.label) is not encrypted; nothing was sent",
                hint: "Use wss://, or 'helix account edit NAME --plaintext' on a trusted network.")
        }
        socket = try WebSocketSession(
            Endpoint(
                scheme: "http", host: address.host, port: address.port, security: address.isSecure ? .tls : .none,
                user: "", credential: .none, authorities: target.authorities,
                fingerprint: address.isSecure ? target.fingerprint : nil),
            path: address.path, largest: GatewayProtocol.largestReceived,
            patience: patience)
        hello = try GatewayClient.shakeHands(socket, target.request, identity, label)
    }

    private static func shakeHands(
        _ socket: WebSocketSession, _ request: ConnectRequest, _ identity: DeviceIdentity, _ label: String
    ) throws -> GatewayHello {
        let end = Deadline(milliseconds: patience)
        var hasAsked = false
        while true {
            switch try socket.receive(milliseconds: end.rest) {
            case .timeout:
                throw HelixError(
                    .offline, "\(label) accepted the connection, but sent nothing for \(patience / 1000) seconds",
                    hint: hasAsked ? nil : "Check that a gateway listens on that port.")
            case .woken: break
            case .closed(let code, let reason): throw closed(label, code, reason)
            case .message(let bytes):
                trace("<", bytes)
                switch try GatewayFrame(bytes) {
                case .event("connect.challenge", let payload, _) where !hasAsked:
                    guard let nonce = payload["nonce"]?.text, let moment = payload["ts"]?.integer else {
                        throw HelixError(.protocol, "\(label) sent an incomplete challenge")
                    }
                    hasAsked = true
                    let params = try request.params(identity, nonce: nonce, moment: moment)
                    let bytes = GatewayFrame.request(id: "1", method: "connect", params: params).bytes
                    trace(">", bytes)
                    try socket.send(bytes)
                case .response("1", .success(let payload)) where hasAsked: return try GatewayHello(payload)
                case .response(_, .failure(let error)):
                    socket.close()
                    throw error.problem(calling: "connect", of: label, account: request.account)
                default: continue
                }
            }
        }
    }

    /// Closes the connection.
    public func close() { socket.close() }

    /// Sends a request and waits for the response. Events that arrive in the meantime are queued.
    ///
    /// - Parameters:
    ///   - milliseconds: the timeout.
    ///   - isLast: whether a response is the awaited one; some methods respond twice.
    /// - Throws: ``GatewayError`` if the gateway responds with an error; ``HelixError``: `offline`, `protocol`, `badInput` for a
    ///   request larger than the gateway accepts.
    public func ask(
        _ method: String, _ params: JSONText = .object([]), milliseconds: Int = 30_000,
        until isLast: (JSONText) -> Bool = { _ in true }
    ) throws -> JSONText {
        let id = try start(method, params)
        let end = Deadline(milliseconds: milliseconds)
        while true {
            if let answer = answers[id]?.first {
                answers[id]?.removeFirst()
                let payload = try answer.get()
                if isLast(payload) {
                    answers[id] = nil
                    return payload
                }
                continue
            }
            guard try read(milliseconds: end.rest, wake: -1) != .timeout else {
                throw HelixError(
                    .offline, "no response to '\(method)' from \(label) within \(milliseconds / 1000) seconds")
            }
        }
    }

    /// Sends a request and waits for the response; an error of the gateway is converted into one for users.
    /// - Throws: ``HelixError``.
    public func call(_ method: String, _ params: JSONText = .object([]), milliseconds: Int = 30_000) throws -> JSONText
    {
        do { return try ask(method, params, milliseconds: milliseconds) } catch let error as GatewayError {
            throw error.problem(calling: method, of: label)
        }
    }

    /// Sends a request and ignores the response.
    /// - Throws: ``HelixError``: `offline`, `badInput` for a request larger than the gateway accepts.
    public func notify(_ method: String, _ params: JSONText) throws { answers[try start(method, params)] = nil }

    /// Sends a request without waiting.
    /// - Returns: the number of the request, which its response repeats.
    /// - Throws: ``HelixError``: `offline`, `badInput` for a request larger than the gateway accepts.
    private func start(_ method: String, _ params: JSONText = .object([])) throws -> String {
        lastNumber += 1
        let id = "h\(lastNumber)"
        let bytes = GatewayFrame.request(id: id, method: method, params: params).bytes
        guard bytes.count <= hello.largestFrame else {
            throw HelixError(
                .badInput, "'\(method)' needs \(bytes.count) bytes, but \(label) accepts \(hello.largestFrame) at most"
            )
        }
        answers[id] = []
        GatewayClient.trace(">", bytes)
        try socket.send(bytes)
        return id
    }

    /// Waits for an event.
    ///
    /// - Parameters:
    ///   - milliseconds: the timeout.
    ///   - wake: another descriptor that ends the waiting; -1 for none.
    /// - Throws: ``HelixError`` of code `offline`, also if the gateway is silent for longer than it promised.
    public func wait(milliseconds: Int, wake: Int32 = -1) throws -> Arrival {
        let end = Deadline(milliseconds: milliseconds)
        while true {
            if !events.isEmpty { return .event(events.removeFirst()) }
            let silence = Int(lastHeard.duration(to: .now).components.seconds) * 1000
            let rest = min(end.rest, max(0, 2 * hello.tick - silence))
            switch try read(milliseconds: rest, wake: wake) {
            case .woken: return .woken
            case .timeout:
                if Int(lastHeard.duration(to: .now).components.seconds) * 1000 >= 2 * hello.tick {
                    socket.close(code: 4000, reason: "tick timeout")
                    throw HelixError(.offline, "\(label) has sent nothing for \(2 * hello.tick / 1000) seconds")
                }
                if end.rest == 0 { return .timeout }
            case .heard: if !events.isEmpty { continue } else if end.rest == 0 { return .timeout }
            }
        }
    }

    private static func trace(_ sign: String, _ bytes: [UInt8]) {
        Trace.note(.gateway, sign + " " + Trace.withoutSecrets(String(decoding: bytes.prefix(1 << 18), as: UTF8.self)))
    }

    private enum Heard { case heard, woken, timeout }

    private func read(milliseconds: Int, wake: Int32) throws -> Heard {
        switch try socket.receive(milliseconds: milliseconds, wake: wake) {
        case .timeout: return .timeout
        case .woken: return .woken
        case .closed(let code, let reason): throw GatewayClient.closed(label, code, reason)
        case .message(let bytes):
            lastHeard = .now
            GatewayClient.trace("<", bytes)
            switch try GatewayFrame(bytes) {
            case .response(let id, let answer): if answers[id] != nil { answers[id]?.append(answer) }
            case .event(let name, let payload, let sequence):
                guard let isAfterGap = place(sequence) else { return .heard }
                if name != "tick" || isAfterGap {
                    events.append(Event(name: name, payload: payload, isAfterGap: isAfterGap))
                }
            case .request: break
            }
            return .heard
        }
    }

    /// Whether events are missing before the one with that number; nil for a duplicate.
    private func place(_ sequence: Int64?) -> Bool? {
        guard let sequence else { return false }
        defer { lastSequence = max(lastSequence ?? 0, sequence) }
        guard let last = lastSequence else { return false }
        return sequence <= last ? nil : sequence > last + 1
    }

    private static func closed(_ label: String, _ code: Int, _ reason: String) -> HelixError {
        switch code {
        case 1002:
            HelixError(
                .protocol, "\(label) closed the connection: \(reason.isEmpty ? "it speaks another protocol" : reason)")
        case 1008:
            HelixError(
                .notAllowed, "\(label) closed the connection: \(reason.isEmpty ? "its rules do not allow it" : reason)")
        case 1012: HelixError(.offline, "\(label) is restarting", hint: "Try again in a while.")
        default: HelixError(.offline, "\(label) closed the connection\(reason.isEmpty ? "" : ": \(reason)")")
        }
    }
}
