import HelixModel
import HelixSQLite

/// Merges an entity that was changed on both sides since an agent proposed to change it: the merged columns, and the names of
/// those that both changed to different values.
/// - Parameters: the kind; the columns as the agent found them, as they are now, and as it proposes them.
public typealias ProposalMerge =
    @Sendable (_ kind: EntityKind, _ base: JSONText, _ ours: JSONText, _ proposed: JSONText) -> (
        fields: JSONText, clashes: [String]
    )

extension Store {
    /// Makes the changes of a proposal, each step as a change set of its agent: all of them, or none.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the steps; nil for all that are pending.
    ///   - merging: merges what was changed on both sides.
    /// - Returns: the accepted steps.
    /// - Throws: ``HelixError`` of code `conflict` for what does not fit any more.
    public func accept(
        _ id: EntityID, steps numbers: [Int]? = nil, merging: @escaping ProposalMerge
    ) throws -> [Proposal.Step] {
        let (proposal, row, chosen) = try pending(id, numbers)
        // A rehearsal finds what cannot be made, before anything is changed, on the disk too.
        if !isRehearsal { try rehearsing { try make(chosen, of: proposal, row, merging) } }
        try make(chosen, of: proposal, row, merging)
        return chosen
    }

    /// The reason why the open steps of a proposal cannot be accepted together; nil if they can, and for an agent, whose own view has
    /// them as done.
    /// - Throws: ``HelixError`` for errors of the store.
    public func conflict(of proposal: Proposal, merging: @escaping ProposalMerge) throws -> String? {
        guard profile == nil, !isReadOnly, proposal.steps.contains(where: { $0.state == .pending }) else { return nil }
        let (whole, row, open) = try pending(proposal.id, nil)
        do {
            try rehearsing { try make(open, of: whole, row, merging) }
            return nil
        } catch let error as HelixError where [.conflict, .notFound].contains(error.code) {
            return error.message
        }
    }

    /// Rejects steps of a proposal; its agent does not see them as done any more.
    /// - Returns: the rejected steps.
    /// - Throws: ``HelixError``.
    public func reject(_ id: EntityID, steps numbers: [Int]? = nil) throws -> [Proposal.Step] {
        let (_, row, chosen) = try pending(id, numbers)
        try writeDurably { db in for step in chosen { try decide(step, of: row, .rejected, db) } }
        return chosen
    }

    /// Takes back the rejection of steps, which are pending again; its agent sees them as done.
    /// - Returns: the steps.
    /// - Throws: ``HelixError``.
    public func reopen(_ id: EntityID, steps numbers: [Int]? = nil) throws -> [Proposal.Step] {
        let (_, row, chosen) = try chosen(id, numbers, in: .rejected)
        try writeDurably { db in for step in chosen { try decide(step, of: row, .pending, db) } }
        return chosen
    }

    /// Leaves the agent's branch without a step, for what is no change of data.
    public func leaveBranch() { if branch != nil { endRehearsal() } }

    /// Adds a remark to a proposal, which its agent reads.
    /// - Throws: ``HelixError``.
    public func comment(_ text: String, on id: EntityID) throws {
        let author = profile?.name ?? "person"
        try writeDurably { db in
            try db.execute(
                sql: """
                    INSERT INTO proposal_comment (proposal, author, made_at, text)
                    SELECT n, ?, ?, ? FROM proposal WHERE id = ?
                    """, arguments: [author, now.seconds, text, id.text])
        }
    }

    /// The steps to decide on.
    private func pending(
        _ id: EntityID, _ numbers: [Int]?
    ) throws -> (proposal: Proposal, row: Int64, steps: [Proposal.Step]) { try chosen(id, numbers, in: .pending) }

