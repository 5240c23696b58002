import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix cal import`
struct CalImport: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import iCalendar files.",
        discussion: """
            Reads iCalendar files, folders of them (vdir), calcurse's folder, Org files, and '-' for standard input. \
            Without --calendar, events are imported into the calendar named after the file or subfolder, or else into \
            the default calendar. Importing again changes nothing; newer versions of events update them, older \
            ones are skipped. Invalid parts are reported with their line, and the rest is imported. 'helix undo' reverts \
            an import as a whole. --check has libical read the same files, and tells where it finds an error, or reads a UID, a \
            start or a rule differently.

              helix cal import holidays.ics
              helix cal import ~/.calendars
              helix cal import ~/.calendars/work --calendar work
              helix cal import ~/.local/share/calcurse
              curl -s https://example.com/cal.ics | helix cal import - --dry-run
            """)
    static let reports: [PrintedReport] = [.json(ImportReport.self)]

    @Argument(
        help: ArgumentHelp("Files or folders; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ics", "ical", "vcs"]))
    var files: [String]

    @Option(
        name: [.customShort("c"), .long],
        help: ArgumentHelp("The calendar to import into; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.calendars))
    var calendar: String?

    @Flag(name: .long, help: "Show what would be done; implies --check.")
    var dryRun = false

    @OptionGroup var validity: ValidityOptions

    @OptionGroup var conflicts: ConflictOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let sources = try files.flatMap { try ImportSource.sources($0) }
        let store = try context.store()
        var check = try validity.check(isDryRun: dryRun, context)
        let names = files.map { $0.lastPathComponent }.joined(separator: ", ")
        var result = ImportResult()
        do {
            try context.suggesting(conflicts.onConflict == .suggest ? .fail : conflicts.onConflict) {
                try store.change("import \(names)", command: "cal import", origin: .importing) { change in
                    var targets = try ImportTargets(change, only: calendar)
                    for source in sources {
                        let isNamed = files.count > 1 || source.isInFolder
                        var file = try CalendarFileImport(
                            source, isNamed: isNamed, on: context.console, checks: check != nil)
                        try file.read(into: &targets, &result, &check)
                    }
                    result.calendar = targets.first
                    result.calendars = targets.counts
                    result.defects = targets.defects + result.defects
                    result.rejected += targets.rejectedCount
                    if result.isAllRejected || validity.strict && result.isInvalid { throw ImportStopped() }
                    try self.judge(change, &result, context)
                    change.summary = "import \(names): \(result.created.count) new, \(result.updated.count) updated"
                    if dryRun { throw ImportStopped() }
                }
            }
        } catch is ImportStopped {
            // Everything was rolled back; the report shows what would have happened.
        }
        result.isDryRun = dryRun
        for line in result.notes(limit: output.isMachine ? 0 : 20) { context.note(line) }
        if validity.strict, result.isInvalid {
            if output.isMachine { try context.present(ImportReport(items: [result])) }
            let wrong = result.findings.compactMap(\.file).filter { $0 != "-" }.map(\.lastPathComponent)
            let names =
                files == ["-"]
                ? "the input" : files.count == 1 || wrong.isEmpty ? names : Set(wrong).sorted().joined(separator: ", ")
            throw HelixError(
                .badInput, "\(names) \(names.contains(", ") ? "are" : "is") not valid; nothing was changed",
                hint: "Without --strict, the valid parts are imported.")
        }
        try context.present(ImportReport(items: [result]))
        if result.isAllRejected {
            throw HelixError(
                .badInput, "no valid events in \(names); nothing was changed", hint: result.firstReason)
        }
    }

    /// Checks the imported events for conflicts, from today on for a year.
    private func judge(_ change: Change, _ result: inout ImportResult, _ context: CommandContext) throws {
        let option = conflicts.onConflict
        guard option != .allow, !result.created.isEmpty || !result.updated.isEmpty else { return }
        let range = TimeRange(start: context.now, end: context.now + 366 * 86_400)
        let mine = Set(result.created + result.updated)
        let found = try change.conflicts(in: range, policy: context.conflictPolicy)
        let concerned = found.conflicts.filter { mine.contains($0.a.event) || mine.contains($0.b.event) }
        result.conflicts = concerned.count
        result.hasMoreConflicts = found.isTruncated
        guard let first = concerned.first else { return }
        if option == .fail || option == .suggest {
            throw HelixError(
                .conflict,
                "\(concerned.count) conflicts in the next year, the first of '\(first.a.title)' with '\(first.b.title)' at "
                    + "\(context.viewer.span(first.a.time)); nothing was imported",
                hint: option == .suggest
                    ? try suggestion(for: first, context) : "Pass --on-conflict warn to import anyway.")
        }
    }

    private func suggestion(for conflict: Conflict, _ context: CommandContext) throws -> String {
        let length = max(300, conflict.a.time.range(in: context.zone).duration)
        return
            "Import it with --on-conflict warn, then move overlapping events; 'helix cal free --duration \(length / 60)m' lists free times."
    }
}

/// An error that ends an import without saving it.
private struct ImportStopped: Error {}
