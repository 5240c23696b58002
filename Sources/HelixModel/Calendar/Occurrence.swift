/// What all occurrences of one iCalendar component say; made once, however often the event repeats.
public final class EventDetails: Hashable, Sendable {
    /// The event's identity, the same for all its occurrences.
    public let event: EntityID
    /// UID (RFC 5545 §3.8.4.7).
    public let uid: String
    /// The calendar it lies in.
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
    /// TRANSP: whether it takes up time. Cancelled and declined ones do not, whatever this says.
    public let isOpaque: Bool
    /// Whether the user declined it.
    public let isDeclined: Bool
    /// Name of the zone that the event keeps its wall time in; nil for days, floating times and UTC.
    public let zone: String?
    /// Whether the event repeats.
    public let isRecurring: Bool
    /// Seconds on the way there (`X-APPLE-TRAVEL-DURATION`), busy like the event itself.
    public let travel: Int

    /// What a component says.
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

    /// Whether the two say the same.
    public static func == (a: EventDetails, b: EventDetails) -> Bool {
        a === b
            || a.event == b.event && a.uid == b.uid && a.calendar == b.calendar && a.title == b.title
                && a.location == b.location && a.url == b.url && a.categories == b.categories && a.status == b.status
                && a.isOpaque == b.isOpaque && a.isDeclined == b.isDeclined && a.zone == b.zone
                && a.isRecurring == b.isRecurring && a.travel == b.travel
    }

    /// By the event alone: few of its components differ.
    public func hash(into hasher: inout Hasher) { hasher.combine(event) }
}

/// One time that an event takes place, with what views show of it.
public struct Occurrence: Hashable, Sendable {
    /// What it shares with the event's other occurrences.
    public var details: EventDetails
    /// When.
    public var time: OccurrenceTime
    /// Which occurrence of a repeating event: its original start on the event's own clock.
    public var recurrence: CivilDateTime?
    /// What that clock counts.
    public var basis: TimeBasis

    /// An occurrence.
    public init(details: EventDetails, time: OccurrenceTime, recurrence: CivilDateTime? = nil, basis: TimeBasis) {
        self.details = details
        self.time = time
        self.recurrence = recurrence
        self.basis = basis
    }

    /// The event's identity, the same for all its occurrences.
    public var event: EntityID { details.event }
    /// UID (RFC 5545 §3.8.4.7).
    public var uid: String { details.uid }
    /// The calendar it lies in.
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
    /// Whether the user declined it.
    public var isDeclined: Bool { details.isDeclined }
    /// Name of the zone that the event keeps its wall time in; nil for days, floating times and UTC.
    public var zone: String? { details.zone }
    /// Whether the event repeats.
    public var isRecurring: Bool { details.isRecurring }
    /// Seconds on the way there, busy like the event itself.
    public var travel: Int { details.travel }

    /// Whether it takes up the user's time (RFC 5545 §3.8.2.7).
    public var isBusy: Bool { details.isOpaque && !isDeclined && status != .cancelled }

    /// The start on the clock of `zone`.
    public func start(in zone: Zone) -> Instant { time.range(in: zone).start }
}

/// A calendar as an occurrence names it.
public struct CalendarRef: Hashable, Sendable {
    /// Its identity.
    public var id: EntityID
    /// Its name.
    public var name: String
    /// Its colour.
    public var color: CalendarColor

    /// A calendar's name and colour.
    public init(id: EntityID, name: String, color: CalendarColor) {
        self.id = id
        self.name = name
        self.color = color
    }
}

/// The colours that calendars are told apart by. The raw value stands in the store and in JSON.
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