    /// The steps with a number, or all of a state.
    private func chosen(
        _ id: EntityID, _ numbers: [Int]?, in state: Proposal.State
    ) throws -> (proposal: Proposal, row: Int64, steps: [Proposal.Step]) {
        guard let proposal = try proposals(id).first,
            let row = try read({
                try Int64.fetchOne($0, sql: "SELECT n FROM proposal WHERE id = ?", arguments: [id.text])
            })
        else { throw HelixError(.notFound, "unknown proposal '\(id.text)'") }
        let short = proposal.id.text.prefix(4)
        guard let numbers else {
            let steps = proposal.steps.filter { $0.state == state }
            if steps.isEmpty {
                let reason = state == .pending ? "everything in" : "nothing in"
                let rest = state == .pending ? "is decided" : "is \(state.rawValue)"
                throw HelixError(.notFound, "\(reason) the proposal \(short) \(rest)")
            }
            return (proposal, row, steps)
        }
        let steps = try Set(numbers).sorted().map { number in
            guard let step = proposal.steps.first(where: { $0.number == number }) else {
                throw HelixError(
                    .notFound, "the proposal \(short) has no step \(number)", hint: "'helix review show \(short)'")
            }
            guard step.state == state else {
                let present = state == .pending ? "\(step.state.rawValue) already" : "not \(state.rawValue)"
                throw HelixError(.notFound, "step \(number) of the proposal \(short) is \(present)")
            }
            return step
        }
        return (proposal, row, steps)
    }

    private func make(
        _ steps: [Proposal.Step], of proposal: Proposal, _ row: Int64, _ merging: @escaping ProposalMerge
    ) throws {
        try requireBasis(steps, of: proposal, row)
        let own = actor
        actor = ChangeActor(.agent, name: proposal.profile, run: proposal.run)
        defer { actor = own }
        for step in steps {
            do {
                let (proposed, undone) = try read { db in
                    let undone = try String.fetchOne(
                        db, sql: "SELECT reverses FROM proposal_step WHERE id = ?", arguments: [step.id.text])
                    return (try changes(of: step.number, in: row, db), undone)
                }
                try make(proposed, step.summary, step.command, step.id, undoing: undone, merging: merging) {
                    try decide(step, of: row, .accepted, $0)
                }
            } catch let error as HelixError where [.conflict, .notFound].contains(error.code) {
                throw HelixError(
                    error.code, "step \(step.number), '\(step.summary)': \(error.message)",
                    hint: "Nothing was accepted. Accept the other steps by their numbers, and reject this one.")
            }
        }
    }

    /// Refuses a step without an earlier one that it builds on, and that is still open: it changes or names what that one creates, or
    /// takes it back.
    /// - Throws: ``HelixError`` of code `conflict`.
    private func requireBasis(_ steps: [Proposal.Step], of proposal: Proposal, _ row: Int64) throws {
        let chosen = Set(steps.map(\.number))
        let open = proposal.steps.filter { $0.state == .pending && !chosen.contains($0.number) }
        guard !open.isEmpty else { return }
        try read { db in
            var creators: [String: Int] = [:]
            // The fields that open steps change, with the numbers of the steps.
            var writers: [String: [(number: Int, fields: Set<String>)]] = [:]
            for step in open {
                creators[step.id.text] = step.number
                for change in try changes(of: step.number, in: row, db) {
                    if change.operation == .create { creators[change.id.text] = step.number }
                    let fields = Set((change.after?.values ?? [:]).keys)
                    writers[change.id.text, default: []].append((step.number, fields))
                }
            }
            for step in steps {
                var names = Set<String>()
                for change in try changes(of: step.number, in: row, db) {
                    names.insert(change.id.text)
                    for case .string(let text) in change.after.map({ Array($0.values.values) }) ?? [] {
                        names.insert(text)
                    }
                }
                let undone = try String.fetchOne(
                    db, sql: "SELECT reverses FROM proposal_step WHERE id = ?", arguments: [step.id.text])
                if let undone { names.insert(undone) }
                let former = try changes(of: step.number, in: row, db).flatMap { change in
                    let own = Set((change.after?.values ?? [:]).keys)
                    return (writers[change.id.text] ?? []).filter { !$0.fields.isDisjoint(with: own) }.map(\.number)
                }
                let bases = names.compactMap { creators[$0] } + former
                guard let basis = bases.filter({ $0 < step.number }).min() else { continue }
                throw HelixError(
                    .conflict, "step \(step.number), '\(step.summary)', needs step \(basis), which is not accepted",
                    hint: "Accept or reject both of them: helix review accept \(proposal.id.text.prefix(4)) "
                        + "\(basis) \(step.number)")
            }
        }
    }

