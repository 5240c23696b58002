import HelixModel

extension TaskwarriorFormat {
    /// The Taskwarrior object of a task: the imported one, updated with later changes.
    ///
    /// - Parameters:
    ///   - uid: a task's own UUID.
    ///   - blockers: the UUIDs of its blockers.
    ///   - parent: the UUID of its parent.
    public static func object(
        _ details: TaskDetails, uid: (TodoTask) -> String, blockers: [String], parent: String?, now: Instant,
        zone: Zone
    ) -> JSONText {
        var writer = TaskwarriorWriter(details, now: now, zone: zone)
        if writer.old == nil { writer.set("uuid", .string(uid(details.task))) }
        writer.writeTitle()
        writer.writeState()
        writer.writeTimes()
        writer.writeLabels()
        writer.writeBlockers(blockers)
        writer.writeNotes()
        writer.writeExtras(parent: parent)
        writer.writeModified()
        return .object(writer.fields)
    }
}

/// Updates the fields of an imported object, so that those without changes stay as they were.
private struct TaskwarriorWriter {
    let details: TaskDetails
    /// The imported object.
    let known: JSONText?
    /// The task in the imported object.
    let old: ForeignTask?
    let now: Instant
    let zone: Zone
    private(set) var fields: [JSONText.Field] = []
    /// The recurrence of a new object.
    ///
    /// Taskwarrior makes instances of a recurring template; an imported one has its own.
    private let period: ForeignRecurrence?

    private var task: TodoTask { details.task }

    init(_ details: TaskDetails, now: Instant, zone: Zone) {
        let task = details.task
        (self.details, self.now, self.zone) = (details, now, zone)
        known = task.extra.flatMap { try? JSONText(Array($0.utf8)) }
        old = known.flatMap { TaskwarriorFormat.task($0, now: now, zone: zone) }
        if case .object(let own)? = known, old != nil { fields = own }
        if old == nil, task.state == .open, case .rule(let rule)? = task.recurrence, let due = task.due?.date(in: zone)
        {
            period = ForeignRecurrence(rule: rule, due: due)
        } else {
            period = nil
        }
    }

    mutating func set(_ name: String, _ value: JSONText?) {
        let place = fields.firstIndex { $0.name == name }
        switch (place, value) {
        case (let place?, let value?): fields[place].value = value
        case (let place?, nil): fields.remove(at: place)
        case (nil, let value?): fields.append(JSONText.Field(name: name, value: value))
        case (nil, nil): break
        }
    }

    /// Sets a field if it differs from the imported value.
    private mutating func sync<Value: Equatable>(_ name: String, _ new: Value, _ was: Value?, _ value: JSONText?) {
        if was != new { set(name, value) }
    }

    private func date(_ time: TaskTime?) -> JSONText? { moment(time?.start(in: zone)) }

    private func moment(_ instant: Instant?) -> JSONText? { instant.map { .string(TaskwarriorFormat.stamp($0)) } }

    mutating func writeTitle() {
        sync("description", task.title, old?.task.title, .string(task.title))
        sync("entry", task.createdAt, old?.task.createdAt, moment(task.createdAt))
    }

    mutating func writeState() {
        if let period { set("recur", .string(period.taskwarrior)) }
        guard old == nil || old?.task.state != task.state && !isSeries else { return }
        let isWaiting = task.hiddenUntil.map { $0.start(in: zone) > now } ?? false
        let status =
            task.state == .done
            ? "completed"
            : task.state == .dropped
                ? "deleted" : period != nil ? "recurring" : isWaiting ? "waiting" : "pending"
        set("status", .string(status))
        set("end", task.state == .open ? nil : moment(task.completedAt))
    }

    /// Whether the object is a template whose task is open here because it has no instance.
    private var isSeries: Bool {
        known?["status"]?.text == "recurring" && task.state == .open && task.recurrence != nil
    }

    mutating func writeTimes() {
        sync("due", task.due, old.map(\.task.due) ?? nil, date(task.due))
        sync("scheduled", task.scheduled, old.map(\.task.scheduled) ?? nil, date(task.scheduled))
        sync("wait", task.hiddenUntil, old.map(\.task.hiddenUntil) ?? nil, date(task.hiddenUntil))
        sync(
            "start", task.startedAt, old.map(\.task.startedAt) ?? nil,
            task.state == .open ? moment(task.startedAt) : nil)
    }

    /// Writes project, tags and priority.
    mutating func writeLabels() {
        sync("project", details.project, old.map(\.project) ?? nil, details.project.map { .string($0) })
        sync("tags", task.tags, old?.task.tags ?? [], task.tags.isEmpty ? nil : .array(task.tags.map { .string($0) }))
        let letter: JSONText? =
            switch task.priority {
            case .critical?, .high?: .string("H")
            case .medium?: .string("M")
            case .low?: .string("L")
            case nil: nil
            }
        sync("priority", task.priority, old.map(\.task.priority) ?? nil, letter)
    }

    mutating func writeBlockers(_ blockers: [String]) {
        if Set(blockers) != Set(old?.blockerUIDs ?? []) {
            set("depends", blockers.isEmpty ? nil : .array(blockers.map { .string($0) }))
        }
    }

    /// Writes the notes as annotations, one per line, and the estimate.
    mutating func writeNotes() {
        if task.notes != old?.task.notes { set("annotations", task.notes.map(annotations)) }
        if task.estimate != old?.task.estimate { set("estimate", task.estimate.map { .string(duration($0)) }) }
    }

    private func annotations(_ notes: String) -> JSONText {
        .array(
            notes.split(separator: "\n").enumerated().map { index, line in
                // Taskwarrior identifies annotations by their second.
                .object([
                    JSONText.Field(name: "entry", value: .string(TaskwarriorFormat.stamp(task.createdAt + index))),
                    JSONText.Field(name: "description", value: .string(String(line))),
                ])
            })
    }

    /// `PT1H30M`
    private func duration(_ seconds: Int) -> String {
        let rest = seconds % 60
        return "PT\(seconds / 3600)H\(seconds / 60 % 60)M" + (rest == 0 ? "" : "\(rest)S")
    }

    /// Writes the fields that Taskwarrior does not have.
    /// Writes the time of the last change, unless the object is as it came: an older one is not imported over a newer task.
    mutating func writeModified() {
        if case .object(let former)? = known, old != nil, former == fields { return }
        set("modified", moment(task.modifiedAt))
    }

    mutating func writeExtras(parent: String?) {
        let extras = TaskwarriorExtras.of(
            details, parent: parent, isRecurring: period != nil || known?["recur"] != nil, since: old, zone: zone)
        // A task of Taskwarrior goes back as it came, unless it has more here than a place on a board.
        let isWritten = old == nil || extras.contains { !TaskwarriorExtras.usual.contains($0.name) }
        fields.removeAll { field in
            field.name.hasPrefix(TaskwarriorExtras.prefix)
                && !(isWritten && extras.contains { TaskwarriorExtras.prefix + $0.name == field.name })
        }
        if isWritten { for (name, text) in extras { set(TaskwarriorExtras.prefix + name, .string(text)) } }
    }
}
