import HelixModel
import HelixPostgres

extension Secrets {
    /// A database of a gateway.
    /// - Parameters:
    ///   - uri: its address.
    ///   - command: a command that prints the password; nil for the sources of libpq. It runs at each connection.
    /// - Throws: ``HelixError`` of code `usage` for an invalid address.
    public static func database(_ uri: String, command: String?) throws -> PostgresTarget {
        do {
            guard let command else { return try PostgresTarget(uri) }
            return try PostgresTarget(uri) { try output(of: command, for: "the database") }
        } catch let error as PostgresTarget.Invalid {
            throw HelixError(.usage, error.message, hint: error.hint)
        }
    }
}