    /// Makes the changes of a step as one change set.
    func make(
        _ changes: [ProposedChange], _ summary: String, _ command: String, _ id: EntityID, undoing undone: String?,
        merging: ProposalMerge?, finally: (Database) throws -> Void = { _ in }
    ) throws {
        let reversal = try reversal(undone)
        try change(summary, command: command, id: id, reverses: reversal?.target) { change in
            if merging != nil { try change.requireUnchangedSeries(changes) }
            try change.apply(changes, merging: merging)
            if merging != nil { try change.requireSound(changes) }
            if let original = reversal?.original {
                try change.db.execute(
                    sql: "UPDATE change_set SET reversed_by = NULL WHERE n = ?", arguments: [original])
            }
            try finally(change.db)
        }
    }

    private func decide(_ step: Proposal.Step, of row: Int64, _ state: Proposal.State, _ db: Database) throws {
        try db.execute(
            sql: "UPDATE proposal_step SET state = ?, decided_at = ? WHERE proposal = ? AND n = ? AND state = ?",
            arguments: [
                state.rawValue, state == .pending ? nil : now.seconds, row, step.number, step.state.rawValue,
            ])
        // Somebody else was faster.
        if db.changedRows == 0 {
            throw HelixError(.conflict, "step \(step.number) was decided meanwhile", hint: "Look again: helix review")
        }
    }
}

extension Change {
    /// Makes proposed changes.
    /// - Parameter merging: merges what was changed on both sides; nil to let the proposed values win, as its agent sees them.
    /// - Throws: ``HelixError`` of code `conflict`.
    func apply(_ changes: [ProposedChange], merging: ProposalMerge?) throws {
        for change in changes { try apply(change, merging) }
    }

    private func apply(_ proposed: ProposedChange, _ merging: ProposalMerge?) throws {
        let (kind, id) = (proposed.kind, proposed.id)
        func refuse(_ what: String) -> HelixError {
            HelixError(.conflict, "the \(kind.rawValue.replacing("_", with: " ")) \(id.text.prefix(6)) \(what)")
        }
        let current = try JournaledTable.table(kind).row(db, id)
        switch proposed.operation {
        case .create:
            let fields = try settled(proposed.after ?? JournalFields([:]))
            // A container that came with another proposal, or has that name, is the same.
            if try namesake(kind, fields) != nil { return }
            if let current {
                let revive = EntityDescriptor.of(kind).rules.revive
                if try revive?(self, id, current, fields) == true { return }
                throw refuse("is there already")
            }
            do { try create(kind, id, fields) } catch let error as DatabaseError where error.code == .constraint {
                throw refuse("needs a name that was taken since, or something that was removed")
            }
        case .delete:
            guard let current else { return }
            if let before = proposed.before, merging != nil, current != before { throw refuse("was changed since") }
            do { try delete(kind, id) } catch let error as DatabaseError where error.code == .constraint {
                throw refuse("is used since by something new")
            }
        case .update:
            guard let current else {
                guard let other = try creator(of: id) else { throw refuse("was deleted since") }
                throw refuse("comes with the proposal \(other.prefix(4)), which is not accepted")
            }
            guard var before = proposed.before, var after = try proposed.after.map(settled) else { return }
            if merging != nil, kind == .message { (before, after) = MessageMerge.merged(before, current, after) }
            let present = JournalFields(current.values.filter { after.values[$0.key] != nil })
            if present != before, present != after, let merging {
                let merged = try merging(kind, before.object, present.object, after.object)
                if !merged.clashes.isEmpty {
                    let names = merged.clashes.map { $0.replacing("_", with: " ") }.joined(separator: ", ")
                    throw refuse("was changed since, too: \(names)")
                }
                after = try JournalFields(json: merged.fields.compact)
            }
            do { try update(kind, id, after, former: current) } catch let error as DatabaseError
                where error.code == .constraint
            {
                throw refuse("needs a name that was taken since, or something that was removed")
            }
        }
    }
}

extension JournalFields {
    /// The fields as JSON.
    fileprivate var object: JSONText {
        get throws { try json.map { try JSONText(Array($0.utf8)) } ?? .object([]) }
    }
}
