import HelixModel
import HelixSQLite

/// The rights to sync users' accounts, in PostgreSQL.
final class PostgresAccountLeases: GatewayAccountLeases {
    private let pool: PostgresPool

    init(_ pool: PostgresPool) { self.pool = pool }

    func take(_ user: EntityID, for gateway: String, pause: Int) throws -> Int64? {
        try rows("SELECT take_accounts(?, ?, ?)", [user.text, gateway, pause], repeats: true).first?[0]
    }

    func release(_ gateway: String) throws {
        _ = try rows("UPDATE account_lease SET until = clock_timestamp() WHERE gateway = ?", [gateway], repeats: true)
    }

    func usersWithAccounts() throws -> [EntityID] {
        try rows(
            """
            SELECT DISTINCT l."user" FROM user_log l JOIN "user" u ON u.id = l."user" AND u.is_disabled = 0
            WHERE l.is_current AND l.kind = 'account' AND l.fields IS NOT NULL
            """, [], repeats: true
        ).map { EntityID(stored: $0[0]) }
    }

    func state(of account: EntityID, _ user: EntityID) throws -> String? {
        try rows(
            "SELECT state FROM account_state WHERE \"user\" = ? AND account = ?", [user.text, account.text],
            repeats: true
        ).first?[0]
    }

    func save(_ state: (account: EntityID, text: String)?, of user: EntityID, lease: Int64) throws -> Bool {
        try rows(
            "SELECT save_account_state(?, ?, ?, ?)", [user.text, lease, state?.account.text, state?.text], repeats: true
        ).first?[0] ?? false
    }

    private func rows(_ sql: String, _ arguments: StatementArguments, repeats: Bool) throws -> [Row] {
        try pool.with { session in try session.perform(repeats: repeats) { try $0.rows(sql, arguments) } }
    }
}
