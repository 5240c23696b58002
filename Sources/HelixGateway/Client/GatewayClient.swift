import Foundation
import HelixModel
import HelixNetwork

/// A connection to a gateway that has let this device in. It belongs to one thread.
///
/// ```swift
/// let client = try GatewayClient(target, identity: identity)
/// let boards = try client.call("tasks.boards.list")
/// ```
public final class GatewayClient {
    /// How to reach a gateway, and who one is there.
    public struct Target: Sendable {
        /// Where it is.
        public var address: GatewayAddress
        /// What one says of oneself.
        public var request: ConnectRequest
        /// A file of certificates to trust instead of the system's.
        public var authorities: String?
        /// The one certificate that is trusted, by its SHA-256.
        public var fingerprint: String?
        /// Whether secrets may travel in the clear.
        public var allowsPlaintext: Bool

        /// Such a gateway.
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

    /// Something the gateway told.
    public struct Event: Sendable {
        /// Its name.
        public var name: String
        /// What it says.
        public var payload: JSONText
        /// Whether events before it were lost: what is known here must be asked for anew.
        public var isAfterGap: Bool
    }

    /// What waiting ended with.
    public enum Arrival: Sendable {
        /// The gateway told something.
        case event(Event)
        /// The other descriptor can be read.
        case woken
        /// The time is over.
        case timeout
    }

    /// What the gateway said of itself.
    public let hello: GatewayHello
    /// What errors call it.
    public let label: String
    private let socket: WebSocketSession
    private var events: [Event] = []
    private var answers: [String: [Result<JSONText, GatewayError>]] = [:]
    private var lastNumber = 0
    private var lastSequence: Int64?
    private var lastHeard = ContinuousClock.now

    /// The milliseconds that a gateway has for its challenge and its hello.
    private static let patience = 15_000

    /// Connects and signs in.
    ///
    /// - Throws: ``HelixError``: `offline`; `notAllowed` where this device must be let in first, for a certificate, and for a
    ///   secret that would travel in the clear; `authentication`; `protocol`.
    public init(_ target: Target, identity: DeviceIdentity) throws {
        let address = target.address
        label = address.label
        if !address.isSecure, !Endpoint.isLoopback(address.host), !target.allowsPlaintext {
            throw HelixError(
                .notAllowed, "what is said to \(address.label) could be read on the way, and nothing was said",
                hint: "Use wss://. In a network that you trust: 'helix account edit NAME --plaintext'.")
        }
        socket = try WebSocketSession(
            Endpoint(
                scheme: "http", host: address.host, port: address.port, security: address.isSecure ? .tls : .none,
                user: "", credential: .none, authorities: target.authorities,
                fingerprint: address.isSecure ? target.fingerprint : nil),
            path: address.path, largest: GatewayProtocol.largestReceived)
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
                    .offline, "\(label) took the connection and said nothing for \(patience / 1000) seconds",
                    hint: hasAsked ? nil : "Is there a gateway at that port?")
            case .woken: break
            case .closed(let code, let reason): throw closed(label, code, reason)
            case .message(let bytes):
                trace("<", bytes)
                switch try GatewayFrame(bytes) {
                case .event("connect.challenge", let payload, _) where !hasAsked:
                    guard let nonce = payload["nonce"]?.text, let moment = payload["ts"]?.integer else {
                        throw HelixError(.protocol, "\(label) gives a challenge that says nothing")
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

    /// Ends it.
    public func close() { socket.close() }

    /// Asks, and waits for the answer. Events that come in between are kept.
    ///
    /// - Parameters:
    ///   - milliseconds: how long to wait.
    ///   - isLast: whether an answer is the one that is waited for; some methods answer twice.
    /// - Throws: ``GatewayError`` if the gateway says no; ``HelixError``: `offline`, `protocol`, `badInput` for what is larger
    ///   than the gateway takes.
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
                    .offline, "\(label) has not answered '\(method)' within \(milliseconds / 1000) seconds")
            }
        }
    }

    /// Asks, and waits for the answer; what the gateway says went wrong is an error for people.
    /// - Throws: ``HelixError``.
    public func call(_ method: String, _ params: JSONText = .object([]), milliseconds: Int = 30_000) throws -> JSONText
    {
        do { return try ask(method, params, milliseconds: milliseconds) } catch let error as GatewayError {
            throw error.problem(calling: method, of: label)
        }
    }

    /// Asks, and wants no answer.
    /// - Throws: ``HelixError``: `offline`, `badInput` for what is larger than the gateway takes.
    public func notify(_ method: String, _ params: JSONText) throws { answers[try start(method, params)] = nil }

    /// Asks, and does not wait.
    /// - Returns: the number of the question, by which its answer is known.
    /// - Throws: ``HelixError``: `offline`, `badInput` for what is larger than the gateway takes.
    private func start(_ method: String, _ params: JSONText = .object([])) throws -> String {
        lastNumber += 1
        let id = "h\(lastNumber)"
        let bytes = GatewayFrame.request(id: id, method: method, params: params).bytes
        guard bytes.count <= hello.largestFrame else {
            throw HelixError(
                .badInput, "'\(method)' would be \(bytes.count) bytes, and \(label) takes \(hello.largestFrame) at most"
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
    ///   - milliseconds: how long.
    ///   - wake: another descriptor that ends the waiting; -1 for none.
    /// - Throws: ``HelixError`` of code `offline`, also for a gateway that is silent for longer than it promised.
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
                    throw HelixError(.offline, "\(label) has said nothing for \(2 * hello.tick / 1000) seconds")
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

    /// Whether events are missing before one of that number; nil if it has come before.
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
                .protocol, "\(label) ended the connection: \(reason.isEmpty ? "it speaks another protocol" : reason)")
        case 1008:
            HelixError(
                .notAllowed, "\(label) ended the connection: \(reason.isEmpty ? "its rules do not allow it" : reason)")
        case 1012: HelixError(.offline, "\(label) starts anew", hint: "Try again in a while.")
        default: HelixError(.offline, "\(label) ended the connection\(reason.isEmpty ? "" : ": \(reason)")")
        }
    }
}
