/// Shorthands for creating and reading values.
extension JSONText: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A whole number.
    public init(integerLiteral value: Int) { self = .number(String(value)) }
    /// True or false.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONText...) { self = .array(elements) }
    /// An object; nil fields are omitted.
    public init(dictionaryLiteral fields: (String, JSONText?)...) {
        self = .object(fields.compactMap { name, value in value.map { Field(name: name, value: $0) } })
    }

    /// A whole number.
    public static func integer(_ number: some BinaryInteger) -> JSONText { .number(String(number)) }
    /// A number; null if JSON cannot represent it.
    public static func double(_ number: Double) -> JSONText {
        guard number.isFinite else { return .null }
        // 3.0 becomes 3 for readers that expect an integer.
        if let whole = Int64(exactly: number) { return .number(String(whole)) }
        return .number(String(number))
    }
    /// An array of strings.
    public static func strings(_ texts: some Sequence<String>) -> JSONText { .array(texts.map { .string($0) }) }

    /// The integer, if it is one.
    public var integer: Int64? {
        guard case .number(let digits) = self else { return nil }
        if let number = Int64(digits) { return number }
        // `1e3` and `2.0` are integers, too.
        return Double(digits).flatMap { Int64(exactly: $0) }
    }
    /// The number, if it is one.
    public var double: Double? { if case .number(let digits) = self { Double(digits) } else { nil } }
    /// The Boolean, if it is one.
    public var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }
    /// The fields of an object.
    public var fields: [Field]? { if case .object(let fields) = self { fields } else { nil } }
    /// The strings of an array that has only strings.
    public var strings: [String]? {
        guard let elements else { return nil }
        let texts = elements.compactMap(\.text)
        return texts.count == elements.count ? texts : nil
    }
    /// Whether the value is null.
    public var isNull: Bool { self == .null }

    /// Returns the object with a field set, or removed for nil.
    public func setting(_ name: String, _ value: JSONText?) -> JSONText {
        var fields = fields ?? []
        let place = fields.firstIndex { $0.name == name }
        switch (place, value) {
        case (let place?, let value?): fields[place].value = value
        case (let place?, nil): fields.remove(at: place)
        case (nil, let value?): fields.append(Field(name: name, value: value))
        case (nil, nil): break
        }
        return .object(fields)
    }
}
