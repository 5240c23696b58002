/// One time that an event takes place, with what views show of it.
public struct Occurrence: Hashable, Sendable {
    /// The event's identity, the same for all its occurrences.
    public var event: EntityID
    /// UID (RFC 5545 §3.8.4.7).
    public var uid: String
    /// The calendar it lies in.
    public var calendar: CalendarRef
    /// SUMMARY.
    public var title: String
    /// LOCATION.
    public var location: String?
    /// URL.
    public var url: String?
    /// CATEGORIES.
    public var categories: [String]
    /// STATUS.
    public var status: EventStatus
    /// TRANSP: whether it takes up time. Cancelled and declined ones do not, whatever this says.
    public var isOpaque: Bool
    /// Whether the user declined it.
    public var isDeclined: Bool
    /// When.
    public var time: OccurrenceTime
    /// Name of the zone that the event keeps its wall time in; nil for days, floating times and UTC.
    public var zone: String?
    /// Whether the event repeats.
    public var isRecurring: Bool
    /// Which occurrence of a repeating event: its original start as RFC 5545 writes it.
    public var recurrenceID: String?
    /// Seconds on the way there (`X-APPLE-TRAVEL-DURATION`), busy like the event itself.
    public var travel: Int

    /// An occurrence.
    public init(
        event: EntityID, uid: String, calendar: CalendarRef, title: String, location: String? = nil,
        url: String? = nil, categories: [String] = [], status: EventStatus = .confirmed, isOpaque: Bool = true,
        isDeclined: Bool = false, time: OccurrenceTime, zone: String? = nil, isRecurring: Bool = false,
        recurrenceID: String? = nil, travel: Int = 0
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
        self.time = time
        self.zone = zone
        self.isRecurring = isRecurring
        self.recurrenceID = recurrenceID
        self.travel = travel
    }

    /// Whether it takes up the user's time (RFC 5545 §3.8.2.7).
    public var isBusy: Bool { isOpaque && !isDeclined && status != .cancelled }

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
