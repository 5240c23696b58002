import HelixModel

/// The graph of dependencies between tasks.
public struct DependencyGraph: Sendable {
    /// The blocked tasks by blocker.
    private var waiting: [EntityID: [EntityID]] = [:]

    /// Creates an empty graph.
    public init() {}

    /// Adds a dependency of `blocked` on `blocker`.
    public mutating func add(blocker: EntityID, blocked: EntityID) { waiting[blocker, default: []].append(blocked) }

    /// The tasks that `task` blocks.
    public func waiting(for task: EntityID) -> [EntityID] { waiting[task] ?? [] }

    /// The cycle that a new dependency of `blocked` on `blocker` would close.
    ///
    /// - Returns: the path from `blocker` back to `blocker`; nil if there is no cycle.
    public func cycle(ifBlocking blocked: EntityID, by blocker: EntityID) -> [EntityID]? {
        if blocked == blocker { return [blocker, blocker] }
        var cameFrom: [EntityID: EntityID] = [:]
        var next = [blocked]
        while let task = next.popLast() {
            if task == blocker {
                var path = [task]
                while let previous = cameFrom[path[path.count - 1]] { path.append(previous) }
                // From the blocker along the new dependency to the blocked task, and on to the blocker.
                return [blocker] + path.reversed()
            }
            for other in waiting(for: task) where other != blocked && cameFrom[other] == nil {
                cameFrom[other] = task
                next.append(other)
            }
        }
        return nil
    }
}
