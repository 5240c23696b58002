import HelixModel

/// Which task must be done before which.
public struct DependencyGraph: Sendable {
    /// The tasks that wait for each.
    private var waiting: [EntityID: [EntityID]] = [:]

    /// A graph without edges.
    public init() {}

    /// Notes that `blocked` waits for `blocker`.
    public mutating func add(blocker: EntityID, blocked: EntityID) { waiting[blocker, default: []].append(blocked) }

    /// The tasks that wait for `task`.
    public func waiting(for task: EntityID) -> [EntityID] { waiting[task] ?? [] }

    /// The tasks along which `blocked` leads to `blocker` already: with the new edge they would be a circle.
    ///
    /// - Returns: from `blocker` round to `blocker`; nil if there is no circle.
    public func cycle(ifBlocking blocked: EntityID, by blocker: EntityID) -> [EntityID]? {
        if blocked == blocker { return [blocker, blocker] }
        var cameFrom: [EntityID: EntityID] = [:]
        var next = [blocked]
        while let task = next.popLast() {
            if task == blocker {
                var path = [task]
                while let previous = cameFrom[path[path.count - 1]] { path.append(previous) }
                // Back from the blocker over what it waits for, which is the new edge's other end, to itself.
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
