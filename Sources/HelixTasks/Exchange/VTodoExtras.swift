import HelixCalendar
import HelixModel

/// Task fields that have no iCalendar property, as `X-HELIX-` properties, which other programs preserve
/// (RFC 5545 §3.8.8.2).
enum VTodoExtras {
    // MARK: Reading

    static func read(
        _ component: ICalendarComponent, into foreign: inout ForeignTask, instant: (ICalendarProperty) -> Instant?
    ) {
        func line(_ name: String, upTo limit: Int) -> String? {
            guard let text = component.first("X-HELIX-" + name)?.text else { return nil }
            // Names that helix would not have written are ignored.
            let isPlain = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            return isPlain && !text.isEmpty && text == text.trimmingBlanks() && text.count <= limit ? text : nil
        }
        (foreign.board, foreign.column) = (line("BOARD", upTo: 60), line("COLUMN", upTo: 60))
        foreign.rank = line("RANK", upTo: 200).flatMap { Rank.isValid($0) ? $0 : nil }
        foreign.project = line("PROJECT", upTo: 200)
        foreign.block = line("BLOCK", upTo: 200)
        for property in TaskProperty.all {
            property.set(&foreign.task, line(property.name.uppercased(), upTo: 200))
        }
        if line("KIND", upTo: 10) == TaskKind.info.rawValue { foreign.task.kind = .info }
        foreign.task.hiddenUntil = component.first("X-HELIX-HIDDEN-UNTIL").flatMap { property in
            switch ICalendarTime(property.value.trimmingBlanks()) {
            case .date(let date)?: .date(date)
            case .utc(let instant)?: .moment(instant)
            case .floating?, nil: nil
            }
        }
        if foreign.task.state == .open, let started = component.first("X-HELIX-STARTED"),
            foreign.task.startedAt != nil
        {
            foreign.task.startedAt = instant(started) ?? foreign.task.startedAt
        }
        foreign.task.series = line("SERIES", upTo: 16).flatMap { EntityID($0) }
        if foreign.task.recurrence == nil, let text = line("REPEAT", upTo: 200),
            text.hasPrefix("after:P") || text.hasPrefix("FREQ=") && foreign.task.state != .open
        {
            let recurrence = TaskRecurrence(stored: text)
            // A value that this version would write differently is ignored.
            if recurrence.text == text { foreign.task.recurrence = recurrence }
        }
        foreign.task.checklist = component.all("X-HELIX-STEP").prefix(1000).compactMap { property in
            let text = property.text
            guard text.hasPrefix("[x] ") || text.hasPrefix("[ ] ") else { return nil }
            return ChecklistItem(String(text.dropFirst(4)), done: text.hasPrefix("[x]"))
        }
    }

    /// The column of a board for a task, by its state and column name; nil if the board has no column of that name.
    static func column(of foreign: ForeignTask, on board: Board) -> BoardColumn? {
        let named = foreign.column.flatMap { name in
            board.columns.first { $0.name.lowercased() == name.lowercased() }
        }
        switch foreign.task.state {
        case .done: return named.flatMap { $0.isDone ? $0 : nil } ?? board.doneColumn ?? named ?? board.columns.last
        case .dropped: return named ?? board.firstOpenColumn ?? board.columns.first
        case .open:
            if let named { return named.isDone ? board.firstOpenColumn ?? named : named }
            if foreign.column != nil { return nil }
            return (foreign.task.startedAt == nil ? board.firstOpenColumn : board.startedColumn) ?? board.columns.first
        }
    }

    // MARK: Writing

    /// True if a task was started at the time in its component. A component of another program says only that it was started:
    /// then its start is used, and a date begins at a different moment in each time zone.
    private static func isSameStart(
        _ start: Instant?, _ old: ForeignTask?, _ component: ICalendarComponent
    ) -> Bool {
        guard let start, let former = old?.task.startedAt else { return (start == nil) == (old?.task.startedAt == nil) }
        let isGuessed = component.first("X-HELIX-STARTED") == nil && old?.task.scheduled != nil
        return isGuessed ? abs(start.seconds - former.seconds) <= 26 * 3600 : start == former
    }

    static func write(
        _ details: TaskDetails, on board: Board?, isNamed: Bool, since old: ForeignTask?,
        into component: inout ICalendarComponent, stamp: (Instant) -> String
    ) {
        let task = details.task
        func sync(_ new: String?, _ was: String?, _ name: String) {
            // Names are case-insensitive: two machines may spell them differently.
            if new?.lowercased() != was?.lowercased() {
                component.set("X-HELIX-" + name, new.map { ICalendarProperty("X-HELIX-" + name, text: $0) })
            }
        }
        if isNamed, let board, !board.isDefault || old?.board != nil { sync(board.name, old?.board, "BOARD") }
        if let board {
            // Compared with the column that a program without columns would imply.
            var plain = old ?? ForeignTask(title: task.title, createdAt: task.createdAt)
            if old == nil { (plain.task.state, plain.task.startedAt) = (task.state, task.startedAt) }
            plain.task.state = task.state
            plain.task.startedAt = task.startedAt
            if column(of: plain, on: board)?.id != task.column { sync(details.column, old?.column, "COLUMN") }
        }
        sync(details.project, old?.project, "PROJECT")
        sync(task.block, old?.block, "BLOCK")
        for property in TaskProperty.all {
            sync(property.get(task), old.flatMap { property.get($0.task) }, property.name.uppercased())
        }
        if task.kind != old?.task.kind ?? .task {
            component.set(
                "X-HELIX-KIND",
                task.kind == .task ? nil : ICalendarProperty("X-HELIX-KIND", text: task.kind.rawValue))
        }
        if task.hiddenUntil != old?.task.hiddenUntil {
            component.set("X-HELIX-HIDDEN-UNTIL", property("X-HELIX-HIDDEN-UNTIL", task.hiddenUntil))
        }
        if task.state == .open, !isSameStart(task.startedAt, old, component) {
            component.set(
                "X-HELIX-STARTED", task.startedAt.map { ICalendarProperty("X-HELIX-STARTED", value: stamp($0)) })
        }
        sync(task.series?.text, old?.task.series?.text, "SERIES")
        if task.recurrence != old?.task.recurrence {
            var text: String?
            // A rule of a completed task is no RRULE: other programs would repeat it.
            if case .afterCompletion? = task.recurrence { text = task.recurrence?.text }
            if isNamed, case .rule(let rule)? = task.recurrence, task.state != .open { text = rule }
            component.set("X-HELIX-REPEAT", text.map { ICalendarProperty("X-HELIX-REPEAT", text: $0) })
        }
        if task.checklist != old?.task.checklist ?? [] {
            component.set(
                "X-HELIX-STEP",
                task.checklist.map { ICalendarProperty("X-HELIX-STEP", text: ($0.done ? "[x] " : "[ ] ") + $0.text) })
        }
    }

    /// Writes the rank along with other changes: alone, it does not justify writing to another program's task.
    static func writeRank(_ task: TodoTask, since old: ForeignTask?, into component: inout ICalendarComponent) {
        if task.rank != old?.rank {
            component.set("X-HELIX-RANK", ICalendarProperty("X-HELIX-RANK", text: task.rank))
        }
    }

    static func property(_ name: String, _ time: TaskTime?) -> ICalendarProperty? {
        switch time {
        case .date(let date)?:
            ICalendarProperty(name, [.init("VALUE", ["DATE"])], value: ICalendarTime.date(date).text)
        case .moment(let instant)?: ICalendarProperty(name, value: ICalendarTime.utc(instant).text)
        case nil: nil
        }
    }
}
