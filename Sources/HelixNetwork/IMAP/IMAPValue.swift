/// A value in an IMAP response (RFC 9051 §4).
public enum IMAPValue: Hashable, Sendable {
    /// A word, a number, a flag, `BODY[]`.
    case atom(String)
    /// A quoted string or a literal.
    case string([UInt8])
    /// A literal too large for memory; its bytes arrived before, in pieces.
    case spilled(Int)
    /// `NIL`
    case none
    /// A list in parentheses.
    case list([IMAPValue])

    /// The text of an atom or a string.
    public var text: String? {
        switch self {
        case .atom(let text): text
        case .string(let bytes): String(decoding: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// The number of an atom.
    public var number: Int? {
        if case .atom(let text) = self { return Int(text) }
        return nil
    }

    /// The values of a list; nil for other values.
    public var values: [IMAPValue]? {
        if case .list(let values) = self { return values }
        return nil
    }
}

/// A response of an IMAP server.
public enum IMAPResponse: Hashable, Sendable {
    /// The status of a command, or of the connection.
    public enum Condition: String, Sendable {
        case ok = "OK"
        case no = "NO"
        case bad = "BAD"
        case preauth = "PREAUTH"
        case bye = "BYE"
    }

    /// A status with its code, `[UIDVALIDITY 3]`, and a text for people; the tag is nil if it belongs to no command.
    case status(tag: String?, Condition, code: [IMAPValue], text: String)
    /// Data: `* 23 FETCH (…)`, `* FLAGS (…)`.
    case data(number: Int?, name: String, [IMAPValue])
    /// A request to continue a command.
    case goOn(String)
}

/// A set of message numbers, in ranges (RFC 9051 §9, sequence-set).
public struct IMAPSet: Hashable, Sendable {
    /// Sorted ranges that do not touch.
    public private(set) var ranges: [ClosedRange<UInt32>] = []

    /// Creates an empty set.
    public init() {}

    /// Creates a set of numbers.
    public init(_ numbers: some Sequence<UInt32>) {
        for number in numbers.sorted() { append(number...number) }
    }

    /// Parses `1:5,7`; nil if it is not a set of plain numbers.
    public init?(_ text: some StringProtocol) {
        if text.isEmpty { return }
        var found: [ClosedRange<UInt32>] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: ":", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ UInt32($0) }), ends.count <= 2,
                let last = ends.last.flatMap({ UInt32($0) })
            else { return nil }
            found.append(min(first, last)...max(first, last))
        }
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    private mutating func append(_ range: ClosedRange<UInt32>) {
        if let last = ranges.last, range.lowerBound <= last.upperBound || range.lowerBound == last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
            ranges.append(range)
        }
    }

    /// Whether the set is empty.
    public var isEmpty: Bool { ranges.isEmpty }
    /// The number of its elements.
    public var count: Int { ranges.reduce(0) { $0 + $1.count } }

    /// The set in the syntax of commands.
    public var text: String {
        ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound):\($0.upperBound)" }.joined(separator: ",")
    }

    /// Whether the set contains a number.
    public func contains(_ number: UInt32) -> Bool {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < number { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].contains(number)
    }

    /// All numbers, in order, up to a limit that guards against invalid responses.
    public func numbers(limit: Int = 50_000_000) -> [UInt32] {
        guard count <= limit else { return [] }
        return ranges.flatMap { Array($0) }
    }
}
