import HelixCalendar
import HelixModel

extension TodoTask {
    /// The UID of the task in iCalendar (RFC 5545 §3.8.4.7).
    public var calendarUID: String {
        // Other formats have synthetic IDs, which only serve to recognize a line in a later import.
        uid.flatMap { TodoTask.isSynthetic($0) ? nil : $0 } ?? id.text + "@helix"
    }

    /// Whether a UID was made of the words of a task, which had none.
    public static func isSynthetic(_ uid: String) -> Bool {
        ["content ", "todo.txt ", "markdown ", "todoist ", "google ", "org ", "calcurse ", "csv "].contains(
            where: uid.hasPrefix)
    }

    /// The task ID in a UID that helix created; nil for UIDs of other programs.
    public static func identity(calendarUID uid: String) -> EntityID? {
        uid.hasSuffix("@helix") ? EntityID(String(uid.dropLast(6))) : nil
    }
}

/// The relations of a task, by UID.
public struct TaskTies {
    /// The UID of its parent.
    public var parent: String?
    /// The UIDs of its blockers.
    public var blockers: [String]
    /// Returns true for the UID of a local task; relations to other tasks are preserved.
    public var isKnown: (String) -> Bool

    /// Creates relations.
    public init(parent: String?, blockers: [String], isKnown: @escaping (String) -> Bool) {
        self.parent = parent
        self.blockers = blockers
        self.isKnown = isKnown
    }
}

