import HelixModel

/// A content line (RFC 5545 §3.1): a name, parameters and a value, as written in the file.
public struct ICalendarProperty: Hashable, Sendable {
    /// The name in upper case: `DTSTART`.
    public var name: String
    /// The parameters in the order of the file; names in upper case, values without their quotes.
    public var parameters: [Parameter]
    /// The raw value, including escapes.
    public var value: String

    /// A parameter, such as `TZID=Europe/Rome`.
    public struct Parameter: Hashable, Sendable {
        /// The name in upper case.
        public var name: String
        /// The values, at least one.
        public var values: [String]

        /// Creates a parameter.
        public init(_ name: String, _ values: [String]) {
            self.name = name
            self.values = values
        }
    }

    /// Creates a property with a raw value.
    public init(_ name: String, _ parameters: [Parameter] = [], value: String) {
        self.name = name
        self.parameters = parameters
        self.value = value
    }

    /// Creates a property with a text value, which is escaped (RFC 5545 §3.3.11).
    public init(_ name: String, _ parameters: [Parameter] = [], text: String) {
        self.init(name, parameters, value: ICalendarProperty.escaped(text))
    }

    /// Parses an unfolded line; nil if it is invalid.
    public init?(_ line: ArraySlice<UInt8>) {
        var scanner = Scanner(rest: line)
        guard let name = scanner.name(), !name.isEmpty else { return nil }
        self.name = name
        parameters = []
        while scanner.take(0x3B) {
            guard let parameter = scanner.name() else { return nil }
            // `;:` and `;;` occur in real files; empty parameters are skipped.
            if parameter.isEmpty { continue }
            var values: [String] = []
            if scanner.take(0x3D) {
                repeat { values.append(scanner.parameterValue()) } while scanner.take(0x2C)
            }
            parameters.append(Parameter(parameter, values.isEmpty ? [""] : values))
        }
        guard scanner.take(0x3A) else { return nil }
        value = String(decoding: scanner.rest, as: UTF8.self)
    }

    /// Parses an unfolded line; nil if it is invalid.
    public init?(line: some StringProtocol) { self.init(Array(line.utf8)[...]) }

    /// Whether an unfolded line is a name, parameters and a value; cheaper than parsing it.
    static func isContentLine(_ line: ArraySlice<UInt8>) -> Bool {
        guard let end = line.firstIndex(where: { !Scanner.isNameByte($0) }), end > line.startIndex else { return false }
        guard line[end] == 0x3B else { return line[end] == 0x3A }
        var scanner = Scanner(rest: line[end...])
        while scanner.take(0x3B) {
            if scanner.nameBytes().isEmpty { continue }
            if scanner.take(0x3D) {
                repeat { _ = scanner.valueBytes() } while scanner.take(0x2C)
            }
        }
        return scanner.rest.first == 0x3A
    }

    /// The first value of the parameter called `name` (upper case), if there is one.
    public subscript(name: String) -> String? {
        parameters.first { $0.name == name }?.values.first
    }

    /// The unescaped value (RFC 5545 §3.3.11).
    public var text: String { ICalendarProperty.unescaped(value) }

    /// The value as a list of texts, split at unescaped commas.
    public var texts: [String] {
        var items: [String] = []
        var current = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                current += "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "," {
                items.append(ICalendarProperty.unescaped(current))
                current = ""
            } else {
                current.append(character)
            }
        }
        if isEscaped { current += "\\" }
        return items + [ICalendarProperty.unescaped(current)]
    }

    /// The unfolded line.
    public var line: String {
        var line = name
        for parameter in parameters {
            line += ";\(parameter.name)="
            line += parameter.values.map(ICalendarProperty.quoted).joined(separator: ",")
        }
        return line + ":" + value
    }

    private static func quoted(_ value: String) -> String {
        let encoded = value.replacing("^", with: "^^").replacing("\n", with: "^n").replacing("\"", with: "^'")
        return encoded.contains { ",;:".contains($0) } ? "\"\(encoded)\"" : encoded
    }

    /// `text` with backslashes, commas, semicolons and line ends escaped (RFC 5545 §3.3.11).
    public static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",":
                out.unicodeScalars.append("\\")
                out.unicodeScalars.append(scalar)
            case "\n": out += "\\n"
            case "\t": out += "\t"
            default:
                // Control characters are not allowed in a file.
                if scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) { out.unicodeScalars.append(scalar) }
            }
        }
        return out
    }

    /// `value` without escapes.
    public static func unescaped(_ value: String) -> String {
        guard value.utf8.contains(0x5C) else { return value }
        var out: [UInt8] = []
        out.reserveCapacity(value.utf8.count)
        var isEscaped = false
        for byte in value.utf8 {
            if isEscaped {
                isEscaped = false
                switch byte {
                case 0x6E, 0x4E: out.append(0x0A)
                case 0x5C, 0x2C, 0x3B, 0x3A, 0x22: out.append(byte)
                default: out.append(contentsOf: [0x5C, byte])
                }
            } else if byte == 0x5C {
                isEscaped = true
            } else {
                out.append(byte)
            }
        }
        if isEscaped { out.append(0x5C) }
        return String(decoding: out, as: UTF8.self)
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        static func isNameByte(_ byte: UInt8) -> Bool {
            (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
                || byte == 0x2D || byte == 0x5F || byte == 0x2E
        }

        mutating func take(_ byte: UInt8) -> Bool {
            guard rest.first == byte else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func nameBytes() -> ArraySlice<UInt8> {
            let end = rest.firstIndex { !Scanner.isNameByte($0) } ?? rest.endIndex
            defer { rest = rest[end...] }
            return rest[..<end]
        }

        mutating func name() -> String? {
            let bytes = nameBytes()
            let name = String(decoding: bytes, as: UTF8.self)
            return bytes.contains { $0 >= 0x61 } ? name.uppercased() : name
        }

        /// The bytes of a parameter's value, without its quotes.
        mutating func valueBytes() -> ArraySlice<UInt8> {
            let raw: ArraySlice<UInt8>
            if take(0x22) {
                let end = rest.firstIndex(of: 0x22) ?? rest.endIndex
                raw = rest[..<end]
                rest = rest[end...].dropFirst()
                // Only a separator may follow the quote; junk before it is dropped.
                rest = rest.drop { $0 != 0x3A && $0 != 0x3B && $0 != 0x2C }
            } else {
                let end = rest.firstIndex { $0 == 0x3A || $0 == 0x3B || $0 == 0x2C } ?? rest.endIndex
                raw = rest[..<end]
                rest = rest[end...]
            }
            return raw
        }

        mutating func parameterValue() -> String {
            let value = String(decoding: valueBytes(), as: UTF8.self)
            guard value.utf8.contains(0x5E) else { return value }
            // RFC 6868
            return value.replacing("^n", with: "\n").replacing("^'", with: "\"").replacing("^^", with: "^")
        }
    }
}
