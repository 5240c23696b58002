import ArgumentParser
import FoundationEssentials
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix projects`
struct Projects: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "projects", abstract: "Manage projects: hours, materials, budgets, invoices.",
        subcommands: [
            ProjectsAdd.self, ProjectsList.self, ProjectsShow.self, ProjectsEdit.self, ProjectsStart.self,
            ProjectsComplete.self, ProjectsDelete.self, ProjectsReport.self, ProjectsGantt.self, ProjectsBurndown.self,
            ProjectsMaterial.self, ProjectsBlocks.self, ProjectsAttach.self, ProjectsFiles.self,
            ProjectsInvoices.self,
        ])
}

/// The options that describe a project.
struct ProjectOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("Customer; an empty value removes it.", valueName: "who"))
    var customer: String?

    @Option(name: .long, help: ArgumentHelp("planned, active, on_hold or done.", valueName: "word"))
    var status: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Start date.", valueName: "date"))
    var start: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Due date.", valueName: "date")
    )
    var due: String?

    @Option(name: .long, help: ArgumentHelp("Person in charge.", valueName: "who"))
    var assignee: String?

    @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("Budget in hours.", valueName: "length"))
    var budgetHours: String?

    @Option(name: .long, help: ArgumentHelp("Budget in money.", valueName: "amount"))
    var budget: String?

    @Option(name: .long, help: ArgumentHelp("Hourly rate.", valueName: "amount"))
    var rate: String?

    @Option(name: .long, help: ArgumentHelp("The currency, such as EUR.", valueName: "code"))
    var currency: String?

    @Option(name: .long, help: ArgumentHelp("Notes.", valueName: "text"))
    var notes: String?

    /// Applies the options to a project.
    /// - Throws: ``HelixError`` of code `usage`.
    func apply(to project: inout ProjectRecord, _ context: CommandContext) throws {
        func text(_ value: String?, _ old: String?) -> String? {
            guard let value else { return old }
            return value.isEmpty || value.lowercased() == "none" ? nil : value
        }
        func date(_ value: String?, _ old: CivilDate?) throws -> CivilDate? {
            guard let value else { return old }
            if value.lowercased() == "none" { return nil }
            if let parts = try? context.dates.when(value), parts.time != nil || parts.instant != nil {
                throw HelixError(
                    .usage, "'\(value)' contains a time, but a project begins and ends on a day",
                    hint: "Omit the time.")
            }
            return try context.dates.date(value)
        }
        func money(_ value: String?, _ old: Decimal?, _ what: String) throws -> Decimal? {
            guard let value else { return old }
            if value.lowercased() == "none" { return nil }
            guard let amount = Decimal(money: value), amount >= 0 else {
                throw HelixError(
                    .usage, "\(what) '\(value)' is not an amount of money", hint: "Write it like 1200 or 48.50.")
            }
            return amount
        }
        project.customer = text(customer, project.customer)
        project.assignee = text(assignee, project.assignee)
        project.currency = text(currency, project.currency)?.uppercased()
        if let code = project.currency, currency != nil {
            guard code.utf8.count == 3, code.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
                throw HelixError(
                    .usage, "unknown currency '\(code)'", hint: "Use its code of three letters: EUR, USD, CHF.")
            }
        }
        project.notes = text(notes, project.notes)
        project.start = try date(start, project.start)
        project.due = try date(due, project.due)
        project.budgetMoney = try money(budget, project.budgetMoney, "the budget")
        project.hourlyRate = try money(rate, project.hourlyRate, "the rate")
        if let budgetHours {
            project.budgetTime =
                budgetHours.lowercased() == "none" ? nil : try CommandContext.hours(budgetHours, context)
        }
        if let status {
            let word = status.lowercased().replacing(" ", with: "_").replacing("-", with: "_")
            guard let found = ProjectStatus(rawValue: word) else {
                throw HelixError(
                    .usage, "unknown status '\(status)'", hint: "Use planned, active, on_hold or done.")
            }
            project.status = found
        }
        if let start = project.start, let due = project.due, due < start {
            throw HelixError(.usage, "the project would be due before it begins")
        }
    }
}

extension CommandContext {
    /// A duration in seconds; a bare number is hours.
    static func hours(_ text: String, _ context: CommandContext) throws -> Int {
        if let number = Double(text), number >= 0, number < 1_000_000 { return Int((number * 3600).rounded()) }
        return try context.dates.duration(text)
    }

    fileprivate func changeProject(
        _ name: String, _ command: String, _ body: (inout ProjectRecord, Change) throws -> Void
    ) throws {
        let store = try store()
        var project = try store.project(named: name)
        try store.change("change project '\(project.name)'", command: command) { change in
            try body(&project, change)
            try change.saveProject(project)
        }
        try presentProject(project.id)
    }

    /// Shows a project with its blocks and files.
    /// - Throws: ``HelixError``.
    func presentProject(_ id: EntityID) throws {
        let store = try store()
        let found = try store.projects().filter { $0.id == id }
        var report = ProjectReport(items: try projectItems(found))
        if !output.isMachine, let project = found.first {
            report.files = try fileItems(try store.files(of: id))
            let filter = TaskFilter.all([
                .project(project.name), .not(.state(.dropped)), .any([.state(.open), .not(.block(nil))]),
            ])
            report.tasks = try items(store.tasks(filter, order: .board, zone: zone, urgency: urgency).tasks)
        }
        try present(report, ids: [id] + report.files.map(\.file.id) + report.tasks.map(\.task.id))
    }

    /// Projects with their numbers.
    /// - Throws: ``HelixError``.
    func projectItems(_ projects: [ProjectRecord]) throws -> [ProjectItem] {
        let store = try store()
        let all = try store.projects()
        return try projects.map { project in
            let family = ProjectFamily(project, all)
            let open = try store.taskCount(.all([.state(.open), .project(project.name)]), zone: zone)
            let done = try store.taskCount(.all([.state(.done), .project(project.name)]), zone: zone)
            let entries = try store.timeEntries(in: .always, filter: .project(project.name), zone: zone)
            return ProjectItem(
                project: project, openTasks: open, doneTasks: done,
                hours: ProjectHours.rows(entries, in: .always, family: family, now: now),
                materials: try store.materials(of: family))
        }
    }
}

/// `helix projects add`
struct ProjectsAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Create a project.",
        discussion: """
            A dot creates a subproject: house.kitchen.

              helix projects add house --customer "Ana Ferri" --rate 48 --currency EUR \\
                  --budget-hours 120
            """)
    static let reports: [PrintedReport] = [.json(ProjectReport.self)]

    @Argument(help: "Name of the project.")
    var name: String

    @OptionGroup var options: ProjectOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var project = ProjectRecord(name: name.trimmingBlanks(), createdAt: context.now)
        try options.apply(to: &project, context)
        try context.store().change("add project '\(project.name)'", command: "projects add") {
            _ = try $0.addProject(project)
        }
        try context.presentProject(project.id)
    }
}

/// `helix projects list`
struct ProjectsList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List projects, all or those that match a filter.",
        discussion: """
            A filter consists of assignee:, status:, customer: and words of the name, customer and notes. 'me' is the address \
            of the setting user.email and your user name at gateways.

              helix projects list
              helix projects list --all
              helix projects list assignee:me status:active
            """)
    static let reports: [PrintedReport] = [.json(ProjectListReport.self)]

    @Argument(help: "The filter.")
    var filter: [String] = []

    @Flag(name: .long, help: "Include completed projects.")
    var all = false

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let parsed = try ProjectFilter(filter, me: context.ownNames())
        let projects = try store.projects().filter {
            (all || parsed.hasStatus || $0.status != .done) && parsed.matches($0)
        }
        try context.present(
            ProjectListReport(items: try context.projectItems(projects), isFiltered: !filter.isEmpty),
            ids: projects.map(\.id))
    }
}

/// `helix projects show`
struct ProjectsShow: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show a project.", discussion: "  helix projects show house")
    static let reports: [PrintedReport] = [.json(ProjectReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.presentProject(try context.store().project(named: project).id)
    }
}

/// `helix projects edit`
struct ProjectsEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Edit a project.",
        discussion: "  helix projects edit house --rename villa --status on_hold --budget 9000")
    static let reports: [PrintedReport] = [.json(ProjectReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Option(name: .long, help: ArgumentHelp("New name.", valueName: "name"))
    var rename: String?

    @OptionGroup var options: ProjectOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeProject(project, "projects edit") { project, _ in
            if let rename { project.name = rename.trimmingBlanks() }
            try options.apply(to: &project, context)
        }
    }
}

/// `helix projects start`
struct ProjectsStart: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "start", abstract: "Start a project, today unless a start day is set.",
        discussion: "  helix projects start house")
    static let reports: [PrintedReport] = [.json(ProjectReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.changeProject(project, "projects start") { project, _ in
            project.status = .active
            project.start = project.start ?? context.today
        }
    }
}

/// `helix projects complete`
struct ProjectsComplete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "complete", abstract: "Complete a project; all its tasks must be closed.",
        discussion: """
              helix projects complete house
              helix projects complete house --drop-open
            """)
    static let reports: [PrintedReport] = [.json(ProjectReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @Flag(name: .long, help: "Drop the open tasks.")
    var dropOpen = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let found = try context.store().project(named: project)
        // Also those of its subprojects: 'project:' matches them all.
        let open = try context.store().tasks(
            .all([.state(.open), .project(found.name)]), order: .created, zone: context.zone, urgency: context.urgency
        ).tasks.filter { $0.task.kind != .info }
        // A card that only informs is never done, and holds nothing back.
        if !open.isEmpty && !dropOpen {
            throw HelixError(
                .conflict,
                "\(open.count) task\(open.count == 1 ? "" : "s") of '\(found.name)' \(open.count == 1 ? "is" : "are") open",
                hint: "'helix tasks list project:\(found.name)' lists them; --drop-open drops them.")
        }
        try context.changeProject(project, "projects complete") { project, change in
            for task in open { try change.dropTask(task.task.id) }
            project.status = .done
        }
    }
}

/// `helix projects delete`
struct ProjectsDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete an empty project.",
        discussion: "For example, one with a mistyped name. 'helix undo' restores it.\n\n  helix projects delete hosue")
    static let reports: [PrintedReport] = [.json(EntityReport.self)]

    @Argument(help: "The project, by name or id.", completion: .custom(CompletionLists.projects))
    var project: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try store.project(named: project)
        try store.change("delete project '\(found.name)'", command: "projects delete") { change in
            try change.deleteProject(found)
        }
        let gone = EntityCandidate(id: found.id, kind: .project, title: found.name)
        try context.present(EntityReport(items: [gone], title: "Deleted"), shortIDs: [:])
    }
}
