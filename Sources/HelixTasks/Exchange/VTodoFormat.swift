import HelixCalendar
import HelixModel

/// Tasks as VTODO components (RFC 5545 §3.6.2). The whole component stays with the task, so that nothing of it is lost.
public struct VTodoFormat {
    private let now: Instant
    private let zone: Zone

    /// - Parameter zone: the zone of floating times.
    public init(now: Instant, zone: Zone) {
        self.now = now
        self.zone = zone
    }

    /// Reads the VTODOs of a calendar file.
    /// - Throws: ``HelixError`` of code `badInput` if there is no iCalendar in it.
    public func read(_ bytes: [UInt8], name: String) throws -> ForeignTasks {
        var rest = bytes[...]
        var reader = ICalendarReader {
            defer { rest = rest.dropFirst(1 << 20) }
            return Array(rest.prefix(1 << 20))
        }
        var found = ForeignTasks()
        var waiting: [RawComponent] = []
        var zones = ZoneResolver()
        func finish() {
            // One task a UID: its own component, and occurrences that differ from it.
            var order: [String] = []
            var groups: [String: [ICalendarComponent]] = [:]
            for raw in waiting {
                guard var component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first else {
                    continue
                }
                let uid = raw.uid ?? "content " + (component.first("SUMMARY")?.text ?? "") + " line \(raw.line)"
                if raw.uid == nil { component.items.insert(.line("UID:\(uid)"), at: 0) }
                if groups[uid] == nil { order.append(uid) }
                groups[uid, default: []].append(component)
            }
            for uid in order {
                let components = groups[uid] ?? []
                let master = components.first { $0.first("RECURRENCE-ID") == nil } ?? components[0]
                var foreign = task(master, zones: zones)
                foreign.task.uid = uid
                foreign.task.source = components.map(\.text).joined()
                if components.count > 1 { found.kept["changed occurrences", default: 0] += components.count - 1 }
                if !master.components.isEmpty { found.kept["alarms", default: 0] += 1 }
                if foreign.task.title.isEmpty { foreign.task.title = "(no title)" }
                found.tasks.append(foreign)
            }
            waiting = []
            zones = ZoneResolver()
        }
        while let piece = try reader.next() {
            switch piece {
            case .calendarBegin, .calendarEnd: finish()
            case .calendarProperty: break
            case .defect(let defect):
                found.defects.append(ForeignDefect("line \(defect.line)", "\(defect.part): \(defect.reason)"))
            case .component(let raw):
                switch raw.name {
                case "VTIMEZONE":
                    if let component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first {
                        zones.define(component)
                    }
                case "VTODO": waiting.append(raw)
                default: found.kept["\(raw.name) components left out", default: 0] += 1
                }
            }
        }
        finish()
        guard reader.hasContent else { throw HelixError(.badInput, "\(name) has no iCalendar in it") }
        return found
    }

    /// What a component says.
    func task(_ component: ICalendarComponent, zones: ZoneResolver) -> ForeignTask {
        let created = component.first("CREATED")
        var foreign = ForeignTask(
            title: component.first("SUMMARY")?.text.split(whereSeparator: \.isNewline).joined(separator: " ") ?? "",
            createdAt: created.flatMap { instant($0, zones) } ?? now)
        foreign.task.notes = component.first("DESCRIPTION")?.text.nonEmptyText
        foreign.task.scheduled = component.first("DTSTART").flatMap { time($0, zones) }
        foreign.task.due = component.first("DUE").flatMap { time($0, zones) }
        if let text = component.first("DURATION")?.value, let duration = ICalendarDuration(text.trimmingBlanks()),
            foreign.task.due == nil, let start = foreign.task.scheduled
        {
            foreign.task.due = .moment(start.start(in: zone) + duration.total)
        }
        if let text = component.first("ESTIMATED-DURATION")?.value {
            foreign.task.estimate = ICalendarDuration(text)?.total
        }
        switch component.first("PRIORITY").flatMap({ Int($0.value.trimmingBlanks()) }) {
        case 1?: foreign.task.priority = .critical
        case 2?, 3?, 4?: foreign.task.priority = .high
        case 5?: foreign.task.priority = .medium
        case 6?, 7?, 8?, 9?: foreign.task.priority = .low
        default: break
        }
        foreign.task.percent = component.first("PERCENT-COMPLETE").flatMap { Int($0.value.trimmingBlanks()) }
            .flatMap { (0...100).contains($0) ? $0 : nil }
        let completed = component.first("COMPLETED").flatMap { instant($0, zones) }
        switch component.first("STATUS")?.value.uppercased().trimmingBlanks() {
        case "COMPLETED": foreign.task.state = .done
        case "CANCELLED": foreign.task.state = .dropped
        case "IN-PROCESS": foreign.task.startedAt = foreign.task.scheduled?.start(in: zone) ?? foreign.task.createdAt
        default: if completed != nil { foreign.task.state = .done }
        }
        foreign.modifiedAt = component.first("LAST-MODIFIED").flatMap { instant($0, zones) }
        if foreign.task.state != .open { foreign.task.completedAt = completed ?? foreign.modifiedAt ?? now }
        // A tag is one word.
        foreign.task.tags = component.all("CATEGORIES").flatMap(\.texts).map {
            $0.trimmingBlanks().split(whereSeparator: \.isWhitespace).joined(separator: "-")
        }.filter { !$0.isEmpty }
        for property in component.all("RELATED-TO") {
            switch property["RELTYPE"]?.uppercased() {
            case nil, "PARENT": foreign.parentUID = foreign.parentUID ?? property.text
            case "DEPENDS-ON", "FINISHTOSTART": foreign.blockerUIDs.append(property.text)
            default: break
            }
        }
        if let rule = component.first("RRULE")?.value, (try? RecurrenceRule(rule)) != nil {
            foreign.task.recurrence = .rule(rule)
        }
        return foreign
    }

