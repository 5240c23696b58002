import HelixCalendar
import HelixModel

/// The lines of vCards have the form of iCalendar's (RFC 6350 §3.3), with a group before the name: `item1.EMAIL`.
extension ICalendarProperty {
    /// The group, in upper case as the name is; nil without one.
    var group: String? {
        name.firstIndex(of: ".").map { String(name[..<$0]) }
    }

    /// The name without its group.
    var plainName: String {
        name.firstIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? name
    }

    /// The values of TYPE, in lower case, also those that are written `TYPE="work,voice"`.
    var types: [String] {
        parameters.filter { $0.name == "TYPE" }.flatMap(\.values)
            .flatMap { $0.lowercased().split(separator: ",").map { String($0).trimmingBlanks() } }
    }

    /// The rank of preference, 1 for the most preferred (RFC 6350 §5.3; `TYPE=pref` of vCard 3); nil without one.
    var preference: Int? {
        if let rank = self["PREF"] { return Int(rank) ?? 1 }
        return types.contains("pref") ? 1 : nil
    }

    /// The parts of a structured value (RFC 6350 §3.3), each with its texts: `N:Ruiz;Ana;;;`.
    var structure: [[String]] {
        ICalendarProperty.split(value, at: ";").map { part in
            ICalendarProperty.split(part, at: ",").map(ICalendarProperty.unescaped)
        }
    }

    /// The unescaped parts between separators.
    private static func split(_ value: String, at separator: Character) -> [String] {
        var parts: [String] = []
        var current = ""
        var isEscaped = false
        for character in value {
            if isEscaped {
                current += "\\\(character)"
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == separator {
                parts.append(current)
                current = ""
            } else {
                current.append(character)
            }
        }
        if isEscaped { current += "\\" }
        return parts + [current]
    }

    /// A property with a structured value.
    init(_ name: String, _ parameters: [Parameter] = [], structure: [[String]]) {
        self.init(
            name, parameters,
            value: structure.map { $0.map(ICalendarProperty.escaped).joined(separator: ",") }.joined(separator: ";"))
    }

    /// The text of a URI or a text: `tel:+34-600` and `mailto:ana@example.com` without their scheme.
    var address: String {
        let plain = text.trimmingBlanks()
        for scheme in ["mailto:", "tel:"] where plain.lowercased().hasPrefix(scheme) {
            return String(plain.dropFirst(scheme.count))
        }
        return plain
    }
}
