import HelixCalendar
import HelixModel

/// Collects the tasks of a calendar file: one for each UID, with its changed occurrences.
struct VTodoFileReader {
    private let format: VTodoFormat
    private(set) var found = ForeignTasks()
    /// The VTODOs of the current VCALENDAR: the zones that they name may be defined after them.
    private var waiting: [RawComponent] = []
    private var zones = ZoneResolver()

    init(_ format: VTodoFormat) { self.format = format }

    /// - Throws: the error of the source.
    mutating func read(_ reader: inout ICalendarReader) throws {
        while let piece = try reader.next() {
            switch piece {
            case .calendarBegin, .calendarEnd: finishCalendar()
            case .calendarProperty(let property, let line): take(property, line: line)
            case .defect(let defect):
                found.defects.append(ForeignDefect("line \(defect.line)", "\(defect.part): \(defect.reason)"))
            case .component(let raw): take(raw)
            }
        }
        finishCalendar()
    }

    private mutating func take(_ property: ICalendarProperty, line: Int) {
        guard property.name == "X-WR-TIMEZONE" else { return }
        zones.floatingZone = ZoneDatabase.zone(tzid: property.text)
        guard zones.floatingZone == nil else { return }
        let reason = "the zone '\(property.text)' is unknown; times without a zone are read as times of your own"
        found.defects.append(ForeignDefect("line \(line)", reason, isPartial: true))
    }

    private mutating func take(_ raw: RawComponent) {
        switch raw.name {
        case "VTIMEZONE":
            if let component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first {
                zones.define(component)
            }
        case "VTODO": waiting.append(raw)
        default: found.omitted[raw.name, default: 0] += 1
        }
    }

    /// Adds the tasks of the VCALENDAR that ends.
    private mutating func finishCalendar() {
        var groups = VTodoGroups(format: format, zones: zones)
        for raw in waiting { groups.add(raw) }
        found.defects += groups.defects + groups.tags.defects
        for uid in groups.order { add(groups.components[uid] ?? [], uid: uid) }
        waiting = []
        zones = ZoneResolver()
    }

    private mutating func add(_ components: [ICalendarComponent], uid: String) {
        guard let master = components.first(where: { $0.first("RECURRENCE-ID") == nil }) ?? components.first else {
            return
        }
        var foreign = format.task(master, zones: zones)
        foreign.task.uid = uid
        let definitions = VTodoFormat.definitions(components, zones)
        foreign.task.source = definitions + components.map(\.text).joined()
        let changed = components.count { $0.first("RECURRENCE-ID") != nil && $0 != master }
        if changed > 0 { found.kept["changed occurrences", default: 0] += changed }
        if !master.components.isEmpty { found.kept["alarms", default: 0] += 1 }
        found.tasks.append(foreign)
    }
}

/// The VTODOs of a VCALENDAR by their UID, in the order of the file.
private struct VTodoGroups {
    let format: VTodoFormat
    let zones: ZoneResolver
    private(set) var order: [String] = []
    private(set) var components: [String: [ICalendarComponent]] = [:]
    private(set) var defects: [ForeignDefect] = []
    private(set) var tags = ForeignTags()
    /// The line of the main component of each UID.
    private var lines: [String: Int] = [:]
    /// The number of tasks without a UID, by title.
    private var titles: [String: Int] = [:]

    init(format: VTodoFormat, zones: ZoneResolver) { (self.format, self.zones) = (format, zones) }

    mutating func add(_ raw: RawComponent) {
        var raw = raw
        if let zone = zones.floatingZone, !zone.isUTC { raw.bindFloatingTimes(to: zone.identifier) }
        guard var component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first else { return }
        let uid = raw.uid ?? syntheticUID(component)
        if raw.uid == nil { component.set("UID", ICalendarProperty("UID", text: uid)) }
        if let line = raw.foreignLines.first {
            defects.append(ForeignDefect("line \(line)", "is not UTF-8; read as Windows-1252", isPartial: true))
        }
        if components[uid] == nil { order.append(uid) }
        defects += raw.defects.map {
            ForeignDefect("line \($0.line)", "\($0.part): \($0.reason)", isPartial: true)
        }
        if component.first("RECURRENCE-ID") == nil { checkMaster(component, uid: uid, line: raw.line) }
        components[uid, default: []].append(component)
    }

    private mutating func checkMaster(_ component: ICalendarComponent, uid: String, line: Int) {
        if let first = lines[uid] {
            let reason = "has the UID of line \(first), '\(uid)', and is only kept for export with it"
            defects.append(ForeignDefect("line \(line)", "a task \(reason)"))
            return
        }
        lines[uid] = line
        let check = VTodoDefects { [format, zones] in
            format.time($0, zones)
        } isKnownZone: { [zones] in
            $0["TZID"].map(zones.knows) ?? true
        }
        defects += check.list(component, line: line)
        _ = tags.words(component.all("CATEGORIES").flatMap(\.texts))
    }

    /// An identity for a task without a UID, by its title: the second of the same title has the number 2.
    private mutating func syntheticUID(_ component: ICalendarComponent) -> String {
        let title = component.first("SUMMARY")?.text ?? ""
        titles[title, default: 0] += 1
        let number = titles[title] ?? 1
        return "content \(title)" + (number > 1 ? " \(number)" : "")
    }
}