    /// The component that says a task: the one it was read from, with what has changed since.
    ///
    /// - Parameters:
    ///   - uid: the UID of a task, by identity.
    ///   - blockers: the UIDs of the tasks it waits for.
    public func text(
        _ details: TaskDetails, uid: (EntityID) -> String?, blockers: [String]
    ) -> String {
        let task = details.task
        let own = task.uid.flatMap { $0.hasPrefix("todo.txt ") || $0.hasPrefix("markdown ") ? nil : $0 }
        var components = task.source.map(ICalendarComponent.list) ?? []
        var component: ICalendarComponent
        let place = components.firstIndex { $0.first("RECURRENCE-ID") == nil } ?? 0
        var old: ForeignTask?
        if components.isEmpty {
            component = ICalendarComponent("VTODO")
            component.set("UID", ICalendarProperty("UID", text: own ?? task.id.text + "@helix"))
            component.set("DTSTAMP", ICalendarProperty("DTSTAMP", value: stamp(task.modifiedAt)))
            component.set("CREATED", ICalendarProperty("CREATED", value: stamp(task.createdAt)))
            component.set("SUMMARY", ICalendarProperty("SUMMARY", text: task.title))
        } else {
            component = components[place]
            old = self.task(component, zones: ZoneResolver())
        }
        let before = component
        func sync<Value: Equatable>(_ new: Value, _ was: Value?, _ name: String, _ property: ICalendarProperty?) {
            if was != new { component.set(name, property) }
        }
        sync(task.title, old?.task.title ?? task.title, "SUMMARY", ICalendarProperty("SUMMARY", text: task.title))
        sync(
            task.notes, old.map(\.task.notes) ?? nil, "DESCRIPTION",
            task.notes.map { ICalendarProperty("DESCRIPTION", text: $0) })
        sync(task.scheduled, old.map(\.task.scheduled) ?? nil, "DTSTART", property("DTSTART", task.scheduled))
        if task.due != old?.task.due {
            component.set("DUE", property("DUE", task.due))
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
        }
        // What the file said of a task with parts stays as it was.
        let isOwn = task.source == nil && (details.parts > 0 || !task.checklist.isEmpty)
        let percent =
            isOwn ? Int((details.progress * 100).rounded()) : task.percent
        sync(
            percent, old.map(\.task.percent) ?? nil, "PERCENT-COMPLETE",
            percent.map { ICalendarProperty("PERCENT-COMPLETE", value: "\($0)") })
        if task.tags != old?.task.tags ?? [] {
            let list = task.tags.map(ICalendarProperty.escaped).joined(separator: ",")
            component.set("CATEGORIES", task.tags.isEmpty ? nil : ICalendarProperty("CATEGORIES", value: list))
        }
        sync(
            task.estimate, old.map(\.task.estimate) ?? nil, "ESTIMATED-DURATION",
            task.estimate.map { ICalendarProperty("ESTIMATED-DURATION", value: ICalendarDuration(seconds: $0).text) })
        if task.recurrence != old?.task.recurrence {
            if case .rule(let rule)? = task.recurrence {
                component.set("RRULE", ICalendarProperty("RRULE", value: rule))
            } else {
                component.remove("RRULE")
            }
        }
        let parent = task.parent.flatMap(uid)
        if parent != old?.parentUID || Set(blockers) != Set(old?.blockerUIDs ?? []) {
            let others = component.all("RELATED-TO").filter {
                !["PARENT", "DEPENDS-ON", "FINISHTOSTART"].contains($0["RELTYPE"]?.uppercased() ?? "PARENT")
            }
            let mine =
                (parent.map { [ICalendarProperty("RELATED-TO", text: $0)] } ?? [])
                + blockers.map { ICalendarProperty("RELATED-TO", [.init("RELTYPE", ["DEPENDS-ON"])], text: $0) }
            component.set("RELATED-TO", mine + others)
        }
        if !components.isEmpty, component != before {
            component.set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp(task.modifiedAt)))
        }
        if components.isEmpty { components = [component] } else { components[place] = component }
        return components.map(\.text).joined()
    }

    private func stamp(_ instant: Instant) -> String { ICalendarTime.utc(instant).text }

    private func property(_ name: String, _ time: TaskTime?) -> ICalendarProperty? {
        switch time {
        case .date(let date)?:
            ICalendarProperty(name, [.init("VALUE", ["DATE"])], value: ICalendarTime.date(date).text)
        case .moment(let instant)?: ICalendarProperty(name, value: stamp(instant))
        case nil: nil
        }
    }

    private func time(_ property: ICalendarProperty, _ zones: ZoneResolver) -> TaskTime? {
        switch ICalendarTime(property.value.trimmingBlanks()) {
        case .date(let date)?: return .date(date)
        case .utc(let instant)?: return .moment(instant)
        case .floating(let civil)?:
            let own = property["TZID"].flatMap { zones.resolve($0, year: civil.date.year)?.zone }
            return .moment((own ?? zone).instant(civil))
        case nil: return nil
        }
    }

    private func instant(_ property: ICalendarProperty, _ zones: ZoneResolver) -> Instant? {
        time(property, zones)?.start(in: zone)
    }
}

extension String {
    fileprivate var nonEmptyText: String? { isEmpty ? nil : self }
}
