import HelixModel
import HelixTerminal

/// The result of a command, for people and for programs.
///
/// Its items become JSON in the order of their fields; its drawing becomes text. ``CommandContext/present(_:)`` chooses.
protocol Report: Sendable {
    associatedtype Item: ReportItem
    /// The name and version of the JSON: `helix.cal.agenda/1`. Within a version fields are only added.
    static var schema: String { get }
    /// Whether the JSON is an object with `items`, or the fields of the only item themselves.
    static var isList: Bool { get }
    /// The items of the JSON.
    var items: [Item] { get }
    /// Whether the list was truncated.
    var isTruncated: Bool { get }
    /// The option and the cursor that show the rest of a truncated list, if that is not --after with the last item.
    var rest: (option: String, cursor: String)? { get }
    /// Additional remarks, one per line.
    var remarks: [String] { get }
    /// Draws the report for a person.
    func draw(on canvas: inout Canvas, for viewer: Viewer)
    /// The report with at most `count` items.
    func limited(to count: Int) -> Self
}

extension Report {
    static var isList: Bool { true }
    var isTruncated: Bool { false }
    var rest: (option: String, cursor: String)? { nil }
    var remarks: [String] { [] }
    func limited(to count: Int) -> Self { self }
}

/// A list whose items can be reordered.
protocol OrderedReport: Report {
    var items: [Item] { get set }
}

/// A list that --limit truncates after an item.
protocol CuttableReport: OrderedReport {
    var isTruncated: Bool { get set }
}

extension CuttableReport {
    func limited(to count: Int) -> Self {
        var cut = self
        cut.items = Array(items.prefix(count))
        cut.isTruncated = isTruncated || items.count > count
        return cut
    }
}

/// An item of a report.
protocol ReportItem: Sendable {
    /// The possible fields of its JSON, for `helix schema`.
    static var fields: [SchemaField] { get }
    /// The JSON Schema of an item.
    static var itemSchema: JSONObject { get }
    /// The JSON, with times on the viewer's clock.
    func json(for viewer: Viewer) -> JSONObject
}

extension ReportItem {
    static var itemSchema: JSONObject { SchemaField.schema(of: fields) }
}

/// The viewer of a report: the clock and the conventions for showing times.
struct Viewer: Sendable {
    /// Now.
    var now: Instant
    /// The zone that times are shown in.
    var zone: Zone
    /// The local zone; `zone` differs from it only on request.
    var homeZone: Zone
    /// The first day of the week.
    var firstWeekday: Weekday
    /// Whether times are shown as 9:30 pm.
    var usesTwelveHours: Bool
    /// The short ids of the entities in the report.
    var shortIDs: [EntityID: String] = [:]
    /// The fence around texts that others wrote, for an agent.
    var fence: TextFence?

    /// Today.
    var today: CivilDate { zone.date(now) }

    /// The short form of an id.
    func short(_ id: EntityID) -> String { shortIDs[id] ?? String(id.text.prefix(6)) }

    /// `14:30` or `2:30pm`.
    func clock(_ secondOfDay: Int) -> String {
        let hour = secondOfDay / 3600
        let minute = secondOfDay / 60 % 60
        guard usesTwelveHours else {
            return DigitWriter.text {
                $0.put(hour, 2)
                $0.put(":")
                $0.put(minute, 2)
            }
        }
        let suffix = hour % 24 < 12 ? "am" : "pm"
        let shown = hour % 12 == 0 ? 12 : hour % 12
        return minute == 0 ? "\(shown)\(suffix)" : "\(shown):\(ISO8601.padded(minute, 2))\(suffix)"
    }

    /// `14:30` on the wall clock.
    func clock(_ instant: Instant) -> String { clock(zone.civil(instant).secondOfDay) }

    /// The instant in JSON.
    func iso(_ instant: Instant) -> String { ISO8601.text(instant, in: zone) }

    /// The moment in JSON: a day, or a time with its offset.
    func iso(_ moment: PhraseMoment) -> String {
        if case .date(let date) = moment { return ISO8601.text(date) }
        return iso(moment.instant(in: zone))
    }

    /// `Fri 27 Nov 2026`, or with the time.
    func text(_ moment: PhraseMoment) -> String {
        if case .date(let date) = moment { return DateWords.text(date) }
        let instant = moment.instant(in: zone)
        return "\(DateWords.text(zone.date(instant))) \(clock(instant))"
    }

    /// `Fri 27 Nov 2026`, with `today` and the like if it is near.
    func day(_ date: CivilDate) -> String {
        switch date - today {
        case 0: DateWords.text(date) + " · today"
        case 1: DateWords.text(date) + " · tomorrow"
        case -1: DateWords.text(date) + " · yesterday"
        default: DateWords.text(date)
        }
    }

