import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixSystem
import HelixTasks
import HelixTerminal

/// `helix time import`
struct TimeImport: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import time of other programs.",
        discussion: """
            Reads Timewarrior's exports and data files (or their folder), the detailed reports of Toggl Track and \
            Clockify (CSV), clocked times of Org files, and what 'helix time export' writes. Importing again changes \
            nothing. Overlapping entries are skipped and reported.

              timew export | helix time import -
              helix time import ~/.timewarrior/data
              helix time import Toggl_time_entries.csv
              helix time import Clockify_Report.csv --dates dmy
              helix time import ~/org/work.org
            """)
    static let reports: [PrintedReport] = [.json(TaskImportReport.self)]

    @Argument(help: ArgumentHelp("Files, or '-' for standard input.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The order of day and month in a CSV file: dmy or mdy. Default: as the file shows.", valueName: "order"))
    var dates: TimeTableFormat.DateOrder?

    @Flag(name: .long, help: "Show what would be imported, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var entries: [ForeignTimeEntry] = []
        var defects: [ForeignDefect] = []
        for file in try files.flatMap(TimeImport.expanded) {
            let data =
                file == "-" ? try context.invocation.inputData() : FileManager.default.contents(atPath: file)
            guard let data = data ?? (file == "-" ? Data() : nil) else {
                let isThere = FileManager.default.fileExists(atPath: file)
                throw HelixError(
                    isThere ? .io : .notFound, isThere ? "cannot read \(file)" : "no file \(file)")
            }
            let found = try read([UInt8](data), file, context)
            entries += found.entries
            defects += found.defects
        }
        let names = files.count == 1 ? "'\(files[0])'" : "\(files.count) files"
        let result = try context.store().trying(
            "import time from \(names)", command: "time import", origin: .importing, isDryRun: dryRun
        ) {
            change in
            let done = try change.importEntries(entries)
            change.summary = "import \(EntityKind.timeEntry.counted(done.created)) from \(names)"
            return done
        }
        defects += Self.defects(of: result, context.viewer)
        for defect in defects.prefix(output.isMachine ? 0 : 20) {
            context.note(StyledText("  \(defect.place): \(defect.reason)", TextStyle(.yellow)))
        }
        if defects.count > 20, !output.isMachine { context.note("  … and \(defects.count - 20) more.") }
        if let running = result.running, !output.isMachine {
            context.note("The clock runs since \(context.viewer.moment(running.start)): 'helix time stop' ends it.")
        }
        if result.created + result.unchanged + result.ended.count + result.taken.count == 0, let first = defects.first {
            throw HelixError(
                .badInput, "no usable time entries in \(names); nothing was changed",
                hint: "\(first.place): \(first.reason).")
        }
        var report = TaskImportResult(isDryRun: dryRun)
        (report.created, report.unchanged, report.defects) = (result.created, result.unchanged, defects)
        report.updated = result.ended.count
        try context.present(TaskImportReport(items: [report]))
    }
}

extension TimeTableFormat.DateOrder: ExpressibleByArgument {}

extension TimeImport {
    /// The entries that were left out, or imported otherwise than the file has them.
    private static func defects(of result: TimeImportOutcome, _ viewer: Viewer) -> [ForeignDefect] {
        func defects(_ entries: [TimeEntry], _ reason: String, isPartial: Bool = false) -> [ForeignDefect] {
            entries.map { entry in
                let title = entry.title.map { "'\($0)'" } ?? "an entry without a title"
                return ForeignDefect(viewer.moment(entry.start), "\(title) \(reason)", isPartial: isPartial)
            }
        }
        return defects(result.taken, "overlaps another entry")
            + defects(result.reversed, "ends when or before it starts")
            + defects(result.endless, "has no end, and does not run: others begin after it, or it begins in the future")
            + result.otherCustomers.sorted { $0.joined() < $1.joined() }.map { pair in
                let reason = "the project '\(pair[1])' is another's here; its time is charged as the project is"
                return ForeignDefect("customer '\(pair[0])'", reason, isPartial: true)
            }
            + defects(
                result.differing,
                "has other tags, another note or is billable otherwise here, and is left as it is", isPartial: true)
            + defects(result.untied, "is imported without its task, which does not exist here", isPartial: true)
    }
}

