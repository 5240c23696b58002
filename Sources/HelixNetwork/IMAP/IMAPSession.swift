import FoundationEssentials
import HelixModel

/// An authenticated session with an IMAP server (RFC 9051 or RFC 3501).
///
/// Commands may be pipelined; it belongs to one thread.
public final class IMAPSession {
    private let stream: NetworkStream
    private var reader: IMAPReader
    private var lastTag = 0
    private let label: String
    /// Results of commands that completed before they were waited for.
    private var answers: [String: (IMAPResponse.Condition, [IMAPValue], String)] = [:]
    private var names: [String: String] = [:]
    /// Responses that arrived while a literal waited for the server's continuation.
    private var kept: [IMAPReader.Output] = []
    /// The capabilities of the server, in upper case.
    public private(set) var capabilities: Set<String> = []
    /// The extensions that were enabled.
    public private(set) var enabled: Set<String> = []
    /// The number of round trips: a measure of the cost of latency.
    public private(set) var roundTrips = 0
    /// Receives unsolicited responses.
    public var unasked: ((IMAPResponse) -> Void)?

    /// Connects, signs in and requests the capabilities.
    ///
    /// - Parameter largest: literals above this size are delivered in pieces.
    /// - Throws: ``HelixError``.
    public init(_ endpoint: Endpoint, patience: Int = 60, largest: Int = 4 << 20) throws {
        stream = try NetworkStream(endpoint, patience: patience)
        stream.record(as: .imap, endpoint)
        reader = IMAPReader(largest: largest)
        label = endpoint.label
        try run(IMAPCommand("CAPABILITY")) { response in
            if case .data(_, "CAPABILITY", let values) = response {
                self.capabilities = Set(values.compactMap { $0.text?.uppercased() })
            }
        }
    }

    /// Whether the server has a capability.
    public func can(_ capability: String) -> Bool { capabilities.contains(capability) }

    /// Enables those of these extensions that the server has (RFC 5161).
    /// - Throws: ``HelixError``.
    public func enable(_ extensions: [String]) throws {
        let wanted = extensions.filter { can($0) }
        guard can("ENABLE"), !wanted.isEmpty else { return }
        do {
            try run(IMAPCommand("ENABLE " + wanted.joined(separator: " "))) { response in
                if case .data(_, "ENABLED", let values) = response {
                    self.enabled.formUnion(values.compactMap { $0.text?.uppercased() })
                }
            }
        } catch is ServerRefusal {
            // They stay disabled.
        }
    }

    /// Compresses the connection, if the server can (RFC 4978): a list of messages shrinks to a fifth of its bytes.
    /// - Throws: ``HelixError``.
    public func compress() throws {
        // No byte may be sent between the command and the first compressed one, so that support must be checked before.
        guard can("COMPRESS=DEFLATE"), let deflate = DeflateStream() else { return }
        do { try run(IMAPCommand("COMPRESS DEFLATE")) } catch is ServerRefusal { return }
        reader.feed(try stream.pack(with: deflate, after: reader.takeRest()))
    }

    /// Sends a command without waiting for its result.
    /// - Returns: its tag.
    /// - Throws: ``HelixError``; ``ServerRefusal`` if the server rejects a literal.
    public func start(_ command: IMAPCommand) throws -> String {
        lastTag += 1
        let tag = "h\(lastTag)"
        names[tag] = command.name
        var pending = Array((tag + " ").utf8)
        for piece in command.pieces {
            switch piece {
            case .line(let bytes): pending += bytes
            case .text(let bytes) where enabled.contains("UTF8=ACCEPT"): pending += IMAPCommand.quoted(bytes)
            case .literal(let bytes), .text(let bytes):
                let isFree = can("LITERAL+") || can("LITERAL-") && bytes.count <= 4096
                pending += Array("{\(bytes.count)\(isFree ? "+" : "")}\r\n".utf8)
                if !isFree {
                    try stream.send(pending)
                    pending = []
                    try awaitLeave(tag)
                }
                try stream.send(pending)
                try stream.send(bytes)
                pending = []
            }
        }
        try stream.send(pending + [13, 10])
        return tag
    }

    /// Waits for the continuation to send a literal. Responses to earlier commands are kept for them.
    private func awaitLeave(_ tag: String) throws {
        roundTrips += 1
        while true {
            switch try next() {
            case .piece(let bytes): kept.append(.piece(bytes))
            case .response(.goOn): return
            case .response(.status(tag, let condition, let code, let text)):
                throw refusal(tag, condition, code, text)
            case .response(.status(let other?, let condition, let code, let text)):
                answers[other] = (condition, code, text)
            case .response(let response): kept.append(.response(response))
            }
        }
    }

