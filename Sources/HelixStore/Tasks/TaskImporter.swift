import HelixModel
import HelixSQLite
import HelixTasks

/// Imports tasks of another program in one change set.
public final class TaskImporter {
    /// The result of importing one task.
    public enum Outcome: Sendable {
        case created
        case updated
        case unchanged
        /// The local task was changed later.
        case older
    }

    private let change: Change
    private let board: Board
    private let openColumn: EntityID
    private let doneColumn: EntityID
    private let insertion: Statement
    /// The last rank of each column.
    private var ranks: [EntityID: String] = [:]
    private var projects: [String: EntityID] = [:]
    private var known: [String: EntityID] = [:]
    private struct Dependency: Hashable {
        var blocker: EntityID
        var blocked: EntityID
    }

    /// The relations to link once all tasks are imported.
    private var ties: [(task: EntityID, parent: String?, blockers: [String])] = []

    /// The bulk load, set if many tasks are imported at once.
    private var bulk: BulkLoad?
    /// IDs for those, sorted in descending order: rows inserted in ID order are adjacent on disk.
    private var identities: [EntityID] = []
    /// The numbers of open blockers and of blocked tasks, by UID; unused if the tasks contain anything unexpected.
    private var counts: [String: (blockers: Int64, blocking: Int64)] = [:]
    private var isCounted = true
    /// The last row that is indexed and journaled, and the number of rows after it.
    private var lastRow: Int64
    private var pending = 0

    /// - Parameter board: the board for new tasks.
    public init(_ change: Change, board: Board) throws {
        self.change = change
        self.board = board
        guard let open = board.firstOpenColumn ?? board.columns.first else {
            throw HelixError(.conflict, "the board '\(board.name)' has no column")
        }
        openColumn = open.id
        doneColumn = board.doneColumn?.id ?? open.id
        insertion = try change.taskInsertion()
        lastRow = try change.lastRow(of: .task)
        let row = try Statement(change.db, "SELECT uid, id FROM task WHERE uid IS NOT NULL")
        while try row.step() { known[row.text(0) ?? ""] = (row.id(1) ?? EntityID(stored: "")) }
    }

    /// Prepares for importing these tasks.
    /// - Throws: ``HelixError``.
    public func expect(_ tasks: [ForeignTask]) throws {
        let count = tasks.count
        if bulk != nil { isCounted = false }
        guard bulk == nil, count >= 500 else { return }
        bulk = try BulkLoad(
            change.db, of: ["task", "change"], triggers: ["task_blocks_insert"],
            keeping: ["task_parent", "task_series"],
            expected: count)
        identities = (0..<count).map { _ in EntityID() }.sorted(by: >)
        known.reserveCapacity(known.count + count)
        // Dependencies are counted beforehand, so that each row is written once.
        var isOpen: [String: Bool] = [:]
        isOpen.reserveCapacity(count)
        for foreign in tasks {
            guard let uid = foreign.task.uid else { continue }
            if isOpen.updateValue(foreign.task.state == .open, forKey: uid) != nil { isCounted = false }
        }
        for foreign in tasks where !foreign.blockerUIDs.isEmpty {
            guard let uid = foreign.task.uid else {
                isCounted = false
                continue
            }
            for blocker in Set(foreign.blockerUIDs) {
                // A blocker that exists already or is missing.
                if isOpen[blocker] == nil { isCounted = false }
                if isOpen[blocker] == true { counts[uid, default: (0, 0)].blockers += 1 }
                if foreign.task.state == .open { counts[blocker, default: (0, 0)].blocking += 1 }
            }
        }
    }

