import HelixGateway
import HelixModel

/// The parameters of a method, parsed strictly: unknown ones are rejected.
struct Params {
    /// The name of the method.
    let method: String
    private var rest: [JSONText.Field]

    /// - Throws: ``GatewayError`` for anything but an object, or for a duplicate name.
    init(_ json: JSONText?, of method: String) throws {
        self.method = method
        rest = []
        switch json {
        case nil: break
        case .object(let fields)?:
            rest = fields
            if Set(fields.map(\.name)).count < fields.count { throw refusal("duplicate parameter") }
        default: throw refusal("must be an object")
        }
    }

    private func refusal(_ reason: String) -> GatewayError {
        GatewayError(.invalidRequest, "invalid \(method) params: \(reason)")
    }

    /// An error about a parameter.
    func wrong(_ name: String, _ reason: String) -> GatewayError { refusal("\(name) \(reason)") }

    /// Removes and returns a parameter; null counts as missing.
    mutating func take(_ name: String) -> JSONText? {
        guard let place = rest.firstIndex(where: { $0.name == name }) else { return nil }
        let value = rest.remove(at: place).value
        return value.isNull ? nil : value
    }

    /// Whether a parameter is present, null or not.
    func has(_ name: String) -> Bool { rest.contains { $0.name == name } }

    /// A string; nil if missing.
    mutating func text(_ name: String, most: Int = 4096) throws -> String? {
        guard let value = take(name) else { return nil }
        guard let text = value.text else { throw wrong(name, "must be a string") }
        guard text.utf8.count <= most else { throw wrong(name, "is longer than \(most) bytes") }
        return text
    }

    /// A required, non-empty string.
    mutating func needed(_ name: String, most: Int = 4096) throws -> String {
        guard let text = try text(name, most: most) else { throw refusal("must have required property '\(name)'") }
        guard !text.isEmpty else { throw wrong(name, "must not be empty") }
        return text
    }

    /// An integer.
    mutating func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int? {
        guard let value = take(name) else { return nil }
        guard let number = value.integer, let number = Int(exactly: number), range.contains(number) else {
            throw wrong(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number.
    mutating func number(_ name: String, in range: ClosedRange<Double>) throws -> Double? {
        guard let value = take(name) else { return nil }
        guard let number = value.double, range.contains(number) else {
            throw wrong(name, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A boolean.
    mutating func bool(_ name: String) throws -> Bool? {
        guard let value = take(name) else { return nil }
        guard let bool = value.bool else { throw wrong(name, "must be true or false") }
        return bool
    }

    /// Whether a parameter is an array.
    func isList(_ name: String) -> Bool { rest.first { $0.name == name }?.value.elements != nil }

    /// An array of strings.
    mutating func texts(_ name: String, most: Int = 200, each: Int = 4096) throws -> [String]? {
        guard let value = take(name) else { return nil }
        guard let texts = value.strings else { throw wrong(name, "must be an array of strings") }
        guard texts.count <= most, texts.allSatisfy({ $0.utf8.count <= each }) else { throw wrong(name, "is too long") }
        return texts
    }

    /// One of the enumeration's values.
    mutating func choice<Value: RawRepresentable<String> & CaseIterable>(_ name: String, of: Value.Type) throws
        -> Value?
    {
        guard let text = try text(name) else { return nil }
        guard let value = Value(rawValue: text) else {
            throw wrong(name, "must be one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        return value
    }

    /// A time: ISO 8601 with an offset or `Z`; a date alone is its midnight in UTC.
    mutating func instant(_ name: String) throws -> Instant? {
        guard let text = try text(name, most: 64) else { return nil }
        guard let instant = ISO8601Reader.instant(text) else {
            throw wrong(name, "must be a time like 2026-12-01T14:30:00Z")
        }
        return instant
    }

    /// An identity.
    mutating func identity(_ name: String) throws -> EntityID? {
        guard let text = try text(name, most: 64) else { return nil }
        guard let id = EntityID(text) else { throw wrong(name, "is not an id") }
        return id
    }

    /// A required identity.
    mutating func neededIdentity(_ name: String) throws -> EntityID {
        guard let id = try identity(name) else { throw refusal("must have required property '\(name)'") }
        return id
    }

    /// Rejects the parameters that were not consumed; to be called last.
    func end() throws {
        if let field = rest.first { throw refusal("unexpected property '\(field.name)'") }
    }
}
