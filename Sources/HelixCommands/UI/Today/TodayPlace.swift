import HelixModel
import HelixStore
import HelixTerminal

/// The rest of the day on the screen: events, tasks, unread mail, chat, the timer and free time, as `helix today` has them.
struct TodayPlace: UIPlace {
    /// A line of the list.
    struct Line: Sendable {
        var text: StyledText
        /// The item that the line stands for.
        var item: TodayItem?
    }

    let name = UIPlaceName.today
    private var lines: [Line] = []
    /// The lines with items.
    private var places: [Int] = []
    private var list = UIList()
    private var top = 0
    private var width = 80
    private var height = 20
    private var generation = -1
    private var summary = ""
    private var returned: [EntityID] = []
    private var zone = Zone.utc
    private var today = CivilDate(dayNumber: 0)

    let bindings = TodayBindings.all

    var status: String { summary }

    private var item: TodayItem? { places.indices.contains(list.cursor) ? lines[places[list.cursor]].item : nil }

    var target: UITarget {
        var target = UITarget()
        guard let item else { return target }
        target.id = item.id?.text
        target.ids = item.id.map { [$0.text] } ?? []
        switch item {
        case .task(let task): target.values["task"] = task.task.id.text
        case .message(let message): target.values["message"] = message.message.id.text
        case .event(let event):
            target.values["event"] = event.occurrence.event.text
            target.values["day"] = ISO8601.text(event.occurrence.time.days(in: zone).first)
        default: break
        }
        return target
    }

    mutating func resize(width: Int, height: Int) {
        (self.width, self.height) = (width, height)
        list.height = height
        generation = -1
        scroll()
    }

    mutating func load(_ data: UIData) throws {
        let context = try data.context()
        if generation == data.generation { return }
        var command = Today()
        (command.list, command.output) = (.unset, .unset)
        let report = try command.report(context)
        var viewer = context.viewer
        viewer.shortIDs = try context.store().shortIDs(report.ids)
        (zone, today) = (context.zone, context.today)
        let chosen = returned.first { id in report.items.contains { $0.id == id } } ?? item?.id
        returned = []
        lines = TodayLines(width: width, viewer: viewer).lines(of: report)
        places = lines.indices.filter { lines[$0].item != nil }
        list.count = places.count
        if let place = places.firstIndex(where: { lines[$0].item?.id == chosen && chosen != nil }) {
            list.go(to: place)
        }
        list.settle()
        scroll()
        let conflicts = report.items.count { if case .event(let item) = $0 { item.isInConflict } else { false } }
        summary = viewer.day(context.today) + (conflicts > 0 ? "  ! \(conflicts) in conflict" : "")
        if report.spent > 0 { summary += "  tracked \(DateWords.text(hours: report.spent))" }
        generation = data.generation
    }

    mutating func press(_ motion: UIMotion) -> UIAnswer {
        if list.move(motion) {
            scroll()
            return .none
        }
        switch motion {
        case .open:
            guard let item else { return .refused("Nothing is chosen.") }
            return open(item)
        case .back: return .leave
        default: return .none
        }
    }

    private func open(_ item: TodayItem) -> UIAnswer {
        switch item {
        case .event(let event):
            .open(.event(event.occurrence.event, event.occurrence.time.days(in: zone).first))
        case .task(let task): .open(.task(task.task.id))
        case .message(let message): .open(.message(message.message.id))
        case .conversation(let chat): .open(.conversation(chat.conversation.id))
        case .outgoing: .run(UITemplate(line: "outbox list", showsOutput: true))
        case .time: .run(UITemplate(line: "time log today", showsOutput: true))
        case .free: .open(.day(today))
        }
    }

    mutating func choose(among ids: [EntityID]) { returned = ids }

    mutating func take(_ mouse: MouseEvent) -> UIAnswer {
        switch mouse.kind {
        case .wheelDown: return press(.down)
        case .wheelUp: return press(.up)
        case .press:
            guard let place = places.firstIndex(of: top + mouse.y) else { return .none }
            if place == list.cursor { return press(.open) }
            list.go(to: place)
            return .none
        case .drag, .release: return .none
        }
    }

    /// Shows the line of the chosen item; above the first item, the beginning.
    private mutating func scroll() {
        guard places.indices.contains(list.cursor) else {
            top = 0
            return
        }
        let line = places[list.cursor]
        if list.cursor == 0 { top = 0 }
        if line < top { top = line }
        if line >= top + height { top = line - height + 1 }
        top = max(0, min(top, lines.count - height))
    }

    func draw(on frame: inout ScreenFrame, in area: ScreenArea, for viewer: Viewer) {
        let chosen = places.indices.contains(list.cursor) ? places[list.cursor] : -1
        for (offset, place) in (top..<max(top, min(lines.count, top + area.height))).enumerated() {
            let y = area.y + offset
            var text = lines[place].text
            if case .time(let timer) = lines[place].item {
                text = StyledText("  ") + TodayLines(width: width, viewer: viewer).timer(timer)
            }
            frame.grid.put(text, x: area.x + 1, y: y, limit: area.width - 1)
            if place == chosen {
                frame.grid.put("▸", x: area.x, y: y, style: .bold)
                frame.grid.lay(.selection, x: area.x, y: y, width: area.width)
            }
        }
    }
}

/// The keys of today.
enum TodayBindings {
    static let all: [UIBinding] =
        [
            UIBinding("open", ["enter", "right"], vim: ["enter", "l", "right"], "Open", .motion(.open)),
            UIBinding("done", ["x"], "Mark the task as done", ofTask("tasks done {task}")),
            UIBinding("start", ["s"], "Start the timer for the task", ofTask("tasks start {task}")),
            UIBinding("stop", ["S"], "Stop the timer", runs: "time stop"),
            UIBinding(
                "archive", ["a"], "Archive the message", UITemplate(line: "mail archive {message}", missing: noMessage)),
            UIBinding(
                "reply", ["r"], "Reply to the message",
                UITemplate(line: "mail reply {message} --draft", missing: noMessage, needsTerminal: true)),
            UIBinding(
                "new-event", ["n"], "Add an event in one line", UITemplate(line: "cal add {?*}", question: "Event")),
            UIBinding(
                "new-task", ["t"], "Add a task in one line", UITemplate(line: "tasks add {?*}", question: "Task")),
            UIBinding(
                "track", ["T"], "Start the timer for a description",
                UITemplate(line: "time start {?*}", question: "Working on")),
            UIBinding("remind", ["R"], "Be reminded", UITemplate(line: "remind {?*}", question: "Remind me")),
        ] + UIBindings.list

    private static let noMessage = "That is not a message."

    private static func ofTask(_ line: String) -> UITemplate {
        UITemplate(line: line, missing: "That is not a task.")
    }
}
