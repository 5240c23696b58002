import FoundationEssentials

/// The values of headers that repeat a part of the message (revision 2026-07-28, "Streamable HTTP").
public enum MCPHeader {
    private static let (start, end) = ("=?base64?", "?=")

    /// The text of a value: text outside ASCII comes in Base64.
    /// - Returns: nil for Base64 that is none.
    public static func decoded(_ value: String) -> String? {
        guard value.hasPrefix(start), value.hasSuffix(end), value.count >= start.count + end.count else { return value }
        let inner = value.dropFirst(start.count).dropLast(end.count)
        return Data(base64Encoded: String(inner)).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
