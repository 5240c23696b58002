import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal export`
struct CalExport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "export", abstract: "Export events as iCalendar.",
        discussion: """
            Writes to standard output by default. Imported events are written with all their original properties. Events that \
            helix wrote or changed are checked by libical before anything is written; --check checks all, and tells what it finds \
            in those of other programs.

              helix cal export > all.ics
              helix cal export --calendar work -o work.ics
              helix cal export this year k3f7
            """)
    static let reports: [PrintedReport] = []

    @Argument(
        help: ArgumentHelp("Event ids, or the days of the events.", valueName: "id|range"),
        completion: .custom(CompletionLists.eventIDs))
    var items: [String] = []

    @Option(
        name: [.customShort("o"), .customLong("output"), .customLong("out")],
        help: ArgumentHelp("The file to write.", valueName: "file"),
        completion: .file())
    var file: String?

    @Flag(name: .long, help: "Overwrite an existing file.")
    var force = false

    @Flag(inversion: .prefixedNo, help: "Check all events, or none; default: those that helix wrote.")
    var check: Bool?

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var calendars: CalendarOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseLimit("an export is whole")
        if output.isMachine {
            throw ValidationError("The export is iCalendar. For JSON use 'helix cal agenda --json'.")
        }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let (ids, words) = try split(context)
        var range: TimeRange?
        if !words.isEmpty || bounds.from != nil || bounds.to != nil {
            range = try bounds.range(words, context) {
                PhraseRange(start: .date(context.today), end: .date(context.today + 366))
            }.timeRange(in: context.zone)
        }
        let selection =
            calendars.calendar.isEmpty
            ? (ids.isEmpty ? CalendarSelection.visible : .all) : try context.selection(calendars.calendar)
        // In the file, zones precede events, so the events are walked twice: they need not fit into memory.
        var export = CalendarExport(now: context.now)
        let check = try ExportCheck(all: self.check, context)
        let wanted = ids.isEmpty ? nil : ids
        var names: Set<String> = []
        try store.forEachEvent(calendars: selection, range: range, zone: context.zone, ids: wanted) {
            export.note(text: $0.text, zones: $0.zones)
            names.insert($0.calendar.name)
            try check?.add($0)
        }
        try check?.finish()
        let sink = try ExportSink(file, on: context.console, force: force)
        // One calendar names the file; of several, each event names its own.
        try sink.write(export.header(name: names.count == 1 ? names.first : nil))
        var count = 0
        try store.forEachEvent(calendars: selection, range: range, zone: context.zone, ids: wanted) {
            let text = names.count > 1 ? CalendarNameLine.adding($0.calendar.name, to: $0.text) : $0.text
            try sink.write(export.event(text, zones: $0.zones))
            count += 1
        }
        try sink.write(export.footer)
        try sink.finish()
        if file != nil { context.note("Exported \(count) event\(count == 1 ? "" : "s").") }
    }

    /// Splits the words into leading ids and a range.
    private func split(_ context: CommandContext) throws -> (ids: [EntityID], words: [String]) {
        var ids: [EntityID] = []
        var words: [String] = []
        for item in items {
            if let id = try? context.store().entity(EntityPrefix(item), kinds: [.event]).id, item.count >= 4,
                (try? context.dates.range(item)) == nil
            {
                ids.append(id)
            } else {
                words.append(item)
            }
        }
        if !words.isEmpty, (try? context.dates.range(words.joined(separator: " "))) == nil {
            // Neither a date nor an id: for a single word the message about ids is more helpful.
            if words.count == 1 { _ = try context.event(words[0]) }
        }
        return (ids, words)
    }
}
