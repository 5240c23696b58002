import HelixModel
import HelixTerminal

/// A JSON value whose objects keep their order, so that people can read it, too.
enum JSONValue: Hashable, Sendable {
    /// Null, only in the output of other programs: helix itself omits missing values.
    case null
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case array([JSONValue])
    case object(JSONObject)

    /// The text, on one line, or with two blanks for each level of `indent`.
    func text(indent: Int? = nil) -> String {
        var out: [UInt8] = []
        write(to: &out, indent: indent)
        return String(decoding: out, as: UTF8.self)
    }

    /// Adds the text to `out`.
    func write(to out: inout [UInt8], indent: Int? = nil) {
        switch self {
        case .null: out.append(contentsOf: "null".utf8)
        case .string(let text): JSONValue.quote(text, to: &out)
        case .integer(let number): out.append(contentsOf: String(number).utf8)
        case .number(let number): out.append(contentsOf: (number.isFinite ? String(number) : "0").utf8)
        case .bool(let bool): out.append(contentsOf: (bool ? "true" : "false").utf8)
        case .array(let values):
            out.append(0x5B)
            for (index, value) in values.enumerated() {
                JSONValue.separate(index, indent, &out)
                value.write(to: &out, indent: indent.map { $0 + 1 })
            }
            if !values.isEmpty { JSONValue.breakLine(indent, &out) }
            out.append(0x5D)
        case .object(let object):
            out.append(0x7B)
            for (index, field) in object.fields.enumerated() {
                JSONValue.separate(index, indent, &out)
                JSONValue.quote(field.name, to: &out)
                out.append(0x3A)
                out.append(0x20)
                field.value.write(to: &out, indent: indent.map { $0 + 1 })
            }
            if !object.fields.isEmpty { JSONValue.breakLine(indent, &out) }
            out.append(0x7D)
        }
    }

    private static func separate(_ index: Int, _ indent: Int?, _ out: inout [UInt8]) {
        if index > 0 {
            out.append(0x2C)
            if indent == nil { out.append(0x20) }
        }
        breakLine(indent.map { $0 + 1 }, &out)
    }

    private static func breakLine(_ indent: Int?, _ out: inout [UInt8]) {
        guard let indent else { return }
        out.append(0x0A)
        for _ in 0..<indent * 2 { out.append(0x20) }
    }

    /// Writes a quoted string. Terminal control characters are written as escapes.
    private static func quote(_ text: String, to out: inout [UInt8]) {
        out.append(0x22)
        var text = text
        // Checks the bytes directly: most texts need no escape, and a year of conflicts has half a million of them.
        let isPlain = text.withUTF8 { bytes in
            for byte in bytes where byte < 0x20 || byte >= 0x7F || byte == 0x22 || byte == 0x5C { return false }
            out.append(contentsOf: bytes)
            return true
        }
        if !isPlain {
            for scalar in text.unicodeScalars {
                switch scalar {
                case "\"": out.append(contentsOf: "\\\"".utf8)
                case "\\": out.append(contentsOf: "\\\\".utf8)
                case "\n": out.append(contentsOf: "\\n".utf8)
                case "\t": out.append(contentsOf: "\\t".utf8)
                case "\r": out.append(contentsOf: "\\r".utf8)
                case _ where SafeText.isHarmful(scalar):
                    for unit in String(scalar).utf16 {
                        let digits = String(unit, radix: 16)
                        out.append(contentsOf: ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
                    }
                default: out.append(contentsOf: String(scalar).utf8)
                }
            }
        }
        out.append(0x22)
    }
}

/// An ordered JSON object. Absent values are omitted.
struct JSONObject: Hashable, Sendable {
    struct Field: Hashable, Sendable {
        var name: String
        var value: JSONValue
    }

    private(set) var fields: [Field] = []

    mutating func set(_ name: String, _ value: JSONValue?) {
        if let value { fields.append(Field(name: name, value: value)) }
    }
    mutating func set(_ name: String, _ text: String?) { set(name, text.map { JSONValue.string($0) }) }
    mutating func set(_ name: String, _ number: Int?) { set(name, number.map { JSONValue.integer($0) }) }
    mutating func set(_ name: String, _ bool: Bool?) { set(name, bool.map { JSONValue.bool($0) }) }
    mutating func set(_ name: String, _ texts: [String]) { set(name, .array(texts.map { .string($0) })) }
    mutating func set(_ name: String, _ objects: [JSONObject]) { set(name, .array(objects.map { .object($0) })) }

    /// The named fields only, in the order of their names.
    func selecting(_ names: [String]) -> JSONObject {
        var selected = JSONObject()
        for name in names { selected.set(name, fields.first { $0.name == name }?.value) }
        return selected
    }
}
