import HelixCrypto
import HelixModel
import HelixSQLite
import HelixTasks

/// Formats the tasks of a board as components for the remote.
struct BoardTexts {
    private let db: Database
    private let board: Board
    private let format: VTodoFormat
    private let uidOf: Statement
    private let isThere: Statement
    private let isThereByID: Statement
    private let blockersOf: Statement

    init(_ db: Database, _ board: Board, _ format: VTodoFormat) throws {
        self.db = db
        self.board = board
        self.format = format
        uidOf = try Statement(db, "SELECT uid FROM task WHERE id = ?1")
        isThere = try Statement(db, "SELECT 1 FROM task WHERE uid = ?1 LIMIT 1")
        isThereByID = try Statement(db, "SELECT 1 FROM task WHERE id = ?1")
        blockersOf = try Statement(db, "SELECT a FROM link WHERE b = ?1 AND kind = 'blocks' ORDER BY n")
    }

    /// The components of a task.
    func text(_ details: TaskDetails) throws -> String {
        var blockers: [EntityID] = []
        blockersOf.bind(1, details.task.id.text)
        while try blockersOf.step() { if let id = blockersOf.id(0) { blockers.append(id) } }
        // There are few relations: the ones that the components name are looked up beforehand.
        let named = details.task.source.map { BoardTexts.relations($0) } ?? []
        let known = Set(try named.filter(isKnown))
        let ties = TaskTies(
            parent: try details.task.parent.map(uid), blockers: try blockers.map(uid), isKnown: { known.contains($0) })
        return format.text(details, ties, board: board)
    }

    private func uid(_ id: EntityID) throws -> String {
        uidOf.bind(1, id.text)
        var task = TodoTask(id: id, title: "", column: id, rank: "", createdAt: Instant(0))
        while try uidOf.step() { task.uid = uidOf.text(0) }
        return task.calendarUID
    }

    private func isKnown(_ uid: String) throws -> Bool {
        isThere.bind(1, uid)
        var found = false
        while try isThere.step() { found = true }
        if found { return true }
        guard let id = TodoTask.identity(calendarUID: uid) else { return false }
        isThereByID.bind(1, id.text)
        while try isThereByID.step() { found = true }
        return found
    }

    /// The UIDs that components name as relations.
    static func relations(_ text: String) -> [String] {
        guard text.hasBytes(of: "RELATED-TO") else { return [] }
        let foreign = VTodoFormat(now: Instant(0), zone: .utc).ties(text)
        return foreign.blockers + (foreign.parent.map { [$0] } ?? [])
    }
}

extension Store {
    /// Collects the local changes to a board since the last sync.
    func addChangedTasks(
        _ db: Database, _ calendar: RemoteCalendar, _ zone: Zone, _ changes: inout LocalObjectChanges
    ) throws {
        guard let board = try Store.boards(db).first(where: { $0.id == calendar.board }) else { return }
        var synced: [EntityID: SyncedObject] = [:]
        let row = try Statement(
            db, "SELECT href, etag, task, text FROM remote_object WHERE calendar = ?1 AND task IS NOT NULL")
        row.bind(1, calendar.number)
        while try row.step() {
            guard let id = row.id(2) else { continue }
            synced[id] = SyncedObject(
                href: row.text(0) ?? "", etag: row.text(1) ?? "", item: SyncedItem(.task, id), text: row.text(3))
        }
        let present = try taskIDs(db, on: board)
        let here = Set(present)
        changes.gone += synced.values.filter { object in object.item.map { !here.contains($0.id) } ?? false }
            .sorted { $0.href < $1.href }
        // Formatting a task costs more than checking that nothing was changed.
        let isQuiet = try newestChange(db) == calendar.seen
        let asked = isQuiet ? present.filter { synced[$0] == nil } : present
        if asked.isEmpty { return }
        let texts = try BoardTexts(db, board, VTodoFormat(now: now, zone: zone))
        for details in try tasks(db, ids: asked) {
            let text = try texts.text(details)
            let former = synced[details.task.id]
            // An object without a text must not be written.
            if let former, former.text == nil || former.text == text { continue }
            let object = LocalObject(
                item: SyncedItem(.task, details.task.id), uid: details.task.calendarUID, text: text,
                zones: VTodoFormat.zones(of: details.task.source))
            if let former { changes.changed.append((former, object)) } else { changes.new.append(object) }
        }
    }

