/// STATUS of an event (RFC 5545 §3.8.1.11). The raw value is written to the store and to JSON.
public enum EventStatus: String, Sendable, CaseIterable, Codable {
    case confirmed
    case tentative
    case cancelled
}

/// A person invited to an event, or its organizer (RFC 5545 §3.8.4.1, §3.8.4.3).
public struct Attendee: Hashable, Sendable {
    /// The reply of an attendee (PARTSTAT).
    public enum Participation: String, Sendable, CaseIterable {
        case needsAction = "needs-action"
        case accepted
        case declined
        case tentative
        case delegated
    }

    /// The mail address in lower case, or another URI unchanged.
    public var address: String
    /// The name, if one is given.
    public var name: String?
    /// The reply.
    public var participation: Participation
    /// `chair`, `required`, `optional` or `non-participant`.
    public var role: String

    /// Creates an attendee.
    public init(
        address: String, name: String? = nil, participation: Participation = .needsAction, role: String = "required"
    ) {
        self.address = address
        self.name = name
        self.participation = participation
        self.role = role
    }

    /// The name, or the address if there is none.
    public var label: String { name ?? address }
}

/// A reminder (VALARM).
public struct Alarm: Hashable, Sendable {
    /// The time at which a reminder goes off.
    public enum Trigger: Hashable, Sendable {
        /// Seconds after the start; negative before it.
        case fromStart(Int)
        /// Seconds after the end.
        case fromEnd(Int)
        case at(Instant)
    }

    /// The time at which the reminder goes off.
    public var trigger: Trigger
    /// `display`, `audio`, `email`…
    public var action: String
    /// The text to show.
    public var text: String?
    /// The days in the trigger: they keep the time of day across clock changes, unlike seconds (RFC 5545 §3.3.6).
    public var days = 0
    /// The number of times that it goes off again, and the seconds between them.
    public var repetition: (count: Int, interval: Int) {
        get { (count, interval) }
        set { (count, interval) = newValue }
    }
    private var count = 0
    private var interval = 0
    /// Its UID (RFC 9074 §4).
    public var uid: String?
    /// The time up to which it was dismissed (RFC 9074 §6.1).
    public var acknowledged: Instant?
    /// The UID of the reminder that it repeats later, for a snoozed one (RFC 9074 §5.1).
    public var snoozedUID: String?
    /// The start by the rule of the occurrence that a snoozed one is about, on the master's wall clock.
    public var occurrence: CivilDateTime?

    /// Creates a reminder.
    public init(trigger: Trigger, action: String = "display", text: String? = nil) {
        self.trigger = trigger
        self.action = action
        self.text = text
    }
}
