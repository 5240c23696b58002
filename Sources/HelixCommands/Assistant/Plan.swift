import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix plan`
struct Plan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Plan time for tasks by an assistant, as a proposal.",
        subcommands: [PlanDay.self, PlanWeek.self])
}

/// `helix plan day`
struct PlanDay: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "day", abstract: "Plan the rest of today, or another day.",
        discussion: """
            The assistant chooses the tasks, their order and lengths; helix books them in free working hours. 'helix review' \
            accepts the blocks, whole or one by one.

              helix plan day
              helix plan day tomorrow --dry-run
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The day; default: today.")
    var words: [String] = []

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    func run(with assistant: Assistant, in context: CommandContext) throws {
        try context.plan(words.isEmpty ? "today" : words.joined(separator: " "), assistant)
    }
}

/// `helix plan week`
struct PlanWeek: AssistantCommand {
    static let about = CommandConfiguration(
        commandName: "week", abstract: "Plan the rest of this week, or another one.",
        discussion: """
              helix plan week
              helix plan week 'next week'
            """)
    static let reports: [PrintedReport] = [.json(ProposalReport.self), .json(SentReport.self, with: "--dry-run")]

    @Argument(help: "The week; default: this week.")
    var words: [String] = []

    @OptionGroup var assisting: AssistantOptions
    @OptionGroup var output: OutputOptions

    func run(with assistant: Assistant, in context: CommandContext) throws {
        try context.plan(words.isEmpty ? "this week" : words.joined(separator: " "), assistant)
    }
}

extension CommandContext {
    private static let planTask = """
        Plan when the person works on tasks in the given free times. Prefer what is due or urgent, keep tasks of one project \
        together, leave a tenth of the time free, and plan no task that waits for another. Answer with JSON alone:
        {"blocks": [{"task": "ID", "start": "2026-11-27T09:00", "minutes": 45, "reason": "one short sentence"}]}
        Use only ids of the given tasks, and start within a free time.
        """

    /// Whether a time is within one of the free times of a report.
    private static func isFree(_ start: Instant, _ seconds: Int64, _ free: JSONText) -> Bool {
        (free["items"]?.elements ?? []).contains { item in
            guard let first = item["start"]?.text.flatMap(instant), let last = item["end"]?.text.flatMap(instant) else {
                return false
            }
            return start >= first && start + Int(seconds) <= last
        }
    }

    private static func instant(_ text: String) -> Instant? { ISO8601Reader.instant(text) }

    /// Proposes time for tasks in a range of days.
    /// - Throws: ``HelixError``; ``SentText`` in a dry run.
    fileprivate func plan(_ range: String, _ assistant: Assistant) throws {
        try assistant.requireEndpoint()
        let free = try assistant.freeTimes(["cal", "free", range])
        let tasks = try assistant.read(["tasks", "next", "--limit=40"])
        let known = AssistantSource.list(in: tasks)
        guard !known.isEmpty else {
            throw HelixError(.notFound, "no task to plan", hint: "'helix tasks next' lists them.")
        }
        guard free["items"]?.elements?.isEmpty == false else {
            throw HelixError(
                .notFound, "no free time in '\(range)'", hint: "'helix cal free \(range)' shows free times.")
        }
        let agenda = try assistant.read(["cal", "agenda", range])
        let parts = [
            "Free times: \(free.compact)", "Tasks, the most urgent first: \(tasks.compact)",
            "Agenda: \(agenda.compact)",
        ]
        let (kept, remark) = assistant.fitting(parts, besides: Self.planTask)
        let (plan, _) = try assistant.object(assistant.messages(Self.planTask, kept), lists: ["blocks"])
        var proposal = AssistantProposal(assistant, remarks: [remark].compactMap { $0 })
        var reasons: [String] = []
        for block in plan["blocks"]?.elements ?? [] {
            guard let id = block["task"]?.text, let task = known.first(where: { $0.id.hasPrefix(id) && id.count >= 4 })
            else {
                proposal.remark("Not proposed: a task '\(block["task"]?.text ?? "")' that does not exist.")
                continue
            }
            guard let start = block["start"]?.text, let minutes = block["minutes"]?.integer, (5...600).contains(minutes)
            else {
                proposal.remark(
                    "Not proposed: time for '\(task.title)': it needs a start, and a length of 5 to 600 minutes.")
                continue
            }
            guard let moment = try? dates.moment(start).instant(in: zone) else {
                proposal.remark("Not proposed: time for '\(task.title)': '\(start)' is no time.")
                continue
            }
            guard moment >= now, Self.isFree(moment, minutes * 60, free) else {
                let reason = moment < now ? "it is past" : "it is not within the free times of '\(range)'"
                proposal.remark("Not proposed: time for '\(task.title)' at \(start): \(reason).")
                continue
            }
            let made = proposal.propose(
                ["tasks", "schedule", task.id, "--from=\(start)", "--duration=\(minutes)m", "--again"],
                "time for '\(task.title)'")
            if made != nil, let reason = block["reason"]?.text {
                reasons.append("\(task.title): \(Assistant.withoutFences(reason))")
            }
        }
        try proposal.present(nothing: "The assistant proposes nothing.", reasons: reasons)
    }
}
