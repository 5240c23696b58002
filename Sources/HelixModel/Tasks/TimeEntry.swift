/// A time entry: tracked time, finished or running.
public struct TimeEntry: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The start.
    public var start: Instant
    /// The first second after it; nil while the entry runs.
    public var end: Instant?
    /// The title, if no task gives one.
    public var title: String?
    /// The task.
    public var task: EntityID?
    /// The project, if no task gives one.
    public var project: EntityID?
    /// Labels.
    public var tags: [String]
    /// Whether the time is billable.
    public var isBillable: Bool
    /// The note.
    public var note: String?
    /// The entity from which it was created, such as an event.
    public var origin: EntityID?

    /// Creates an entry that starts at `start`.
    public init(id: EntityID = EntityID(), start: Instant, end: Instant? = nil) {
        self.id = id
        self.start = start
        self.end = end
        tags = []
        isBillable = false
    }

    /// The duration in seconds, up to `now` if it runs.
    public func duration(at now: Instant) -> Int { max(0, (end ?? now) - start) }

    /// The range of time, up to `now` if it runs.
    public func range(at now: Instant) -> TimeRange { TimeRange(start: start, end: max(start, end ?? now)) }
}

/// A time entry with the names of its task, project and customer.
public struct TimeEntryDetails: Hashable, Sendable {
    /// The entry.
    public var entry: TimeEntry
    /// The title: its own, or its task's.
    public var title: String
    /// The project's name: its own, or its task's.
    public var project: String?
    /// The project's customer.
    public var customer: String?

    /// Creates the details of an entry.
    public init(entry: TimeEntry, title: String, project: String?, customer: String?) {
        self.entry = entry
        self.title = title
        self.project = project
        self.customer = customer
    }
}
