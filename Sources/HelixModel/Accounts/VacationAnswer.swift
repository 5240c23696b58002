/// The answer that a server sends while the user is away (RFC 5230).
public struct VacationAnswer: Hashable, Sendable, Codable {
    /// The text of the answer.
    public var text: String
    /// The subject; nil for `Auto: ` and the subject of the message.
    public var subject: String?
    /// The first moment; nil for at once.
    public var start: Instant?
    /// The moment from which on it is not sent any more; nil for no end.
    public var end: Instant?
    /// The days until somebody gets another answer.
    public var days: Int

    /// The usual number of days until somebody gets another answer (RFC 5230 §4.1).
    public static let usualDays = 7

    /// Creates an answer.
    public init(
        text: String, subject: String? = nil, start: Instant? = nil, end: Instant? = nil,
        days: Int = VacationAnswer.usualDays
    ) {
        (self.text, self.subject, self.start, self.end, self.days) = (text, subject, start, end, days)
    }
}

/// Instants in settings are seconds since 1970.
extension Instant: Codable {
    /// Reads the seconds.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes the seconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(seconds)
    }
}
