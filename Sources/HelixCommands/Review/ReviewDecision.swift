import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// The arguments that name a proposal and its steps.
struct ProposalArguments: ParsableArguments {
    @Argument(help: "The proposal, by a prefix of its id.", completion: .custom(CompletionLists.proposals))
    var id: String

    @Argument(help: ArgumentHelp("The numbers of steps; all by default.", valueName: "step"))
    var steps: [Int] = []

    /// The proposal.
    /// - Throws: ``HelixError`` of code `notFound`.
    func proposal(in store: Store) throws -> Proposal { try store.proposal(EntityPrefix(id)) }

    /// The numbers of steps; nil for all.
    var numbers: [Int]? { steps.isEmpty ? nil : steps }
}

/// `helix review accept`
struct ReviewAccept: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "accept", abstract: "Make the changes of a proposal.",
        discussion: """
            All of them, or none: what was changed meanwhile is merged field by field, and if both changed the same field \
            nothing is accepted (status 80). Each step is a change of its agent, which 'helix undo' can undo.

              helix review accept p7f2
              helix review accept p7f2 1 3
              helix review accept p7f2 --dry-run
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @OptionGroup var proposal: ProposalArguments
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    /// The merge of what was changed meanwhile, too.
    static let merge: ProposalMerge = {
        let merge = ReplicaMerge(kind: $0, base: $1, ours: $2, theirs: $3, prefersOurs: true)
        return (merge.fields, merge.clashes)
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try proposal.proposal(in: store)
        let steps = try store.accept(
            found.id, steps: proposal.numbers, merging: ReviewAccept.merge)
        let waiting = try store.heldMessages(of: found).map {
            "'\($0.subject)' still waits in the outbox: 'helix outbox release \($0.id.text.prefix(4))' sends it."
        }
        let cancelled = try store.cancelledSubjects(of: found).map { "'\($0)' was cancelled, and is not sent." }
        try context.present(
            decided: found.id, steps, "accepted",
            remarks: try context.conflictRemarks(of: steps) + waiting + cancelled)
    }
}

/// `helix review reject`
struct ReviewReject: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "reject", abstract: "Reject a proposal.",
        discussion: """
            The agent sees the rejected steps as not done. 'helix review comment' tells it why, and 'helix review reopen' \
            takes the rejection back. If all steps are rejected, the messages of its run that wait in the outbox are \
            cancelled; 'helix undo' brings them back.

              helix review reject p7f2
              helix review reject p7f2 2
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @OptionGroup var proposal: ProposalArguments
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try proposal.proposal(in: store)
        let steps = try store.reject(found.id, steps: proposal.numbers)
        let waiting = try store.heldMessages(of: found)
        let isWhole = try store.proposal(EntityPrefix(found.id.text)).steps.allSatisfy { $0.state == .rejected }
        if isWhole, !waiting.isEmpty {
            let count = waiting.count
            let summary = "cancel \(count) message\(count == 1 ? "" : "s") of '\(found.profile)'"
            try store.change(summary, command: "review reject") { change in
                for message in waiting { try change.removeHeld(message.id) }
            }
        }
        let remarks = waiting.map { message in
            isWhole
                ? "'\(message.subject)', which waited in the outbox, is cancelled; 'helix undo' brings it back."
                : "'\(message.subject)' still waits in the outbox: "
                    + "'helix outbox cancel \(message.id.text.prefix(4))' cancels it."
        }
        let way = "'helix review reopen \(found.id.text.prefix(4))' takes the rejection back."
        try context.present(decided: found.id, steps, "rejected", remarks: remarks + [way])
    }
}

