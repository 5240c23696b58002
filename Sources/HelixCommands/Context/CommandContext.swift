import Foundation
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// Everything a command needs from the world around it. Nothing is opened or read before it is asked for.
final class CommandContext {
    /// The process's environment.
    let environment: [String: String]
    /// Where files lie.
    let paths: Paths
    /// The user's settings.
    let configuration: Configuration
    /// Now; `HELIX_NOW` sets it.
    let now: Instant
    /// The zone that times are read and shown in.
    let zone: Zone
    /// Whether the zone was named with `--tz`.
    let isZoneNamed: Bool
    /// The zone of this place, whatever `--tz` says.
    let homeZone: Zone
    /// How output is wanted.
    let output: OutputOptions
    /// How a list is wanted.
    var list = ListOptions.unset
    /// The terminal.
    private(set) var terminal: Terminal
    private var opened: Store?
    /// Whether the command is only to be tried.
    var isDryRun = false

    /// The context of this process.
    /// - Throws: ``HelixError`` for settings that cannot be read, an unknown zone, or a clock that is none.
    init(
        output: OutputOptions, environment: [String: String] = ProcessEnvironment.current,
        ignoresSettings: Bool = false
    ) throws {
        self.environment = environment
        self.output = output
        paths = try Paths(environment: environment)
        let file = try Configuration(file: ignoresSettings ? "/nonexistent/helix" : paths.configuration)
        for warning in file.warnings(paths.configuration) {
            _ = Terminal.write("helix: \(SafeText.line(warning))\n", to: STDERR_FILENO)
        }
        configuration = try file.overlaid(by: environment)
        guard let local = ZoneDatabase.local(environment["TZ"]) else {
            // In another zone than was meant all times would be read and stored wrong.
            throw HelixError(
                .configuration, "TZ is '\(environment["TZ"] ?? "")', which is no time zone",
                hint: "Set it like Europe/Rome or UTC0, or unset it for the zone of the system.")
        }
        if let name = output.tz ?? (environment["TZ"] == nil ? configuration.text(.zone) : nil) {
            guard let named = ZoneDatabase.zone(typed: name) else {
                throw HelixError(
                    output.tz == nil ? .configuration : .usage, "there is no time zone '\(name)'",
                    hint: "Name it like Europe/Rome, America/New_York or UTC.")
            }
            zone = named
        } else {
            zone = local
        }
        isZoneNamed = output.tz != nil
        let usual = environment["TZ"] == nil ? configuration.text(.zone).flatMap(ZoneDatabase.zone(typed:)) : nil
        homeZone = usual ?? local
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        var now = Instant(Int64(time.tv_sec))
        if let text = environment["HELIX_NOW"], !text.isEmpty {
            let parser = DatePhraseParser(now: now, zone: local)
            guard let set = try? parser.moment(text) else {
                throw HelixError(
                    .usage, "HELIX_NOW is '\(text)', which is no time", hint: "Set it like 2026-11-21T10:00:00.")
            }
            now = set.instant(in: local)
        }
        self.now = now
        let mode = output.color ?? configuration.text(.color)
        terminal = Terminal(
            environment: environment, color: Terminal.ColorMode(rawValue: mode ?? "auto") ?? .auto,
            ascii: output.ascii || configuration.bool(.ascii))
    }

    /// The store, opened at first use.
    /// - Throws: ``HelixError``.
    func store() throws -> Store {
        if let opened { return opened }
        let store = try Store(
            path: paths.store, now: now, addresses: Set(configuration.list(.email).map { $0.lowercased() }))
        opened = store
        showWarnings(of: store)
        if isDryRun { try store.rehearse() }
        return store
    }

    /// Takes back what was tried.
    func endDryRun() { opened?.endRehearsal() }

    /// Says below the answer that nothing of it was done.
    func noteDryRun() {
        if output.isMachine { return }
        note(StyledText("Dry run: nothing was written or sent.", TextStyle(.yellow)))
    }

    /// Shows what the store has to say besides the answer: on standard error, also to scripts.
    private func showWarnings(of store: Store) {
        for warning in store.warnings { _ = Terminal.write("helix: \(warning)\n", to: STDERR_FILENO) }
        store.warnings = []
    }

