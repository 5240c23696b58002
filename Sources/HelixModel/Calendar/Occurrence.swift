/// The properties shared by all occurrences of one iCalendar component; created once, however often the event recurs.
public final class EventDetails: Hashable, Sendable {
    /// The event's identity, shared by all its occurrences.
    public let event: EntityID
    /// UID (RFC 5545 §3.8.4.7).
    public let uid: String
    /// The calendar that contains the event.
    public let calendar: CalendarRef
    /// SUMMARY.
    public let title: String
    /// LOCATION.
    public let location: String?
    /// URL.
    public let url: String?
    /// CATEGORIES.
    public let categories: [String]
    /// STATUS.
    public let status: EventStatus
    /// TRANSP: whether it takes up time. Cancelled and declined events take up none, whatever this is.
    public let isOpaque: Bool
    /// Whether the user declined the event.
    public let isDeclined: Bool
    /// The name of the zone in which the event keeps its wall time; nil for days, floating times and UTC.
    public let zone: String?
    /// Whether the event recurs.
    public let isRecurring: Bool
    /// Travel time before the start in seconds (`X-APPLE-TRAVEL-DURATION`), busy like the event itself.
    public let travel: Int

    /// Creates the properties of a component.
    public init(
        event: EntityID, uid: String, calendar: CalendarRef, title: String, location: String? = nil,
        url: String? = nil, categories: [String] = [], status: EventStatus = .confirmed, isOpaque: Bool = true,
        isDeclined: Bool = false, zone: String? = nil, isRecurring: Bool = false, travel: Int = 0
    ) {
        self.event = event
        self.uid = uid
        self.calendar = calendar
        self.title = title
        self.location = location
        self.url = url
        self.categories = categories
        self.status = status
        self.isOpaque = isOpaque
        self.isDeclined = isDeclined
        self.zone = zone
        self.isRecurring = isRecurring
        self.travel = travel
    }

    /// Whether all properties are equal.
    public static func == (a: EventDetails, b: EventDetails) -> Bool {
        a === b
            || a.event == b.event && a.uid == b.uid && a.calendar == b.calendar && a.title == b.title
                && a.location == b.location && a.url == b.url && a.categories == b.categories && a.status == b.status
                && a.isOpaque == b.isOpaque && a.isDeclined == b.isDeclined && a.zone == b.zone
                && a.isRecurring == b.isRecurring && a.travel == b.travel
    }

    /// Hashes the event alone: few of its components differ.
    public func hash(into hasher: inout Hasher) { hasher.combine(event) }
}

/// An occurrence of an event: its time, and the properties that views show.
public struct Occurrence: Hashable, Sendable {
    /// The properties shared with the event's other occurrences.
    public var details: EventDetails
    /// The time.
    public var time: OccurrenceTime
    /// The occurrence of a recurring event: its original start on the event's own clock.
    public var recurrence: CivilDateTime?
    /// The unit of ``recurrence``.
    public var basis: TimeBasis

    /// Creates an occurrence.
    public init(details: EventDetails, time: OccurrenceTime, recurrence: CivilDateTime? = nil, basis: TimeBasis) {
        self.details = details
        self.time = time
        self.recurrence = recurrence
        self.basis = basis
    }

    /// The event's identity, shared by all its occurrences.
    public var event: EntityID { details.event }
    /// UID (RFC 5545 §3.8.4.7).
    public var uid: String { details.uid }
    /// The calendar that contains the event.
    public var calendar: CalendarRef { details.calendar }
    /// SUMMARY.
    public var title: String { details.title }
    /// LOCATION.
    public var location: String? { details.location }
    /// URL.
    public var url: String? { details.url }
    /// CATEGORIES.
    public var categories: [String] { details.categories }
    /// STATUS.
    public var status: EventStatus { details.status }
    /// Whether the user declined the event.
    public var isDeclined: Bool { details.isDeclined }
    /// The name of the zone in which the event keeps its wall time; nil for days, floating times and UTC.
    public var zone: String? { details.zone }
    /// Whether the event recurs.
    public var isRecurring: Bool { details.isRecurring }
    /// Travel time before the start in seconds, busy like the event itself.
    public var travel: Int { details.travel }

    /// Whether it takes up the user's time (RFC 5545 §3.8.2.7).
    public var isBusy: Bool { details.isOpaque && !isDeclined && status != .cancelled }

    /// The start on the clock of `zone`.
    public func start(in zone: Zone) -> Instant { time.range(in: zone).start }
}

/// The calendar of an occurrence: identity, name and colour.
public struct CalendarRef: Hashable, Sendable {
    /// The identity.
    public var id: EntityID
    /// The name.
    public var name: String
    /// The colour.
    public var color: CalendarColor

    /// Creates a reference to a calendar.
    public init(id: EntityID, name: String, color: CalendarColor) {
        self.id = id
        self.name = name
        self.color = color
    }
}

/// The colours that distinguish calendars. The raw value is written to the store and to JSON.
public enum CalendarColor: String, Sendable, CaseIterable, Codable {
    case blue
    case green
    case magenta
    case yellow
    case cyan
    case red
    case orange
    case gray
}