/// `helix review reopen`
struct ReviewReopen: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "reopen", abstract: "Take back the rejection of a proposal.",
        discussion: """
            Rejected steps are to be decided on again, and the agent sees them as done. Accepted ones are changes, which \
            'helix undo' takes back.

              helix review reopen p7f2
              helix review reopen p7f2 2
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @OptionGroup var proposal: ProposalArguments
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try proposal.proposal(in: store)
        let steps = try store.reopen(found.id, steps: proposal.numbers)
        // The messages that the rejection cancelled wait again.
        let before = Set(try store.heldMessages(of: found).map(\.id))
        if let cancelled = try store.cancellation(of: found) { try store.undo(cancelled) }
        let remarks = try store.heldMessages(of: found).filter { !before.contains($0.id) }.map {
            "'\($0.subject)' waits in the outbox again."
        }
        try context.present(decided: found.id, steps, "reopened", remarks: remarks)
    }
}

/// `helix review comment`
struct ReviewComment: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "comment", abstract: "Comment on a proposal.",
        discussion: """
            The agent reads it with 'helix review show', and may answer.

              helix review comment p7f2 'Not on Mondays.'
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self)]

    @Argument(help: "The proposal, by a prefix of its id.", completion: .custom(CompletionLists.proposals))
    var id: String

    @Argument(help: ArgumentHelp("The comment.", valueName: "text"))
    var text: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let words = text.joined(separator: " ").trimmingBlanks()
        guard !words.isEmpty, words.utf8.count <= 10_000 else {
            throw HelixError(.usage, words.isEmpty ? "a comment needs words" : "a comment has at most 10,000 bytes")
        }
        let found = try store.proposal(EntityPrefix(id))
        // A remark of the agent is no part of what it proposes.
        if !context.isDryRun { store.leaveBranch() }
        try store.comment(words, on: found.id)
        try context.present(
            ProposalReport(
                items: [ProposalItem(proposal: try store.proposal(EntityPrefix(found.id.text)))], isWhole: true))
    }
}

extension CommandContext {
    /// Presents a proposal after a decision about some of its steps.
    fileprivate func present(
        decided id: EntityID, _ steps: [Proposal.Step], _ verb: String, remarks: [String]
    ) throws {
        let proposal = try store().proposal(EntityPrefix(id.text))
        try present(
            ProposalReport(
                items: [ProposalItem(proposal: proposal)], decided: Set(steps.map(\.number)), verb: verb,
                remarks: remarks))
    }

    /// The conflicts of the events of accepted steps: others may have been added since they were proposed.
    fileprivate func conflictRemarks(of steps: [Proposal.Step]) throws -> [String] {
        let changed = steps.flatMap(\.entities).filter { $0.kind == .event && $0.operation != .delete }.map(\.id)
        let store = try store()
        let events = try Set(changed).filter { try store.hasEntity(.event, $0) }
        let checks = try events.map { try store.event($0).series.instancesToCheck(from: now) }
        let times = checks.flatMap { $0.instances.flatMap { [$0.start, $0.end] } }
        guard let first = times.min(), let last = times.max() else { return [] }
        // Times without a zone are read on this clock, which is at most a day off.
        let range = TimeRange(start: Instant(first - 86_400), end: Instant(last + 86_400))
        let all = try store.conflicts(in: range, policy: conflictPolicy)
        let found = all.conflicts.filter {
            events.contains($0.a.event) || events.contains($0.b.event)
        }
        var remarks = found.prefix(5).map { conflict in
            let isFirst = events.contains(conflict.a.event)
            let (mine, other) = isFirst ? (conflict.a, conflict.b) : (conflict.b, conflict.a)
            return
                "'\(mine.title)' conflicts with '\(other.title)', \(viewer.span(other.time)) (\(other.calendar.name))."
        }
        if found.count > 5 { remarks.append("There are \(found.count - 5) more conflicts: 'helix cal conflicts'.") }
        if all.isTruncated || checks.contains(where: { $0.unknown != nil }) {
            remarks.append("There is too much at the same time to compare all of it: there may be more conflicts.")
        }
        return remarks
    }

    /// Keeps what the command of an agent changed as a proposal, if its profile says so, and tells it.
    func keepProposal() throws {
        guard !isDryRun, let work = try opened?.keepBranch(), !output.isMachine else { return }
        if let proposal = work.proposal {
            let id = proposal.text.prefix(4)
            note(
                StyledText(
                    "Proposed in \(id): a person accepts or rejects it ('helix review show \(id)').", TextStyle(.yellow)
                ))
        }
        if !work.held.isEmpty {
            note(StyledText("The message waits in the outbox until a person releases it.", TextStyle(.yellow)))
        }
    }
}
