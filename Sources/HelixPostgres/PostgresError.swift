/// An error reported by PostgreSQL, or by the connection to it.
public struct PostgresError: Error, Sendable, CustomStringConvertible {
    /// The SQLSTATE (https://www.postgresql.org/docs/15/errcodes-appendix.html); empty for a failure of the connection.
    public let state: String
    /// The message of the server or of libpq.
    public let message: String
    /// The hint of the server.
    public let hint: String?

    /// Creates an error.
    public init(state: String, message: String, hint: String? = nil) {
        (self.state, self.message, self.hint) = (state, message, hint)
    }

    /// Whether the connection cannot be used any more: it was cut, the server is stopping, or it has become a standby.
    public var endsConnection: Bool {
        state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") || state == "25006"
    }

    /// Whether the same transaction may succeed if it runs again: others were faster, or waited for each other.
    public var isConcurrency: Bool { state == "40001" || state == "40P01" }

    /// Whether the server has no room or no connection left at present.
    public var isOverload: Bool { state.hasPrefix("53") }

    /// Whether it took longer than allowed: a statement, or the wait for a lock.
    public var isTimeout: Bool { state == "57014" || state == "55P03" || state == "25P03" }

    /// A description for logs.
    public var description: String {
        "PostgreSQL \(state.isEmpty ? "connection" : state): \(message.split(separator: "\n").first ?? "")"
    }
}