    /// Reads dates and times as the user types them.
    var dates: DatePhraseParser {
        var parser = DatePhraseParser(
            now: now, zone: zone, firstWeekday: configuration.firstWeekday,
            languages: configuration.languages ?? localeLanguages)
        parser.partHours = configuration.partHours
        return parser
    }

    /// The language of LC_ALL, LC_TIME or LANG, the first of them that is set, after POSIX.
    private var localeLanguages: [String] {
        let locale = ["LC_ALL", "LC_TIME", "LANG"].lazy.compactMap { self.environment[$0] }.first { !$0.isEmpty }
        return locale.map { [String($0.prefix { $0 != "_" && $0 != "." && $0 != "@" })] } ?? []
    }

    /// The time of day as it goes on: somebody may have written in an editor for an hour.
    var clock: Instant {
        if environment["HELIX_NOW"]?.isEmpty == false { return now }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Instant(Int64(time.tv_sec))
    }

    /// Today.
    var today: CivilDate { zone.date(now) }

    /// Who looks at what comes out.
    var viewer: Viewer {
        Viewer(
            now: now, zone: zone, homeZone: homeZone, firstWeekday: configuration.firstWeekday,
            usesTwelveHours: configuration.text(.clock) == "12")
    }

    /// The policy by which events conflict.
    var conflictPolicy: ConflictPolicy {
        var policy = ConflictPolicy(zone: zone)
        policy.includesAllDay = configuration.bool(.conflictsAllDay)
        policy.buffer = configuration.seconds(.conflictsBuffer)
        return policy
    }

    /// The calendars named, or those that are not hidden.
    /// - Throws: ``HelixError`` of code `notFound`.
    func selection(_ names: [String]) throws -> CalendarSelection {
        if names.isEmpty { return .visible }
        let store = try store()
        let parts = names.flatMap { name -> [String] in
            // A name may have a comma itself.
            (try? store.calendar(named: name)) != nil
                ? [name] : name.split(separator: ",").map { String($0).trimmingBlanks() }
        }
        return .only(try parts.map { try store.calendar(named: $0).id })
    }

    /// Says something beside the data, to a person: on standard error, never with `--json`.
    func note(_ text: StyledText) {
        if output.isJSON { return }
        let isTerminal = isatty(STDERR_FILENO) == 1
        var canvas = Canvas(width: terminal.width, isASCII: terminal.isASCII)
        if text.width <= canvas.width {
            canvas.line(text)
        } else {
            let blanks = text.plain.prefix { $0 == " " }.count
            canvas.paragraph(text.plain, indent: blanks, style: text.firstStyle)
        }
        _ = Terminal.write(canvas.rendered(color: terminal.hasColor && isTerminal), to: STDERR_FILENO)
    }

    /// Asks before something is destroyed.
    /// - Throws: ``HelixError`` of code `usage` in a script without `--yes`, and if the answer is no.
    func confirm(_ question: String, yes: Bool) throws {
        // Nothing is destroyed by trying.
        if yes || isDryRun { return }
        guard Terminal.canAsk else {
            throw HelixError(.usage, "this needs a yes, and nobody can be asked", hint: "Pass --yes.")
        }
        if !Terminal.confirm(question) { throw HelixError(.usage, "nothing was changed") }
    }

    /// Notices that somebody has made the window larger or smaller meanwhile.
    func noticeSize() {
        let now = Terminal(environment: environment)
        (terminal.width, terminal.height) = (now.width, now.height)
    }

    /// Prints a report as it is wanted: drawn for a person, or as JSON.
    ///
    /// - Parameters:
    ///   - ids: identities whose short forms the drawing shows.
    ///   - width: the columns to draw on, if not the terminal's.
    /// - Throws: ``HelixError``: an unknown field, or output that cannot be written.
    func present<R: Report>(
        _ report: R, ids: some Collection<EntityID> = [EntityID](), width: Int? = nil
    ) throws {
        try present(report, shortIDs: ids.isEmpty || output.isMachine ? [:] : try store().shortIDs(ids), width: width)
    }