    /// An event or a task formatted for the remote; nil if it does not exist locally.
    /// - Throws: ``HelixError``.
    public func localObject(_ item: SyncedItem, zone: Zone) throws -> LocalObject? {
        try read { db in
            if item.kind == .event {
                return try Row.fetchOne(
                    db, sql: "SELECT uid, text, zones FROM event WHERE id = ?", arguments: [item.id.text]
                ).map { LocalObject(item: item, uid: $0[0], text: $0[1], zones: $0[2]) }
            }
            if item.kind == .contact {
                return try Row.fetchOne(
                    db, sql: "SELECT uid, text FROM contact WHERE id = ?", arguments: [item.id.text]
                ).map { LocalObject(item: item, uid: $0[0], text: $0[1], zones: nil) }
            }
            guard let details = try tasks(db, ids: [item.id]).first,
                let board = try Store.boards(db).first(where: { $0.column(details.task.column) != nil })
            else { return nil }
            return LocalObject(
                item: item, uid: details.task.calendarUID,
                text: try BoardTexts(db, board, VTodoFormat(now: now, zone: zone)).text(details),
                zones: VTodoFormat.zones(of: details.task.source))
        }
    }

    private func taskIDs(_ db: Database, on board: Board) throws -> [EntityID] {
        let columns = board.columns.map { "'\($0.id.text)'" }.joined(separator: ",")
        return try String.fetchAll(db, sql: "SELECT id FROM task WHERE column_id IN (\(columns)) ORDER BY n").map {
            EntityID(stored: $0)
        }
    }
}

extension Change {
    /// The board of a task; nil if the task does not exist locally.
    /// - Throws: ``HelixError``.
    public func board(of task: EntityID) throws -> EntityID? {
        try String.fetchOne(
            db, sql: "SELECT c.board FROM task t JOIN board_column c ON c.id = t.column_id WHERE t.id = ?",
            arguments: [task.text]
        ).map { EntityID(stored: $0) }
    }
}

/// Applies remote changes to the tasks of a board.
public final class RemoteTaskWriter {
    private let change: Change
    private let format: VTodoFormat
    private var board: Board
    private var db: Database { change.db }
    /// The relations that tasks name, linked once all tasks are written.
    private var ties: [(task: EntityID, parent: String?, blockers: [String])] = []
    /// The UIDs of new tasks.
    private var arrived: Set<String> = []

    /// Creates a writer for one board.
    /// - Throws: ``HelixError`` of code `notFound`.
    public init(_ change: Change, board id: EntityID, zone: Zone) throws {
        self.change = change
        format = VTodoFormat(now: change.store.now, zone: zone)
        guard let board = try Store.boards(change.db).first(where: { $0.id == id }) else {
            throw HelixError(.notFound, "unknown board \(id.text)")
        }
        self.board = board
    }

    /// The task with a UID on this board.
    /// - Throws: ``HelixError``.
    public func task(uid: String) throws -> LocalObject? {
        let columns = board.columns.map { "'\($0.id.text)'" }.joined(separator: ",")
        let own = TodoTask.identity(calendarUID: uid)?.text
        let id = try String.fetchOne(
            db, sql: "SELECT id FROM task WHERE (uid = ?1 OR id = ?2) AND column_id IN (\(columns)) LIMIT 1",
            arguments: [uid, own])
        return try id.map { try object(EntityID(stored: $0)) }
    }

