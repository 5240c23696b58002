import HelixCalendar
import HelixModel

/// Tasks as VTODO components (RFC 5545 §3.6.2). The whole component is stored with the task, so that no data is lost.
public struct VTodoFormat {
    let now: Instant
    let zone: Zone

    /// - Parameter zone: the time zone of floating times.
    public init(now: Instant, zone: Zone) {
        self.now = now
        self.zone = zone
    }

    /// Parses the VTODOs of a calendar file.
    /// - Throws: ``HelixError`` of code `badInput` if it contains no iCalendar.
    public func read(_ bytes: [UInt8], name: String) throws -> ForeignTasks {
        var rest = bytes[...]
        var reader = ICalendarReader {
            defer { rest = rest.dropFirst(1 << 20) }
            return Array(rest.prefix(1 << 20))
        }
        var tasks = VTodoFileReader(self)
        try tasks.read(&reader)
        guard reader.hasContent else { throw HelixError(.badInput, "\(name) contains no iCalendar data") }
        return tasks.found
    }

    /// The components of the next task of a series, from those of the completed one.
    public static func next(_ source: String, uid: String) -> String {
        let all = ICalendarComponent.list(source)
        let zones = all.filter { $0.name == "VTIMEZONE" }.map(\.text).joined()
        guard var master = all.first(where: { $0.name == "VTODO" && $0.first("RECURRENCE-ID") == nil }) else {
            return source
        }
        master.set("UID", ICalendarProperty("UID", text: uid))
        for name in ["COMPLETED", "PERCENT-COMPLETE", "STATUS", "X-HELIX-RANK", "X-HELIX-STARTED"] {
            master.remove(name)
        }
        master.removeAlarmAnswers()
        return zones + master.text
    }

    /// The task in stored components; nil if they contain no VTODO.
    public func read(stored text: String) -> ForeignTask? {
        let all = ICalendarComponent.list(text)
        let zones = ZoneResolver()
        for zone in all where zone.name == "VTIMEZONE" { zones.define(zone) }
        let components = all.filter { $0.name == "VTODO" }
        guard let master = components.first(where: { $0.first("RECURRENCE-ID") == nil }) ?? components.first else {
            return nil
        }
        var foreign = task(master, zones: zones)
        foreign.task.uid = master.first("UID")?.text
        foreign.task.source = text
        return foreign
    }

    /// The UIDs of the parent and the blockers in stored components.
    public func ties(_ text: String) -> (parent: String?, blockers: [String]) {
        guard text.hasBytes(of: "RELATED-TO"), let foreign = read(stored: text) else { return (nil, []) }
        return (foreign.parentUID, foreign.blockerUIDs)
    }

    /// The task in a component.
    func task(_ component: ICalendarComponent, zones: ZoneResolver) -> ForeignTask {
        let created = component.first("CREATED")
        let title = component.first("SUMMARY")?.text.split(whereSeparator: \.isNewline).joined(separator: " ")
        var foreign = ForeignTask(
            title: title?.trimmingBlanks().nonEmptyText ?? "(no title)",
            createdAt: created.flatMap { instant($0, zones) } ?? now)
        foreign.task.notes = component.first("DESCRIPTION")?.text.nonEmptyText
        foreign.task.scheduled = component.first("DTSTART").flatMap { time($0, zones) }
        foreign.task.due = component.first("DUE").flatMap { time($0, zones) }
        if let text = component.first("DURATION")?.value, let duration = ICalendarDuration(text.trimmingBlanks()),
            foreign.task.due == nil, let start = foreign.task.scheduled
        {
            foreign.task.due = .moment(start.start(in: zone) + duration.total)
        }
        if let own = component.first("X-HELIX-SCHEDULED").flatMap({ time($0, zones) }),
            isStart(foreign.task.scheduled, of: own, due: foreign.task.due)
        {
            foreign.task.scheduled = own
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
        // A tag is one word; duplicates are removed.
        var known: Set<String> = []
        foreign.task.tags = component.all("CATEGORIES").flatMap(\.texts).map(ForeignTags.word).filter {
            !$0.isEmpty && known.insert($0.lowercased()).inserted
        }
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
        VTodoExtras.read(component, into: &foreign) { instant($0, zones) }
        return foreign
    }

    /// Whether a DTSTART is the one that helix writes for a start: another program may have changed it. The first moment of a day
    /// is another one in each zone.
    private func isStart(_ written: TaskTime?, of scheduled: TaskTime, due: TaskTime?) -> Bool {
        let expected = VTodoFormat.start(of: scheduled, due: due, in: zone)
        if case .date = scheduled, case .moment(let own)? = written, case .moment(let other)? = expected {
            return abs(own.seconds - other.seconds) <= 26 * 3600
        }
        return written == expected
    }

    func time(_ property: ICalendarProperty, _ zones: ZoneResolver) -> TaskTime? {
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

    /// The VTIMEZONEs of the components that no zone of the system replaces; empty if there are none.
    static func definitions(_ components: [ICalendarComponent], _ zones: ZoneResolver) -> String {
        var found: Set<String> = []
        for property in components.flatMap({
            $0.all("DTSTART") + $0.all("DUE") + $0.all("RECURRENCE-ID") + $0.all("EXDATE") + $0.all("RDATE")
        }) {
            guard let tzid = property["TZID"],
                case .floating(let civil)? = ICalendarTime(property.value.trimmingBlanks()),
                let text = zones.resolve(tzid, year: civil.date.year)?.definition
            else { continue }
            found.insert(text)
        }
        return found.sorted().joined()
    }

    /// The VTIMEZONEs stored with the components of a task; nil if there are none.
    public static func zones(of source: String?) -> String? {
        guard let source, source.hasPrefix("BEGIN:VTIMEZONE") else { return nil }
        return ICalendarComponent.list(source).filter { $0.name == "VTIMEZONE" }.map(\.text).joined()
    }
}

extension String {
    var nonEmptyText: String? { isEmpty ? nil : self }
}
