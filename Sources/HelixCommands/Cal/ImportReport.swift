import HelixCalendar
import HelixModel
import HelixSystem
import HelixTerminal

/// The result of an import.
struct ImportResult: DescribedItem {
    /// The first calendar.
    var calendar = ""
    /// The calendars, with the numbers of their new events.
    var calendars: [(name: String, created: Int)] = []
    var created: [EntityID] = []
    var updated: [EntityID] = []
    var unchanged = 0
    /// UIDs whose event is newer in the store.
    var older: [String] = []
    var rejected = 0
    /// VEVENTs in the files.
    var components = 0
    /// Numbers of components of other kinds, by name.
    var others: [String: Int] = [:]
    var defects: [ICalendarDefect] = []
    var emptyFiles = 0
    var conflicts = 0
    /// Whether there are more conflicts than were counted.
    var hasMoreConflicts = false
    var isDryRun = false
    /// The findings of libical; empty without a check.
    var findings: [FoundError] = []

    /// Whether a part of the input is not valid.
    var isInvalid: Bool {
        rejected > 0 || emptyFiles > 0 || !defects.isEmpty || findings.contains { $0.finding.rule.isInvalid }
    }

    /// Whether the input was not empty, but all of it was rejected.
    var isAllRejected: Bool {
        let kept = created.count + updated.count + unchanged + older.count
        return kept == 0 && others.isEmpty && (rejected > 0 || emptyFiles > 0 || defects.contains { $0.part != "note" })
    }

    /// The reason why the first part was rejected.
    var firstReason: String? {
        defects.first { $0.part != "note" }.map {
            ($0.file.map { SafeText.line($0) + ", line " } ?? "Line ") + "\($0.line): \($0.reason)."
        }
    }

    static let described = list {
        Field("calendar", .string, "The calendar imported into; of several, the first.") { $0.calendar }
        Field("calendars", listing: { $0.calendars }, "The calendars imported into.") {
            ReportField("name", .string, "The calendar.") { $0.name }
            ReportField("created", .integer, "New events in it.") { $0.created }
        }
        Field("created", .array(.string), "Identities of new events.") { $0.created.map(\.text) }
        Field("updated", .array(.string), "Identities of events updated from a newer version in the file.") {
            $0.updated.map(\.text)
        }
        Field("unchanged", .integer, "Events that were in the store already.") { $0.unchanged }
        Field("older", .array(.string), "UIDs of skipped events, which are newer in the store.") { $0.older }
            .foreignUnlessWord
        Field("rejected", .integer, "Number of invalid components.") { $0.rejected }
        Field("conflicts", .integer, "Number of conflicts of the imported events in the next year.") { $0.conflicts }
        Field(
            "others", listing: { $0.others.sorted { $0.key < $1.key } },
            "Components of other kinds, which are not imported."
        ) {
            ReportField("component", .string, "Its name.") { $0.key }
            ReportField("count", .integer, "How many.") { $0.value }
        }
        Field("defects", listing: { $0.defects }, "The skipped parts.") {
            ReportField("file", .string, required: false, "The file, of several.") { $0.file }
            ReportField("line", .integer, "The line of the file.") { $0.line }
            ReportField("part", .string, "The component or property.") { $0.part }
            ReportField("reason", .string, "Why.") { $0.reason }.foreign
            ReportField("uid", .string, required: false, "Its UID.") { $0.uid }.foreignUnlessWord
        }
        Field(
            "findings", listing: { $0.findings },
            "With --check: what is not valid, and what libical reads differently."
        ) {
            ReportField("file", .string, "The file, or - for standard input.") { $0.file ?? "" }
            ReportField("line", .integer, "The line of the file.") { $0.finding.line }
            ReportField("component", .string, "The component.") { $0.finding.component }
            ReportField("uid", .string, required: false, "Its UID.") { $0.finding.uid }.foreignUnlessWord
            ReportField("property", .string, required: false, "The property.") { $0.finding.property }
            ReportField("rule", .string, "The broken rule, as in 'helix cal check'.") { $0.finding.rule.rawValue }
            ReportField("message", .string, "The problem.") { $0.finding.message }.foreign
        }
        Field("dry_run", .bool, "Whether it was a dry run.") { $0.isDryRun }
    }

