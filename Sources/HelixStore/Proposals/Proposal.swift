import HelixModel
import HelixSQLite

/// The changes that a run of an agent proposes, one step for each command.
public struct Proposal: Hashable, Sendable {
    /// The state of a step. The raw value is written to the store and to JSON.
    public enum State: String, Sendable, CaseIterable {
        case pending
        case accepted
        case rejected
    }

    /// The changes of one command.
    public struct Step: Hashable, Sendable {
        /// The position in the proposal, from 1.
        public var number: Int
        /// The identity, which is that of the change set once it is accepted.
        public var id: EntityID
        /// The command, without its arguments.
        public var command: String
        /// The changes in words.
        public var summary: String
        /// The time at which the agent made them.
        public var madeAt: Instant
        /// The state.
        public var state: State
        /// The differences, by entity.
        public var entities: [EntityDifference]
    }

    /// A remark about a proposal.
    public struct Comment: Hashable, Sendable {
        /// The author: `person`, or the profile.
        public var author: String
        /// The time.
        public var madeAt: Instant
        /// The text.
        public var text: String
    }

    /// The identity.
    public var id: EntityID
    /// The agent's profile.
    public var profile: String
    /// The agent's run.
    public var run: String
    /// The time of the first step.
    public var madeAt: Instant
    /// The steps, in order.
    public var steps: [Step]
    /// The remarks, in order.
    public var comments: [Comment]

    /// Whether a decision is missing.
    public var isPending: Bool { steps.contains { $0.state == .pending } }
}

/// A change of a proposal, as it is stored.
struct ProposedChange {
    var kind: EntityKind
    var id: EntityID
    var operation: EntityDifference.Operation
    /// The former values: of the changed columns, or of all columns of a deleted row.
    var before: JournalFields?
    /// The new values: of the changed columns, or of all columns of a created row.
    var after: JournalFields?

    /// The hash of the bytes that it needs.
    var hash: String? {
        if case .string(let hash)? = after?.values["sha256"] { hash } else { nil }
    }
}

extension Store {
    /// The proposals, the latest first.
    /// - Parameters:
    ///   - id: the only one; nil for all.
    ///   - isPending: whether only those without a decision are listed.
    /// - Throws: ``HelixError``.
    public func proposals(_ id: EntityID? = nil, isPending: Bool = false) throws -> [Proposal] {
        try read { db in
            var conditions: [String] = []
            var arguments = StatementArguments()
            if let id {
                conditions.append("id = ?")
                arguments += [id.text]
            }
            if isPending {
                conditions.append(
                    "EXISTS (SELECT 1 FROM proposal_step s WHERE s.proposal = proposal.n AND s.state = 'pending')")
            }
            // An agent sees its own.
            if let profile {
                conditions.append("profile = ?")
                arguments += [profile.name]
            }
            let condition = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
            return try Row.fetchAll(
                db, sql: "SELECT n, id, profile, run, made_at FROM proposal WHERE \(condition) ORDER BY n DESC",
                arguments: arguments
            ).map { row in
                let number: Int64 = try row["n"]
                return try Proposal(
                    id: EntityID(stored: row["id"]), profile: row["profile"], run: row["run"],
                    madeAt: Instant(row["made_at"]), steps: steps(of: number, db),
                    comments: Row.fetchAll(
                        db, sql: "SELECT author, made_at, text FROM proposal_comment WHERE proposal = ? ORDER BY n",
                        arguments: [number]
                    ).map {
                        try Proposal.Comment(author: $0["author"], madeAt: Instant($0["made_at"]), text: $0["text"])
                    })
            }
        }
    }

    /// The number of proposals without a decision.
    /// - Throws: ``HelixError``.
    public func pendingProposals() throws -> Int {
        try read { db in
            try Int.fetchOne(
                db, sql: "SELECT COUNT(DISTINCT proposal) FROM proposal_step WHERE state = 'pending'") ?? 0
        }
    }