extension VTodoFormat {
    /// The components of a task: the imported ones, updated with later changes.
    ///
    /// - Parameters:
    ///   - board: the board of the task, if its column is to be written.
    ///   - isExport: True to write also what another store of helix can use: the board, and recurrences of completed tasks.
    public func text(
        _ details: TaskDetails, _ ties: TaskTies, board: Board? = nil, isExport: Bool = false
    ) -> String {
        let task = details.task
        let kept = task.source.map(ICalendarComponent.list) ?? []
        var components = kept.filter { $0.name != "VTIMEZONE" }
        let place = components.firstIndex { $0.first("RECURRENCE-ID") == nil } ?? 0
        var component: ICalendarComponent
        var old: ForeignTask?
        let zones = ZoneResolver()
        if components.isEmpty {
            component = ICalendarComponent("VTODO")
            component.set("UID", ICalendarProperty("UID", text: task.calendarUID))
            component.set("DTSTAMP", ICalendarProperty("DTSTAMP", value: stamp(task.modifiedAt)))
            component.set("CREATED", ICalendarProperty("CREATED", value: stamp(task.createdAt)))
            component.set("SUMMARY", ICalendarProperty("SUMMARY", text: task.title))
        } else {
            component = components[place]
            for zone in kept where zone.name == "VTIMEZONE" { zones.define(zone) }
            // Missing values of the component were filled in when the task was created; the current time would differ each time.
            old = VTodoFormat(now: task.createdAt, zone: zone).task(component, zones: zones)
        }
        let before = component
        write(details, since: old, zones: zones, into: &component)
        writeTies(ties, since: old, into: &component)
        VTodoExtras.write(details, on: board, isNamed: isExport, since: old, into: &component, stamp: stamp)
        if old == nil || component != before { VTodoExtras.writeRank(task, since: old, into: &component) }
        // An older component is not imported over a newer task.
        if isExport && components.isEmpty || !components.isEmpty && component != before {
            component.set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp(task.modifiedAt)))
        }
        if components.isEmpty { components = [component] } else { components[place] = component }
        return components.map(\.text).joined()
    }

    /// Writes the fields that differ from the component.
    private func write(
        _ details: TaskDetails, since old: ForeignTask?, zones: ZoneResolver, into component: inout ICalendarComponent
    ) {
        let task = details.task
        func sync<Value: Equatable>(_ new: Value, _ was: Value?, _ name: String, _ property: ICalendarProperty?) {
            if was != new { component.set(name, property) }
        }
        sync(task.title, old?.task.title ?? task.title, "SUMMARY", ICalendarProperty("SUMMARY", text: task.title))
        sync(
            task.notes, old.map(\.task.notes) ?? nil, "DESCRIPTION",
            task.notes.map { ICalendarProperty("DESCRIPTION", text: $0) })
        writeTimes(task, since: old, zones: zones, into: &component)
        if task.priority != old?.task.priority { writePriority(task.priority, into: &component) }
        if task.state != (old?.task.state ?? .open) || (task.startedAt == nil) != (old?.task.startedAt == nil) {
            writeStatus(task, since: old, into: &component)
        }
        // The percentage in an imported task with subtasks is preserved.
        let isOwn = !task.checklist.isEmpty || (task.source == nil || task.uid == nil) && details.parts > 0
        let percent = isOwn ? Int((details.progress * 100).rounded()) : task.percent
        sync(
            percent, old.map(\.task.percent) ?? nil, "PERCENT-COMPLETE",
            percent.map { ICalendarProperty("PERCENT-COMPLETE", value: "\($0)") })
        if task.tags != old?.task.tags ?? [] { writeTags(task.tags, into: &component) }
        sync(
            task.estimate, old.map(\.task.estimate) ?? nil, "ESTIMATED-DURATION",
            task.estimate.map { ICalendarProperty("ESTIMATED-DURATION", value: ICalendarDuration(seconds: $0).text) })
        writeRecurrence(task, since: old, into: &component)
    }

    private func writeTimes(
        _ task: TodoTask, since old: ForeignTask?, zones: ZoneResolver, into component: inout ICalendarComponent
    ) {
        let isScheduled = task.scheduled != old?.task.scheduled
        let isDue = task.due != old?.task.due
        // A time keeps its time zone: a series must not shift with daylight saving time.
        let like = component.first("DTSTART") ?? component.first("DUE")
        if isScheduled || isDue {
            let start = VTodoFormat.start(of: task.scheduled, due: task.due, in: zone)
            if component.first("DTSTART").flatMap({ time($0, zones) }) != start {
                component.set("DTSTART", property("DTSTART", start, like, zones))
            }
            component.set(
                "X-HELIX-SCHEDULED",
                start == task.scheduled ? nil : VTodoExtras.property("X-HELIX-SCHEDULED", task.scheduled))
        }
        // A duration would count from the changed start.
        if isDue || isScheduled && component.first("DURATION") != nil {
            component.set("DUE", property("DUE", task.due, component.first("DUE") ?? like, zones))
            component.remove("DURATION")
        }
        // A reminder that counts from a time that is gone would be invalid (RFC 5545 §3.8.6.3).
        if isDue && task.due == nil || isScheduled && task.scheduled == nil {
            component.removeAlarms(fromStart: component.first("DTSTART") == nil, fromEnd: component.first("DUE") == nil)
        }
    }

    /// The DTSTART of a task: it has the form of DUE, and is not after it (RFC 5545 §3.8.2.3, §3.8.2.4). What that leaves out is
    /// in `X-HELIX-SCHEDULED`.
    static func start(of scheduled: TaskTime?, due: TaskTime?, in zone: Zone) -> TaskTime? {
        guard let scheduled, let due else { return scheduled }
        switch (scheduled, due) {
        case (.date(let start), .date(let end)): return start <= end ? scheduled : nil
        case (.moment(let start), .moment(let end)): return start <= end ? scheduled : nil
        case (.date(let start), .moment(let end)):
            let first = zone.startOfDay(start)
            return first <= end ? .moment(first) : nil
        case (.moment(let start), .date(let end)):
            let day = zone.date(start)
            return day <= end ? .date(day) : nil
        }
    }

    private func writePriority(_ priority: TaskPriority?, into component: inout ICalendarComponent) {
        let number: Int? =
            switch priority {
            case .critical?: 1
            case .high?: 3
            case .medium?: 5
            case .low?: 7
            case nil: nil
            }
        component.set("PRIORITY", number.map { ICalendarProperty("PRIORITY", value: "\($0)") })
    }

    private func writeStatus(_ task: TodoTask, since old: ForeignTask?, into component: inout ICalendarComponent) {
        let status =
            switch task.state {
            case .done: "COMPLETED"
            case .dropped: "CANCELLED"
            case .open: task.startedAt == nil ? "NEEDS-ACTION" : "IN-PROCESS"
            }
        component.set("STATUS", ICalendarProperty("STATUS", value: status))
        component.set(
            "COMPLETED",
            task.state == .done ? ICalendarProperty("COMPLETED", value: stamp(task.completedAt ?? now)) : nil)
        // The percentage follows from the status, unless something else determines it.
        if component.first("PERCENT-COMPLETE") != nil, task.checklist.isEmpty, task.percent == old?.task.percent {
            let isDone = task.state == .done
            component.set(
                "PERCENT-COMPLETE", isDone ? ICalendarProperty("PERCENT-COMPLETE", value: "100") : nil)
        }
    }

    private func writeRecurrence(_ task: TodoTask, since old: ForeignTask?, into component: inout ICalendarComponent) {
        // A completed recurring task has already created its next instance; with its rule, other programs would repeat it, too.
        let isFinished = task.state == .done && old.map { $0.task.state == .open } ?? true
        let recurrence = isFinished ? nil : task.recurrence
        guard recurrence != old?.task.recurrence else { return }
        if case .rule(let rule)? = recurrence {
            component.set("RRULE", ICalendarProperty("RRULE", value: rule))
        } else {
            component.remove("RRULE")
        }
    }

    private func writeTies(_ ties: TaskTies, since old: ForeignTask?, into component: inout ICalendarComponent) {
        // Relations to unknown tasks are preserved.
        let (oldParent, oldBlockers) = (old?.parentUID, old?.blockerUIDs ?? [])
        let parent = ties.parent ?? oldParent.flatMap { ties.isKnown($0) ? nil : $0 }
        let blockers = ties.blockers + oldBlockers.filter { !ties.isKnown($0) }
        guard parent != oldParent || Set(blockers) != Set(oldBlockers) else { return }
        // Unchanged relations keep their spelling.
        let removed = Set(oldBlockers).subtracting(blockers)
        var lines = component.all("RELATED-TO").filter { line in
            switch line["RELTYPE"]?.uppercased() {
            case nil, "PARENT": parent == oldParent || line.text != oldParent
            case "DEPENDS-ON", "FINISHTOSTART": !removed.contains(line.text)
            default: true
            }
        }
        if parent != oldParent, let parent { lines.insert(ICalendarProperty("RELATED-TO", text: parent), at: 0) }
        for blocker in blockers where !oldBlockers.contains(blocker) {
            lines.append(ICalendarProperty("RELATED-TO", [.init("RELTYPE", ["DEPENDS-ON"])], text: blocker))
        }
        component.set("RELATED-TO", lines)
    }

    private func stamp(_ instant: Instant) -> String { ICalendarTime.utc(instant).text }

    /// A time in the time zone of another property, if that has one.
    private func property(
        _ name: String, _ time: TaskTime?, _ like: ICalendarProperty?, _ zones: ZoneResolver
    ) -> ICalendarProperty? {
        if case .moment(let instant)? = time, let tzid = like?["TZID"],
            let zone = zones.resolve(tzid, year: Zone.utc.date(instant).year)?.zone
        {
            return ICalendarProperty(
                name, [.init("TZID", [tzid])], value: ICalendarTime.floating(zone.civil(instant)).text)
        }
        return VTodoExtras.property(name, time)
    }

    /// Writes the tags to CATEGORIES; unchanged lines and words keep their spelling.
    private func writeTags(_ tags: [String], into component: inout ICalendarComponent) {
        var left = tags
        var lines = component.all("CATEGORIES").compactMap { line -> ICalendarProperty? in
            let kept = line.texts.filter { text in
                let tag = ForeignTags.word(text)
                guard let place = left.firstIndex(where: { $0.lowercased() == tag.lowercased() }) else { return false }
                left.remove(at: place)
                return true
            }
            if kept.isEmpty { return nil }
            var line = line
            line.value = kept.map(ICalendarProperty.escaped).joined(separator: ",")
            return line
        }
        if !left.isEmpty {
            let added = left.map(ICalendarProperty.escaped).joined(separator: ",")
            if lines.count == 1, lines[0].parameters.isEmpty {
                lines[0].value += "," + added
            } else {
                lines.append(ICalendarProperty("CATEGORIES", value: added))
            }
        }
        component.set("CATEGORIES", lines)
    }
}
