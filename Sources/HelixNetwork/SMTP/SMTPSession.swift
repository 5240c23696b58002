import FoundationEssentials
import HelixModel

/// An authenticated session with an SMTP server (RFC 5321).
public final class SMTPSession {
    /// A reply of the server.
    public struct Reply: Hashable, Sendable {
        /// Three digits: 2yz success, 3yz intermediate, 4yz temporary failure, 5yz permanent failure.
        public var code: Int
        /// Its lines, without the code.
        public var lines: [String]

        /// The lines as one.
        public var text: String { lines.joined(separator: " ") }
        /// Whether the command succeeded, or may continue.
        public var isGood: Bool { (200..<400).contains(code) }
    }

    private let stream: NetworkStream
    private let label: String
    private var input: LineBuffer
    /// The server's extensions, in upper case, with their parameters.
    public private(set) var extensions: [String: String] = [:]

    /// The server's size limit for messages (RFC 1870), if it has one.
    public var largest: Int? { extensions["SIZE"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil } }

    /// Connects, signs in and requests the extensions.
    /// - Throws: ``HelixError``.
    public init(_ endpoint: Endpoint, patience: Int = 60) throws {
        stream = try NetworkStream(endpoint, patience: patience)
        stream.record(as: .smtp, endpoint)
        label = endpoint.label
        input = LineBuffer(stream, label: label)
        // libcurl has sent EHLO before; a second one is allowed, and lists the present extensions (§4.1.4).
        let reply = try command("EHLO localhost")
        guard reply.isGood else { throw problem("its greeting", reply) }
        for line in reply.lines.dropFirst() {
            let words = line.split(separator: " ", maxSplits: 1)
            if let name = words.first { extensions[name.uppercased()] = words.count > 1 ? String(words[1]) : "" }
        }
    }

    /// The result of sending a message.
    public struct Outcome: Sendable {
        /// Refused recipients, with the server's text, and whether a retry may succeed.
        public var refused: [(address: String, text: String, isForNow: Bool)] = []
        /// The server's reply that accepted the message; nil if it was not accepted.
        public var accepted: String?
        /// The reason why the whole message was refused, and whether a retry may succeed.
        public var refusal: (text: String, isForNow: Bool)?

        /// Creates an empty result.
        public init() {}
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - sender: the address for failure reports.
    ///   - recipients: addresses.
    ///   - bytes: the message, lines with CRLF.
    ///   - willEnd: called right before the end of the message is sent: from then on the message's fate is unknown until the
    ///     server replies.
    /// - Throws: ``HelixError`` of code `offline` if the connection breaks; what `willEnd` throws.
    public func send(
        from sender: String, to recipients: [String], _ bytes: [UInt8], willEnd: () throws -> Void
    ) throws -> Outcome {
        var outcome = Outcome()
        if let largest, bytes.count > largest {
            outcome.refusal = (
                "its size is \(bytes.count / 1024) kB, and \(label) accepts at most \(largest / 1024) kB", false
            )
            return outcome
        }
        let isPlain = (recipients + [sender]).allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } }
        guard isPlain || extensions["SMTPUTF8"] != nil else {
            outcome.refusal = ("\(label) does not accept non-ASCII addresses", false)
            return outcome
        }
        var from = "MAIL FROM:<\(sender)>"
        if extensions["SIZE"] != nil { from += " SIZE=\(bytes.count)" }
        if extensions["8BITMIME"] != nil, bytes.contains(where: { $0 >= 0x80 }) { from += " BODY=8BITMIME" }
        if !isPlain { from += " SMTPUTF8" }
        // Commands that do not depend on the previous reply are pipelined (RFC 2920).
        let lines = [from] + recipients.map { "RCPT TO:<\($0)>" }
        var replies: [Reply] = []
        if extensions["PIPELINING"] != nil {
            try stream.send(Array(lines.map { $0 + "\r\n" }.joined().utf8))
            for _ in lines { replies.append(try reply()) }
        } else {
            for line in lines { replies.append(try command(line)) }
        }
        guard replies[0].isGood else {
            outcome.refusal = (replies[0].text, replies[0].code < 500)
            try reset()
            return outcome
        }
        for (address, reply) in zip(recipients, replies.dropFirst()) where !reply.isGood {
            outcome.refused.append((address, reply.text, reply.code < 500))
        }
        if outcome.refused.count == recipients.count {
            outcome.refusal = ("all recipients were refused", outcome.refused.contains(where: \.isForNow))
            try reset()
            return outcome
        }
        let go = try command("DATA")
        guard go.code == 354 else {
            outcome.refusal = (go.text, go.code < 500)
            try reset()
            return outcome
        }
        try stream.send(Self.stuffed(bytes))
        try willEnd()
        try stream.send(Array(".\r\n".utf8))
        let taken = try reply()
        if taken.isGood { outcome.accepted = taken.text } else { outcome.refusal = (taken.text, taken.code < 500) }
        return outcome
    }

    /// The message on the wire: lines end with CRLF, and a leading dot is doubled (§4.5.2).
    public static func stuffed(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + bytes.count / 40 + 2)
        var isStart = true
        for (place, byte) in bytes.enumerated() {
            // Servers disagree on whether a bare CR or LF ends a line.
            if byte == 13 {
                if place + 1 < bytes.count, bytes[place + 1] == 10 { continue }
            } else if byte != 10 {
                if isStart, byte == UInt8(ascii: ".") { out.append(byte) }
                out.append(byte)
                isStart = false
                continue
            }
            out += [13, 10]
            isStart = true
        }
        return isStart ? out : out + [13, 10]
    }

    private func reset() throws { _ = try command("RSET") }

    private func command(_ line: String) throws -> Reply {
        try stream.send(Array((line + "\r\n").utf8))
        return try reply()
    }

    private func reply() throws -> Reply {
        var lines: [String] = []
        while true {
            let line = try input.line()
            guard line.count >= 3, let code = Int(String(decoding: line.prefix(3), as: UTF8.self)) else {
                throw HelixError(.protocol, "\(label) sent invalid SMTP")
            }
            lines.append(String(decoding: line.dropFirst(4), as: UTF8.self))
            if line.count == 3 || line[3] != UInt8(ascii: "-") { return Reply(code: code, lines: lines) }
            guard lines.count < 1000 else { throw HelixError(.protocol, "\(label) sent an endless reply") }
        }
    }

    private func problem(_ what: String, _ reply: Reply) -> HelixError {
        HelixError(.protocol, "\(label) refuses \(what): \(reply.text)")
    }

    /// Sends QUIT.
    public func end() { _ = try? command("QUIT") }
}
