import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix projects report`
struct ProjectsReport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "report", abstract: "Report the hours, materials, costs, budget and open tasks of a project.",
        discussion: """
            Contains what an invoice needs.

              helix projects report house
              helix projects report house 2026-11 --markdown > invoice.md
              helix projects report house --csv
            """)
    static let reports: [PrintedReport] = [.json(ProjectSumReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Argument(help: ArgumentHelp("Only time and materials of these days.", valueName: "range"))
    var range: [String] = []

    @Flag(name: .long, help: "Print time and materials as CSV.")
    var csv = false

    @Flag(name: .long, help: "Print Markdown.")
    var markdown = false

    @OptionGroup var bounds: RangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if csv && markdown { throw ValidationError("--csv and --markdown exclude each other.") }
        if csv || markdown { try output.refuseMachine(csv ? "CSV" : "Markdown") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let project = try store.project(named: project)
        let isWhole = range.isEmpty && bounds.from == nil && bounds.to == nil
        let span = isWhole ? TimeRange.always : try context.timeRange(range, bounds)
        let days = (context.zone.date(span.start), context.zone.date(span.end - 1))
        let entries = try store.timeEntries(in: span, filter: .project(project.name), zone: context.zone)
        let family = ProjectFamily(project, try store.projects())
        let materials = try store.materials(of: family).filter { material in
            isWhole || material.boughtOn.map { $0 >= days.0 && $0 <= days.1 } ?? false
        }
        let open = try store.tasks(
            .all([.state(.open), .project(project.name)]), order: .urgency, zone: context.zone, urgency: context.urgency
        )
        let item = ProjectItem(
            project: project, openTasks: open.total,
            doneTasks: try store.taskCount(.all([.state(.done), .project(project.name)]), zone: context.zone),
            hours: ProjectHours.rows(entries, in: span, family: family, now: context.now), materials: materials)
        for (other, difference) in family.others {
            context.explain("The cost of '\(other.name)' is not in the sum: it has another \(difference).")
        }
        let sum = ProjectSumItem(item: item, open: try context.items(open.tasks), span: isWhole ? nil : span)
        let report = ProjectSumReport(items: [sum])
        if csv {
            try output.refuseMachine("CSV")
            return try context.write(report.csv())
        }
        if markdown {
            try output.refuseMachine("Markdown")
            return try context.write(report.markdown(context.viewer))
        }
        try context.present(report, ids: [project.id] + open.tasks.map(\.task.id))
    }
}
