import HelixModel

/// An error message of libical, as a property and a phrase.
struct LibicalMessage {
    var property: String?
    var text: String

    /// Nil for a message that is no error by RFC 5545 and its registries.
    init?(_ problem: Libical.Problem, method: String?) {
        switch problem.kind {
        case .count:
            property = problem.property
            text = problem.count == 0 ? "it is missing" : "there are \(problem.count), one is allowed"
        case .method:
            guard let (name, rest) = Self.split(problem.message, "Failed iTIP restrictions for ", " property. ") else {
                property = nil
                text = problem.message
                return
            }
            property = name
            let reason = rest.replacing(" instances of the property and got ", with: ", found ").trimmingBlanks()
            text = "METHOD:\(method ?? ""): " + Self.phrase(reason)
        case .parse:
            guard let (name, message) = Self.parse(problem.message) else { return nil }
            property = name
            text = message
        }
    }

    private static func parse(_ message: String) -> (property: String?, text: String)? {
        if let (name, _) = split(message, "No value for ", " property") {
            // Text may be empty (RFC 5545 §3.3.11), and everything may after an X- name.
            return Libical.isText(name) ? nil : (name, "it has no value")
        }
        if let (type, rest) = split(message, "Can't parse as ", " value in "),
            let (name, value) = split(rest, "", " property. Removing entire property: ")
        {
            return (name, "'\(shown(value))' is not a valid \(type)")
        }
        if let (_, name) = split(message, "Parse error in property name", ": ") {
            let known = name.uppercased()
            if Self.newerProperties.contains(known) { return nil }
            return (nil, "'\(shown(name))' is not a registered property, and does not begin with X-")
        }
        if let (_, line) = split(
            message, "Got a data line, but could not find a property name or component begin tag", ": ")
        {
            return (nil, "'\(shown(line))' is not a property")
        }
        if let (_, name) = split(message, "Can't parse parameter name", ": ") {
            return (nil, "'\(shown(name))' is not a parameter")
        }
        if let (_, name) = split(message, "Can't parse parameter value", ": ") {
            return (nil, "'\(shown(name))' is not valid as the value of a parameter")
        }
        return (nil, phrase(shown(message)))
    }

    /// Properties that are registered with IANA, but unknown to libical 3.
    private static let newerProperties: Set<String> = [
        "STYLED-DESCRIPTION", "STRUCTURED-DATA", "CALENDAR-ADDRESS", "LOCATION-TYPE", "PARTICIPANT-TYPE",
        "RESOURCE-TYPE",
        "CONCEPT", "LINK", "REFID", "PROXIMITY", "SHOW-WITHOUT-TIME", "ESTIMATED-DURATION",
    ]

    /// The parts of `text` after `prefix`: before and after the first `separator`.
    private static func split(_ text: String, _ prefix: String, _ separator: String) -> (String, String)? {
        guard text.hasPrefix(prefix), let place = text.dropFirst(prefix.count).firstRange(of: separator) else {
            return nil
        }
        return (String(text.dropFirst(prefix.count)[..<place.lowerBound]), String(text[place.upperBound...]))
    }

    /// The start of a value, for a message. The text of components has no control characters.
    static func shown(_ text: String) -> String {
        let text = text.trimmingBlanks()
        return text.count > 60 ? text.prefix(59) + "…" : text
    }

    private static func phrase(_ text: String) -> String { text.prefix(1).lowercased() + text.dropFirst() }
}
