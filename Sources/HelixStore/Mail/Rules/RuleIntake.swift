import HelixMail
import HelixModel
import HelixSQLite

/// The messages that arrived and for which no rule ran yet. A trigger adds them (``Schema/mailRules``).
extension Store {
    /// Whether rules may run on arrivals: they are the person's, and act with the person's rights.
    var canRunRules: Bool { !isReadOnly && !isRehearsal && profile == nil && branch == nil }

    func hasRuleIntake() throws -> Bool {
        try read { try Int64.fetchOne($0, sql: "SELECT 1 FROM rule_intake LIMIT 1") != nil }
    }

    /// The oldest of these messages, and those of them that rules are for: the ones in an inbox, and those that a rule on the
    /// server has moved from there.
    func ruleIntake(limit: Int) throws -> (looked: [EntityID], arrivals: [EntityID]) {
        try read { db in
            let moved = try serverTargets(db)
            let row = try Statement(
                db,
                """
                SELECT i.message, m.account, b.role, b.name
                FROM rule_intake i LEFT JOIN message m ON m.id = i.message LEFT JOIN mailbox b ON b.n = m.mailbox
                ORDER BY m.n LIMIT \(limit)
                """)
            var (looked, arrivals) = ([EntityID](), [EntityID]())
            while try row.step() {
                guard let id = row.id(0) else { continue }
                looked.append(id)
                guard !row.isNull(1) else { continue }
                let (role, name) = (row.text(2) ?? "", (row.text(3) ?? "").lowercased())
                let targets = moved[row.integer(1)] ?? []
                if role == Mailbox.Role.inbox.rawValue || targets.contains(name) || targets.contains(role) {
                    arrivals.append(id)
                }
            }
            return (looked, arrivals)
        }
    }

    /// The mailboxes to which the rules on servers move, by account: names in lower case, and roles.
    private func serverTargets(_ db: Database) throws -> [Int64: Set<String>] {
        let row = try Statement(db, "SELECT account, rules FROM sieve_script")
        var targets: [Int64: Set<String>] = [:]
        var rules: [MailRule]?
        while try row.step() {
            let known = try rules ?? Store.mailRules(db)
            rules = known
            let ids = Set((row.text(1) ?? "").split(separator: " ").map(String.init))
            for action in known.filter({ ids.contains($0.id.text) }).flatMap(\.actions) {
                switch action {
                case .move(let mailbox): targets[row.integer(0), default: []].insert(mailbox.lowercased())
                case .archive: targets[row.integer(0), default: []].insert(Mailbox.Role.archive.rawValue)
                case .trash: targets[row.integer(0), default: []].insert(Mailbox.Role.trash.rawValue)
                default: break
                }
            }
        }
        return targets
    }

    /// Records that rules ran on messages, and why some did not.
    func settleRuleIntake(_ looked: [EntityID], _ effects: [RuleRun.Effect]) throws {
        try writeDurably { db in
            for id in looked {
                try db.execute(sql: "DELETE FROM rule_intake WHERE message = ?", arguments: [id.text])
            }
            for effect in effects where !effect.matches.isEmpty || effect.problem != nil {
                if let problem = effect.problem {
                    try db.execute(
                        sql: "INSERT OR REPLACE INTO rule_problem (rule, problem, found_at) VALUES (?, ?, ?)",
                        arguments: [effect.rule.id.text, problem, now.seconds])
                } else {
                    try db.execute(
                        sql: "DELETE FROM rule_problem WHERE rule = ?", arguments: [effect.rule.id.text])
                }
            }
        }
    }

    /// Keeps rules from running on delivered messages, such as imported ones.
    /// - Parameter mark: the common part of their file names, as in ``MailDeliveries/mark``.
    /// - Throws: ``HelixError``.
    public func forgetRuleIntake(ofDelivery mark: String) throws {
        guard try hasRuleIntake() else { return }
        try writeDerived { db in
            try db.execute(
                sql: """
                    DELETE FROM rule_intake
                    WHERE message IN (SELECT id FROM message WHERE file LIKE ?)
                    """, arguments: ["%.\(mark)%"])
        }
    }
}
