import HelixCalendar
import HelixModel

/// The tasks, the clocked time and the events of Org files.
public enum OrgFormat {
    /// Reads the headings with a keyword as tasks.
    /// - Throws: ``HelixError`` of code `badInput` if the file is not text.
    public static func tasks(_ bytes: [UInt8], now: Instant, zone: Zone) throws -> ForeignTasks {
        let document = try OrgDocument(bytes)
        var found = ForeignTasks()
        found.defects = document.defects
        var uids: [Int: String] = [:]
        var met: [String: Int] = [:]
        for (place, heading) in document.headings.enumerated() {
            guard heading.keyword != nil else { continue }
            guard !heading.title.isEmpty else {
                found.defects.append(ForeignDefect("line \(heading.line)", "the heading has no title"))
                continue
            }
            var foreign = task(heading, &found, now: now, zone: zone)
            foreign.project = document.project(of: heading)
            var above = heading.parent
            while let current = above, document.headings[current].keyword == nil {
                above = document.headings[current].parent
            }
            foreign.parentUID = above.flatMap { uids[$0] }
            var uid =
                heading.properties["ID"] ?? "org "
                + [foreign.project, foreign.parentUID, heading.title].compactMap { $0 }.joined(separator: "/")
            met[uid, default: 0] += 1
            if let count = met[uid], count > 1 { uid += " \(count)" }
            (foreign.task.uid, uids[place]) = (uid, uid)
            found.tasks.append(foreign)
        }
        return found
    }

    private static func task(
        _ heading: OrgDocument.Heading, _ found: inout ForeignTasks, now: Instant, zone: Zone
    ) -> ForeignTask {
        let created = heading.properties["CREATED"].flatMap { OrgDocument.timestamps($0).first?.taskTime(in: zone) }
        var foreign = ForeignTask(title: heading.title, createdAt: created?.start(in: zone) ?? now)
        foreign.task.tags = heading.tags
        switch heading.keyword {
        case "TODO", "DONE", nil: break
        case "CANCELLED", "CANCELED", "KILL": foreign.task.state = .dropped
        // Other keywords say more than that it is open or done.
        case let keyword?: foreign.task.tags.append(keyword.lowercased())
        }
        if heading.isClosed {
            if foreign.task.state == .open { foreign.task.state = .done }
            foreign.task.completedAt = heading.planning["CLOSED"]?.taskTime(in: zone).start(in: zone) ?? now
        }
        if let letter = heading.priority {
            foreign.task.priority = letter == "A" ? .high : letter == "B" ? .medium : .low
        }
        foreign.task.scheduled = heading.planning["SCHEDULED"]?.taskTime(in: zone)
        foreign.task.due = heading.planning["DEADLINE"]?.taskTime(in: zone)
        let repeater = heading.planning["DEADLINE"]?.repeater ?? heading.planning["SCHEDULED"]?.repeater
        if let repeater, foreign.task.state == .open {
            // A recurrence counts from a due date here.
            if foreign.task.due == nil { (foreign.task.due, foreign.task.scheduled) = (foreign.task.scheduled, nil) }
            foreign.task.recurrence = recurrence(repeater)
            if foreign.task.recurrence == nil {
                found.defects.append(
                    ForeignDefect("line \(heading.line)", "its repeater '\(repeater)' is not understood and is omitted")
                )
            }
        }
        if let effort = heading.properties["EFFORT"] {
            let parts = effort.split(separator: ":").map { Int($0) }
            if parts.count == 2, let hours = parts[0], let minutes = parts[1], hours * 60 + minutes > 0 {
                foreign.task.estimate = hours * 3600 + minutes * 60
            } else {
                found.kept["EFFORT", default: 0] += 1
            }
        }
        foreign.task.checklist = heading.steps
        let notes = heading.text.joined(separator: "\n").trimmingBlanks()
        foreign.task.notes = notes.isEmpty ? nil : notes
        for name in heading.properties.keys where !["ID", "EFFORT", "CREATED", "CATEGORY"].contains(name) {
            found.kept["property \(name)", default: 0] += 1
        }
        if !heading.clocks.isEmpty {
            found.omitted["clocked times ('helix time import' reads them)", default: 0] += heading.clocks.count
        }
        return foreign
    }

    private static func recurrence(_ repeater: String) -> TaskRecurrence? {
        guard let (unit, count) = OrgDocument.period(repeater), let rule = OrgDocument.rule(repeater) else {
            return nil
        }
        guard repeater.hasPrefix(".") else { return .rule(rule) }
        switch unit {
        case "h": return .afterCompletion(seconds: count * 3600, months: 0)
        case "d": return .afterCompletion(seconds: count * 86_400, months: 0)
        case "w": return .afterCompletion(seconds: count * 7 * 86_400, months: 0)
        case "m": return .afterCompletion(seconds: 0, months: count)
        default: return .afterCompletion(seconds: 0, months: count * 12)
        }
    }

    /// Reads the clocked time.
    /// - Throws: ``HelixError`` of code `badInput` if the file is not text.
    public static func time(_ bytes: [UInt8], zone: Zone) throws -> (
        entries: [ForeignTimeEntry], defects: [ForeignDefect]
    ) {
        let document = try OrgDocument(bytes)
        var (entries, defects) = ([ForeignTimeEntry](), document.defects)
        for heading in document.headings {
            for clock in heading.clocks {
                guard let end = clock.end else {
                    defects.append(ForeignDefect("line \(clock.line)", "the clock still runs, and is not imported"))
                    continue
                }
                var entry = ForeignTimeEntry(
                    start: clock.start.taskTime(in: zone).start(in: zone), end: end.taskTime(in: zone).start(in: zone))
                entry.entry.title = heading.title
                entry.entry.tags = heading.tags
                entry.project = document.project(of: heading)
                entries.append(entry)
            }
        }
        return (entries, defects)
    }

    /// Reads the headings with active timestamps, but without a keyword, as iCalendar.
    /// - Throws: ``HelixError`` of code `badInput` if the file is not text.
    public static func events(_ bytes: [UInt8]) throws -> String {
        let document = try OrgDocument(bytes)
        var events: [ICalendarComponent] = []
        for heading in document.headings where heading.keyword == nil && !heading.title.isEmpty {
            for (number, stamp) in heading.timestamps.enumerated() {
                let id =
                    heading.properties["ID"]
                    ?? ForeignUID.of("\(heading.title) \(ISO8601.text(stamp.date)) \(stamp.time ?? -1)", "org")
                let span: PlainEvent.Span =
                    if let time = stamp.time {
                        .times(
                            CivilDateTime(stamp.date, secondOfDay: time),
                            stamp.endTime.map { CivilDateTime(stamp.lastDate ?? stamp.date, secondOfDay: $0) })
                    } else {
                        .days(stamp.date, stamp.lastDate ?? stamp.date)
                    }
                var event = PlainEvent(
                    uid: id + (number == 0 ? "" : "-\(number)"), title: heading.title, span: span)
                event.rule = stamp.repeater.flatMap(OrgDocument.rule)
                event.tags = heading.tags
                let notes = heading.text.joined(separator: "\n").trimmingBlanks()
                event.notes = notes.isEmpty ? nil : notes
                events.append(event.component)
            }
        }
        return PlainEvent.calendar(events)
    }
}