    /// As ``present(_:ids:)``, with short ids that are known already: of what is gone there are none any more.
    /// - Throws: ``HelixError``.
    func present<R: Report>(_ report: R, shortIDs: [EntityID: String], width: Int? = nil) throws {
        if let opened { showWarnings(of: opened) }
        if list.printsLines || output.isJSON { return try writeMachine(report) }
        let (shown, next) = try cut(report)
        var viewer = viewer
        viewer.shortIDs = shortIDs
        var canvas = Canvas(width: width ?? terminal.width, isASCII: terminal.isASCII)
        if let columns = output.columnList {
            try draw(shown, columns: columns, on: &canvas, for: &viewer)
        } else {
            shown.draw(on: &canvas, for: viewer)
        }
        if output.limit != nil, shown.isTruncated, shown is any CuttableReport {
            canvas.line(StyledText("There is more; --limit cut the list.", .dim))
        }
        defer { if let next { note(StyledText("More: --after \(next)", .dim)) } }
        for event in truncatedEvents { canvas.paragraph(CommandContext.truncation(event), style: .dim) }
        for remark in opened?.remarks ?? [] { canvas.paragraph(SafeText.line(remark), style: .dim) }
        opened?.remarks = []
        let pager = configuration.text(.pager) ?? environment["HELIX_PAGER"] ?? environment["PAGER"] ?? "less"
        guard terminal.write(canvas.rendered(color: terminal.hasColor), pager: pager) else {
            throw cannotWrite
        }
    }

    /// The report in the order that is wanted, from the item on that is wanted, and cut; with the cursor of the rest.
    private func cut<R: Report>(_ report: R) throws -> (R, next: String?) {
        guard list.readsAll else { return (output.limit.map { report.limited(to: $0) } ?? report, nil) }
        if output.columns != nil { return (report, nil) }
        guard var ordered = report as? any OrderedReport else {
            throw HelixError(
                .usage, "a picture has no other order", hint: "--json, --columns or --format show these as a list.")
        }
        let next = try reorder(&ordered)
        return (ordered as? R ?? report, next)
    }

    private func reorder<R: OrderedReport>(_ report: inout R) throws -> String? {
        let items = try ordered(report.items)
        report.items = items
        if let limit = output.limit { report = report.limited(to: limit) }
        guard items.count > report.items.count, let last = report.items.last else { return nil }
        return last.json(for: viewer).cursor
    }

    /// Items in the order that is wanted, from the one on that is wanted.
    private func ordered<Item: ReportItem>(_ items: [Item]) throws -> [Item] {
        guard list.readsAll else { return items }
        let viewer = viewer
        var rows = items.map { ($0, $0.json(for: viewer)) }
        if let sort = list.sort {
            rows = try ListOrder(sort, of: Item.fields).places(rows.map(\.1)).map { rows[$0] }
        }
        if list.reverse { rows.reverse() }
        if let after = list.after {
            let place =
                rows.firstIndex { $0.1.cursor == after }
                ?? rows.lastIndex { $0.1.cursor?.hasPrefix(after) ?? false }
            guard let place else {
                throw HelixError(
                    .notFound, "no item '\(after)' in this list", hint: "--after takes the 'next' of an answer.")
            }
            rows.removeFirst(place + 1)
        }
        return rows.map(\.0)
    }

    /// Draws the fields of a report's items, and says if there are none.
    private func draw<R: Report>(
        _ report: R, columns: [String], on canvas: inout Canvas, for viewer: inout Viewer
    ) throws {
        var table = try ColumnTable(columns, of: R.Item.fields)
        if report.items.isEmpty { return report.draw(on: &canvas, for: viewer) }
        for item in try ordered(report.items).prefix(output.limit ?? report.items.count) { table.add(item.json(for: viewer)) }
        let ids = table.ids
        if !ids.isEmpty { viewer.shortIDs.merge(try store().shortIDs(ids)) { own, _ in own } }
        table.draw(on: &canvas, for: viewer)
        for remark in report.remarks { canvas.paragraph(SafeText.line(remark), style: .dim) }
    }

    /// Events that have more occurrences than the view lists.
    private var truncatedEvents: [EntityID] { opened.map { $0.truncatedEvents.sorted() } ?? [] }

    private static func truncation(_ event: EntityID) -> String {
        "Event \(event.text.prefix(8)) occurs more often than is listed here. Name a shorter range to see all."
    }

