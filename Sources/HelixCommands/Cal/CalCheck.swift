import ArgumentParser
import HelixCalendar
import HelixModel
import HelixStore
import HelixTerminal

/// `helix cal check`
struct CalCheck: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "check", abstract: "Check calendars for errors.",
        discussion: """
            Checks iCalendar files, folders of them and '-' (standard input), or with --store all events of the store, as they \
            would be exported. libical, the reference library for iCalendar, and helix read each component; both say what is not \
            valid, and where they read a UID, a start or a rule differently. Without a METHOD, errors of form and values, and \
            properties that are missing, too many or exclude each other are found; with one, also what RFC 5546 requires.

            The exit status is 65 if there are findings.

              helix cal check holidays.ics
              helix cal check ~/.calendars --json
              helix cal check --store
            """)
    static let reports: [PrintedReport] = [.json(CheckReport.self)]

    @Argument(
        help: ArgumentHelp("Files or folders; - is standard input.", valueName: "file"),
        completion: .file(extensions: ["ics", "ical", "ifb", "vcs"]))
    var files: [String] = []

    @Flag(name: .long, help: "Check the events of the store.")
    var store = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if files.isEmpty, !store { throw ValidationError("Name a file to check, or pass --store.") }
        if files.count(where: { $0 == "-" }) > 1 { throw ValidationError("Standard input can be read once.") }
    }

    func run(in context: CommandContext) throws {
        try CalendarCheck.requireLibrary()
        var report = CheckReport(items: [])
        for source in try files.flatMap({ try ImportSource.sources($0) }) {
            try check(source, context.console, &report)
        }
        if store { try checkStore(context, &report) }
        try context.present(report)
        let count = report.items.count
        if count > 0 {
            throw HelixError(
                .badInput,
                "\(count) finding\(count == 1 ? "" : "s") in \(report.checked) component\(report.checked == 1 ? "" : "s")"
            )
        }
    }

    private func check(_ source: ImportSource, _ console: Console, _ report: inout CheckReport) throws {
        let opened = try source.open(console)
        var findings = opened.defects.map(CalendarFinding.init)
        var reader = CalendarFileReader(keepsLineNumbers: true, opened.read)
        var check = CalendarCheck(comparesReadings: true)
        while let part = try reader.next() {
            report.checked += part.componentCount
            findings += check.findings(in: part, zones: reader.currentZones).map { finding in
                var finding = finding
                finding.line = opened.sourceLine(finding.line)
                return finding
            }
        }
        if !reader.hasContent {
            findings.append(
                CalendarFinding(line: 1, component: "file", rule: .syntax, message: "it contains no iCalendar"))
        }
        // Events wait for zones that are defined after them.
        let sorted = findings.enumerated().sorted { ($0.element.line, $0.offset) < ($1.element.line, $1.offset) }
        report.items += sorted.map { FoundError(finding: $0.element, file: source.path) }
    }

    private func checkStore(_ context: CommandContext, _ report: inout CheckReport) throws {
        try context.store().forEachEvent(calendars: .all, range: nil, zone: context.zone) { event in
            report.checked += 1
            for finding in CalendarCheck.findings(inText: event.text, zones: event.zones, comparesReadings: true) {
                report.items.append(FoundError(finding: finding, event: event))
            }
        }
    }
}

extension CalendarCheck {
    /// - Throws: ``HelixError`` of code `configuration` if libical is not installed.
    static func requireLibrary() throws {
        guard isAvailable else {
            throw HelixError(
                .configuration, "libical, which checks calendars, is not installed", hint: "apt-get install libical3")
        }
    }
}

extension CalendarFilePart {
    /// Whether it is a defect.
    var isDefect: Bool { if case .defect = self { true } else { false } }

    /// The number of components in it.
    var componentCount: Int {
        switch self {
        case .events(let group): group.components.count
        case .other, .timezone: 1
        case .calendarBegin, .calendarProperty, .defect, .calendarEnd: 0
        }
    }
}

/// A finding, with the place where it is.
struct FoundError: DescribedItem {
    let finding: CalendarFinding
    /// The file; nil for an event of the store.
    var file: String?
    /// The event of the store; nil for a file.
    var event: StoredEvent?

    static let described = list {
        Field("kind", .choice(["finding"]), "The kind of the item.") { _ in "finding" }
        Field("file", .string, required: false, "The file, or - for standard input.") { $0.file }
        Field("event", .id, required: false, "The event of the store.") { $0.event?.id.text }
        Field("line", .integer, "The line of the file, or of the event's text.") { $0.finding.line }
        Field("component", .string, "The component.") { $0.finding.component }
        Field("uid", .string, required: false, "Its UID.") { $0.finding.uid }.foreignUnlessWord
        Field("property", .string, required: false, "The property.") { $0.finding.property }
        Field(
            "rule", .choice(CalendarFinding.Rule.allCases.map(\.rawValue)),
            "The broken rule: the form of lines and values, the number of required properties, the METHOD, use by helix, or the same reading by libical and helix."
        ) { $0.finding.rule.rawValue }
        Field("message", .string, "The problem.") { $0.finding.message }.foreign
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

    /// `work.ics:12`, or the short id of the event.
    func place(_ viewer: Viewer) -> String {
        if let event { return "\(viewer.short(event.id)):\(finding.line)" }
        return "\(file == "-" ? "standard input" : file ?? ""):\(finding.line)"
    }
}

/// The findings of a check.
struct CheckReport: CuttableReport {
    static let schema = "helix.cal.check/1"
    var items: [FoundError]
    var isTruncated = false
    /// The number of checked components.
    var checked = 0

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard !items.isEmpty else {
            canvas.line(
                StyledText("No findings in \(checked) component\(checked == 1 ? "" : "s").", TextStyle(.green)))
            return
        }
        for item in items {
            var line = StyledText(item.place(viewer) + ": ", .bold)
            let subject = item.finding.component + (item.finding.property.map { " " + $0 } ?? "")
            line.append(subject + ": ", TextStyle(item.finding.rule.isInvalid ? .red : .yellow))
            line.append(item.finding.message)
            if let uid = item.finding.uid { line.append("  (\(uid.fitted(40)))", .dim) }
            if line.width <= canvas.textWidth { canvas.line(line) } else { canvas.paragraph(line.plain) }
        }
    }
}
