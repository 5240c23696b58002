import HelixCalendar
import HelixModel

extension TodoTask {
    /// The UID by which programs that speak iCalendar know it (RFC 5545 §3.8.4.7).
    public var calendarUID: String {
        // Other forms have made-up ids, which are good for finding a line again and for nothing else.
        uid.flatMap { $0.hasPrefix("todo.txt ") || $0.hasPrefix("markdown ") ? nil : $0 } ?? id.text + "@helix"
    }

    /// The identity that a UID names which helix made; nil of other programs' UIDs.
    public static func identity(calendarUID uid: String) -> EntityID? {
        uid.hasSuffix("@helix") ? EntityID(String(uid.dropLast(6))) : nil
    }
}

/// What a task is tied to, as other programs name it.
public struct TaskTies {
    /// The UID of what it is a part of.
    public var parent: String?
    /// The UIDs of what it waits for.
    public var blockers: [String]
    /// Whether a UID is that of a task here; relations to others stay as they are.
    public var isKnown: (String) -> Bool

    /// Such ties.
    public init(parent: String?, blockers: [String], isKnown: @escaping (String) -> Bool) {
        self.parent = parent
        self.blockers = blockers
        self.isKnown = isKnown
    }
}

extension VTodoFormat {
    /// The components that say a task: those it was read from, with what has changed since.
    ///
    /// - Parameter board: where it stands, if its column is to be told.
    public func text(_ details: TaskDetails, _ ties: TaskTies, board: Board? = nil) -> String {
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
            // Gaps of the component were filled in when the task was made; the clock would say something else each time.
            old = VTodoFormat(now: task.createdAt, zone: zone).task(component, zones: zones)
        }
        let before = component
        write(details, since: old, zones: zones, into: &component)
        writeTies(ties, since: old, into: &component)
        VTodoExtras.write(details, on: board, since: old, into: &component, stamp: stamp)
        if old == nil || component != before { VTodoExtras.writeRank(task, since: old, into: &component) }
        if !components.isEmpty, component != before {
            component.set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp(task.modifiedAt)))
        }
        if components.isEmpty { components = [component] } else { components[place] = component }
        return components.map(\.text).joined()
    }

    /// Writes what differs from what the component said.
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
        let isScheduled = task.scheduled != old?.task.scheduled
        // A time stays in the zone that it was said in: a series must not shift with the clocks.
        let like = component.first("DTSTART") ?? component.first("DUE")
        if isScheduled { component.set("DTSTART", property("DTSTART", task.scheduled, like, zones)) }
        // A length counts from a start that is another one now.
        if task.due != old?.task.due || isScheduled && component.first("DURATION") != nil {
            component.set("DUE", property("DUE", task.due, component.first("DUE") ?? like, zones))
            component.remove("DURATION")
        }
        if task.priority != old?.task.priority {
            let number: Int? =
                switch task.priority {
                case .critical?: 1
                case .high?: 3
                case .medium?: 5
                case .low?: 7
                case nil: nil
                }
            component.set("PRIORITY", number.map { ICalendarProperty("PRIORITY", value: "\($0)") })
        }
        if task.state != (old?.task.state ?? .open) || (task.startedAt == nil) != (old?.task.startedAt == nil) {
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
            // How much is done follows from that, where nothing else says it.
            if component.first("PERCENT-COMPLETE") != nil, task.checklist.isEmpty, task.percent == old?.task.percent {
                let isDone = task.state == .done
                component.set(
                    "PERCENT-COMPLETE", isDone ? ICalendarProperty("PERCENT-COMPLETE", value: "100") : nil)
            }
        }
        // What the file said of a task with parts stays as it was.
        let isOwn = !task.checklist.isEmpty || task.source == nil && details.parts > 0
        let percent = isOwn ? Int((details.progress * 100).rounded()) : task.percent
        sync(
            percent, old.map(\.task.percent) ?? nil, "PERCENT-COMPLETE",
            percent.map { ICalendarProperty("PERCENT-COMPLETE", value: "\($0)") })
        if task.tags != old?.task.tags ?? [] { writeTags(task.tags, into: &component) }
        sync(
            task.estimate, old.map(\.task.estimate) ?? nil, "ESTIMATED-DURATION",
            task.estimate.map { ICalendarProperty("ESTIMATED-DURATION", value: ICalendarDuration(seconds: $0).text) })
        // A recurring task has made its next instance when it was done; with its rule, other programs would repeat this one.
        let isFinished = task.state == .done && old.map { $0.task.state == .open } ?? true
        let recurrence = isFinished ? nil : task.recurrence
        if recurrence != old?.task.recurrence {
            if case .rule(let rule)? = recurrence {
                component.set("RRULE", ICalendarProperty("RRULE", value: rule))
            } else {
                component.remove("RRULE")
            }
        }
    }

    private func writeTies(_ ties: TaskTies, since old: ForeignTask?, into component: inout ICalendarComponent) {
        // What names a task that is not here stays as it is.
        let (oldParent, oldBlockers) = (old?.parentUID, old?.blockerUIDs ?? [])
        let parent = ties.parent ?? oldParent.flatMap { ties.isKnown($0) ? nil : $0 }
        let blockers = ties.blockers + oldBlockers.filter { !ties.isKnown($0) }
        guard parent != oldParent || Set(blockers) != Set(oldBlockers) else { return }
        // Relations that stay, stay as they are written.
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

    /// A time in the zone of another one, if that has one.
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

    /// Writes the tags into CATEGORIES: lines and words that stay, stay as they are.
    private func writeTags(_ tags: [String], into component: inout ICalendarComponent) {
        var left = tags
        var lines = component.all("CATEGORIES").compactMap { line -> ICalendarProperty? in
            let kept = line.texts.filter { text in
                let tag = text.trimmingBlanks().split(whereSeparator: \.isWhitespace).joined(separator: "-")
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
