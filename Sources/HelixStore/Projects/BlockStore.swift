import FoundationEssentials
import HelixModel
import HelixSQLite
import HelixTasks

/// The position of a block within its project.
public enum BlockPlace: Hashable, Sendable {
    case first
    case last
    /// Before the named block.
    case before(String)
    /// After the named block.
    case after(String)
}

extension Change {
    /// Sets a task's project and block, if the changes contain them.
    func setProject(_ changes: TaskChanges, of task: inout TodoTask) throws {
        let former = task.project
        switch changes.project {
        case .keep: break
        case .clear: task.project = nil
        case .set(let name): task.project = try projectNamed(name, isTyped: true)
        }
        // A block belongs to one project.
        if task.project != former { task.block = nil }
        switch changes.block {
        case .keep: break
        case .clear: task.block = nil
        case .set(let name):
            guard let project = task.project else {
                throw HelixError(
                    .usage, "cannot set block:\(name): '\(task.title)' has no project",
                    hint: "Blocks belong to a project; add project:NAME.")
            }
            task.block = try blockNamed(name, of: project)
        }
    }

    /// The block of a project in the spelling of the project; a new one is appended.
    func blockNamed(_ name: String, of project: EntityID) throws -> String {
        var record = try record(ofProject: project)
        if let known = record.block(named: name) { return known }
        record.blocks.append(name)
        try saveProject(record)
        return name
    }

    private func record(ofProject id: EntityID) throws -> ProjectRecord {
        guard let found = try Store.projects(db).first(where: { $0.id == id }) else {
            throw HelixError(.notFound, "unknown project \(id.text)")
        }
        return found
    }

    /// Adds a block.
    /// - Throws: ``HelixError`` of code `conflict` if the project already has a block with that name.
    public func addBlock(_ name: String, to project: EntityID, at place: BlockPlace) throws {
        var record = try record(ofProject: project)
        try checkName(name, "block", among: record.blocks)
        record.blocks.insert(name, at: try record.index(of: place))
        try saveProject(record)
    }

    /// Renames a block and updates its tasks.
    /// - Throws: ``HelixError``: `notFound`, or `conflict` if the new name is taken.
    public func renameBlock(_ name: String, to other: String, of project: EntityID) throws {
        var record = try record(ofProject: project)
        let index = try record.index(ofBlock: name)
        let old = record.blocks[index]
        try checkName(other, "block", among: record.blocks.filter { $0 != old })
        record.blocks[index] = other
        try saveProject(record)
        for task in try tasks(inBlock: old, of: project) {
            try update(.task, task, JournalFields(["block": other.databaseValue]))
        }
    }

    /// Moves a block to another position in its project.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func moveBlock(_ name: String, to place: BlockPlace, of project: EntityID) throws {
        var record = try record(ofProject: project)
        let block = record.blocks.remove(at: try record.index(ofBlock: name))
        record.blocks.insert(block, at: try record.index(of: place))
        try saveProject(record)
    }

    /// Removes a block; its tasks stay in the project.
    /// - Returns: the number of its tasks.
    /// - Throws: ``HelixError`` of code `notFound`.
    @discardableResult
    public func removeBlock(_ name: String, of project: EntityID) throws -> Int {
        var record = try record(ofProject: project)
        let block = record.blocks.remove(at: try record.index(ofBlock: name))
        try saveProject(record)
        let tasks = try tasks(inBlock: block, of: project)
        for task in tasks { try update(.task, task, JournalFields(["block": .null])) }
        return tasks.count
    }

    private func tasks(inBlock name: String, of project: EntityID) throws -> [EntityID] {
        try String.fetchAll(
            db, sql: "SELECT id FROM task WHERE project = ? AND block = ? ORDER BY n", arguments: [project.text, name]
        ).map { EntityID(stored: $0) }
    }
}

extension ProjectRecord {
    /// The block called `name`, ignoring case.
    public func block(named name: String) -> String? { blocks.first { $0.lowercased() == name.lowercased() } }

    fileprivate func index(ofBlock name: String) throws -> Int {
        if let found = blocks.firstIndex(where: { $0.lowercased() == name.lowercased() }) { return found }
        throw HelixError(
            .notFound, "the project '\(self.name)' has no block '\(name)'",
            hint: blocks.isEmpty
                ? "'helix projects blocks add' adds one."
                : "Use one of: \(blocks.map { "'\($0)'" }.joined(separator: ", ")).")
    }

    fileprivate func index(of place: BlockPlace) throws -> Int {
        switch place {
        case .first: 0
        case .last: blocks.count
        case .before(let name): try index(ofBlock: name)
        case .after(let name): try index(ofBlock: name) + 1
        }
    }
}
