import HelixModel

/// Finds the zones that a calendar's TZIDs mean: the system's where they agree with what the file says, the file's own
/// VTIMEZONE where it differs, or where the system knows no such zone.
public final class ZoneResolver {
    /// What a TZID means.
    public struct Resolution: Sendable {
        /// The zone.
        public var zone: Zone
        /// The text of the VTIMEZONE, where the zone comes from it and must be kept with the event.
        public var definition: String?
    }

    private var definitions: [String: ICalendarComponent] = [:]
    private var custom: [String: Zone] = [:]
    private var resolved: [String: Resolution?] = [:]
    /// The zone of times without one (`X-WR-TIMEZONE`), if the calendar names one.
    public var floatingZone: Zone?

    /// A resolver that knows the VTIMEZONEs in `definitions`, as the store keeps them.
    public init(definitions: String = "") {
        if !definitions.isEmpty { ICalendarComponent.list(definitions).forEach(define) }
    }

    /// Takes in a VTIMEZONE of the file.
    public func define(_ component: ICalendarComponent) {
        guard let tzid = component.first("TZID")?.value, let zone = TimezoneComponent.zone(component) else { return }
        definitions[tzid] = component
        custom[tzid] = zone
        resolved = [:]
    }

    /// Whether a time with that TZID can be understood.
    public func knows(_ tzid: String) -> Bool { custom[tzid] != nil || ZoneDatabase.zone(tzid: tzid) != nil }

    /// What `tzid` means for a time in `year`, or nil if nothing is known of it.
    public func resolve(_ tzid: String, year: Int) -> Resolution? {
        let known = ZoneDatabase.zone(tzid: tzid)
        guard let own = custom[tzid] else {
            return known.map { Resolution(zone: $0) }
        }
        let key = "\(year) \(tzid)"
        if let resolution = resolved[key] { return resolution }
        let resolution: Resolution
        if let known, !TimezoneComponent.differs(own, from: known, around: year) {
            resolution = Resolution(zone: known)
        } else {
            resolution = Resolution(zone: own, definition: definitions[tzid]?.text)
        }
        resolved[key] = resolution
        return resolution
    }
}