    /// Writes text that is the output itself.
    /// - Throws: ``HelixError`` of code `io`.
    ///
    /// On a terminal it is made harmless first: titles come from strangers. Files and pipes get every byte.
    func write(_ text: String) throws {
        let shown = terminal.isInteractive ? SafeText.lines(text).joined(separator: "\n") : text
        guard Terminal.write(shown, to: STDOUT_FILENO) else { throw cannotWrite }
    }

    private var cannotWrite: HelixError {
        let isSaved = opened?.hasChanged ?? false
        return HelixError(
            .io, "the output cannot be written" + (isSaved ? "; what was to be changed is saved" : ""),
            hint: isSaved ? "Do not run it again: 'helix history' shows the change." : "Is the disk full?")
    }

    /// Writes a report's JSON as it is made, so that a long one needs no memory.
    private func writeMachine<R: Report>(_ report: R) throws {
        let viewer = viewer
        let names = output.fieldList
        // Whatever a report makes of --limit itself, programs get no more items than they asked for.
        let all = try ordered(report.items)
        let items = output.limit.map { Array(all.prefix($0)) } ?? all
        // Where a command itself has read no more than was asked for, the last item is where the rest begins.
        let isCut = report.isTruncated || items.count < all.count
        let next = isCut && output.limit != nil ? items.last.flatMap { $0.json(for: viewer).cursor } : nil
        let isTruncated = report.isTruncated || items.count < all.count || !truncatedEvents.isEmpty
        if let names {
            let known = R.Item.fields
            if let unknown = names.first(where: { name in !known.contains { $0.name == name } }) {
                throw SchemaField.unknown(unknown, among: known)
            }
        }
        func json(_ item: R.Item) -> JSONObject {
            let whole = item.json(for: viewer)
            return names.map(whole.selecting) ?? whole
        }
        var pending: [UInt8] = []
        func put(_ text: String, _ object: JSONObject? = nil, indent: Int? = nil, isLast: Bool = false) throws {
            pending.append(contentsOf: text.utf8)
            if let object { JSONValue.object(object).write(to: &pending, indent: indent) }
            guard isLast || pending.count > 1 << 16 else { return }
            guard Terminal.write(pending, to: STDOUT_FILENO) else { throw cannotWrite }
            pending.removeAll(keepingCapacity: true)
        }
        if list.printsLines {
            let format = try list.format.map { try LineFormat($0, of: R.Item.fields) }
            var known: Set<String> = []
            for item in items {
                let json = item.json(for: viewer)
                if let format {
                    try put(format.line(json, viewer) + "\n")
                } else if case .string(let id)? = json.fields.first(where: { $0.name == "id" })?.value,
                    known.insert(id).inserted
                {
                    try put(id + "\n")
                }
            }
            try put("", isLast: true)
            if let next { _ = Terminal.write("helix: more: --after \(next)\n", to: STDERR_FILENO) }
            return
        }
        if output.jsonl {
            for item in items {
                try put("", json(item))
                try put("\n")
            }
            if let next {
                var more = JSONObject()
                more.set("next", next)
                more.set("truncated", true)
                try put("", more)
                try put("\n")
            }
            try put("", isLast: true)
            for event in truncatedEvents {
                _ = Terminal.write("helix: \(CommandContext.truncation(event))\n", to: STDERR_FILENO)
            }
            return
        }
        guard R.isList else {
            var object = JSONObject()
            object.set("schema", R.schema)
            if isDryRun { object.set("dry_run", true) }
            for field in report.items.first.map(json)?.fields ?? [] { object.set(field.name, field.value) }
            try put("", object, indent: 0)
            return try put("\n", isLast: true)
        }
        try put("{\n  \"schema\": \"\(R.schema)\",\n  \"items\": [")
        for (index, item) in items.enumerated() {
            try put(index == 0 ? "\n    " : ",\n    ", json(item), indent: 2)
        }
        let close = items.isEmpty ? "]" : "\n  ]"
        if !report.remarks.isEmpty {
            try put(close + ",\n  \"remarks\": ")
            JSONValue.array(report.remarks.map { .string($0) }).write(to: &pending, indent: 1)
        }
        try put(
            (report.remarks.isEmpty ? close : "") + (isTruncated ? ",\n  \"truncated\": true" : "")
                + (next.map { ",\n  \"next\": " + JSONValue.string($0).text() } ?? "")
                + (isDryRun ? ",\n  \"dry_run\": true" : "") + "\n}\n",
            isLast: true)
    }
}
