import HelixModel

/// Resolves a calendar's TZIDs: to the system's zone if it agrees with the file, otherwise, or if the system has no
/// such zone, to the file's VTIMEZONE.
public final class ZoneResolver {
    /// A resolved TZID.
    public struct Resolution: Sendable {
        /// The zone.
        public var zone: Zone
        /// The text of the VTIMEZONE, if the zone is from it and must be kept with the event.
        public var definition: String?
    }

    private var definitions: [String: ICalendarComponent] = [:]
    private var custom: [String: Zone] = [:]
    private var resolved: [String: Resolution?] = [:]
    /// The zone of floating times (`X-WR-TIMEZONE`), if the calendar has one.
    public var floatingZone: Zone?

    /// Creates a resolver with the VTIMEZONEs in `definitions`, in the form of the store.
    public init(definitions: String = "") {
        if !definitions.isEmpty { ICalendarComponent.list(definitions).forEach(define) }
    }

    /// Adds a VTIMEZONE of the file.
    public func define(_ component: ICalendarComponent) {
        guard let tzid = component.first("TZID")?.value, let zone = TimezoneComponent.zone(component) else { return }
        definitions[tzid] = component
        custom[tzid] = zone
        resolved = [:]
    }

    /// The VTIMEZONE of the file with that TZID, in the form of the store.
    public func definition(_ tzid: String) -> String? { definitions[tzid]?.text }

    /// Whether the TZID can be resolved.
    public func knows(_ tzid: String) -> Bool { custom[tzid] != nil || ZoneDatabase.zone(tzid: tzid) != nil }

    /// Resolves `tzid` for a time in `year`; nil if it is unknown.
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
