/// STATUS of an event (RFC 5545 §3.8.1.11). The raw value stands in the store and in JSON.
public enum EventStatus: String, Sendable, CaseIterable, Codable {
    case confirmed
    case tentative
    case cancelled
}

/// Someone asked to an event, or its organizer (RFC 5545 §3.8.4.1, §3.8.4.3).
public struct Attendee: Hashable, Sendable {
    /// What the person answered (PARTSTAT).
    public enum Participation: String, Sendable, CaseIterable {
        case needsAction = "needs-action"
        case accepted
        case declined
        case tentative
        case delegated
    }

    /// The mail address in lower case, or another URI as it stands.
    public var address: String
    /// The name, where one is given.
    public var name: String?
    /// The answer.
    public var participation: Participation
    /// `chair`, `required`, `optional` or `non-participant`.
    public var role: String

    /// An attendee.
    public init(
        address: String, name: String? = nil, participation: Participation = .needsAction, role: String = "required"
    ) {
        self.address = address
        self.name = name
        self.participation = participation
        self.role = role
    }

    /// The name, or the address where there is none.
    public var label: String { name ?? address }
}

/// A reminder (VALARM).
public struct Alarm: Hashable, Sendable {
    /// When it goes off.
    public enum Trigger: Hashable, Sendable {
        /// Seconds after the start; negative is before it.
        case fromStart(Int)
        /// Seconds after the end.
        case fromEnd(Int)
        case at(Instant)
    }

    /// When it goes off.
    public var trigger: Trigger
    /// `display`, `audio`, `email`…
    public var action: String
    /// What it says.
    public var text: String?

    /// A reminder.
    public init(trigger: Trigger, action: String = "display", text: String? = nil) {
        self.trigger = trigger
        self.action = action
        self.text = text
    }
}
