import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixSecurity
import HelixStore
import HelixSystem
import HelixTasks
import HelixTerminal

/// The field that groups a board into lanes.
enum BoardGrouping: String, ExpressibleByArgument, CaseIterable {
    case project
    case priority
    case assignee
    case tag
    case due
}

/// `helix tasks board`
struct TasksBoard: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "board", abstract: "Show the kanban board.",
        discussion: """
            Columns are side by side, or stacked on narrow terminals. The bar shows the priority, ▶ a running timer, ⊘ a \
            blocked task; overdue tasks are red. Shows the last ten completed tasks and, on a terminal, 25 cards of each \
            column; --limit sets another number.

              helix tasks board
              helix tasks board project:house --group-by priority
              helix tasks board hiring --width 120
              helix tasks board --watch
            """)
    static let reports: [PrintedReport] = [.json(BoardReport.self)]

    @Argument(
        help: ArgumentHelp("The board, and a filter.", valueName: "filter"),
        completion: .custom(CompletionLists.boardOrQuery))
    var filter: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The board.", valueName: "name"), completion: .custom(CompletionLists.boards))
    var board: String?

    @Option(name: .long, help: ArgumentHelp("Group by project, priority, assignee, tag or due.", valueName: "field"))
    var groupBy: BoardGrouping?

    @Option(name: .long, help: ArgumentHelp("Set the width in columns.", valueName: "n"))
    var width: Int?

    @Option(name: .long, help: ArgumentHelp("Number of completed tasks to show.", valueName: "n"))
    var done: Int?

    @Flag(name: .long, help: "Keep running and redraw on changes; ^C ends it.")
    var watch = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let width, !(20...1000).contains(width) { throw ValidationError("--width takes 20 to 1000.") }
        if let done, done < 0 { throw ValidationError("--done takes a number from 0.") }
        if watch && output.isMachine {
            throw ValidationError("--watch and machine-readable output exclude each other.")
        }
    }

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.filter, command.board, command.groupBy) = (words, nil, nil)
        (command.width, command.done, command.watch, command.output) = (nil, nil, false, .unset)
        return command
    }

    mutating func take(_ option: String, _ value: String) -> Bool {
        if option == "--board" { board = value }
        return option == "--board"
    }

    func run(in context: CommandContext) throws {
        if watch { return try follow(context.invocation) }
        let report = try report(context)
        try context.present(report, ids: output.isMachine ? [] : report.items.map(\.task.id), width: width)
    }

    /// The board with its cards.
    /// - Throws: ``HelixError``.
    func report(_ context: CommandContext) throws -> BoardReport {
        var words = filter
        var name = board
        if name == nil, let first = words.first, !TasksBoard.isFilter(first) {
            name = first
            words.removeFirst()
        }
        if board != nil, let first = words.first, !TasksBoard.isFilter(first),
            let other = try context.store().boards().first(where: { $0.name.lowercased() == first.lowercased() })
        {
            throw HelixError(
                .usage, "two boards given: '\(other.name)' and --board \(board ?? "")", hint: "Name one board.")
        }
        let board = try context.board(name)
        let store = try context.store()
        let asked = try context.filters.filter(QueryNoun.tasks.line(words, dates: context.dates))
        let own = TaskFilter.board(board.name).and(asked)
        let hidden = asked.namesHidden ? TaskFilter.everything : .not(.mark(.waiting))
        let open = try store.tasks(
            own.and(.state(.open)).and(hidden), order: .board, zone: context.zone, urgency: context.urgency
        ).tasks
        let finished = try store.tasks(
            own.and(.state(.done)), order: .completed, limit: done ?? (output.isMachine ? 10_000 : 10),
            zone: context.zone, urgency: context.urgency)
        return BoardReport(
            board: board, items: try context.items(open + finished.tasks), counts: try store.cardCounts(of: board),
            hiddenDone: finished.total - finished.tasks.count, isWhole: asked == .everything, grouping: groupBy,
            cardLimit: context.listLimit(25))
    }

    /// Whether a word is part of a filter, not the name of a board.
    private static func isFilter(_ word: String) -> Bool {
        word.contains { ":<>=()\"".contains($0) } || ["+", "-", "@", "!"].contains(word.prefix(1))
            || ["not", "and", "or"].contains(word.lowercased())
    }

    /// Redraws the board whenever the store changes, until the process is terminated.
    private func follow(_ invocation: Invocation) throws {
        var drawn = ""
        while true {
            if let reason = invocation.lock?.reason { throw reason.error }
            let context = try CommandContext(invocation, output: output)
            var canvas = Canvas(width: width ?? context.terminal.width, isASCII: context.terminal.isASCII)
            var viewer = context.viewer
            let report = try report(context)
            viewer.shortIDs = try context.store().shortIDs(report.items.map(\.task.id))
            report.draw(on: &canvas, for: viewer)
            let text = canvas.rendered(color: context.terminal.hasColor)
            if text != drawn {
                guard context.terminal.redraw(text) else {
                    throw HelixError(.io, "the output cannot be written", hint: "Is the disk full?")
                }
                drawn = text
            }
            sleep(seconds: 0.5)
        }
    }
}

