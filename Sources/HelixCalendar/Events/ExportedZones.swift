/// The TZIDs of an exported file.
///
/// Files of different origin may define different zones with one TZID; Outlook names each custom zone "Customized
/// Time Zone". A file has one VTIMEZONE per TZID (RFC 5545 §3.6.5), so all but one of them are renamed.
struct ExportedZones {
    /// The definitions of a TZID in the order of their appearance; nil is the system's zone.
    private var variants: [String: [String?]] = [:]

    /// Adds an event's definition of a TZID; nil for the system's zone.
    mutating func note(_ tzid: String, _ definition: String?) {
        if variants[tzid]?.contains(definition) != true { variants[tzid, default: []].append(definition) }
    }

    /// Whether any TZID has several definitions.
    var hasDoubles: Bool { variants.values.contains { $0.count > 1 } }

    /// The TZIDs and their definitions with their names in the file, in order.
    var all: [(name: String, tzid: String, definition: String?)] {
        variants.keys.sorted().flatMap { tzid in
            (variants[tzid] ?? []).map { (name(tzid, $0), tzid, $0) }
        }
    }

    /// The name of a definition in the file. The system's zone keeps its name.
    func name(_ tzid: String, _ definition: String?) -> String {
        guard let known = variants[tzid], known.count > 1 else { return tzid }
        let ordered = known.contains(nil) ? [nil] + known.filter { $0 != nil } : known
        guard var number = ordered.firstIndex(of: definition), number > 0 else { return tzid }
        while variants["\(tzid) \(number + 1)"] != nil { number += ordered.count }
        return "\(tzid) \(number + 1)"
    }

    /// The component with its TZIDs renamed to those of the file.
    func renaming(_ component: ICalendarComponent, _ definitions: [String: String]) -> ICalendarComponent {
        var component = component
        component.items = component.items.map { item in
            switch item {
            case .component(let inner): return .component(renaming(inner, definitions))
            case .line(let line):
                guard line.uppercased().contains(";TZID="), var property = ICalendarProperty(Array(line.utf8)[...]),
                    let tzid = property["TZID"]
                else { return item }
                let name = name(tzid, definitions[tzid])
                guard name != tzid else { return item }
                property.parameters = property.parameters.map {
                    $0.name.uppercased() == "TZID" ? .init($0.name, [name]) : $0
                }
                return .line(property.line)
            }
        }
        return component
    }
}