    /// Imports one task.
    /// - Throws: ``HelixError``.
    public func add(_ foreign: ForeignTask) throws -> Outcome {
        var task = foreign.task
        task.title = TodoTask.line(task.title)
        if let name = foreign.project?.trimmingBlanks(), !name.isEmpty { task.project = try project(name) }
        task.tags = task.tags.map(tag).filter { !$0.isEmpty }
        if let uid = task.uid, let id = known[uid] {
            isCounted = false
            let old = try change.store.bareTask(change.db, id)
            if old.extra == task.extra && old.source == task.source && (task.extra != nil || task.source != nil)
                || same(old, task)
            {
                // The tasks to which it is linked may have been added since.
                ties.append((id, foreign.parentUID, foreign.blockerUIDs))
                return .unchanged
            }
            if let modified = foreign.modifiedAt, modified < old.modifiedAt, old.modifiedAt != change.store.now {
                return .older
            }
            (task.id, task.column, task.rank, task.createdAt) = (id, old.column, old.rank, old.createdAt)
            (task.checklist, task.assignee, task.series, task.kind) = (
                old.checklist, old.assignee, old.series, old.kind
            )
            if foreign.column != nil, let column = foreign.column(on: board), board.column(old.column) != nil {
                task.column = column.id
                if column.id != old.column { task.rank = try endRank(column.id) }
            } else if task.state != old.state {
                task.column = task.state == .done ? doneColumn : task.state == .open ? openColumn : old.column
                task.rank = try endRank(task.column)
            }
            // The task may have been inserted a moment ago, from the same file.
            try settle()
            try change.save(task)
            ties.append((id, foreign.parentUID, foreign.blockerUIDs))
            return .updated
        }
        let named = foreign.column == nil ? nil : foreign.column(on: board)?.id
        task.column = named ?? (task.state == .done ? doneColumn : openColumn)
        task.rank = try endRank(task.column)
        if let id = identities.popLast() { task.id = id }
        try change.insertQuickly(task, task.uid.flatMap { counts[$0] } ?? (0, 0), by: insertion)
        pending += 1
        if let uid = task.uid { known[uid] = task.id }
        if foreign.parentUID != nil || !foreign.blockerUIDs.isEmpty {
            ties.append((task.id, foreign.parentUID, foreign.blockerUIDs))
        }
        return .created
    }

    /// Indexes and journals the rows inserted since the last call.
    private func settle() throws {
        if pending == 0 { return }
        try change.didInsertTasks(after: lastRow)
        lastRow = try change.lastRow(of: .task)
        pending = 0
    }

    /// Links tasks to their parents and blockers.
    /// - Returns: defects for references to missing tasks and for cycles.
    /// - Throws: ``HelixError``.
    public func finish() throws -> [ForeignDefect] {
        try settle()
        var defects: [ForeignDefect] = []
        var graph = DependencyGraph()
        var linked: Set<Dependency> = []
        for link in try Store.dependencies(change.db) {
            graph.add(blocker: link.a, blocked: link.b)
            linked.insert(Dependency(blocker: link.a, blocked: link.b))
        }
        let lastLink = try change.lastRow(of: .link)
        let insertLink = try change.dependencyInsertion()
        for tie in ties {
            if let uid = tie.parent {
                if let parent = known[uid], parent != tie.task {
                    try setParent(parent, of: tie.task, &defects)
                } else {
                    defects.append(
                        ForeignDefect(
                            "task \(tie.task.text.prefix(6))", "its parent is not in the file (\(uid))"))
                }
            }
            for uid in tie.blockers {
                guard let blocker = known[uid] else {
                    isCounted = false
                    defects.append(
                        ForeignDefect(
                            "task \(tie.task.text.prefix(6))", "its blocker is not in the file (\(uid))"))
                    continue
                }
                if graph.cycle(ifBlocking: tie.task, by: blocker) != nil {
                    isCounted = false
                    let isKnown = graph.waiting(for: blocker).contains(tie.task)
                    if !isKnown {
                        defects.append(ForeignDefect("task \(tie.task.text.prefix(6))", "it would depend on itself"))
                    }
                    continue
                }
                guard linked.insert(Dependency(blocker: blocker, blocked: tie.task)).inserted else { continue }
                try change.insertQuickly(blocker: blocker, blocked: tie.task, by: insertLink)
                graph.add(blocker: blocker, blocked: tie.task)
            }
        }
        try change.didCreate(.link, after: lastLink)
        if let bulk {
            if !isCounted { try change.db.execute(sql: Store.recountBlockers) }
            try bulk.finish(change.db)
        }
        return defects
    }

    private func setParent(_ parent: EntityID, of task: EntityID, _ defects: inout [ForeignDefect]) throws {
        var next: EntityID? = parent
        var steps = 0
        while let current = next, steps < 1000 {
            if current == task {
                defects.append(ForeignDefect("task \(task.text.prefix(6))", "it would be its own subtask"))
                return
            }
            next = try String.fetchOne(
                change.db, sql: "SELECT parent FROM task WHERE id = ?", arguments: [current.text]
            ).map { EntityID(stored: $0) }
            steps += 1
        }
        var own = try change.store.bareTask(change.db, task)
        guard own.parent != parent else { return }
        own.parent = parent
        try change.save(own)
    }

    /// True if the other program's task has no changes.
    private func same(_ old: TodoTask, _ new: TodoTask) -> Bool {
        old.extra == nil && old.source == nil && new.extra == nil && new.source == nil && old.title == new.title
            && old.state == new.state && old.due == new.due && old.tags == new.tags && old.priority == new.priority
            && old.project == new.project
    }

