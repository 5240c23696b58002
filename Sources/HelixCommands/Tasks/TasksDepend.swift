import ArgumentParser
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix tasks depend`
struct TasksDepend: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "depend", abstract: "Add dependencies between tasks, or show them.",
        discussion: """
            The first task depends on the others. Cycles are refused and shown.

              helix tasks depend k3f7 x2b9
              helix tasks depend k3f7 x2b9 --kind related
              helix tasks depend --graph
              helix tasks depend k3f7 --graph
            """)
    static let reports: [PrintedReport] = [.json(DependencyReport.self, with: "--graph"), .json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("The task, then its dependencies.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var tasks: [String] = []

    @Option(name: .long, help: ArgumentHelp("blocking, related or duplicate.", valueName: "kind"))
    var kind: DependencyKind = .blocking

    @Flag(name: .long, help: "Show the dependencies as a tree.")
    var graph = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !graph && tasks.count < 2 { throw ValidationError("Give a task, and the tasks that it depends on.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let ids = try tasks.map { try context.task($0).task.id }
        if graph { return try context.presentGraph(of: ids) }
        try store.change("depend", command: "tasks depend") { change in
            let others = Array(ids.dropFirst())
            for other in others {
                switch kind {
                case .blocking: try change.addDependency(of: ids[0], on: other)
                case .related: try change.addLink(ids[0], other, .related)
                case .duplicate: try change.addLink(ids[0], other, .duplicate)
                }
            }
            let verb = kind == .blocking ? "waits for" : kind == .related ? "goes with" : "is a duplicate of"
            change.summary = "\(try change.described([ids[0]])) \(verb) \(try change.described(others))"
        }
        try context.presentTasks(kind == .blocking ? "waits for \(tasks.count - 1)" : kind.rawValue, [ids[0]])
    }
}

/// The kind of a link between tasks.
enum DependencyKind: String, ExpressibleByArgument, CaseIterable {
    case blocking
    case related
    case duplicate
}

/// `helix tasks undepend`
struct TasksUndepend: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "undepend", abstract: "Remove dependencies of a task.",
        discussion: """
              helix tasks undepend k3f7 x2b9
              helix tasks undepend k3f7 --all
            """)
    static let reports: [PrintedReport] = [.json(TaskChangeReport.self)]

    @Argument(
        help: ArgumentHelp("The task, then the dependencies to remove.", valueName: "id"),
        completion: .custom(CompletionLists.taskIDs))
    var tasks: [String]

    @Flag(name: .long, help: "Remove all dependencies.")
    var all = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if all ? tasks.count != 1 : tasks.count < 2 {
            throw ValidationError("Give a task and the dependencies to remove, or a task and --all.")
        }
    }

    func run(in context: CommandContext) throws {
        let ids = try tasks.map { try context.task($0).task.id }
        try context.store().change("undepend", command: "tasks undepend") { change in
            let others =
                all
                ? try change.links(of: ids[0]).filter { $0.kind == .blocks && $0.b == ids[0] }.map(\.a)
                : Array(ids.dropFirst())
            for other in others where try change.removeLinks(ids[0], other) == 0 {
                throw HelixError(
                    .notFound, "\(try change.described([ids[0]])) and \(try change.described([other])) are not linked")
            }
            change.summary = "\(try change.described([ids[0]])) no longer waits for \(try change.described(others))"
        }
        try context.presentTasks("changed", [ids[0]])
    }
}

extension CommandContext {
    /// Shows the dependency graph, from `roots` on, or from all tasks without dependencies.
    /// - Throws: ``HelixError``.
    func presentGraph(of roots: [EntityID]) throws {
        let store = try store()
        let links = try store.dependencies()
        let ids = (roots + links.flatMap { [$0.a, $0.b] }).uniqued
        let found = try store.tasks(ids)
        let items = try items(found)
        var graph = DependencyGraph()
        for link in links { graph.add(blocker: link.a, blocked: link.b) }
        let blocked = Set(links.map(\.b))
        let open = Set(found.filter { $0.task.state == .open }.map(\.task.id))
        // Skip chains in which every task is closed.
        let first =
            roots.isEmpty
            ? found.map(\.task.id).filter { id in
                !blocked.contains(id) && (open.contains(id) || graph.waiting(for: id).contains { open.contains($0) })
            } : roots
        var report = DependencyReport(items: items, graph: graph, roots: first)
        if !roots.isEmpty { report.show(roots, links.map { ($0.a, $0.b) }) }
        try present(report, ids: output.isMachine ? [] : ids)
    }
}

/// The dependency graph as a tree.
struct DependencyReport: CuttableReport {
    static let schema = "helix.tasks.dependencies/1"
    var items: [TaskItem]
    var isTruncated = false
    let graph: DependencyGraph
    var roots: [EntityID]
    /// The tasks that were asked for; empty for all.
    var named: Set<EntityID> = []
    /// The tasks that they depend on, and those that wait for them.
    var related: Set<EntityID> = []

    /// Shows tasks with all that they depend on above them, and all that waits for them below.
    mutating func show(_ tasks: [EntityID], _ links: [(blocker: EntityID, blocked: EntityID)]) {
        var blockers: [EntityID: [EntityID]] = [:]
        for link in links { blockers[link.blocked, default: []].append(link.blocker) }
        func reach(_ next: (EntityID) -> [EntityID]) -> [EntityID] {
            var (found, seen, open) = (tasks, Set(tasks), tasks)
            while let id = open.popLast() {
                for other in next(id) where seen.insert(other).inserted {
                    found.append(other)
                    open.append(other)
                }
            }
            return found
        }
        let above = reach { blockers[$0] ?? [] }
        named = Set(tasks)
        related = Set(above + reach { graph.waiting(for: $0) })
        roots = above.filter { blockers[$0] == nil }
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if roots.isEmpty { canvas.line(StyledText("No task waits for another.", .dim)) }
        let byID = Dictionary(items.map { ($0.task.id, $0) }) { first, _ in first }
        var drawn: Set<EntityID> = []
        func draw(_ id: EntityID, _ prefix: String, _ branch: String) {
            guard let item = byID[id] else { return }
            var line = StyledText(prefix + branch, .dim)
            line.append(viewer.short(id) + "  ", .dim)
            line.append(item.headline(viewer))
            if named.contains(id) { line.append("  ◂", .bold) }
            let next = graph.waiting(for: id).filter { named.isEmpty || related.contains($0) }
            // A task that several tasks depend on is expanded once.
            let isKnown = !drawn.insert(id).inserted
            let isAgain = isKnown && !next.isEmpty
            if isKnown { line.append(isAgain ? "  as above …" : "  as above", .dim) }
            canvas.line(line.fitted(canvas.textWidth))
            if isAgain { return }
            let deeper = prefix + (branch.isEmpty ? "" : branch == "└─ " ? "   " : "│  ")
            for (index, other) in next.enumerated() {
                draw(other, deeper, index == next.count - 1 ? "└─ " : "├─ ")
            }
        }
        for root in roots { draw(root, "", "") }
    }
}
