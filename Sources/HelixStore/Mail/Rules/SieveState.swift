import HelixMail
import HelixModel
import HelixSQLite

/// The script that the server of an account runs, as it was uploaded last.
public struct SieveState: Hashable, Sendable {
    /// The text.
    public var text: String
    /// Whether the rules belong into it; a script may have the answer while the user is away only.
    public var hasRules: Bool
    /// The rules in it.
    public var rules: [EntityID]
    /// The script of somebody else that runs first.
    public var included: String?

    /// Creates a state.
    public init(text: String, hasRules: Bool, rules: [EntityID], included: String?) {
        (self.text, self.hasRules, self.rules, self.included) = (text, hasRules, rules, included)
    }
}

extension Store {
    /// The uploaded scripts, by the numbers of the accounts.
    /// - Throws: ``HelixError``.
    public func sieveStates() throws -> [Int64: SieveState] {
        try read { db in
            let row = try Statement(db, "SELECT account, text, has_rules, rules, included FROM sieve_script")
            var states: [Int64: SieveState] = [:]
            while try row.step() {
                let rules = (row.text(3) ?? "").split(separator: " ").map { EntityID(stored: String($0)) }
                states[row.integer(0)] = SieveState(
                    text: row.text(1) ?? "", hasRules: row.integer(2) != 0, rules: rules, included: row.text(4))
            }
            return states
        }
    }

    /// Records the uploaded script of an account; nil if there is none any more.
    /// - Throws: ``HelixError``.
    public func setSieveState(_ state: SieveState?, of account: Account) throws {
        try writeDurably { db in
            guard let state else {
                return try db.execute(sql: "DELETE FROM sieve_script WHERE account = ?", arguments: [account.number])
            }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO sieve_script (account, text, has_rules, rules, included, put_at)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account.number, state.text, state.hasRules ? 1 : 0,
                    state.rules.map(\.text).joined(separator: " "), state.included, now.seconds,
                ])
        }
    }
}
