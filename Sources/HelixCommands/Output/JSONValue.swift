import HelixModel
import HelixTerminal

/// A JSON value whose objects keep their order, so that people can read what programs get.
enum JSONValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case bool(Bool)
    case array([JSONValue])
    case object(JSONObject)

    /// The text, on one line, or with two blanks for each level of `indent`.
    func text(indent: Int? = nil) -> String {
        var out = ""
        write(to: &out, indent: indent)
        return out
    }

    private func write(to out: inout String, indent: Int?) {
        func list(_ open: String, _ close: String, _ count: Int, _ body: (Int, inout String) -> Void) {
            out += open
            for index in 0..<count {
                if index > 0 { out += indent == nil ? ", " : "," }
                if let indent { out += "\n" + String(repeating: "  ", count: indent + 1) }
                body(index, &out)
            }
            if count > 0, let indent { out += "\n" + String(repeating: "  ", count: indent) }
            out += close
        }
        switch self {
        case .string(let text): JSONValue.quote(text, to: &out)
        case .integer(let number): out += String(number)
        case .number(let number): out += number.isFinite ? String(number) : "0"
        case .bool(let bool): out += bool ? "true" : "false"
        case .array(let values):
            list("[", "]", values.count) { values[$0].write(to: &$1, indent: indent.map { $0 + 1 }) }
        case .object(let object):
            list("{", "}", object.fields.count) { index, out in
                JSONValue.quote(object.fields[index].name, to: &out)
                out += ": "
                object.fields[index].value.write(to: &out, indent: indent.map { $0 + 1 })
            }
        }
    }

    /// A string in quotes. What could steer a terminal is written as an escape, which means the same.
    private static func quote(_ text: String, to out: inout String) {
        out += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            case _ where SafeText.isHarmful(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: out.unicodeScalars.append(scalar)
            }
        }
        out += "\""
    }
}

/// A JSON object in order. Absent values are left out.
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

    /// Only the fields named, in the order in which they are named.
    func selecting(_ names: [String]) -> JSONObject {
        var selected = JSONObject()
        for name in names { selected.set(name, fields.first { $0.name == name }?.value) }
        return selected
    }
}
