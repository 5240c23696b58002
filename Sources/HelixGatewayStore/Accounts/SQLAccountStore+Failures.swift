import HelixModel
import HelixSQLite

extension SQLAccountStore {
    /// Keys as they are stored: a name that a client sends may be long.
    private static func stored(_ keys: [String]) -> [String] { keys.map { String($0.prefix(200)) } }

    func signInFailures(_ keys: [String], now: Instant) throws -> [String: SignInFailures] {
        guard !keys.isEmpty else { return [:] }
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        let rows = try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT key, count, last FROM signin_failure WHERE key IN (\(places)) AND last >= ?",
                arguments: StatementArguments(Self.stored(keys)) + [now.seconds - SignInFailures.memory])
        }
        return Dictionary(
            try rows.map { row in
                (try row["key"] as String, SignInFailures(count: try row["count"], last: Instant(try row["last"])))
            }, uniquingKeysWith: { $1 })
    }

    func noteSignInFailure(_ keys: [String], now: Instant) throws {
        try writing { db in
            // In one order, so that two gateways do not wait for each other.
            for key in Self.stored(keys).sorted() {
                try db.execute(
                    sql: """
                        INSERT INTO signin_failure (key, count, last) VALUES (?1, 1, ?2) ON CONFLICT (key) DO UPDATE SET
                            count = CASE WHEN signin_failure.last < ?3 THEN 1 ELSE signin_failure.count + 1 END,
                            last = ?2
                        """, arguments: [key, now.seconds, now.seconds - SignInFailures.memory])
            }
        }
    }

    func forgetSignInFailures(_ keys: [String]) throws {
        guard !keys.isEmpty else { return }
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        try writing { db in
            try db.execute(
                sql: "DELETE FROM signin_failure WHERE key IN (\(places))",
                arguments: StatementArguments(Self.stored(keys)))
        }
    }
}