/// A board with its cards.
struct BoardReport: Report {
    static let schema = "helix.tasks.board/1"
    let board: Board
    let items: [TaskItem]
    let counts: [EntityID: Int]
    /// The number of completed tasks that are not shown.
    let hiddenDone: Int
    /// Whether all tasks of the board are shown, without a filter.
    let isWhole: Bool
    let grouping: BoardGrouping?
    /// The most cards that are drawn in a column of a lane.
    var cardLimit: Int

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        grid(viewer).draw(on: &canvas)
        if items.isEmpty {
            canvas.line()
            canvas.line(StyledText(isWhole ? "No cards. 'helix tasks add' adds one." : "No card matches.", .dim))
        }
    }

    /// The columns and lanes.
    func grid(_ viewer: Viewer) -> BoardGrid {
        let lanes = self.lanes(viewer)
        let shown = Dictionary(grouping: items) { $0.task.column }
        let heads = board.columns.map { column -> StyledText in
            let count = isWhole ? counts[column.id] ?? 0 : shown[column.id]?.count ?? 0
            let isOver = column.limit.map { (counts[column.id] ?? 0) > $0 } ?? false
            let isFull = column.limit.map { (counts[column.id] ?? 0) == $0 } ?? false
            var head = StyledText(column.name, isOver ? TextStyle(.red, bold: true) : .bold)
            head.append(" ")
            let limit = column.limit.map { "\(count)/\($0)" } ?? "\(count)"
            head.append(limit, isOver ? TextStyle(.red, bold: true) : isFull ? TextStyle(.yellow) : .dim)
            return head
        }
        return BoardGrid(
            heads: heads,
            lanes: lanes.map { lane in
                let columns = board.columns.map { column in
                    // Completed tasks were read newest first; all others are in the order of their ranks.
                    lane.items.filter { $0.task.column == column.id }
                }
                let isLast = lane.title == lanes.last?.title
                return BoardGrid.Lane(
                    title: lane.title.isEmpty
                        ? StyledText() : StyledText("▸ " + lane.title, TextStyle(.magenta, bold: true)),
                    cards: columns.map { $0.prefix(cardLimit).map { card($0, viewer) } },
                    rests: zip(board.columns, columns).map { column, items in
                        let unread = column.id == board.doneColumn?.id && isLast ? hiddenDone : 0
                        let rest = unread + max(0, items.count - cardLimit)
                        return rest > 0 ? "+\(rest)" : ""
                    })
            }
        )
    }

    private func card(_ item: TaskItem, _ viewer: Viewer) -> BoardGrid.Card {
        let task = item.task
        let isLate = item.details.isOverdue(at: viewer.now, in: viewer.zone)
        var marks = StyledText()
        if item.details.isRunning { marks.append("▶", TextStyle(.green, bold: true)) }
        if item.details.isBlocked { marks.append("⊘", TextStyle(.magenta, bold: true)) }
        if let priority = task.priority, task.state == .open { marks.append(priority.mark, priority.style) }
        if task.recurrence != nil { marks.append("↻", .dim) }
        var progress = StyledText()
        if item.details.parts > 0 {
            progress = StyledText("\(item.details.doneParts)/\(item.details.parts)", .dim)
        } else if !task.checklist.isEmpty {
            progress = StyledText("☑\(task.checklist.count(where: \.done))/\(task.checklist.count)", .dim)
        }
        let bar: TextStyle =
            task.state == .done
            ? TextStyle(.green) : task.kind == .info ? TextStyle(.cyan) : task.priority?.style ?? .dim
        var details = [StyledText(viewer.short(task.id), .dim), marks, task.state == .open ? item.due(viewer) : ""]
        if isLate { details[2] = StyledText("late " + (task.due.map(viewer.near) ?? ""), TextStyle(.red, bold: true)) }
        if grouping != .project, let project = item.details.project {
            details.append(StyledText(project, TextStyle(.blue)))
        }
        details.append(progress)
        details += task.tags.map { StyledText("+" + $0, TextStyle(.cyan)) }
        if grouping != .assignee, let assignee = task.assignee {
            details.append(StyledText("@" + (assignee.split(separator: "@").first.map(String.init) ?? assignee), .dim))
        }
        return BoardGrid.Card(
            title: task.title.isEmpty ? "(no title)" : task.title, style: item.titleStyle(viewer), bar: bar,
            details: details)
    }

    /// A lane with its cards.
    struct Lane {
        var title: String
        var items: [TaskItem]
    }

    /// The lanes by the grouping; one without a title if there is none.
    func lanes(_ viewer: Viewer) -> [Lane] {
        guard let grouping else { return [Lane(title: "", items: items)] }
        var keys: [String: (order: Int, items: [TaskItem])] = [:]
        func add(_ key: String, _ order: Int, _ item: TaskItem) {
            keys[key, default: (order, [])].items.append(item)
        }
        for item in items {
            switch grouping {
            case .project: add(item.details.project ?? "no project", item.details.project == nil ? 1 : 0, item)
            case .priority:
                add(item.task.priority.map(\.name) ?? "no priority", 5 - (item.task.priority?.rawValue ?? 0), item)
            case .assignee: add(item.task.assignee ?? "nobody", item.task.assignee == nil ? 1 : 0, item)
            case .tag:
                // A card with several tags is in several lanes.
                if item.task.tags.isEmpty { add("no tag", 1, item) }
                for tag in item.task.tags { add("+" + tag, 0, item) }
            case .due:
                let days = item.task.due.map { $0.date(in: viewer.zone) - viewer.today }
                switch days {
                case nil: add("no date", 5, item)
                case let days? where days < 0: add("before today", 0, item)
                case 0?: add("today", 1, item)
                case 1?: add("tomorrow", 2, item)
                case let days? where days < 7: add("in the next days", 3, item)
                default: add("later", 4, item)
                }
            }
        }
        return keys.map { (key: $0, order: $1.order, items: $1.items) }
            .sorted { $0.order != $1.order ? $0.order < $1.order : $0.key.lowercased() < $1.key.lowercased() }
            .map { Lane(title: $0.key, items: $0.items) }
    }
}