    /// The proposal whose ID begins with `prefix`.
    /// - Throws: ``HelixError``: `notFound`, or `ambiguous`.
    public func proposal(_ prefix: EntityPrefix) throws -> Proposal {
        let found = try read { db in
            try String.fetchAll(
                db, sql: "SELECT id FROM proposal WHERE id >= ?1 AND id < ?2 AND (?3 IS NULL OR profile = ?3) LIMIT 2",
                arguments: [prefix.text, prefix.text + "~", profile?.name])
        }
        guard let id = found.first, let proposal = try proposals(EntityID(stored: id)).first else {
            throw HelixError(
                .notFound, "unknown proposal '\(prefix)'", hint: "'helix review list --all' lists them.")
        }
        guard found.count == 1 else {
            throw HelixError(.ambiguous, "ambiguous proposal '\(prefix)'", hint: "Use a longer prefix.")
        }
        return proposal
    }

    private func steps(of proposal: Int64, _ db: Database) throws -> [Proposal.Step] {
        // Titles of entities that an earlier step creates, which exist nowhere else.
        var titles: [EntityID: String] = [:]
        return try Row.fetchAll(
            db, sql: "SELECT n, id, command, summary, made_at, state FROM proposal_step WHERE proposal = ? ORDER BY n",
            arguments: [proposal]
        ).map { row in
            let number: Int = try row["n"]
            return try Proposal.Step(
                number: number, id: EntityID(stored: row["id"]), command: row["command"], summary: row["summary"],
                madeAt: Instant(row["made_at"]), state: Proposal.State(rawValue: row["state"]) ?? .rejected,
                entities: differences(try changes(of: number, in: proposal, db), &titles))
        }
    }

    /// The changes of a step, in order.
    func changes(of step: Int, in proposal: Int64, _ db: Database) throws -> [ProposedChange] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT kind, entity, operation, before, after FROM proposal_change
                WHERE proposal = ? AND step = ? ORDER BY ordinal
                """, arguments: [proposal, step]
        ).map { row in
            guard let kind = EntityKind(rawValue: try row["kind"]),
                let operation = EntityDifference.Operation(rawValue: try row["operation"])
            else {
                throw HelixError(.configuration, "a proposal was made by a newer helix", hint: "Update helix.")
            }
            return try ProposedChange(
                kind: kind, id: EntityID(stored: row["entity"]), operation: operation,
                before: (row["before"] as String?).map { try JournalFields(json: $0) },
                after: (row["after"] as String?).map { try JournalFields(json: $0) })
        }
    }

    /// The differences of changes, by entity.
    /// - Parameter titles: the titles of what was created so far.
    private func differences(
        _ changes: [ProposedChange], _ titles: inout [EntityID: String]
    ) throws -> [EntityDifference] {
        var all: [EntityDifference] = []
        for change in changes {
            let (before, after) = (change.before?.values ?? [:], change.after?.values ?? [:])
            // An entity that an earlier step creates is shown by its title in place of its identity.
            var fields = try fieldChanges(change.kind, change.id, before, after).map { field in
                var field = field
                field.before = field.before.map { titles[EntityID(stored: $0)] ?? $0 }
                field.after = field.after.map { titles[EntityID(stored: $0)] ?? $0 }
                return field
            }
            if change.operation == .create { fields = EntityDescriptor.of(change.kind).rules.worthTelling(fields) }
            if change.operation == .update, let place = all.firstIndex(where: { $0.id == change.id }) {
                all[place].fields.merge(fields)
                continue
            }
            let title = try title(of: change) ?? titles[change.id]
            if change.operation == .create { titles[change.id] = title }
            all.append(
                EntityDifference(
                    kind: change.kind, id: change.id, title: title, operation: change.operation, fields: fields))
        }
        return all
    }

    private func title(of change: ProposedChange) throws -> String? {
        let fields = change.operation == .create ? change.after : change.before
        if let title = fields.flatMap({ FieldChange.title($0.values) }) { return title }
        return try read { try Store.knownTitle($0, change.kind, change.id) }
    }
}
