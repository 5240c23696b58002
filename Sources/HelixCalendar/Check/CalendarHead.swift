import HelixModel

/// The properties of a VCALENDAR itself (RFC 5545 §3.6, §3.7).
struct CalendarHead {
    /// The line of its BEGIN.
    let line: Int
    /// The properties, with their lines.
    var lines: [(property: ICalendarProperty, number: Int)] = []
    /// Whether times without a zone were read in the zone of X-WR-TIMEZONE, which RFC 5545 does not know.
    var usesOwnZone = false

    /// The broken rules: PRODID and VERSION are required, and each property is there at most once.
    var findings: [CalendarFinding] {
        var found: [CalendarFinding] = []
        for name in ["PRODID", "VERSION", "CALSCALE", "METHOD"] {
            let own = lines.filter { $0.property.name == name }
            if own.isEmpty, name == "PRODID" || name == "VERSION" {
                found.append(finding(line, name, .count, "is missing"))
            } else if own.count > 1 {
                found.append(finding(own[1].number, name, .count, "is there \(own.count) times; once is allowed"))
            }
        }
        for (property, number) in lines {
            let value = property.value.trimmingBlanks()
            switch property.name {
            // A newer version may name the oldest that it needs before it: `2.0;3.0`.
            case "VERSION" where !value.split(separator: ";").contains("2.0"):
                found.append(finding(number, "VERSION", .syntax, "'\(LibicalMessage.shown(value))' is not 2.0"))
            case "CALSCALE" where value.uppercased() != "GREGORIAN":
                found.append(
                    finding(
                        number, "CALSCALE", .usable, "helix reads '\(LibicalMessage.shown(value))' as GREGORIAN"))
            case "X-WR-TIMEZONE" where ZoneDatabase.zone(tzid: property.text) == nil:
                found.append(
                    finding(
                        number, property.name, .usable,
                        "helix does not know the zone '\(LibicalMessage.shown(value))'; times without a zone are local")
                )
            case "X-WR-TIMEZONE" where usesOwnZone:
                found.append(
                    finding(
                        number, property.name, .reading,
                        "helix reads times without a zone in \(LibicalMessage.shown(value)), libical as local times"))
            case "PRODID" where value.isEmpty: found.append(finding(number, "PRODID", .syntax, "it has no value"))
            default: break
            }
        }
        return found
    }

    private func finding(
        _ line: Int, _ property: String, _ rule: CalendarFinding.Rule, _ message: String
    ) -> CalendarFinding {
        CalendarFinding(line: line, component: "VCALENDAR", property: property, rule: rule, message: message)
    }
}
