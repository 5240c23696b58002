import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// A board of tasks on the screen.
struct TaskPlace: UIPlace {
    /// A card by its place.
    struct Cursor: Hashable, Sendable {
        var lane = 0
        var column = 0
        var place = 0
    }

    let name = UIPlaceName.tasks
    /// The board; nil for the default one.
    private var board: String?
    /// The filter, as typed.
    private var typed = ""
    /// The last filter that could be read: the board goes on with it while another one is typed.
    private var valid = ""
    private var grouping: BoardGrouping?
    private(set) var report: BoardReport?
    private(set) var viewer: Viewer?
    var cursor = Cursor()
    private var marked: Set<EntityID> = []
    private var boards: [UIChooser.Choice] = []
    private(set) var width = 80
    private(set) var height = 20
    private var generation = -1
    private var loaded: (String?, String, BoardGrouping?)?
    private var problem: String?
    private var wanted: EntityID?
    /// The tasks of which one is chosen after the next read, if it is shown.
    private var returned: [EntityID] = []
    /// Whether the cursor stays where it is when the chosen card goes.
    private var isLeft = false
    /// The card that the mouse drags.
    var dragged: TaskDrag?

    let bindings = TaskBindings.all

    /// The cards of each lane and column.
    private(set) var cards: [[[TaskItem]]] = []

    /// The most cards of a column that are drawn.
    static let mostCards = 200

    var columns: [BoardColumn] { report?.board.columns ?? [] }

    /// The chosen card.
    var item: TaskItem? { item(at: cursor) }

    func item(at cursor: Cursor) -> TaskItem? {
        guard cards.indices.contains(cursor.lane), cards[cursor.lane].indices.contains(cursor.column) else {
            return nil
        }
        let list = cards[cursor.lane][cursor.column]
        return list.indices.contains(cursor.place) ? list[cursor.place] : nil
    }

    var status: String {
        if let dragged, columns.indices.contains(dragged.column) { return "Move to \(columns[dragged.column].name)" }
        var text = report?.board.name ?? "Tasks"
        if let grouping { text += " by \(grouping.rawValue)" }
        if !typed.isEmpty { text += " · \(typed)" }
        if let problem { return text + "  " + problem }
        if !marked.isEmpty { text += "  \(marked.count) marked" }
        if let item { text += "  \(item.task.title)" }
        return text
    }

    var target: UITarget {
        var target = UITarget()
        target.values["board"] = report?.board.name ?? ""
        target.values["column"] = columns.indices.contains(cursor.column) ? columns[cursor.column].name : ""
        if let item {
            target.id = item.task.id.text
            target.values["project"] = item.details.project
        }
        target.ids = marked.isEmpty ? item.map { [$0.task.id.text] } ?? [] : marked.map(\.text).sorted()
        return target
    }

