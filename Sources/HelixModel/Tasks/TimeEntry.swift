/// Time that was spent on something, or is being spent.
public struct TimeEntry: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// When it began.
    public var start: Instant
    /// The first second after it; nil while it runs.
    public var end: Instant?
    /// What was done, where no task says it.
    public var title: String?
    /// The task it was spent on.
    public var task: EntityID?
    /// The project, where no task says it.
    public var project: EntityID?
    /// Labels.
    public var tags: [String]
    /// Whether somebody pays for it.
    public var isBillable: Bool
    /// Further text.
    public var note: String?
    /// The entity that it was made from, such as an event.
    public var origin: EntityID?

    /// Time from `start` on.
    public init(id: EntityID = EntityID(), start: Instant, end: Instant? = nil) {
        self.id = id
        self.start = start
        self.end = end
        tags = []
        isBillable = false
    }

    /// Seconds, up to `now` if it runs.
    public func duration(at now: Instant) -> Int { max(0, (end ?? now) - start) }

    /// The stretch of time, up to `now` if it runs.
    public func range(at now: Instant) -> TimeRange { TimeRange(start: start, end: max(start, end ?? now)) }
}

/// A time entry with the names of what it belongs to.
public struct TimeEntryDetails: Hashable, Sendable {
    /// The entry.
    public var entry: TimeEntry
    /// What was done: its own title, or its task's.
    public var title: String
    /// The project's name: its own, or its task's.
    public var project: String?
    /// The project's customer.
    public var customer: String?

    /// An entry and its names.
    public init(entry: TimeEntry, title: String, project: String?, customer: String?) {
        self.entry = entry
        self.title = title
        self.project = project
        self.customer = customer
    }
}