    /// Notes for a person beside the report.
    func notes(limit: Int) -> [StyledText] {
        guard limit > 0 else { return [] }
        var lines: [StyledText] = []
        for defect in defects.prefix(limit) {
            let place = (defect.file.map { SafeText.line($0) + ", " } ?? "") + "line \(defect.line): "
            let what = defect.part == "note" ? place : place + "\(defect.part) skipped: "
            var line = StyledText(what, TextStyle(.yellow))
            line.append(defect.reason)
            if let uid = defect.uid { line.append("  (\(uid.fitted(40)))", .dim) }
            lines.append(line)
        }
        if defects.count > limit {
            lines.append(StyledText("and \(defects.count - limit) more; --json lists all", .dim))
        }
        for found in findings.prefix(limit) {
            // One file needs no name.
            let isOne = Set(findings.map(\.file)).count < 2
            let place = isOne ? "" : (found.file.map { SafeText.line($0.lastPathComponent) + ", " } ?? "")
            var line = StyledText("\(place)line \(found.finding.line): ", TextStyle(.yellow))
            line.append(found.finding.rule == .reading ? "read differently: " : "not valid: ")
            line.append(found.finding.component + (found.finding.property.map { " " + $0 } ?? "") + ": ")
            line.append(found.finding.message)
            if let uid = found.finding.uid { line.append("  (\(uid.fitted(40)))", .dim) }
            lines.append(line)
        }
        if findings.count > limit {
            lines.append(StyledText("and \(findings.count - limit) more findings; 'helix cal check' lists all", .dim))
        }
        for uid in older.prefix(5) { lines.append(StyledText("older than the stored event, skipped: \(uid)", .dim)) }
        if older.count > 5 { lines.append(StyledText("and \(older.count - 5) more that are older", .dim)) }
        return lines
    }
}

/// The report of an import.
struct ImportReport: Report {
    static let schema = "helix.cal.import/1"
    static let isList = false
    let items: [ImportResult]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let result = items.first, !result.isAllRejected else { return }
        var parts = ["\(result.created.count) new"]
        if !result.updated.isEmpty { parts.append("\(result.updated.count) updated") }
        if result.unchanged > 0 { parts.append("\(result.unchanged) unchanged") }
        if !result.older.isEmpty { parts.append("\(result.older.count) older") }
        if result.rejected > 0 { parts.append("\(result.rejected) rejected") }
        var line = StyledText(result.isDryRun ? "Would import into " : "Imported into ", TextStyle(.green))
        let isOne = result.calendars.count < 2
        line.append(isOne ? result.calendar : "\(result.calendars.count) calendars", .bold)
        line.append(": " + parts.joined(separator: ", "))
        canvas.line(line)
        let width = result.calendars.map { String($0.created).count }.max() ?? 0
        for calendar in isOne ? [] : result.calendars {
            let number = String(calendar.created)
            canvas.line(
                "  " + String(repeating: " ", count: width - number.count) + "\(number) new in \(calendar.name)")
        }
        for (name, count) in result.others.sorted(by: { $0.key < $1.key }) {
            let isTasks = name == "tasks" || name.uppercased().hasPrefix("VTODO")
            let what = name == "tasks" && count == 1 ? "task" : name
            canvas.line(
                StyledText(
                    "  \(count) \(what) not imported: helix cal keeps events only"
                        + (isTasks ? "; 'helix tasks import' reads tasks" : ""), .dim))
        }
        if result.conflicts > 0 {
            var line = StyledText("  ! ", TextStyle(.yellow, bold: true))
            line.append(
                "\(result.conflicts)\(result.hasMoreConflicts ? "+" : "") conflict\(result.conflicts == 1 ? "" : "s") in the next year; helix cal conflicts"
            )
            canvas.line(line)
        }
    }
}