    mutating func resize(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    mutating func load(_ data: UIData) throws {
        let context = try data.context()
        if wanted == nil, generation == data.generation, let loaded, loaded == (board, typed, grouping) { return }
        problem = nil
        if let wanted, let own = try context.store().tasks([wanted]).first { board = own.board }
        let chosen = wanted ?? item?.task.id
        // A filter that is not complete yet changes nothing, but is told.
        do {
            _ = try context.filters.filter(QueryNoun.tasks.line(ShellWords.split(typed), dates: context.dates))
            valid = typed
        } catch let error as HelixError { problem = error.message }
        var command = TasksBoard.plain(ShellWords.split(valid)) ?? TasksBoard()
        // A word of a filter is no board.
        command.board = try board ?? context.store().board(named: nil)?.name
        command.groupBy = grouping
        var report = try command.report(context)
        report.cardLimit = TaskPlace.mostCards
        var viewer = context.viewer
        viewer.shortIDs = try context.store().shortIDs(report.items.map(\.task.id))
        (self.report, self.viewer) = (report, viewer)
        cards = report.cards(viewer)
        boards = try context.store().boards().map {
            UIChooser.Choice(name: $0.name, detail: "\($0.columns.count) columns", effect: .open(.board($0.name)))
        }
        (generation, loaded) = (data.generation, (board, typed, grouping))
        let known = Set(report.items.map(\.task.id))
        marked.formIntersection(known)
        if let chosen, !isLeft, let place = place(of: chosen) { cursor = place }
        if let wanted, place(of: wanted) == nil { problem = "That task is not among the cards shown." }
        if let place = returned.compactMap({ place(of: $0) }).first { cursor = place }
        settle()
        if isLeft, item == nil { goToNearestCard() }
        (wanted, isLeft, returned) = (nil, false, [])
    }

    /// The place of a card.
    private func place(of id: EntityID) -> Cursor? {
        for (lane, columns) in cards.enumerated() {
            for (column, list) in columns.enumerated() {
                if let place = list.firstIndex(where: { $0.task.id == id }) {
                    return Cursor(lane: lane, column: column, place: place)
                }
            }
        }
        return nil
    }

    /// Goes to the nearest column of the lane with a card, once the last one of a column has left it.
    private mutating func goToNearestCard() {
        guard cards.indices.contains(cursor.lane) else { return }
        let own = cards[cursor.lane]
        let nearest = own.indices.filter { !own[$0].isEmpty }.min { abs($0 - cursor.column) < abs($1 - cursor.column) }
        if let nearest { (cursor.column, cursor.place) = (nearest, 0) }
    }

    /// Keeps the cursor on a card of its column, if there is one.
    private mutating func settle() {
        guard !cards.isEmpty else {
            cursor = Cursor()
            return
        }
        cursor.lane = max(0, min(cursor.lane, cards.count - 1))
        cursor.column = max(0, min(cursor.column, cards[cursor.lane].count - 1))
        cursor.place = max(0, min(cursor.place, cards[cursor.lane][cursor.column].count - 1))
    }

    mutating func open(_ item: UIItem) -> Bool {
        switch item {
        case .board(let name): board = name
        case .tasks(let filter): (typed, valid) = (filter, "")
        case .task(let id):
            wanted = id
            typed = ""
        default: return false
        }
        return true
    }

    mutating func didRun(_ words: [String], since start: Instant) {
        guard words.first == "tasks", words.count > 1 else { return }
        marked = []
        // The cursor leaves a card that is done, and follows one that is moved.
        isLeft = ["done", "drop", "delete", "reopen"].contains(words[1])
    }

    mutating func choose(among ids: [EntityID]) { returned = ids }

    // MARK: Keys

    mutating func press(_ motion: UIMotion) -> UIAnswer {
        switch motion {
        case .left: cursor.column -= 1
        case .right: cursor.column += 1
        case .down: step(1)
        case .up: step(-1)
        case .pageDown: for _ in 0..<5 { step(1) }
        case .pageUp: for _ in 0..<5 { step(-1) }
        case .first: cursor = Cursor(lane: 0, column: cursor.column, place: 0)
        case .last: cursor = Cursor(lane: cards.count - 1, column: cursor.column, place: Int.max / 2)
        case .mark:
            guard let id = item?.task.id else { return .none }
            if marked.remove(id) == nil { marked.insert(id) }
            step(1)
        case .unmark: marked = []
        case .search: return .ask(.search, question: "/", initial: typed)
        case .boxes: return .choose(UIChooser("Board", boards))
        case .lanes:
            let all: [BoardGrouping?] = [nil] + BoardGrouping.allCases
            let now = all.firstIndex { $0 == grouping } ?? 0
            grouping = all[(now + 1) % all.count]
            return .load
        case .tree:
            guard let project = item?.details.project else { return .refused("The task has no project.") }
            return .call(UICall(words: ["projects", "gantt", project], showsOutput: true))
        case .moveDown: return move(1)
        case .moveUp: return move(-1)
        case .back:
            if !marked.isEmpty {
                marked = []
                return .none
            }
            guard typed.isEmpty else {
                typed = ""
                return .load
            }
            return .leave
        default: return .none
        }
        settle()
        return .none
    }

    /// Goes to the next card of the column, over the lanes.
    private mutating func step(_ count: Int) {
        guard cards.indices.contains(cursor.lane) else { return }
        let place = cursor.place + count
        if cards[cursor.lane][cursor.column].indices.contains(place) {
            cursor.place = place
            return
        }
        var lane = cursor.lane + count
        while cards.indices.contains(lane), cards[lane][cursor.column].isEmpty { lane += count }
        guard cards.indices.contains(lane) else { return }
        cursor = Cursor(lane: lane, column: cursor.column, place: count > 0 ? 0 : cards[lane][cursor.column].count - 1)
    }

    /// Moves the card in its column.
    private func move(_ count: Int) -> UIAnswer {
        guard let item else { return .refused("No card is chosen.") }
        var other = cursor
        other.place += count
        guard let neighbour = self.item(at: other) else { return .refused("It cannot go further.") }
        return .call(
            UICall(words: [
                "tasks", "move", item.task.id.text, count > 0 ? "--after" : "--before", neighbour.task.id.text,
            ]))
    }

    mutating func take(text: String?, for purpose: UIPurpose, isFinal: Bool) -> UIAnswer {
        guard purpose == .search else { return .none }
        typed = text ?? ""
        return .load
    }

    func plainLines(for viewer: Viewer) -> [String]? {
        guard let report else { return nil }
        var lines = ["Board \(report.board.name)"]
        for (lane, own) in cards.enumerated() {
            for (column, list) in own.enumerated() {
                let here = cursor.lane == lane && cursor.column == column
                lines.append("\(here && list.isEmpty ? "▸ " : "")\(columns[column].name): \(list.count)")
                for (place, item) in list.enumerated() {
                    var words = [item.task.title.isEmpty ? "(no title)" : item.task.title]
                    if let priority = item.task.priority { words.append(priority.name) }
                    if let due = item.task.due { words.append("due " + viewer.near(due)) }
                    if let project = item.details.project { words.append("project " + project) }
                    if item.details.isRunning { words.append("timer running") }
                    if item.details.isBlocked { words.append("blocked") }
                    words += item.task.tags
                    lines.append((here && place == cursor.place ? "▸ " : "") + words.joined(separator: ", "))
                }
            }
        }
        return lines
    }

    // MARK: Drawing

    /// The board as lines, and the places of its cards.
    func layout(_ width: Int) -> (lines: [StyledText], cards: [BoardGrid.PlacedCard], columns: [Range<Int>]) {
        guard let report, let viewer else { return ([], [], []) }
        let grid = report.grid(viewer)
        var canvas = Canvas(width: width)
        report.draw(on: &canvas, for: viewer)
        let (cards, columns) = grid.placedCards(width: width)
        return (canvas.lines, cards, columns)
    }

    /// The first line below the head that is shown, so that the chosen card is.
    func top(_ area: ScreenArea?, head: Int, lines: Int, height: Int) -> Int {
        guard let area else { return 0 }
        let room = height - head
        let end = area.y + area.height - head
        return max(0, min(end - room + 1, lines - height + 1))
    }

    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {
        let (lines, placed, columns) = layout(area.width)
        if lines.isEmpty { return }
        let head = columns.isEmpty ? 0 : 2
        let chosen = placed.first { $0.lane == cursor.lane && $0.column == cursor.column && $0.place == cursor.place }
        let cell = chosen == nil ? emptyCell(placed, columns) : nil
        let top = top(chosen?.area ?? cell, head: head, lines: lines.count, height: area.height)
        frame.grid.put(Array(lines.prefix(head)) + lines.dropFirst(head + top), in: area)
        if columns.indices.contains(dragged?.column ?? cursor.column) {
            let column = columns[dragged?.column ?? cursor.column]
            frame.grid.lay(.selection, x: area.x + column.lowerBound, y: area.y, width: column.count)
        }
        if let cell, cell.y - top >= head, cell.y - top < area.height {
            frame.grid.lay(.selection, x: area.x + cell.x, y: area.y + cell.y - top, width: cell.width)
        }
        for card in placed {
            let y = card.area.y - top
            let isChosen = card == chosen
            let isMarked =
                item(at: Cursor(lane: card.lane, column: card.column, place: card.place))
                .map { marked.contains($0.task.id) } ?? false
            guard isChosen || isMarked else { continue }
            for line in y..<(y + card.area.height) where line >= head && line < area.height {
                if isChosen {
                    frame.grid.lay(.selection, x: area.x + card.area.x, y: area.y + line, width: card.area.width)
                }
                if isMarked, line == y {
                    frame.grid.put(
                        "*", x: area.x + card.area.x + card.area.width - 1, y: area.y + line,
                        style: TextStyle(.yellow, bold: true))
                }
            }
        }
    }

    /// The first line of the chosen column in the chosen lane, if no card is there.
    private func emptyCell(_ placed: [BoardGrid.PlacedCard], _ columns: [Range<Int>]) -> ScreenArea? {
        guard columns.indices.contains(cursor.column),
            let y = placed.filter({ $0.lane == cursor.lane }).map(\.area.y).min()
        else { return nil }
        let column = columns[cursor.column]
        return ScreenArea(x: column.lowerBound, y: y, width: column.count, height: 1)
    }
}

extension BoardReport {
    /// The cards of each lane and column, as they are drawn.
    func cards(_ viewer: Viewer) -> [[[TaskItem]]] {
        lanes(viewer).map { lane in
            board.columns.map { column in Array(lane.items.filter { $0.task.column == column.id }.prefix(cardLimit)) }
        }
    }
}
