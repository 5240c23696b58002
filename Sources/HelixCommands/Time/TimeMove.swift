import ArgumentParser
import HelixModel
import HelixStore

/// `helix time move`
struct TimeMove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move a time entry to another time.",
        discussion: """
            A time keeps the day, a day keeps the time; +1d and -30m are relative to its current start.

              helix time move k3f7 10:00
              helix time move k3f7 yesterday 9:00 --adjust
            """)
    static let reports: [PrintedReport] = [.json(TimeChangeReport.self)]

    @Argument(help: ArgumentHelp("The entry.", valueName: "id"), completion: .custom(CompletionLists.timeIDs))
    var entry: String

    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("Start.", valueName: "when"))
    var when: [String]

    @Flag(name: .long, help: "Trim overlapping entries.")
    var adjust = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.timeEntry(entry)
        let time = try context.start(when.plainWords(of: "time move").joined(separator: " "), of: found.entry)
        var remarks: [String] = []
        let moved = try context.store().change("move '\(found.title)'", command: "time move") { change in
            var entry = found.entry
            entry.end = entry.end.map { time + ($0 - entry.start) }
            entry.start = time
            remarks = CommandContext.remarks(try change.saveEntry(entry, adjusts: adjust))
            return try change.timeEntry(entry.id)
        }
        try context.presentTime([("Moved", moved)], remarks: remarks)
    }
}

extension CommandContext {
    /// Parses the new start of an entry, relative to its current start.
    /// - Throws: ``HelixError`` of code `usage`.
    fileprivate func start(_ text: String, of entry: TimeEntry) throws -> Instant {
        let parts = try dates.looking(.back).move(text)
        guard parts.repetition == nil, !parts.saysEnd, !parts.saysNoTime || parts.time != nil else {
            throw HelixError(
                .usage, "'\(text)' is not a start time", hint: "The duration is kept; 'helix time edit' changes it."
            )
        }
        let clock = parts.zone ?? zone
        let current = clock.civil(entry.start)
        let time: Instant
        if let instant = parts.instant {
            time = instant
        } else if let shift = parts.shift {
            let civil = shift.applied(to: current)
            // Hours are elapsed time, days are calendar days.
            let isExact = shift.days == 0 && shift.months == 0
            time =
                isExact && parts.time == nil
                ? entry.start + shift.seconds
                : clock.instant(parts.time.map { CivilDateTime(civil.date) + $0 } ?? civil)
        } else {
            let day = parts.date ?? parts.period?.first ?? current.date
            time = clock.instant(CivilDateTime(day) + (parts.time ?? current.secondOfDay))
        }
        guard time + entry.duration(at: now) <= now + 60 || entry.start + entry.duration(at: now) > now else {
            throw HelixError(
                .usage,
                "\(viewer.span(.timed(TimeRange(start: time, end: time + entry.duration(at: now))))) is not over yet",
                hint: "Give the date.")
        }
        return time
    }
}
