import FoundationEssentials
import Glibc
import HelixModel
import HelixSQLite

/// The branch of an agent whose changes are proposals: a transaction in which its earlier proposals are made again, its command
/// runs, and which is rolled back. What the command changed is kept as a step of a proposal.
///
/// So nothing is copied, and every query sees the proposed state without knowing of it. Nobody else ever sees it.
struct Branch {
    /// The last change set before the command.
    let start: Int64
}

/// The part of a command's changes that was kept.
public struct ProposedWork: Sendable {
    /// The proposal; nil if nothing is proposed.
    public var proposal: EntityID?
    /// The number of steps that were added.
    public var steps = 0
    /// The messages that wait in the outbox until a person releases them.
    public var held: [EntityID] = []
}

extension Store {
    /// Whether what this store's agent changes becomes a proposal.
    public var proposes: Bool { profile?.changes == .propose }

    /// Whether the agent has proposals without a decision, which it sees as done.
    /// - Throws: ``HelixError``.
    public func hasBranch() throws -> Bool {
        guard let profile, profile.changes == .propose else { return false }
        return try read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM proposal p JOIN proposal_step s ON s.proposal = p.n
                        WHERE p.profile = ? AND s.state = 'pending')
                    """, arguments: [profile.name]) ?? false
        }
    }

    /// Opens the agent's branch: from here on it sees its proposals as done, and what it changes is rolled back.
    /// - Throws: ``HelixError``.
    public func openBranch() throws {
        guard proposes, branch == nil, !isRehearsal else { return }
        try rehearse(keeping: true)
        try replay()
        branch = Branch(start: try Int64.fetchOne(database, sql: "SELECT MAX(n) FROM change_set") ?? 0)
    }

    /// Makes the agent's pending steps again, in this transaction. A step that does not fit any more is left out.
    private func replay() throws {
        guard let profile else { return }
        let steps = try Row.fetchAll(
            database,
            sql: """
                SELECT s.proposal, s.n, s.id, s.command, s.summary, s.made_at, s.reverses FROM proposal p
                JOIN proposal_step s ON s.proposal = p.n WHERE p.profile = ? AND s.state = 'pending'
                ORDER BY p.n, s.n
                """, arguments: [profile.name])
        let present = now
        isReplaying = true
        defer { (isReplaying, now) = (false, present) }
        for step in steps {
            // Its changes count as made then.
            now = Instant(try step["made_at"])
            let changes = try changes(of: step["n"], in: step["proposal"], database)
            do {
                try make(
                    changes, step["summary"], step["command"], EntityID(stored: step["id"]), undoing: step["reverses"],
                    merging: nil)
            } catch let error as HelixError where [.conflict, .notFound].contains(error.code) {
                let summary: String = try step["summary"]
                warnings.append("Your proposal '\(summary)' does not fit any more: \(error.message)")
            }
        }
    }

    /// The change set that a step undoes, and the one that comes into effect again if that is an undo; nil for none.
    func reversal(_ id: String?) throws -> (target: Int64, original: Int64?)? {
        guard let id else { return nil }
        return try read { db in
            try Row.fetchOne(
                db, sql: "SELECT n, reverses FROM change_set WHERE id = ? AND reversed_by IS NULL", arguments: [id]
            ).map { (try $0["n"], try $0["reverses"]) }
        }
    }

    /// Checks that drafts can be kept: the drafts of an account are on its server, which sees nothing of a proposal.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    public func requireDrafts() throws {
        guard let profile, proposes else { return }
        throw profile.refusal(
            "keep a draft, which cannot be proposed", rule: .changes,
            hint: "Send it with --send: it waits in the outbox until the person releases it.")
    }

    /// Ends the branch: what the command changed is kept as a step of a proposal, and nothing else.
    /// - Returns: what was kept; nil outside of a branch.
    /// - Throws: ``HelixError``.
    public func keepBranch() throws -> ProposedWork? {
        guard let branch, let profile else { return nil }
        let made = try steps(after: branch.start)
        // Messages that the command wrote, and put away when it had sent them.
        let written = Set(made.flatMap(\.changes).filter { $0.kind == .message }.map(\.id))
        let putAway = try written.filter { try isKept($0) }
        try keepBytes(made.flatMap(\.changes).compactMap(\.hash))
        let work = try endRehearsal { () throws -> ProposedWork in
            let new = try written.filter { try !hasEntity(.message, $0) }
            if !new.isSubset(of: putAway) { try requireDrafts() }
            let proposed = made.compactMap {
                $0.without { $0.kind == .outgoing && $0.operation == .create || new.contains($0.id) }
            }
            return proposed.isEmpty ? ProposedWork() : try keep(proposed, of: profile)
        }
        return ProposedWork(proposal: work.proposal, steps: work.steps, held: try hold(made))
    }

    /// Puts the messages that a command sent into the outbox, where they wait for a person.
    /// - Returns: their IDs.
    private func hold(_ steps: [ProposedStep]) throws -> [EntityID] {
        var held: [EntityID] = []
        isHolding = true
        defer { isHolding = false }
        for step in steps {
            guard let mail = step.without({ $0.kind != .outgoing || $0.operation != .create }) else { continue }
            try change(mail.summary, command: mail.command, id: EntityID(), reverses: nil) { change in
                for row in mail.changes {
                    try change.create(row.kind, row.id, row.after ?? JournalFields([:]))
                    held.append(row.id)
                }
            }
        }
        return held
    }

    private func endRehearsal<Value>(keeping body: () throws -> Value) throws -> Value {
        let value: Value
        do { value = try database.endRehearsal(keeping: body) } catch {
            endRehearsal()
            throw readable(error)
        }
        endRehearsal()
        return value
    }

    private func keepBytes(_ hashes: [String]) throws {
        guard let scratch else { return }
        let own = FileFolder(store: path)
        for hash in Set(hashes) where own.path(hash) == nil {
            let kept = "\(scratch)/\(hash)"
            if access(kept, F_OK) == 0 { try own.keep(try own.stage(kept)) }
        }
    }

    private func keep(_ steps: [ProposedStep], of profile: AgentProfile) throws -> ProposedWork {
        let run = actor.run ?? ""
        let known = try Row.fetchOne(
            database,
            sql: """
                SELECT n, id FROM proposal p WHERE profile = ? AND run = ? AND EXISTS (SELECT 1 FROM proposal_step s
                    WHERE s.proposal = p.n AND s.state = 'pending') ORDER BY n DESC LIMIT 1
                """, arguments: [profile.name, run])
        let id = try known.map { EntityID(stored: try $0["id"]) } ?? EntityID()
        let number: Int64
        if let known {
            number = try known["n"]
        } else {
            try database.execute(
                sql: "INSERT INTO proposal (id, profile, run, made_at) VALUES (?, ?, ?, ?)",
                arguments: [id.text, profile.name, run, now.seconds])
            number = database.lastInsertedRowID
        }
        var place =
            try Int.fetchOne(database, sql: "SELECT MAX(n) FROM proposal_step WHERE proposal = ?", arguments: [number])
            ?? 0
        for step in steps {
            place += 1
            try database.execute(
                sql: """
                    INSERT INTO proposal_step (proposal, n, id, command, summary, made_at, reverses, state)
                    VALUES (?, ?, ?, ?, ?, ?, ?, 'pending')
                    """,
                arguments: [number, place, step.id.text, step.command, step.summary, now.seconds, step.reverses])
            for (ordinal, change) in step.changes.enumerated() {
                try database.execute(
                    sql: """
                        INSERT INTO proposal_change
                            (proposal, step, ordinal, kind, entity, operation, before, after, sha256)
                        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                        """,
                    arguments: [
                        number, place, ordinal, change.kind.rawValue, change.id.text, change.operation.rawValue,
                        change.before?.json, change.after?.json, change.hash,
                    ])
            }
        }
        return ProposedWork(proposal: id, steps: steps.count)
    }

    /// The change sets after a number, as steps of a proposal.
    private func steps(after start: Int64) throws -> [ProposedStep] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT n, id, command, summary,
                    (SELECT r.id FROM change_set r WHERE r.n = s.reverses) AS reverses
                FROM change_set s WHERE n > ? ORDER BY n
                """, arguments: [start]
        ).map { set in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT kind, entity, operation, before, after FROM change WHERE change_set = ? ORDER BY ordinal
                    """, arguments: [set["n"] as Int64])
            var created: Set<EntityID> = []
            var changes: [ProposedChange] = []
            for row in rows {
                guard let kind = EntityKind(rawValue: try row["kind"]),
                    let operation = EntityDifference.Operation(rawValue: try row["operation"])
                else { continue }
                let id = EntityID(stored: try row["entity"])
                var after = try (row["after"] as String?).map { try JournalFields(json: $0) }
                if operation == .create {
                    // A created row is taken as it is at the end.
                    created.insert(id)
                    guard let now = try JournaledTable.table(kind).row(database, id) else { continue }
                    after = now
                } else if created.contains(id) {
                    continue
                }
                changes.append(
                    ProposedChange(
                        kind: kind, id: id, operation: operation,
                        before: try (row["before"] as String?).map { try JournalFields(json: $0) }, after: after))
            }
            return try ProposedStep(
                id: EntityID(stored: set["id"]), command: set["command"], summary: set["summary"],
                reverses: set["reverses"], changes: changes)
        }
    }
}

/// The changes of one change set, on their way into a proposal.
private struct ProposedStep {
    var id: EntityID
    var command: String
    var summary: String
    /// The change set that it undoes.
    var reverses: String?
    var changes: [ProposedChange]

    /// The step without some changes; nil if nothing is left.
    func without(_ isLeftOut: (ProposedChange) -> Bool) -> ProposedStep? {
        var step = self
        step.changes.removeAll(where: isLeftOut)
        return step.changes.isEmpty ? nil : step
    }
}
