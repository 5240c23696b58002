import HelixMail
import HelixModel
import HelixSQLite

extension Store {
    /// The rules for mail, in the order in which they run.
    /// - Throws: ``HelixError``, also for an action that a newer version wrote.
    public func mailRules() throws -> [MailRule] { try read { try Store.mailRules($0) } }

    static func mailRules(_ db: Database) throws -> [MailRule] {
        let row = try Statement(
            db, "SELECT id, name, query, actions, stops, is_active, position FROM mail_rule ORDER BY position, n")
        var rules: [MailRule] = []
        while try row.step() {
            rules.append(
                MailRule(
                    id: row.id(0) ?? EntityID(stored: ""), name: row.text(1) ?? "", query: row.text(2) ?? "",
                    actions: try (row.text(3) ?? "").split(separator: "\n").map {
                        try MailRuleAction(text: String($0))
                    }, stops: row.integer(4) != 0, isActive: row.integer(5) != 0, position: Int(row.integer(6))))
        }
        return rules
    }

    /// The rule with a name.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func mailRule(named name: String) throws -> MailRule {
        let rules = try mailRules()
        if let found = rules.first(where: { $0.name.lowercased() == name.lowercased() }) { return found }
        throw HelixError(
            .notFound, "no rule '\(name)'",
            hint: rules.isEmpty
                ? "'helix mail rules add' adds one." : "'helix mail rules list' lists them.")
    }

    /// The reasons why rules did not run when mail arrived last, by the rules.
    /// - Throws: ``HelixError``.
    public func ruleProblems() throws -> [EntityID: String] {
        try read { db in
            let row = try Statement(db, "SELECT rule, problem FROM rule_problem")
            var problems: [EntityID: String] = [:]
            while try row.step() { if let id = row.id(0) { problems[id] = row.text(1) ?? "" } }
            return problems
        }
    }

    /// The query that was saved under a name.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func savedQuery(named name: String) throws -> String {
        if let found = try savedSearches().first(where: { $0.name.lowercased() == name.lowercased() }) {
            return found.query
        }
        throw HelixError(.notFound, "no saved search '\(name)'", hint: "'helix mail search saved' lists them.")
    }
}

extension Change {
    /// Adds a rule behind all others, or before another one.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `conflict` for a name that is taken.
    public func addRule(_ rule: MailRule, before other: EntityID? = nil) throws {
        let rules = try Store.mailRules(db)
        try check(rule, among: rules)
        var added = rule
        added.position = (rules.last?.position ?? 0) + 1
        try create(.rule, rule.id, Change.fields(added))
        if let other { try moveRule(rule.id, before: other) }
    }

    /// Changes the name, query, actions and state of a rule.
    /// - Throws: ``HelixError``, as ``addRule(_:before:)``.
    public func editRule(_ rule: MailRule) throws {
        let rules = try Store.mailRules(db)
        try check(rule, among: rules.filter { $0.id != rule.id })
        guard let old = rules.first(where: { $0.id == rule.id }) else {
            throw HelixError(.notFound, "the rule '\(rule.name)' no longer exists")
        }
        if old != rule { try update(.rule, rule.id, Change.fields(rule)) }
    }

    /// Moves a rule before another one, or behind all if `other` is nil.
    /// - Throws: ``HelixError``.
    public func moveRule(_ id: EntityID, before other: EntityID?) throws {
        var rules = try Store.mailRules(db)
        guard let place = rules.firstIndex(where: { $0.id == id }), id != other else { return }
        let rule = rules.remove(at: place)
        rules.insert(rule, at: other.flatMap { other in rules.firstIndex { $0.id == other } } ?? rules.count)
        for (index, rule) in rules.enumerated() where rule.position != index + 1 {
            try update(.rule, rule.id, JournalFields(["position": .int64(Int64(index + 1))]))
        }
    }

    /// Deletes a rule.
    /// - Throws: ``HelixError``.
    public func deleteRule(_ id: EntityID) throws { try delete(.rule, id) }

    private func check(_ rule: MailRule, among others: [MailRule]) throws {
        guard !rule.name.trimmingBlanks().isEmpty, rule.name.count <= 60, !rule.name.contains(where: \.isNewline) else {
            throw HelixError(.usage, "invalid rule name '\(rule.name)'", hint: "Use a line of at most 60 characters.")
        }
        guard !others.contains(where: { $0.name.lowercased() == rule.name.lowercased() }) else {
            throw HelixError(
                .conflict, "there is a rule '\(rule.name)' already",
                hint: "'helix mail rules edit' changes it; or use another name.")
        }
        guard !rule.actions.isEmpty || rule.stops else {
            throw HelixError(.usage, "the rule '\(rule.name)' does nothing", hint: "Give it an action: --label bills.")
        }
        if let text = rule.actions.map(\.text).first(where: { $0.contains(where: \.isNewline) }) {
            throw HelixError(.usage, "'\(text)' has several lines", hint: "Write it in one line.")
        }
    }

    private static func fields(_ rule: MailRule) -> JournalFields {
        JournalFields([
            "name": rule.name.databaseValue, "query": rule.query.databaseValue,
            "actions": rule.actions.map(\.text).joined(separator: "\n").databaseValue,
            "stops": .int64(rule.stops ? 1 : 0), "is_active": .int64(rule.isActive ? 1 : 0),
            "position": .int64(Int64(rule.position)),
        ])
    }
}