    /// The viewer with the clock of `zone`.
    func on(_ zone: Zone) -> Viewer {
        Viewer(now: now, zone: zone, homeZone: homeZone, firstWeekday: firstWeekday, usesTwelveHours: usesTwelveHours)
    }

    /// The viewer with the local clock; nil if `zone` is the local one.
    var atHome: Viewer? {
        zone.identifier == homeZone.identifier || zone.isUTC && homeZone.isUTC ? nil : on(homeZone)
    }

    /// `Fri 27 Nov 2026 12:30–13:15`, `Fri 27 Nov 2026`, `Fri 27 Nov – Sun 29 Nov 2026`.
    func span(_ time: OccurrenceTime) -> String {
        switch time {
        case .days(let first, let end):
            return end - first <= 1 ? DateWords.text(first) : "\(DateWords.text(first)) – \(DateWords.text(end - 1))"
        case .timed(let range):
            let start = zone.civil(range.start)
            let end = zone.civil(range.end)
            if zone.repeats(start) || zone.repeats(end) { return named(range, start, end) }
            if range.duration <= 0 { return "\(DateWords.text(start.date)) \(clock(start.secondOfDay))" }
            if start.date == end.date || end.date == start.date + 1 && end.secondOfDay == 0 {
                let last = end.secondOfDay == 0 ? 86_400 : end.secondOfDay
                return "\(DateWords.text(start.date)) \(clock(start.secondOfDay))–\(clock(last))"
            }
            return "\(DateWords.text(start.date)) \(clock(start.secondOfDay)) – \(DateWords.text(end.date)) "
                + clock(end.secondOfDay)
        }
    }
}

extension Viewer {
    /// Ambiguous times, with the abbreviations of the zone: `02:30 CEST – 02:30 CET`.
    private func named(_ range: TimeRange, _ start: CivilDateTime, _ end: CivilDateTime) -> String {
        func text(_ instant: Instant, _ civil: CivilDateTime) -> String {
            clock(civil.secondOfDay) + " " + zone.state(at: instant).abbreviation
        }
        let first = DateWords.text(start.date) + " " + text(range.start, start)
        if range.duration <= 0 { return first }
        let day = start.date == end.date ? "" : DateWords.text(end.date) + " "
        return "\(first) – \(day)\(text(range.end, end))"
    }
}

/// A field of an item's JSON.
struct SchemaField: Sendable {
    /// The type of the value.
    indirect enum Kind: Sendable {
        case string
        /// The identity of an entity.
        case id
        case integer
        /// A duration in whole seconds.
        case seconds
        case number
        case bool
        /// ISO 8601 with offset, or `YYYY-MM-DD` for a day.
        case time
        case choice([String])
        case array(Kind)
        case object([SchemaField])
    }

    let name: String
    let kind: Kind
    let isRequired: Bool
    let summary: String

    /// Whether tables show it by default: every item has it, as a single value.
    var isSimple: Bool {
        if !isRequired || ["kind", "uid"].contains(name) { return false }
        switch kind {
        case .string, .id, .integer, .seconds, .number, .time, .choice: return true
        case .bool, .array, .object: return false
        }
    }

    init(_ name: String, _ kind: Kind, required: Bool = true, _ summary: String) {
        self.name = name
        self.kind = kind
        isRequired = required
        self.summary = summary
    }

    static func schema(of fields: [SchemaField]) -> JSONObject {
        var properties = JSONObject()
        for field in fields {
            var object = field.kind.schema
            object.set("description", field.summary)
            properties.set(field.name, .object(object))
        }
        var schema = JSONObject()
        schema.set("type", "object")
        schema.set("properties", .object(properties))
        schema.set("required", fields.filter(\.isRequired).map(\.name))
        return schema
    }
}

extension SchemaField.Kind {
    var schema: JSONObject {
        var schema = JSONObject()
        switch self {
        case .string, .id: schema.set("type", "string")
        case .integer, .seconds: schema.set("type", "integer")
        case .number: schema.set("type", "number")
        case .bool: schema.set("type", "boolean")
        case .time:
            schema.set("type", "string")
            schema.set("pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}(T[0-9:]{8}(Z|[+-][0-9:]{5,8})?)?$")
        case .choice(let words):
            schema.set("type", "string")
            schema.set("enum", words)
        case .array(let kind):
            schema.set("type", "array")
            schema.set("items", .object(kind.schema))
        case .object(let fields): return SchemaField.schema(of: fields)
        }
        return schema
    }
}
