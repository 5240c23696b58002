import FoundationEssentials
import HelixMail
import HelixModel
import HelixSQLite

/// The script that was uploaded to the server of an account last.
public struct SieveState: Hashable, Sendable {
    /// The text.
    public var text: String
    /// Whether the rules belong into it; a script may have the answer while the user is away only.
    public var hasRules: Bool
    /// The rules in it.
    public var rules: [EntityID] = []
    /// The script of somebody else that was active before.
    public var former: String?
    /// Whether that script runs first.
    public var includesFormer = false
    /// The extensions of Sieve that the server has.
    public var extensions: Set<String> = []
    /// The answer while the user is away.
    public var vacation: VacationAnswer?

    /// Creates a state of a script.
    public init(text: String, hasRules: Bool) { (self.text, self.hasRules) = (text, hasRules) }

    /// The script of somebody else that runs first.
    public var included: String? { includesFormer ? former : nil }
}

extension Store {
    /// The uploaded scripts, by the numbers of the accounts.
    /// - Throws: ``HelixError``.
    public func sieveStates() throws -> [Int64: SieveState] {
        try read { db in
            let row = try Statement(
                db,
                "SELECT account, text, has_rules, rules, former, includes, extensions, vacation FROM sieve_script")
            var states: [Int64: SieveState] = [:]
            while try row.step() {
                var state = SieveState(text: row.text(1) ?? "", hasRules: row.integer(2) != 0)
                state.rules = (row.text(3) ?? "").split(separator: " ").map { EntityID(stored: String($0)) }
                (state.former, state.includesFormer) = (row.text(4), row.integer(5) != 0)
                state.extensions = Set((row.text(6) ?? "").split(separator: " ").map(String.init))
                state.vacation = try row.text(7).map {
                    do { return try JSONDecoder().decode(VacationAnswer.self, from: Data($0.utf8)) } catch {
                        throw HelixError(.badInput, "the answer while you are away cannot be read from the store")
                    }
                }
                states[row.integer(0)] = state
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
            let vacation = try state.vacation.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO sieve_script
                        (account, text, has_rules, rules, former, includes, extensions, vacation, put_at)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    account.number, state.text, state.hasRules ? 1 : 0,
                    state.rules.map(\.text).joined(separator: " "), state.former, state.includesFormer ? 1 : 0,
                    state.extensions.sorted().joined(separator: " "), vacation, now.seconds,
                ])
        }
    }
}
