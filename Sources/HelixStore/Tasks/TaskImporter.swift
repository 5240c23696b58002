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

    let change: Change
    private var boards: ImportBoards
    private let insertion: Statement
    /// The last rank of each column.
    private var ranks: [EntityID: String] = [:]
    private var projects: [String: EntityID] = [:]
    private var known: [String: EntityID] = [:]
    /// The tasks of the store in the format of the file.
    private var forms = TaskForms()
    private struct Dependency: Hashable {
        var blocker: EntityID
        var blocked: EntityID
    }

    /// The numbers of new tasks whose column their board does not have, by `board/column`.
    private var unknownColumns: [String: Int] = [:]
    /// The ranks of the file that are in use, by column.
    private var taken: [EntityID: Set<String>] = [:]
    /// The numbers of tasks with a UID made of their words.
    private var met: [String: Int] = [:]
    /// The relations to link once all tasks are imported.
    private var ties: [(task: EntityID, parent: String?, blockers: [String])] = []

    /// The bulk load, set if many tasks are imported at once.
    private var bulk: BulkLoad?
    /// IDs for those, sorted in descending order: rows inserted in ID order are adjacent on disk.
    private var identities: [EntityID] = []
    /// The numbers of open blockers and of blocked tasks, by UID; unused if the tasks contain anything unexpected.
    private var counts: [String: (blockers: Int64, blocking: Int64)] = [:]
    private var isCounted = true
    /// The number of texts whose control characters were removed.
    private var cleaned = 0
    private var tags = ForeignTags()
    /// The last row that is indexed and journaled, and the number of rows after it.
    private var lastRow: Int64
    private var pending = 0
    /// The tasks that this import added or changed: of several files, the last counts.
    private var touched: Set<EntityID> = []

    /// - Parameters:
    ///   - board: the board for new tasks.
    ///   - keepsBoards: True to put tasks on the boards that the file names, created if missing.
    public init(_ change: Change, board: Board, keepsBoards: Bool = false) throws {
        self.change = change
        boards = try ImportBoards(change, default: board, keepsNames: keepsBoards)
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
        // New tasks have new IDs, which no dependency refers to yet.
        bulk = try BulkLoad(
            change.db, of: ["task", "change"],
            triggers: ["task_blocks_insert", "task_blocks_create", "embedding_task_new"],
            keeping: ["task_parent", "task_series"],
            expected: count)
        try change.store.unmarkEmbedded(change.db)
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

    /// Recognizes the tasks of the store in the files that follow.
    public func recognize(_ forms: TaskForms) { self.forms = forms }

    /// Imports one task.
    /// - Throws: ``HelixError``.
    public func add(_ foreign: ForeignTask) throws -> Outcome {
        let board = try boards.board(of: foreign, change)
        var task = foreign.task
        task.title = TodoTask.line(plain(task.title))
        task.notes = task.notes.map(plain)
        task.tags = tags.words(task.tags)
        let form = try task.uid.flatMap { try isUnchanged(task, $0) ? nil : forms.claim($0) }
        // Formats without identities repeat one for tasks of the same words, which are several tasks.
        if let uid = task.uid, TodoTask.isSynthetic(uid) {
            met[uid, default: 0] += 1
            if let count = met[uid], count > 1 { task.uid = "\(uid) #\(count)" }
        }
        if let form {
            if let outcome = try merge(foreign, tags: task.tags, into: form) { return outcome }
        }
        if let name = foreign.project?.trimmingBlanks(), !name.isEmpty { task.project = try project(name) }
        if let block = foreign.block, let project = task.project {
            task.block = try change.blockNamed(block, of: project)
        }
        if let uid = task.uid, let id = known[uid] {
            _ = forms.claim(uid)
            return try update(id, to: task, foreign, on: board)
        }
        // Without a column name, the state decides: a started task is in the column of started ones.
        let named = foreign.column(on: board.board)?.id
        if named == nil, let column = foreign.column {
            unknownColumns["\(board.board.name)/\(column)", default: 0] += 1
        }
        task.column = named ?? (task.state == .done ? board.done : board.open)
        task.rank = try freeRank(foreign.rank, task.column)
        if let id = identities.popLast() { task.id = id }
        try change.insertQuickly(task, task.uid.flatMap { counts[$0] } ?? (0, 0), by: insertion)
        pending += 1
        if let uid = task.uid { known[uid] = task.id }
        touched.insert(task.id)
        if foreign.parentUID != nil || !foreign.blockerUIDs.isEmpty {
            ties.append((task.id, foreign.parentUID, foreign.blockerUIDs))
        }
        return .created
    }

    /// Changes a task that was imported before.
    private func update(
        _ id: EntityID, to new: TodoTask, _ foreign: ForeignTask, on board: ImportBoards.Target
    ) throws -> Outcome {
        var task = new
        isCounted = false
        let old = try change.store.bareTask(change.db, id)
        if old.extra == task.extra && old.source == task.source && (task.extra != nil || task.source != nil)
            || same(old, task)
        {
            // The tasks to which it is linked may have been added since.
            ties.append((id, foreign.parentUID, foreign.blockerUIDs))
            return .unchanged
        }
        if let modified = foreign.modifiedAt, modified < old.modifiedAt, !touched.contains(old.id) { return .older }
        (task.id, task.column, task.rank, task.createdAt) = (id, old.column, old.rank, old.createdAt)
        (task.checklist, task.series, task.kind) = (old.checklist, old.series, old.kind)
        for property in TaskProperty.all { property.set(&task, property.get(old)) }
        try place(&task, foreign, formerly: old, on: board)
        // The task may have been inserted a moment ago, from the same file.
        try settle()
        try change.save(task)
        touched.insert(id)
        ties.append((id, foreign.parentUID, foreign.blockerUIDs))
        return .updated
    }

    /// Whether a task is exactly as it was imported before, which needs no form of it.
    private func isUnchanged(_ task: TodoTask, _ uid: String) throws -> Bool {
        guard task.extra != nil || task.source != nil, let id = known[uid],
            let old = try HelixError.ifFound({ try change.store.bareTask(change.db, id) })
        else { return false }
        return old.extra == task.extra && old.source == task.source
    }

    /// Changes a task of the store by the differences between its form and the imported task.
    /// - Returns: nil if that is another task.
    private func merge(_ foreign: ForeignTask, tags: [String], into form: TaskForms.Form) throws -> Outcome? {
        guard let base = try form.make() else { return nil }
        isCounted = false
        // The task may have been inserted a moment ago, from the same file.
        try settle()
        let old = try change.store.bareTask(change.db, form.id)
        var task = old
        if let step = form.step {
            guard old.checklist.indices.contains(step), base.task.state != foreign.task.state else { return .unchanged }
            task.checklist[step].done = foreign.task.state == .done
            try change.save(task)
            return .updated
        }
        // A file without identities may have a task of the same words from another day.
        if old.uid == nil, base.task.uid?.hasPrefix("todo.txt ") == true, base.task.createdAt != foreign.task.createdAt
        {
            return nil
        }
        var theirs = foreign
        theirs.task.title = TodoTask.line(foreign.task.title)
        if base.task.tags.map(ForeignTags.word) == tags {
            theirs.task.tags = base.task.tags
        } else {
            theirs.task.tags = tags
        }
        task = old.merged(base, theirs)
        if base.project != foreign.project {
            let name = foreign.project?.trimmingBlanks() ?? ""
            task.project = name.isEmpty ? nil : try project(name)
        }
        if base.block != foreign.block || task.project != old.project {
            task.block =
                try task.project.flatMap { project in
                    try foreign.block.map { try change.blockNamed($0, of: project) }
                }
        }
        let board = try boards.board(of: foreign, change)
        var moved = foreign
        if base.column == foreign.column, base.board == foreign.board { moved.column = nil }
        try place(&task, moved, formerly: old, on: board)
        if base.parentUID != foreign.parentUID || Set(base.blockerUIDs) != Set(foreign.blockerUIDs) {
            ties.append((form.id, foreign.parentUID, foreign.blockerUIDs))
        } else if task == old {
            return .unchanged
        }
        // A task that is as it was imported has the time of its file, which may be long before the import.
        let known = base.modifiedAt ?? old.modifiedAt
        if let modified = foreign.modifiedAt, modified < known, !touched.contains(old.id) { return .older }
        if task != old { try change.save(task) }
        touched.insert(form.id)
        return .updated
    }

    /// The task with an identity: an imported one, or one of the store.
    private func identity(_ uid: String) -> EntityID? { known[uid] ?? forms.task(uid) }

    /// The text without control characters but line ends and tabs: no program could write them, and helix could not read its own
    /// file again.
    private func plain(_ text: String) -> String {
        func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && ![0x09, 0x0A, 0x0D].contains(byte) || byte == 0x7F }
        guard text.utf8.contains(where: isControl) else { return text }
        cleaned += 1
        return String(decoding: text.utf8.filter { !isControl($0) }, as: UTF8.self)
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
        var defects = changedFields
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
                if let parent = identity(uid), parent != tie.task {
                    try setParent(parent, of: tie.task, &defects)
                } else {
                    defects.append(
                        ForeignDefect(
                            try place(of: tie.task), "its parent is not in the file (\(uid))",
                            isPartial: true))
                }
            }
            for uid in tie.blockers {
                guard let blocker = try blocker(uid, of: tie.task, graph, &defects) else { continue }
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

    /// The fields that were changed or left out.
    private var changedFields: [ForeignDefect] {
        var defects = unknownColumns.sorted { $0.key < $1.key }.map { name, count in
            ForeignDefect(
                "column '\(name)'",
                "the board does not have it; \(count) task\(count == 1 ? " is" : "s are") in another", isPartial: true)
        }
        defects += tags.defects
        if cleaned > 0 {
            let noun = cleaned == 1 ? "text" : "texts"
            defects.append(ForeignDefect("\(cleaned) \(noun)", "control characters were removed", isPartial: true))
        }
        return defects
    }

    /// The blocker with an identity; nil, with a defect, if there is none or it would make a cycle.
    private func blocker(
        _ uid: String, of task: EntityID, _ graph: DependencyGraph, _ defects: inout [ForeignDefect]
    ) throws -> EntityID? {
        guard let blocker = identity(uid) else {
            isCounted = false
            let reason = "its blocker is not in the file (\(uid))"
            defects.append(ForeignDefect(try place(of: task), reason, isPartial: true))
            return nil
        }
        guard graph.cycle(ifBlocking: task, by: blocker) != nil else { return blocker }
        isCounted = false
        let isKnown = graph.waiting(for: blocker).contains(task)
        if !isKnown {
            defects.append(ForeignDefect(try place(of: task), "it would depend on itself", isPartial: true))
        }
        return nil
    }

    /// True if the other program's task has no changes.
    private func same(_ old: TodoTask, _ new: TodoTask) -> Bool {
        old.extra == nil && old.source == nil && new.extra == nil && new.source == nil && old.title == new.title
            && old.state == new.state && old.due == new.due && old.tags == new.tags && old.priority == new.priority
            && old.project == new.project
    }

    /// Puts a known task in the column that the file names, or in one that fits its state.
    private func place(
        _ task: inout TodoTask, _ foreign: ForeignTask, formerly old: TodoTask, on board: ImportBoards.Target
    ) throws {
        if foreign.column != nil, let column = foreign.column(on: board.board),
            board.board.column(old.column) != nil || foreign.board != nil
        {
            task.column = column.id
            if column.id != old.column { task.rank = try endRank(column.id) }
        } else if task.state != old.state {
            task.column = task.state == .done ? board.done : task.state == .open ? board.open : old.column
            task.rank = try endRank(task.column)
        }
    }

    /// The rank that the file gives a new task, if no task of the column has it.
    private func freeRank(_ rank: String?, _ column: EntityID) throws -> String {
        guard let rank, taken[column, default: []].insert(rank).inserted else { return try endRank(column) }
        if !boards.isEmpty {
            let isTaken = try Bool.fetchOne(
                change.db, sql: "SELECT EXISTS (SELECT 1 FROM task WHERE column_id = ? AND rank = ?)",
                arguments: [column.text, rank])
            if isTaken == true { return try endRank(column) }
        }
        // Tasks without a rank follow all others.
        if ranks[column].map({ $0 < rank }) ?? boards.isEmpty { ranks[column] = rank }
        return rank
    }

    private func endRank(_ column: EntityID) throws -> String {
        let rank = try ranks[column].map { Rank.between($0, nil) } ?? change.endRank(of: column)
        ranks[column] = rank
        taken[column, default: []].insert(rank)
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
