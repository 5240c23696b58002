import HelixModel

/// User-facing names of the properties of events and tasks.
public enum PropertyWords {
    private static let words = [
        "SUMMARY": "title", "DTSTART": "start", "DTEND": "end", "DURATION": "duration", "DUE": "due",
        "LOCATION": "location", "DESCRIPTION": "notes", "STATUS": "status", "PRIORITY": "priority",
        "CATEGORIES": "tags", "RRULE": "repetition", "EXDATE": "left out", "RDATE": "added", "ATTENDEE": "attendees",
        "ORGANIZER": "organizer", "TRANSP": "busy", "URL": "address", "VALARM": "alarms", "CLASS": "privacy",
        "RELATED-TO": "relations", "ESTIMATED-DURATION": "estimate", "X-HELIX-COLUMN": "column",
        "X-HELIX-PROJECT": "project", "X-HELIX-BLOCK": "block", "X-HELIX-ASSIGNEE": "assignee",
        "X-HELIX-STEP": "checklist", "X-HELIX-HIDDEN-UNTIL": "hidden until", "X-HELIX-REPEAT": "repetition",
        "FN": "name", "N": "parts of the name", "BDAY": "birthday", "X-ANNIVERSARY": "anniversary",
        "ORG": "organization",
        "NOTE": "notes", "TEL": "numbers", "EMAIL": "addresses", "ADR": "places",
        "EVENT": "the whole event", "OCCURRENCE": "an occurrence",
    ]

    /// The user-facing name of a property; otherwise its name in lower case.
    public static func word(_ name: String) -> String { words[name] ?? name.lowercased() }

    /// The value of a property in components, for display; nil if it is absent.
    public static func value(_ name: String, in text: String) -> String? {
        let components = ICalendarComponent.list(text).filter { $0.name != "VTIMEZONE" }
        if name == "VALARM" { return alarms(components) }
        let found = components.flatMap { component in
            component.all(name).map { property -> String in
                switch ICalendarTime(property.value) {
                case .date(let date)?: return ISO8601.text(date)
                case .utc(let instant)?: return clock(ISO8601.text(instant, in: .utc).prefix(16)) + " UTC"
                case .floating(let civil)?:
                    let text = clock(ISO8601.text(civil).prefix(16))
                    return property["TZID"].map { "\(text) \($0)" } ?? text
                case nil: return words(property, in: component)
                }
            }
        }
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }

    /// The alarms of components, each with its action, its trigger and whom it reaches; nil without one.
    private static func alarms(_ components: [ICalendarComponent]) -> String? {
        let found = components.flatMap(\.components).filter { $0.name == "VALARM" }.map { alarm in
            let action = alarm.first("ACTION")?.value.lowercased() ?? "display"
            let others = alarm.all("ATTENDEE").map { " to \($0.calendarAddress)" }.joined()
            let files = alarm.all("ATTACH").map { " with \($0.value)" }.joined()
            return "\(action)\(others)\(files) \(alarm.first("TRIGGER").map(trigger) ?? "without a time")"
        }
        return found.isEmpty ? nil : found.joined(separator: "; ")
    }

    private static func trigger(_ property: ICalendarProperty) -> String {
        let value = property.value.trimmingBlanks()
        guard let length = ICalendarDuration(value)?.total else { return "at \(value)" }
        let base = property["RELATED"]?.uppercased() == "END" ? "the end" : "the start"
        if length == 0 { return "at \(base)" }
        return "\(DateWords.text(duration: abs(length))) \(length < 0 ? "before" : "after") \(base)"
    }

    /// A value other than a time, for display.
    private static func words(_ property: ICalendarProperty, in component: ICalendarComponent) -> String {
        switch property.name {
        case "ATTENDEE", "ORGANIZER":
            let answer = property["PARTSTAT"].map { " (\($0.lowercased()))" } ?? ""
            return (property["CN"].map { "\($0) " } ?? "") + property.calendarAddress + answer
        case "PRIORITY" where component.name == "VTODO":
            // Names of task priorities (RFC 5545 §3.8.1.9 has 1 to 9).
            switch Int(property.value.trimmingBlanks()) {
            case 1?: return "critical"
            case 2?, 3?, 4?: return "high"
            case 5?: return "medium"
            case 6?, 7?, 8?, 9?: return "low"
            default: return "none"
            }
        case "RRULE", "X-HELIX-REPEAT":
            guard let rule = try? RecurrenceRule(property.value) else { return property.text }
            return rule.phrase(start: start(of: component))
        case "STATUS", "TRANSP": return property.value.lowercased()
        default: return property.text
        }
    }

    /// The start of a component, in its zone.
    private static func start(of component: ICalendarComponent) -> EventTime? {
        guard let property = component.all("DTSTART").first else { return nil }
        switch ICalendarTime(property.value) {
        case nil: return nil
        case .date(let date)?: return .date(date)
        case .utc(let instant)?: return .utc(instant)
        case .floating(let civil)?:
            let zone = property["TZID"].flatMap(ZoneDatabase.zone(named:))
            return zone.map { .zoned(civil, $0) } ?? .floating(civil)
        }
    }

    /// Formats a time with a T as `2026-11-20 12:30`.
    private static func clock(_ text: Substring) -> String { String(text.replacing("T", with: " ")) }

    /// The names of properties that differ between two versions of an event or task, in order, without timestamps.
    public static func differences(_ old: String, _ new: String) -> [String] {
        let stamps: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "CREATED", "UID"]
        var names: [String] = []
        for component in ICalendarComponent.list(old + new) {
            for property in component.properties where !stamps.contains(property.name) && !names.contains(property.name)
            {
                names.append(property.name)
            }
        }
        func lines(_ text: String, _ name: String) -> [String] {
            ICalendarComponent.list(text).flatMap { $0.all(name).map(\.line) }
        }
        func inner(_ text: String) -> [ICalendarComponent] { ICalendarComponent.list(text).flatMap(\.components) }
        let found = names.filter { lines(old, $0) != lines(new, $0) }
        // Alarms are components, and may reach others.
        let isSame = inner(old).filter { $0.name == "VALARM" } == inner(new).filter { $0.name == "VALARM" }
        return isSame ? found : found + ["VALARM"]
    }
}
