import HelixModel

/// A WebSocket frame (RFC 6455 §5.2).
public struct WebSocketFrame: Hashable, Sendable {
    /// The type of a frame.
    public enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        /// Whether it is a control frame, and not part of a message.
        var isControl: Bool { rawValue >= 8 }
    }

    /// The type.
    public var opcode: Opcode
    /// Whether the message ends with it.
    public var isFinal: Bool
    /// The payload.
    public var payload: [UInt8]

    /// Creates a frame.
    public init(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
    }

    /// The bytes on the wire, masked with `mask` like a client's (§5.3); without a mask (nil) like a server's.
    public func encoded(mask: UInt32?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 14)
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        let flag: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ..<126: bytes.append(flag | UInt8(payload.count))
        case ..<65536:
            bytes.append(flag | 126)
            bytes.append(UInt8(payload.count >> 8))
            bytes.append(UInt8(payload.count & 0xFF))
        default:
            bytes.append(flag | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: payload.count >> shift))
            }
        }
        guard let mask else { return bytes + payload }
        let key = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mask >> UInt32($0)) }
        bytes += key
        for (place, byte) in payload.enumerated() { bytes.append(byte ^ key[place & 3]) }
        return bytes
    }
}

/// Parses frames from the bytes of a server, and joins them into messages.
public struct WebSocketReader: Sendable {
    private var waiting: [UInt8] = []
    /// The number of consumed bytes of `waiting`.
    private var used = 0
    private var message: [UInt8] = []
    private var isInMessage = false
    /// The maximum size of a message.
    private let largest: Int

    /// - Parameter largest: the maximum size of a message in bytes.
    public init(largest: Int) { self.largest = largest }

    /// Adds received bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        if used > 0 {
            waiting.removeFirst(used)
            used = 0
        }
        waiting.append(contentsOf: bytes)
    }

    /// The next complete message, or control frame; nil if more bytes are needed.
    /// - Throws: ``HelixError`` of code `protocol` for an invalid frame (§5.1, §5.4, §5.5).
    public mutating func next() throws -> WebSocketFrame? {
        while let frame = try frame() {
            if frame.opcode.isControl { return frame }
            guard isInMessage == (frame.opcode == .continuation) else {
                throw WebSocketReader.problem("a message begins before the last one has ended")
            }
            guard message.count + frame.payload.count <= largest else {
                throw WebSocketReader.problem("a message is larger than \(largest) bytes")
            }
            message += frame.payload
            isInMessage = !frame.isFinal
            if frame.isFinal {
                defer { message = [] }
                return WebSocketFrame(.text, message)
            }
        }
        return nil
    }

    private mutating func frame() throws -> WebSocketFrame? {
        let bytes = waiting[used...]
        guard bytes.count >= 2 else { return nil }
        let (first, second) = (bytes[bytes.startIndex], bytes[bytes.startIndex + 1])
        guard let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F), first & 0x70 == 0, second & 0x80 == 0 else {
            throw WebSocketReader.problem("a frame has an unknown type")
        }
        var length = Int(second & 0x7F)
        var head = 2
        if length >= 126 {
            let width = length == 126 ? 2 : 8
            guard bytes.count >= 2 + width else { return nil }
            let number = bytes.dropFirst(2).prefix(width).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            guard number <= UInt64(largest) else {
                throw WebSocketReader.problem("a message is larger than \(largest) bytes")
            }
            length = Int(number)
            head += width
        }
        let isFinal = first & 0x80 != 0
        guard !opcode.isControl || (isFinal && length < 126) else {
            throw WebSocketReader.problem("a control frame is fragmented")
        }
        guard bytes.count >= head + length else { return nil }
        let start = bytes.startIndex + head
        used += head + length
        return WebSocketFrame(opcode, Array(waiting[start..<start + length]), isFinal: isFinal)
    }

    private static func problem(_ text: String) -> HelixError {
        HelixError(.protocol, "the server violated the WebSocket protocol: \(text)")
    }
}
