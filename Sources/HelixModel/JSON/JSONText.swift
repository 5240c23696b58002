/// A JSON value (RFC 8259) that preserves the order of fields and the digits of numbers.
public enum JSONText: Hashable, Sendable {
    case null
    case bool(Bool)
    /// The number's original digits.
    case number(String)
    case string(String)
    case array([JSONText])
    case object([Field])

    /// A field of an object.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSONText

        /// Creates a field.
        public init(name: String, value: JSONText) {
            self.name = name
            self.value = value
        }
    }

    /// A syntax error in JSON, and its place.
    public struct Defect: Error, Hashable {
        /// The byte offset.
        public var offset: Int
        /// The reason.
        public var reason: String
    }

    /// Parses the value in `bytes`.
    /// - Throws: ``Defect``.
    public init(_ bytes: [UInt8]) throws {
        self = try bytes.withUnsafeBufferPointer { try JSONText($0) }
    }

    /// Parses the value in `buffer`, without a copy of it.
    /// - Throws: ``Defect``.
    public init(_ buffer: UnsafeBufferPointer<UInt8>) throws {
        var reader = Reader(bytes: buffer)
        self = try reader.value(depth: 0)
        reader.skipBlanks()
        if reader.index < buffer.count { throw Defect(offset: reader.index, reason: "something follows the value") }
    }

    /// Calls `body` with the elements of an array one by one, each with its ``compact`` text, so that a long array is never in
    /// memory as a whole; any other value is passed itself.
    ///
    /// - Throws: ``Defect``, after the elements before it were passed; and the errors of `body`.
    public static func forEachElement(
        of bytes: [UInt8], _ body: (_ element: JSONText, _ compact: String) throws -> Void
    ) throws {
        try bytes.withUnsafeBufferPointer { buffer in
            var reader = Reader(bytes: buffer)
            reader.skipBlanks()
            if reader.index < buffer.count, buffer[reader.index] == 0x5B {
                try reader.elements(body)
            } else {
                try reader.element(depth: 0, body)
            }
            reader.skipBlanks()
            if reader.index < buffer.count { throw Defect(offset: reader.index, reason: "something follows the value") }
        }
    }

    /// The string.
    public var text: String? { if case .string(let text) = self { text } else { nil } }
    /// The elements of an array.
    public var elements: [JSONText]? { if case .array(let elements) = self { elements } else { nil } }

    /// The value of an object's field.
    public subscript(name: String) -> JSONText? {
        guard case .object(let fields) = self else { return nil }
        return fields.first { $0.name == name }?.value
    }

    /// The value on one line, without blanks.
    public var compact: String {
        var out: [UInt8] = []
        write(to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    /// Appends the value to `out`, on one line.
    public func write(to out: inout [UInt8]) {
        switch self {
        case .null: out += "null".utf8
        case .bool(let bool): out += (bool ? "true" : "false").utf8
        case .number(let digits): out += digits.utf8
        case .string(let text): JSONText.quote(text, to: &out)
        case .array(let elements):
            out.append(0x5B)
            for (index, element) in elements.enumerated() {
                if index > 0 { out.append(0x2C) }
                element.write(to: &out)
            }
            out.append(0x5D)
        case .object(let fields):
            out.append(0x7B)
            for (index, field) in fields.enumerated() {
                if index > 0 { out.append(0x2C) }
                JSONText.quote(field.name, to: &out)
                out.append(0x3A)
                field.value.write(to: &out)
            }
            out.append(0x7D)
        }
    }

    private static func quote(_ text: String, to out: inout [UInt8]) {
        out.append(0x22)
        // Most texts need no escapes.
        var text = text
        let isPlain = text.withUTF8 { bytes in
            guard bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C && $0 != 0x7F }) else { return false }
            out.append(contentsOf: bytes)
            return true
        }
        if isPlain { return out.append(0x22) }
        for byte in text.utf8 {
            switch byte {
            case 0x22: out += "\\\"".utf8
            case 0x5C: out += "\\\\".utf8
            case 0x0A: out += "\\n".utf8
            case 0x0D: out += "\\r".utf8
            case 0x09: out += "\\t".utf8
            case 0..<0x20, 0x7F: out += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
            default: out.append(byte)
            }
        }
        out.append(0x22)
    }

    private struct Reader {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0
        /// Whether the input is written as ``JSONText/compact`` writes it, except for blanks between its parts.
        private var isPlain = true
        /// Whether there were such blanks.
        private var hasBlanks = false

        init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

        mutating func skipBlanks() {
            while index < bytes.count {
                let byte = bytes[index]
                guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
                hasBlanks = true
                index += 1
            }
        }

        /// Parses a value, and passes it with its compact text, which usually is the input itself.
        mutating func element(depth: Int, _ body: (JSONText, String) throws -> Void) throws {
            skipBlanks()
            let start = index
            (isPlain, hasBlanks) = (true, false)
            let element = try value(depth: depth)
            try body(element, isPlain ? text(UnsafeBufferPointer(rebasing: bytes[start..<index])) : element.compact)
        }

        /// The text of a plain value, without the blanks between its parts.
        private func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
            guard hasBlanks else { return String(decoding: bytes, as: UTF8.self) }
            return String(unsafeUninitializedCapacity: bytes.count) { out in
                var count = 0
                var isQuoted = false
                for byte in bytes {
                    if byte == 0x22 { isQuoted.toggle() }
                    if !isQuoted, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { continue }
                    out[count] = byte
                    count += 1
                }
                return count
            }
        }

        mutating func value(depth: Int) throws -> JSONText {
            guard depth < 512 else { throw Defect(offset: index, reason: "it is nested too deeply") }
            skipBlanks()
            guard index < bytes.count else { throw Defect(offset: index, reason: "it ends too early") }
            switch bytes[index] {
            case 0x7B: return try object(depth)
            case 0x5B: return try array(depth)
            case 0x22: return .string(try string())
            case 0x74: return try word("true", .bool(true))
            case 0x66: return try word("false", .bool(false))
            case 0x6E: return try word("null", .null)
            default: return .number(try number())
            }
        }

        private mutating func word(_ word: String, _ value: JSONText) throws -> JSONText {
            guard bytes[index...].starts(with: word.utf8) else { throw unexpected() }
            index += word.utf8.count
            return value
        }

        private func unexpected() -> Defect {
            let sign =
                index < bytes.count && (0x21..<0x7F).contains(bytes[index])
                ? "'\(Character(Unicode.Scalar(bytes[index])))'" : "a byte"
            return Defect(offset: index, reason: index < bytes.count ? "\(sign) is not expected" : "it ends too early")
        }

        private mutating func take(_ byte: UInt8) -> Bool {
            skipBlanks()
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        private mutating func object(_ depth: Int) throws -> JSONText {
            index += 1
            var fields: [Field] = []
            if take(0x7D) { return .object(fields) }
            fields.reserveCapacity(8)
            repeat {
                skipBlanks()
                guard index < bytes.count, bytes[index] == 0x22 else { throw unexpected() }
                let name = try string()
                guard take(0x3A) else { throw unexpected() }
                fields.append(Field(name: name, value: try value(depth: depth + 1)))
            } while take(0x2C)
            guard take(0x7D) else { throw unexpected() }
            return .object(fields)
        }

        mutating func elements(_ body: (JSONText, String) throws -> Void) throws {
            index += 1
            if take(0x5D) { return }
            repeat { try element(depth: 1, body) } while take(0x2C)
            guard take(0x5D) else { throw unexpected() }
        }

        private mutating func array(_ depth: Int) throws -> JSONText {
            index += 1
            var elements: [JSONText] = []
            if take(0x5D) { return .array(elements) }
            repeat { elements.append(try value(depth: depth + 1)) } while take(0x2C)
            guard take(0x5D) else { throw unexpected() }
            return .array(elements)
        }

        private mutating func string() throws -> String {
            index += 1
            let start = index
            while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C, bytes[index] >= 0x20 {
                if bytes[index] == 0x7F { isPlain = false }
                index += 1
            }
            guard index < bytes.count else { throw unexpected() }
            if bytes[index] == 0x22 {
                defer { index += 1 }
                return try decoded(UnsafeBufferPointer(rebasing: bytes[start..<index]), at: start)
            }
            isPlain = false
            var out = Array(bytes[start..<index])
            while true {
                guard index < bytes.count, bytes[index] >= 0x20 else { throw unexpected() }
                let byte = bytes[index]
                index += 1
                if byte == 0x22 { return try out.withUnsafeBufferPointer { try decoded($0, at: start) } }
                guard byte == 0x5C else {
                    out.append(byte)
                    continue
                }
                guard index < bytes.count else { throw unexpected() }
                let sign = bytes[index]
                index += 1
                switch sign {
                case 0x22, 0x5C, 0x2F: out.append(sign)
                case 0x62: out.append(0x08)
                case 0x66: out.append(0x0C)
                case 0x6E: out.append(0x0A)
                case 0x72: out.append(0x0D)
                case 0x74: out.append(0x09)
                case 0x75: UTF8.encode(try escape()).map { out.append(contentsOf: $0) }
                default: throw Defect(offset: index - 1, reason: "unknown escape")
                }
            }
        }

        private func decoded(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) throws -> String {
            // Most text is ASCII, which is always valid.
            if bytes.allSatisfy({ $0 < 0x80 }) { return String(decoding: bytes, as: UTF8.self) }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw Defect(offset: offset, reason: "the text is not UTF-8")
            }
            return text
        }

        private mutating func escape() throws -> Unicode.Scalar {
            let first = try unit()
            // A lone surrogate is replaced.
            let lone: Unicode.Scalar = "\u{FFFD}"
            guard (0xD800..<0xE000).contains(first) else { return Unicode.Scalar(first) ?? lone }
            guard first < 0xDC00, bytes[index...].starts(with: [0x5C, 0x75]) else { return lone }
            let back = index
            index += 2
            let second = try unit()
            guard (0xDC00..<0xE000).contains(second) else {
                index = back
                return lone
            }
            let scalar = 0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)
            return Unicode.Scalar(scalar) ?? lone
        }

        private mutating func unit() throws -> UInt32 {
            var number: UInt32 = 0
            for place in index..<index + 4 {
                switch place < bytes.count ? bytes[place] : 0 {
                case let byte where (0x30...0x39).contains(byte): number = number << 4 | UInt32(byte - 0x30)
                case let byte where (0x41...0x46).contains(byte): number = number << 4 | UInt32(byte - 0x37)
                case let byte where (0x61...0x66).contains(byte): number = number << 4 | UInt32(byte - 0x57)
                default: throw Defect(offset: index, reason: "expected four hexadecimal digits")
                }
            }
            index += 4
            return number
        }

        private mutating func number() throws -> String {
            let start = index
            func digits() throws {
                guard index < bytes.count, (0x30...0x39).contains(bytes[index]) else { throw unexpected() }
                while index < bytes.count, (0x30...0x39).contains(bytes[index]) { index += 1 }
            }
            if index < bytes.count, bytes[index] == 0x2D { index += 1 }
            if index < bytes.count, bytes[index] == 0x30 { index += 1 } else { try digits() }
            if index < bytes.count, bytes[index] == 0x2E {
                index += 1
                try digits()
            }
            if index < bytes.count, bytes[index] == 0x65 || bytes[index] == 0x45 {
                index += 1
                if index < bytes.count, bytes[index] == 0x2B || bytes[index] == 0x2D { index += 1 }
                try digits()
            }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }
    }
}
