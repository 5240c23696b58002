import HelixModel

/// A parsed VEVENT (RFC 5545 §3.6.1); its text remains authoritative.
public struct EventComponent: Hashable, Sendable {
    /// An additional date of a recurring event (RDATE), possibly with its own end.
    public struct ExtraDate: Hashable, Sendable {
        /// The start.
        public var start: EventTime
        /// Seconds, if the value is a period.
        public var duration: Int?
    }

    /// UID; empty if the file has none.
    public var uid = ""
    /// RECURRENCE-ID: the occurrence that this component overrides; nil for the master.
    public var recurrenceID: EventTime?
    /// RANGE=THISANDFUTURE: it overrides all later occurrences, too.
    public var isThisAndFuture = false
    /// DTSTART.
    public var start = EventTime.date(CivilDate(dayNumber: 0))
    /// DTEND, if given.
    public var end: EventTime?
    /// DURATION, if given without DTEND.
    public var duration: ICalendarDuration?
    /// SUMMARY.
    public var title = ""
    /// LOCATION.
    public var location: String?
    /// DESCRIPTION.
    public var description: String?
    /// URL.
    public var url: String?
    /// CATEGORIES.
    public var categories: [String] = []
    /// STATUS.
    public var status = EventStatus.confirmed
    /// TRANSP, or Outlook's own property.
    public var isOpaque = true
    /// ORGANIZER.
    public var organizer: Attendee?
    /// ATTENDEE.
    public var attendees: [Attendee] = []
    /// VALARM.
    public var alarms: [Alarm] = []
    /// ATTACH by URL.
    public var attachments: [String] = []
    /// RRULE.
    public var rules: [RecurrenceRule] = []
    /// RDATE.
    public var extraDates: [ExtraDate] = []
    /// EXDATE.
    public var exceptions: [EventTime] = []
    /// SEQUENCE.
    public var sequence = 0
    /// LAST-MODIFIED, or DTSTAMP if that is missing.
    public var modified: Instant?
    /// X-APPLE-TRAVEL-DURATION in seconds.
    public var travel = 0
    /// VTIMEZONEs to keep with the event, because the system's zones differ.
    public var zoneDefinitions: Set<String> = []
    /// Skipped parts, as phrases.
    public var warnings: [String] = []

    /// Whether the component has its own recurrence.
    public var isRecurring: Bool { !rules.isEmpty || !extraDates.isEmpty }

    /// Nominal days and exact seconds from start to end.
    ///
    /// Without DTEND and DURATION, an all-day event lasts a day, and any other no time (RFC 5545 §3.6.1). An end before
    /// the start is ignored.
    public var length: ICalendarDuration {
        if let end {
            if start.isDate || end.isDate {
                return ICalendarDuration(days: max(start.isDate ? 1 : 0, end.civil.date - start.civil.date))
            }
            if start.basis != end.basis { return ICalendarDuration(seconds: max(0, end.civil - start.civil)) }
            return ICalendarDuration(seconds: max(0, Int(end.ordinal - start.ordinal)))
        }
        if let duration, duration.total >= 0 {
            return start.isDate ? ICalendarDuration(days: max(1, (duration.total + 86_399) / 86_400)) : duration
        }
        return ICalendarDuration(days: start.isDate ? 1 : 0)
    }

    /// The end of an occurrence that starts at `start`: exact days for all-day events.
    public func end(for start: EventTime) -> EventTime {
        let length = length
        switch start {
        case .date(let date): return .date(date + length.days)
        case .floating(let civil): return .floating(civil + length.total)
        case .zoned(let civil, let zone):
            guard length.days != 0 else {
                let instant = zone.instant(civil) + length.seconds
                return .zoned(zone.civil(instant), zone)
            }
            let instant = zone.instant(civil + length.days * 86_400) + length.seconds
            return .zoned(zone.civil(instant), zone)
        case .utc(let instant): return .utc(instant + length.total)
        }
    }

    /// The ordinal of that end in the store, computed without the wall clock.
    func endOrdinal(startCivil: CivilDateTime, startOrdinal: Int64) -> Int64 {
        let length = length
        if case .zoned(_, let zone) = start, length.days != 0 {
            return zone.instant(startCivil + length.days * 86_400).seconds + Int64(length.seconds)
        }
        return startOrdinal + Int64(length.total)
    }
}
