import ArgumentParser
import HelixModel
import HelixStore
import HelixTerminal

/// `helix time stop`
struct TimeStop: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "stop", abstract: "Stop the timer.",
        discussion: """
              helix time stop
              helix time stop --at 17:30
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("End.", valueName: "when"))
    var at: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        (command.at, command.output) = (nil, .unset)
        command.changes = .unset
        return command
    }

    func run(in context: CommandContext) throws { try context.stopClock(at: at, command: "time stop") }
}

extension CommandContext {
    /// Stops the timer.
    /// - Throws: ``HelixError`` of code `conflict` if it is not running.
    func stopClock(at: String?, command: String) throws {
        let time = try moment(at)
        if let at, time > now + 60 {
            throw HelixError(
                .usage, "'\(at)' is in the future: \(viewer.day(zone.date(time))) \(viewer.clock(time))",
                hint: "Stop it then, or give the time at which it ended.")
        }
        var remarks: [String] = []
        let changes = try store().change("stop the clock", command: command) { change in
            guard let running = try change.runningEntry() else {
                throw HelixError(.conflict, "the timer is not running", hint: "'helix time start' starts it.")
            }
            change.summary = "stop the clock for '\(running.title)'"
            let stopped = try change.stopTimer(at: time)
            let described = try described(stopped, change)
            remarks += stopped.map { CommandContext.remarks($0.adjustment) } ?? []
            if described.isEmpty { remarks.append("It had only just started, so it was not kept.") }
            return described
        }
        try presentTime(changes, remarks: remarks)
    }
}

/// `helix time cancel`
struct TimeCancel: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "cancel", abstract: "Discard the running timer.",
        discussion: "'helix undo' restores it.\n\n  helix time cancel")
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let running = try context.store().change("cancel the clock", command: "time cancel") { change in
            guard let running = try change.runningEntry() else {
                throw HelixError(.conflict, "the timer is not running")
            }
            change.summary = "forget '\(running.title)'"
            try change.deleteEntry(running.entry.id)
            return running
        }
        try context.presentTime([("Forgotten", running)])
    }
}

/// `helix time break`
struct TimeBreak: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "break", abstract: "Subtract a break from the running timer.",
        discussion: """
              helix time break 30m
              helix time break 12:00-12:45
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The duration until now, or start and end.", valueName: "length"))
    var length: [String]

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let text = length.joined(separator: " ")
        let range: TimeRange
        if let seconds = try? context.dates.duration(text) {
            range = TimeRange(start: context.now - seconds, end: context.now)
        } else {
            range = try context.dates.range(text).timeRange(in: context.zone)
        }
        let changes = try context.store().change("take a break", command: "time break") { change in
            guard let running = try change.runningEntry() else {
                throw HelixError(
                    .conflict, "the timer is not running", hint: "'helix time split' and 'edit' change past entries.")
            }
            guard range.start > running.entry.start, range.end <= context.now, range.duration > 0 else {
                throw HelixError(
                    .usage,
                    "the break is not within the time since \(context.viewer.clock(running.entry.start))")
            }
            var first = running.entry
            first.end = range.start
            try change.saveEntry(first, adjusts: false)
            var rest = running.entry
            (rest.id, rest.start) = (EntityID(), range.end)
            try change.addEntry(rest, adjusts: false)
            return [("Kept", try change.timeEntry(first.id)), ("Goes on", try change.timeEntry(rest.id))]
        }
        try context.presentTime(changes, remarks: ["A break of \(DateWords.text(hours: range.duration))."])
    }
}

/// `helix time status`
struct TimeStatus: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "status", abstract: "Show the running timer.",
        discussion: "  helix time status")
    static let reports: [PrintedReport] = [.json(TimeStatusReport.self)]

    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        command.output = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let running = try store.runningEntry()
        let today = context.zone.range(from: context.today, to: context.today + 1)
        let spent = try store.timeSpent(in: today)
        try context.present(
            TimeStatusReport(items: context.items(running.map { [$0] } ?? []), today: spent),
            ids: running.map { [$0.entry.id] } ?? [])
    }
}

/// The running timer.
struct TimeStatusReport: Report {
    static let schema = "helix.time.status/1"
    let items: [TimeItem]
    /// Seconds tracked today.
    let today: Int

    /// Seconds after which a running timer was probably forgotten.
    static let forgotten = 12 * 3600

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let item = items.first {
            var line = StyledText("▶ ", TextStyle(.green, bold: true))
            line.append(item.details.title.isEmpty ? "(no title)" : item.details.title, .bold)
            line.append("  " + DateWords.text(hours: item.seconds))
            line.append("  since \(viewer.near(.moment(item.entry.start)))", .dim)
            if let project = item.details.project { line.append("  " + project, TextStyle(.blue)) }
            canvas.line(line.fitted(canvas.textWidth))
            if item.seconds > TimeStatusReport.forgotten {
                canvas.paragraph(
                    "It has been running for over 12 hours. If it was forgotten, stop it with 'helix time stop --at 17:30'.",
                    style: TextStyle(.yellow))
            }
            if item.entry.start > viewer.now {
                canvas.paragraph(
                    "It starts in the future: was the computer's clock set back?", style: TextStyle(.yellow))
            }
        } else {
            canvas.line(StyledText("The timer is not running.", .dim))
        }
        if today > 0 { canvas.line(StyledText("\(DateWords.text(hours: today)) today.", .dim)) }
    }
}
