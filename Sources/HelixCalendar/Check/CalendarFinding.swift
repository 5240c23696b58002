import HelixModel

/// A part of iCalendar data that is not valid, or that two readers do not read alike.
public struct CalendarFinding: Hashable, Sendable {
    /// The rule that is broken.
    public enum Rule: String, CaseIterable, Sendable {
        /// Lines, names, parameters and values have the form of RFC 5545 §3.1–§3.3; components begin and end.
        case syntax
        /// Properties are there as often as RFC 5545 §3.6 allows, and not with others that they exclude.
        case count
        /// The properties are those of the METHOD (RFC 5546 §3).
        case method
        /// helix can use all of the event.
        case usable
        /// libical and helix read the same.
        case reading

        /// Whether a finding means that the data is not valid. A difference may be an error of either reader.
        public var isInvalid: Bool { self != .reading }
    }

    /// The line of the file, from 1; of the component's text for data that is in no file.
    public var line: Int
    /// `VEVENT`, or `line`.
    public var component: String
    /// Its UID, if known.
    public var uid: String?
    /// The property, if it is about one.
    public var property: String?
    /// The broken rule.
    public var rule: Rule
    /// The problem, as a phrase.
    public var message: String

    /// Creates a finding.
    public init(
        line: Int, component: String, uid: String? = nil, property: String? = nil, rule: Rule, message: String
    ) {
        self.line = line
        self.component = component
        self.uid = uid
        self.property = property
        self.rule = rule
        self.message = message
    }

    /// A defect that helix's reader found.
    public init(_ defect: ICalendarDefect) {
        self.init(line: defect.line, component: defect.part, uid: defect.uid, rule: .syntax, message: defect.reason)
    }

    /// Whether it means that a component is not valid. The name of the program that wrote the calendar changes no component.
    public var isOfEvent: Bool { rule.isInvalid && component != "VCALENDAR" }

    /// The finding in words: `line 12: VEVENT: DTSTART: …`.
    public var text: String {
        let subject = property.map { "\(component) \($0)" } ?? component
        return subject == "line" ? "line \(line): \(message)" : "line \(line): \(subject): \(message)"
    }
}
