import HelixModel

extension Alarm {
    /// Reads the properties of a VALARM (RFC 5545 §3.6.6, RFC 9074).
    /// - Throws: ``EventComponentError`` if it never goes off.
    init(_ properties: [ICalendarProperty]) throws(EventComponentError) {
        func first(_ name: String) -> ICalendarProperty? { properties.first { $0.name == name } }
        guard
            let property = properties.first(where: { $0.name == "TRIGGER" && !$0.value.trimmingBlanks().isEmpty })
        else { throw EventComponentError(reason: "an alarm has no TRIGGER; it never rings") }
        let value = property.value.trimmingBlanks()
        let trigger: Trigger
        var days = 0
        if let duration = ICalendarDuration(value) {
            trigger = property["RELATED"]?.uppercased() == "END" ? .fromEnd(duration.total) : .fromStart(duration.total)
            days = duration.days
        } else if let instant = Alarm.instant(value) {
            trigger = .at(instant)
        } else {
            throw EventComponentError(
                reason: "TRIGGER '\(value.prefix(40))' of an alarm is neither a duration nor a time; it never rings")
        }
        self.init(
            trigger: trigger, action: first("ACTION")?.value.lowercased() ?? "display",
            text: first("DESCRIPTION")?.text.nonEmpty)
        self.days = days
        if let count = first("REPEAT").flatMap({ Int($0.value.trimmingBlanks()) }), count > 0,
            let interval = first("DURATION").flatMap({ ICalendarDuration($0.value.trimmingBlanks()) }),
            interval.total > 0
        {
            repetition = (min(count, Alarm.repetitionLimit), interval.total)
        }
        uid = first("UID")?.text.trimmingBlanks().nonEmpty
        acknowledged = first("ACKNOWLEDGED").flatMap { Alarm.instant($0.value.trimmingBlanks()) }
        if case .floating(let civil)? = first(Alarm.occurrenceName).flatMap({ ICalendarTime($0.value.trimmingBlanks()) }
        ) {
            occurrence = civil
        }
        snoozedUID =
            properties.first { $0.name == "RELATED-TO" && $0["RELTYPE"]?.uppercased() == "SNOOZE" }?.text.nonEmpty
    }

    /// The property of a snoozed reminder with ``occurrence``: its fixed time does not say which occurrence it is about.
    static let occurrenceName = "X-HELIX-OCCURRENCE"

    /// The maximum number of repetitions that are used; an alarm that goes off more often is no help.
    static let repetitionLimit = 100

    private static func instant(_ text: String) -> Instant? {
        switch ICalendarTime(text) {
        case .utc(let instant)?: instant
        case .floating(let civil)?: Instant(civil.seconds)
        case .date, nil: nil
        }
    }
}