    /// Reads responses until a command completes.
    ///
    /// - Parameters:
    ///   - piece: receives the bytes of literals that are too large for memory.
    ///   - body: receives the responses.
    /// - Returns: the response code of the result.
    /// - Throws: ``ServerRefusal``; ``HelixError``; what `body` throws.
    @discardableResult
    public func finish(
        _ tag: String, piece: ([UInt8]) throws -> Void, body: (IMAPResponse) throws -> Void
    ) throws -> [IMAPValue] {
        roundTrips += 1
        let former = kept
        kept = []
        for output in former {
            switch output {
            case .piece(let bytes): try piece(bytes)
            case .response(let response):
                note(response)
                try body(response)
            }
        }
        while answers[tag] == nil {
            switch try next() {
            case .piece(let bytes): try piece(bytes)
            case .response(.status(let other?, let condition, let code, let text)):
                answers[other] = (condition, code, text)
            case .response(let response):
                note(response)
                try body(response)
            }
        }
        guard let (condition, code, text) = answers.removeValue(forKey: tag) else { return [] }
        guard condition == .ok else { throw refusal(tag, condition, code, text) }
        names[tag] = nil
        return code
    }

    /// Reads responses until a command without large literals completes.
    /// - Throws: like ``finish(_:piece:body:)``.
    @discardableResult
    public func finish(_ tag: String, _ body: (IMAPResponse) throws -> Void = { _ in }) throws -> [IMAPValue] {
        try finish(tag, piece: { _ in }, body: body)
    }

    /// Sends a command and reads responses until it completes.
    /// - Throws: like ``finish(_:piece:body:)``.
    @discardableResult
    public func run(_ command: IMAPCommand, _ body: (IMAPResponse) throws -> Void = { _ in }) throws -> [IMAPValue] {
        try finish(try start(command), body)
    }

    private func refusal(
        _ tag: String, _ condition: IMAPResponse.Condition, _ code: [IMAPValue], _ text: String
    ) -> ServerRefusal {
        ServerRefusal(
            command: names.removeValue(forKey: tag) ?? "",
            code: code.first?.text?.uppercased() ?? "", text: text)
    }

    /// Handles data that a server may send at any time.
    private func note(_ response: IMAPResponse) {
        if case .status(nil, .bye, _, _) = response { isEnding = true }
        unasked?(response)
    }

    /// Whether the server has announced the end of the connection.
    private var isEnding = false

    private func next() throws -> IMAPReader.Output {
        while true {
            if let output = try reader.next() { return output }
            do {
                try stream.receive { reader.feed($0) }
            } catch let error as HelixError where isEnding {
                throw HelixError(.offline, "\(label) has closed the connection", hint: error.hint)
            }
        }
    }

    /// Waits for changes in the open mailbox (RFC 2177), until the server reports one, another descriptor is readable, or the
    /// time is over.
    ///
    /// - Parameter seconds: at most 29 minutes, as the standard requires.
    /// - Returns: the event that ended it.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    public func idle(seconds: Int, wake: Int32 = -1) throws -> NetworkStream.Event {
        let tag = try start(IMAPCommand("IDLE"))
        try awaitLeave(tag)
        let end = Date().addingTimeInterval(Double(min(seconds, 29 * 60)))
        var event = NetworkStream.Event.timeout
        func isNews(_ response: IMAPResponse) -> Bool {
            guard case .data(_, let name, _) = response else { return false }
            // NOTIFY reports changes of other mailboxes as STATUS and LIST (RFC 5465 §5).
            return ["EXISTS", "EXPUNGE", "FETCH", "VANISHED", "STATUS", "LIST"].contains(name)
        }
        // A change may have arrived between the command and its continuation.
        let former = kept
        kept = []
        for case .response(let response) in former {
            note(response)
            if isNews(response) { event = .readable }
        }
        waiting: while event != .readable {
            while case .response(let response)? = try reader.next() {
                note(response)
                if isNews(response) {
                    event = .readable
                    break waiting
                }
                if isEnding { throw HelixError(.offline, "\(label) has closed the connection") }
            }
            let left = Int(end.timeIntervalSinceNow.rounded(.up))
            if left <= 0 { break }
            event = try stream.wait(seconds: left, wake: wake)
            if event != .readable { break }
            try stream.receiveNow { reader.feed($0) }
        }
        try stream.send(Array("DONE\r\n".utf8))
        try finish(tag)
        return event
    }

    /// Requests notifications for all of the user's mailboxes, and not only for the open one (RFC 5465).
    /// - Returns: whether the server supports that.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func notifyOfAll() throws -> Bool {
        guard can("NOTIFY") else { return false }
        // Some servers do not report flags in mailboxes that are not open.
        for events in ["MessageNew MessageExpunge FlagChange", "MessageNew MessageExpunge"] {
            let command = IMAPCommand("NOTIFY SET (selected (\(events))) (personal (\(events)))")
            do {
                try run(command)
                return true
            } catch is ServerRefusal {}
        }
        return false
    }

    /// Logs out; a missing response is ignored.
    public func end() { _ = try? run(IMAPCommand("LOGOUT")) }
}
