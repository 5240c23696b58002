/// A time zone: the mapping between instants and the readings of a wall clock.
///
/// Created from the system's TZif files, from a POSIX rule, from a fixed offset, or from a calendar's VTIMEZONE.
/// Foundation's zones are not used: they need ICU's data, which a static build may silently lack.
public final class Zone: Sendable, Hashable {
    /// A change of the wall clock: from `at` on it is `offset` seconds ahead of UTC.
    public struct Transition: Hashable, Sendable {
        /// The first second, UTC, of the new offset.
        public var at: Int64
        /// Seconds east of UTC.
        public var offset: Int
        /// Whether this is daylight-saving time.
        public var isDaylight: Bool
        /// The short name of the time, such as `CET`.
        public var abbreviation: String

        /// Creates a change at second `at`, UTC, to `offset` seconds east of it.
        public init(at: Int64, offset: Int, isDaylight: Bool, abbreviation: String) {
            self.at = at
            self.offset = offset
            self.isDaylight = isDaylight
            self.abbreviation = abbreviation
        }
    }

    /// The zone's name: an IANA name, a TZID, or an offset.
    public let identifier: String
    /// The state before the first transition.
    public let initial: Transition
    /// The transitions, in order of time.
    public let transitions: [Transition]
    /// The rule after the last transition (RFC 8536 §3.3), if the zone has one.
    public let rule: PosixZoneRule?

    /// Creates a zone with the state `initial` until the first of `transitions` (in order), and `rule` after the last.
    public init(identifier: String, initial: Transition, transitions: [Transition], rule: PosixZoneRule? = nil) {
        self.identifier = identifier
        self.initial = initial
        self.transitions = transitions
        self.rule = rule
    }

    /// Coordinated universal time.
    public static let utc = Zone(fixedOffset: 0, identifier: "UTC")

    /// Creates a zone that is always `fixedOffset` seconds east of UTC; the default name is like `+05:30`.
    public convenience init(fixedOffset: Int, identifier: String? = nil) {
        let size = abs(fixedOffset)
        let name =
            "\(fixedOffset < 0 ? "-" : "+")\(ISO8601.padded(size / 3600, 2)):\(ISO8601.padded(size / 60 % 60, 2))"
        self.init(
            identifier: identifier ?? name,
            initial: Transition(at: .min, offset: fixedOffset, isDaylight: false, abbreviation: identifier ?? name),
            transitions: [])
    }

    /// Whether this is UTC under any of its names, so that times are written with `Z`.
    public var isUTC: Bool {
        transitions.isEmpty && initial.offset == 0
            && ["UTC", "Etc/UTC", "Z", "Etc/Zulu", "Zulu", "UCT", "Etc/UCT", "GMT", "Etc/GMT"].contains(identifier)
    }

    /// The state of the zone's clock at `instant`.
    public func state(at instant: Instant) -> Transition {
        guard let last = transitions.last else { return rule?.state(at: instant) ?? initial }
        if instant.seconds >= last.at, let rule { return rule.state(at: instant) }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle].at <= instant.seconds { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? initial : transitions[low - 1]
    }

    /// Seconds east of UTC at `instant`.
    public func offset(at instant: Instant) -> Int { state(at: instant).offset }

    /// The reading of the wall clock at `instant`.
    public func civil(_ instant: Instant) -> CivilDateTime {
        CivilDateTime(seconds: instant.seconds + Int64(offset(at: instant)))
    }

    /// The day on the wall clock at `instant`.
    public func date(_ instant: Instant) -> CivilDate { civil(instant).date }

    /// The instant at which the wall clock reads `civil` (RFC 5545 §3.3.5): the first if there are two. If there is none,
    /// the instant by the offset from before the gap, so that 02:30 in a gap from 2 to 3 is 03:30.
    public func instant(_ civil: CivilDateTime) -> Instant {
        let day: Int64 = 86_400
        let before = offset(at: Instant(civil.seconds - day))
        let after = offset(at: Instant(civil.seconds + day))
        let byBefore = Instant(civil.seconds - Int64(before))
        if offset(at: byBefore) == before { return byBefore }
        let byAfter = Instant(civil.seconds - Int64(after))
        if offset(at: byAfter) == after { return byAfter }
        // Two changes within two days, or a gap: the offset in force just before it decides.
        let between = offset(at: byBefore)
        let byBetween = Instant(civil.seconds - Int64(between))
        if before == after, offset(at: byBetween) == between { return byBetween }
        return byBefore
    }

    /// Whether the wall clock skips `civil` when it is put forward.
    public func skips(_ civil: CivilDateTime) -> Bool { self.civil(instant(civil)) != civil }

    /// Whether the wall clock reads `civil` twice because it is put back.
    public func repeats(_ civil: CivilDateTime) -> Bool {
        let first = instant(civil)
        let after = offset(at: Instant(civil.seconds + 86_400))
        let second = Instant(civil.seconds - Int64(after))
        return second != first && self.civil(second) == civil && self.civil(first) == civil
    }

    /// The first instant of `date`: midnight, or the first instant after it if the clock skips midnight.
    public func startOfDay(_ date: CivilDate) -> Instant {
        let midnight = instant(CivilDateTime(date))
        if civil(midnight).date == date, civil(midnight).secondOfDay != 0 {
            // The day starts in a gap: its first instant is that of the change.
            let change = Instant(midnight.seconds - Int64(civil(midnight).secondOfDay))
            return civil(change).date == date ? change : midnight
        }
        return midnight
    }

    /// The range from the first instant of `from` up to the first instant of `to`.
    public func range(from: CivilDate, to: CivilDate) -> TimeRange {
        TimeRange(start: startOfDay(from), end: startOfDay(to))
    }

    /// Equality of the name and of every reading: a file's own `Europe/Rome` may differ from the system's.
    public static func == (a: Zone, b: Zone) -> Bool {
        a === b
            || a.identifier == b.identifier && a.initial == b.initial && a.transitions == b.transitions
                && a.rule == b.rule
    }
    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}