    /// A task formatted for the remote.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func object(_ id: EntityID) throws -> LocalObject {
        let details = try change.task(id)
        return LocalObject(
            item: SyncedItem(.task, id), uid: details.task.calendarUID,
            text: try BoardTexts(db, board, format).text(details), zones: VTodoFormat.zones(of: details.task.source))
    }

    /// Writes components to an existing task or to a new one.
    ///
    /// - Parameters:
    ///   - text: the components, preceded by their VTIMEZONEs.
    ///   - id: the task; nil creates one.
    /// - Returns: the task; nil if the components contain none.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func write(_ text: String, to id: EntityID?) throws -> EntityID? {
        guard var foreign = format.read(stored: text) else { return nil }
        let old = try id.map { try change.store.bareTask(db, $0) }
        var task = foreign.task
        task.title = TodoTask.line(task.title)
        if let name = foreign.project { task.project = try change.projectNamed(name) }
        if let name = foreign.block, let project = task.project {
            task.block = try change.blockNamed(name, of: project)
        }
        foreign.task.state = task.state
        task.column = try column(foreign).id
        if let old {
            (task.id, task.createdAt, task.extra) = (old.id, old.createdAt, old.extra)
            if task.uid == old.calendarUID { task.uid = old.uid }
            let isThere = foreign.rank == nil && old.column == task.column
            task.rank = try isThere ? old.rank : rank(foreign, in: task.column)
            if old.state == task.state { task.completedAt = old.completedAt ?? task.completedAt }
            if task.state != .open { try change.stopTimer(of: task.id) }
            try change.save(task)
        } else {
            task.rank = try rank(foreign, in: task.column)
            // A task has the same ID on all machines.
            if let own = task.uid.flatMap(TodoTask.identity(calendarUID:)),
                try Bool.fetchOne(db, sql: "SELECT 1 FROM task WHERE id = ?", arguments: [own.text]) == nil
            {
                (task.id, task.uid) = (own, nil)
            } else if let uid = task.uid {
                // Tasks from other programs, too: then their recurrences get identical IDs everywhere.
                let same = EntityID(digest: SHA256.hash(Array("task \(uid)".utf8)))
                if try Bool.fetchOne(db, sql: "SELECT 1 FROM task WHERE id = ?", arguments: [same.text]) == nil {
                    task.id = same
                }
            }
            try change.insert(task)
            arrived.insert(task.calendarUID)
        }
        ties.append((task.id, foreign.parentUID, foreign.blockerUIDs))
        return task.id
    }

    private func rank(_ foreign: ForeignTask, in column: EntityID) throws -> String {
        if let rank = foreign.rank { return rank }
        return try change.endRank(of: column)
    }

    private func column(_ foreign: ForeignTask) throws -> BoardColumn {
        if let found = foreign.column(on: board) { return found }
        guard let name = foreign.column else { throw HelixError(.conflict, "the board '\(board.name)' has no column") }
        _ = try change.addColumn(name, to: board.id)
        board = try Store.boards(db).first { $0.id == board.id } ?? board
        return try foreign.column(on: board) ?? board.firstColumn()
    }

    /// Links the tasks that were written to their parents and blockers.
    /// - Throws: ``HelixError``.
    public func finish() throws {
        guard !ties.isEmpty else { return }
        var graph = DependencyGraph()
        for link in try Store.dependencies(db) { graph.add(blocker: link.a, blocked: link.b) }
        for tie in ties {
            try setParent(of: tie.task, try tie.parent.flatMap(identity))
            let wanted = Set(try tie.blockers.compactMap(identity))
            let links = try Store.links(db, of: tie.task).filter { $0.kind == .blocks && $0.b == tie.task }
            for link in links where !wanted.contains(link.a) { try change.delete(.link, link.id) }
            for blocker in wanted.subtracting(links.map(\.a)).sorted() { try block(tie.task, by: blocker, &graph) }
        }
        if !arrived.isEmpty { try addWaitingTies(&graph) }
        (ties, arrived) = ([], [])
    }

    /// Links tasks that named a task which has just arrived. Links that were removed locally stay removed.
    private func addWaitingTies(_ graph: inout DependencyGraph) throws {
        let done = Set(ties.map(\.task))
        let rows = try Row.fetchAll(db, sql: "SELECT id, source, parent FROM task WHERE source LIKE '%RELATED-TO%'")
        for row in rows {
            let id = EntityID(stored: row[0])
            if done.contains(id) { continue }
            let named = format.ties(row[1])
            if (row[2] as String?) == nil, let parent = named.parent, arrived.contains(parent) {
                try setParent(of: id, try identity(parent))
            }
            for uid in named.blockers where arrived.contains(uid) {
                if let blocker = try identity(uid) { try block(id, by: blocker, &graph) }
            }
        }
    }

    private func block(_ task: EntityID, by blocker: EntityID, _ graph: inout DependencyGraph) throws {
        // Dependency cycles are rejected, even if the remote has them.
        guard graph.cycle(ifBlocking: task, by: blocker) == nil else { return }
        _ = try change.addLink(blocker, task, .blocks)
        graph.add(blocker: blocker, blocked: task)
    }

    /// The task with a UID on any board; this board takes precedence.
    private func identity(_ uid: String) throws -> EntityID? {
        if let own = try task(uid: uid)?.item.id { return own }
        if let found = try String.fetchOne(db, sql: "SELECT id FROM task WHERE uid = ? LIMIT 1", arguments: [uid]) {
            return EntityID(stored: found)
        }
        return try TodoTask.identity(calendarUID: uid).flatMap {
            try String.fetchOne(db, sql: "SELECT id FROM task WHERE id = ?", arguments: [$0.text])
        }.map { EntityID(stored: $0) }
    }

    private func setParent(of id: EntityID, _ parent: EntityID?) throws {
        var task = try change.store.bareTask(db, id)
        guard task.parent != parent else { return }
        var next = parent
        var steps = 0
        while let current = next, steps < 1000 {
            // A task cannot be its own ancestor, even if the remote says so.
            if current == id { return }
            next = try String.fetchOne(db, sql: "SELECT parent FROM task WHERE id = ?", arguments: [current.text]).map {
                EntityID(stored: $0)
            }
            steps += 1
        }
        task.parent = parent
        try change.save(task)
    }
}
