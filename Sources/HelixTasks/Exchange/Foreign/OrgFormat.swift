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
        let above = Set(document.headings.filter { $0.keyword != nil }.flatMap { document.path(to: $0) })
        let plain = document.headings.indices.filter { place in
            let heading = document.headings[place]
            return heading.keyword == nil && heading.timestamps.isEmpty && !above.contains(place)
        }
        if !plain.isEmpty { found.omitted["headings without a keyword"] = plain.count }
        let dated = document.headings.count { $0.keyword == nil && !$0.timestamps.isEmpty }
        if dated > 0 {
            found.omitted["headings with a date, without a keyword ('helix cal import' reads them)"] = dated
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
        var reasons: [String] = []
        defer { found.defects += reasons.map { ForeignDefect("line \(heading.line)", $0, isPartial: true) } }
        func tell(_ reason: String) { reasons.append(reason) }
        switch heading.priority {
        case "A": foreign.task.priority = .high
        case "B": foreign.task.priority = .medium
        case "C": foreign.task.priority = .low
        case nil: break
        case let other?: tell("its priority '\(other)' is none of A, B and C; imported without it")
        }
        if created == nil, let text = heading.properties["CREATED"] {
            tell("CREATED '\(text)' is no timestamp; imported without it")
        }
        setTimes(&foreign, heading, zone: zone, tell)
        setDetails(&foreign, heading, &found)
        return foreign
    }

    private static func setTimes(
        _ foreign: inout ForeignTask, _ heading: OrgDocument.Heading, zone: Zone, _ tell: (String) -> Void
    ) {
        foreign.task.scheduled = heading.planning["SCHEDULED"]?.taskTime(in: zone)
        foreign.task.due = heading.planning["DEADLINE"]?.taskTime(in: zone)
        var stamps = heading.timestamps[...]
        if foreign.task.scheduled == nil, let first = stamps.popFirst() {
            foreign.task.scheduled = first.taskTime(in: zone)
            if first.lastDate != nil || first.endTime != nil {
                tell("the end of its timestamp is omitted; its start is when it is scheduled")
            }
            if let repeater = first.repeater { tell("the repeater '\(repeater)' of its timestamp is omitted") }
        }
        for stamp in stamps { tell("its timestamp of \(ISO8601.text(stamp.date)) is omitted") }
        let repeaters = ["DEADLINE", "SCHEDULED"].compactMap { heading.planning[$0]?.repeater }
        let repeater = repeaters.first
        if repeaters.count > 1, repeaters[0] != repeaters[1] {
            tell("its repeater '\(repeaters[1])' of SCHEDULED is omitted; that of DEADLINE counts")
        }
        if let repeater, foreign.task.state == .open {
            // A recurrence counts from a due date here.
            if foreign.task.due == nil { (foreign.task.due, foreign.task.scheduled) = (foreign.task.scheduled, nil) }
            foreign.task.recurrence = recurrence(repeater)
            if foreign.task.recurrence == nil {
                tell("its repeater '\(repeater)' is not understood and is omitted")
            }
        }
    }

    private static func setDetails(
        _ foreign: inout ForeignTask, _ heading: OrgDocument.Heading, _ found: inout ForeignTasks
    ) {
        if let effort = heading.properties["EFFORT"] {
            let parts = effort.split(separator: ":").map { Int($0) }
            if parts.count == 2, let hours = parts[0], let minutes = parts[1], (0...100_000).contains(hours),
                (0..<60).contains(minutes), hours + minutes > 0
            {
                foreign.task.estimate = hours * 3600 + minutes * 60
            } else {
                found.omitted["EFFORT", default: 0] += 1
            }
        }
        foreign.task.checklist = heading.steps
        let notes = heading.text.joined(separator: "\n").trimmingBlanks()
        foreign.task.notes = notes.isEmpty ? nil : notes
        for name in heading.properties.keys where !["ID", "EFFORT", "CREATED", "CATEGORY"].contains(name) {
            found.omitted["property \(name)", default: 0] += 1
        }
        if !heading.clocks.isEmpty {
            found.omitted["clocked times ('helix time import' reads them)", default: 0] += heading.clocks.count
        }
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
                if let length = clock.length {
                    // Org writes whole minutes, and ends that a person corrects by hand keep the length of before.
                    let minutes = entry.entry.end.map { Int($0.seconds - entry.entry.start.seconds) / 60 }
                    let reason =
                        clock.minutes == nil
                        ? "the length '\(length)' of the clock is no time; its start and end count"
                        : clock.minutes == minutes
                            ? nil : "the length '\(length)' of the clock contradicts its start and end, which count"
                    if let reason { defects.append(ForeignDefect("line \(clock.line)", reason, isPartial: true)) }
                }
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
    public static func events(_ bytes: [UInt8]) throws -> ConvertedCalendar {
        let document = try OrgDocument(bytes)
        var calendar = ConvertedCalendar()
        calendar.defects = document.defects
        calendar.omitted["tasks"] = document.headings.count { $0.keyword != nil }
        for heading in document.headings where heading.keyword == nil && !heading.title.isEmpty {
            for (number, stamp) in heading.timestamps.enumerated() {
                let id =
                    heading.properties["ID"]
                    ?? ForeignUID.of("\(heading.title) \(ISO8601.text(stamp.date)) \(stamp.time ?? -1)", "org")
                let place = "line \(heading.line)"
                var last = stamp.lastDate ?? stamp.date
                if last < stamp.date {
                    calendar.defects.append(
                        ForeignDefect(place, "it ends before it begins; the end is left out", isPartial: true))
                    last = stamp.date
                }
                var span = PlainEvent.Span.days(stamp.date, last)
                if let time = stamp.time {
                    let start = CivilDateTime(stamp.date, secondOfDay: time)
                    var end = stamp.endTime.map { CivilDateTime(last, secondOfDay: $0) }
                    if let found = end, found < start {
                        calendar.defects.append(
                            ForeignDefect(place, "it ends before it begins; the end is left out", isPartial: true))
                        end = nil
                    }
                    span = .times(start, end)
                }
                if let repeater = stamp.repeater, OrgDocument.rule(repeater) == nil {
                    calendar.defects.append(
                        ForeignDefect(
                            place, "its repeater '\(repeater)' is not understood; it is imported once",
                            isPartial: true))
                }
                var event = PlainEvent(
                    uid: id + (number == 0 ? "" : "-\(number)"), title: heading.title, span: span)
                event.rule = stamp.repeater.flatMap(OrgDocument.rule)
                event.tags = heading.tags
                let notes = heading.text.joined(separator: "\n").trimmingBlanks()
                event.notes = notes.isEmpty ? nil : notes
                calendar.add(event, line: heading.line)
            }
        }
        calendar.end()
        return calendar
    }
}