extension TimeImport {
    /// Reads a file in the format that its content shows.
    /// - Throws: ``HelixError``: `badInput` for an unknown format.
    private func read(
        _ bytes: [UInt8], _ file: String, _ context: CommandContext
    ) throws -> (entries: [ForeignTimeEntry], defects: [ForeignDefect]) {
        if file.lowercased().hasSuffix(".org") || OrgDocument.isFormat(bytes) {
            return try OrgFormat.time(bytes, zone: context.zone)
        }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isTimewarrior = first == UInt8(ascii: "[") || bytes.starts(with: Array("inc".utf8))
        if first == UInt8(ascii: "{"), let found = TimeLogFormat.read(bytes) { return found }
        if !isTimewarrior, bytes.prefix(while: { $0 != 0x0A }).contains(where: { [0x2C, 0x3B, 0x09].contains($0) }) {
            return try TimeTableFormat(zone: context.zone, order: dates).read(CSVTable(bytes))
        }
        return try TimewarriorFormat.read(bytes)
    }

    /// The monthly data files of a folder, or the file itself.
    /// - Throws: ``HelixError`` of code `notFound` for a folder without data files.
    private static func expanded(_ path: String) throws -> [String] {
        var isFolder = false
        guard path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder
        else {
            return [path]
        }
        let listed = try? FileManager.default.contentsOfDirectory(atPath: path)
        guard let names = listed else { throw HelixError(.io, "the folder \(path) cannot be read") }
        // Timewarrior keeps tags.data and undo.data next to the monthly files.
        let months = names.filter { $0.hasSuffix(".data") && $0.first?.isNumber == true }.sorted()
        guard !months.isEmpty else {
            throw HelixError(
                .notFound, "no Timewarrior data files in \(path)",
                hint: "Their names are like 2026-11.data; 'timew export' writes all of them as one.")
        }
        return months.map { "\(path)/\($0)" }
    }
}

/// An export format of time entries.
enum TimeFormat: String, ExpressibleByArgument, CaseIterable {
    case timewarrior
    case csv
    case json
}

/// `helix time export`
struct TimeExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export time entries.",
        discussion: """
            Default: all entries.

              helix time export --format timewarrior > export.json
              helix time export 2026-11 --format csv
              helix time export this year project:house +phone
            """)
    static let reports: [PrintedReport] = [.json(TimeLogReport.self)]

    @Argument(
        help: ArgumentHelp("The days, and a filter.", valueName: "range"),
        completion: .custom(CompletionLists.timeRange))
    var range: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Only entries that a filter means: see helix-query(7).", valueName: "filter"),
        completion: .custom(CompletionLists.timeQuery))
    var `where`: String?

    @Option(
        name: .long, help: ArgumentHelp("timewarrior, csv or json. Default: csv, json with --json.", valueName: "form"))
    var format: TimeFormat?

    @OptionGroup var target: ExportTarget
    @OptionGroup var bounds: RangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseLimit("an export is whole") }

    func run(in context: CommandContext) throws {
        let (range, words) = range.rangeAndFilter
        let filter = try context.timeFilters.filter(words.filter(with: `where`))
        let isWhole = range.isEmpty && !bounds.isGiven
        let span = isWhole ? TimeRange.always : try context.timeRange(range, bounds)
        let entries = try context.store().timeEntries(in: span, filter: filter, zone: context.zone)
        if output.isMachine, format != nil, format != .json {
            throw HelixError(.usage, "--format and JSON exclude each other", hint: "Use --format json.")
        }
        switch format ?? (output.isMachine ? .json : .csv) {
        case .timewarrior:
            try target.write(TimewarriorFormat.text(entries), of: entries.count, "entry", "entries", context)
        case .csv:
            let text = TimeCSV.text(entries, now: context.now, zone: context.zone)
            try target.write(text, of: entries.count, "entry", "entries", context)
        case .json:
            if target.out != nil {
                throw HelixError(.usage, "--output writes CSV or Timewarrior's format", hint: "Redirect JSON: > FILE")
            }
            var wanted = output
            if !wanted.isMachine { wanted.json = true }
            try CommandContext(context.invocation, output: wanted).present(TimeLogReport(items: context.items(entries)))
        }
    }
}