    /// A tag in helix's form, without whitespace.
    private func tag(_ text: String) -> String {
        // Most tags have no whitespace, which a scan of the bytes shows.
        if text.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) { return text }
        return text.split(whereSeparator: \.isWhitespace).joined(separator: "-")
    }

    private func endRank(_ column: EntityID) throws -> String {
        let rank = try ranks[column].map { Rank.between($0, nil) } ?? change.endRank(of: column)
        ranks[column] = rank
        return rank
    }

    private func project(_ name: String) throws -> EntityID {
        let key = name.lowercased()
        if let id = projects[key] { return id }
        let id = try change.projectNamed(String(name.prefix(200)))
        projects[key] = id
        return id
    }
}

extension Change {
    /// Adds a dependency. Callers must know that it is new and creates no cycle.
    fileprivate func insertQuickly(blocker: EntityID, blocked: EntityID, by insert: Statement) throws {
        insert.bind(1, EntityID().text)
        insert.bind(2, blocker.text)
        insert.bind(3, blocked.text)
        try insert.run()
    }

    /// The statement that inserts a dependency; ``didCreate(_:after:)`` journals it.
    fileprivate func dependencyInsertion() throws -> Statement {
        try Statement(db, "INSERT INTO link (id, a, b, kind) VALUES (?1, ?2, ?3, 'blocks')")
    }

    /// The statement that inserts a task's row.
    fileprivate func taskInsertion() throws -> Statement {
        try Statement(
            db,
            """
            INSERT INTO task (id, state, kind, column_id, rank, priority, due, due_day, scheduled, scheduled_day,
                hidden_until, hidden_day, estimate, project, parent, assignee, recurrence, series, percent, created_at,
                modified_at, started_at, completed_at, tags, title, checklist, uid, notes, source, extra,
                blockers, blocking)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22,
                ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32)
            """)
    }

    /// Inserts a task's row; ``didInsertTasks(after:)`` indexes and journals it.
    ///
    /// - Parameter ties: the numbers of its open blockers and of the tasks it blocks.
    fileprivate func insertQuickly(
        _ task: TodoTask, _ ties: (blockers: Int64, blocking: Int64), by insert: Statement
    ) throws {
        func bind(_ place: Int32, _ time: TaskTime?) {
            switch time {
            case .date(let date)?:
                insert.bind(place, CivilDateTime(date).seconds)
                insert.bind(place + 1, 1 as Int64)
            case .moment(let instant)?:
                insert.bind(place, instant.seconds)
                insert.bind(place + 1, 0 as Int64)
            case nil:
                insert.bind(place, nil as Int64?)
                insert.bind(place + 1, 0 as Int64)
            }
        }
        let fields = TaskRecord.texts(task)
        insert.bind(1, task.id.text)
        insert.bind(2, task.state.rawValue)
        insert.bind(3, task.kind.rawValue)
        insert.bind(4, task.column.text)
        insert.bind(5, task.rank)
        insert.bind(6, task.priority.map { Int64($0.rawValue) })
        bind(7, task.due)
        bind(9, task.scheduled)
        bind(11, task.hiddenUntil)
        insert.bind(13, task.estimate.map { Int64($0) })
        insert.bind(14, task.project?.text)
        insert.bind(15, task.parent?.text)
        insert.bind(16, task.assignee)
        insert.bind(17, task.recurrence?.text)
        insert.bind(18, task.series?.text)
        insert.bind(19, task.percent.map { Int64($0) })
        insert.bind(20, task.createdAt.seconds)
        insert.bind(21, store.now.seconds)
        insert.bind(22, task.startedAt?.seconds)
        insert.bind(23, task.completedAt?.seconds)
        insert.bind(24, fields.tags)
        insert.bind(25, task.title)
        insert.bind(26, fields.checklist)
        insert.bind(27, task.uid)
        insert.bind(28, task.notes)
        insert.bind(29, task.source)
        insert.bind(30, task.extra)
        insert.bind(31, ties.blockers)
        insert.bind(32, ties.blocking)
        try insert.run()
    }

    /// Indexes and journals all inserted tasks in one statement each; for 20,000 tasks, separate statements take three times as
    /// long.
    fileprivate func didInsertTasks(after row: Int64) throws {
        try db.execute(
            sql: """
                INSERT INTO task_text (rowid, title, tags, notes)
                SELECT n, title, tags, notes FROM task WHERE n > ? ORDER BY n
                """, arguments: [row])
        try didCreate(.task, after: row)
    }
}
