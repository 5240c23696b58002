import HelixCalendar
import HelixModel

/// Merges two changes of the reminders of an event or task: each reminder as the side that changed it has it.
///
/// Answers to reminders (RFC 9074) are everyday changes, and contest nothing: a dismissal counts up to the later time, and of a
/// snooze and a dismissal the later answer counts.
struct AlarmMerge {
    /// The merged VALARMs.
    private(set) var items: [ICalendarComponent.Item] = []
    /// Whether both sides changed the same reminder in different ways.
    private(set) var isContested = false

    /// The properties that an answer sets.
    private static let answers: Set<String> = ["ACKNOWLEDGED", "UID"]

    init(
        _ base: [ICalendarComponent.Item], _ ours: [ICalendarComponent.Item], _ theirs: [ICalendarComponent.Item],
        isOurs: Bool
    ) {
        let (was, mine, yours) = (Side(base), Side(ours), Side(theirs))
        var keys = yours.alarms.map(\.key)
        keys += mine.alarms.map(\.key).filter { !keys.contains($0) }
        var uids: [String: String] = [:]
        for key in keys where !key.hasPrefix(Side.snooze) {
            guard let alarm = merged(was[key], mine[key], yours[key], isOurs) else { continue }
            uids[key] = alarm.first("UID")?.text
            items.append(.component(alarm))
        }
        for key in keys where key.hasPrefix(Side.snooze) {
            let parent = String(key.dropFirst(Side.snooze.count))
            let (one, other) = (mine.acknowledged(parent), yours.acknowledged(parent))
            let chosen = one == other ? mine[key] ?? yours[key] : one > other ? mine[key] : yours[key]
            guard var snooze = chosen else { continue }
            if let uid = uids[parent] {
                snooze.set(
                    "RELATED-TO", ICalendarProperty("RELATED-TO", [.init("RELTYPE", ["SNOOZE"])], value: uid))
            }
            items.append(.component(snooze))
        }
    }

    /// A reminder as the side that changed it has it; nil if it was removed.
    private mutating func merged(
        _ old: ICalendarComponent?, _ our: ICalendarComponent?, _ their: ICalendarComponent?, _ isOurs: Bool
    ) -> ICalendarComponent? {
        if our == their || our == old { return their }
        if their == old { return our }
        guard let our, let their else {
            // Removed on one side. An answer on the other one is no reason to keep it.
            let kept = our ?? their
            if let old, let kept, Self.withoutAnswers(old) == Self.withoutAnswers(kept) { return nil }
            isContested = true
            return kept
        }
        var merged = isOurs ? our : their
        if Self.withoutAnswers(our) != Self.withoutAnswers(their) {
            if Self.withoutAnswers(our) == old.map(Self.withoutAnswers) {
                merged = their
            } else if Self.withoutAnswers(their) == old.map(Self.withoutAnswers) {
                merged = our
            } else {
                isContested = true
            }
        }
        merged.set("UID", their.first("UID") ?? our.first("UID"))
        // In UTC, of the same length: the later one is the greater.
        let stamps = [our, their].compactMap { $0.first("ACKNOWLEDGED") }
        merged.set("ACKNOWLEDGED", stamps.max { $0.value < $1.value })
        return merged
    }

    private static func withoutAnswers(_ alarm: ICalendarComponent) -> ICalendarComponent {
        var alarm = alarm
        for name in answers { alarm.remove(name) }
        return alarm
    }

    /// The reminders of one side.
    private struct Side {
        static let snooze = "snooze "

        private(set) var alarms: [(key: String, value: ICalendarComponent)] = []

        /// The key is what a reminder is: an answer adds its UID. Those of snoozed ones are of what they repeat.
        init(_ items: [ICalendarComponent.Item]) {
            let all = items.compactMap { item -> ICalendarComponent? in
                if case .component(let alarm) = item { alarm } else { nil }
            }
            var counts: [String: Int] = [:]
            var byUID: [String: String] = [:]
            func origin(_ alarm: ICalendarComponent) -> String? {
                alarm.all("RELATED-TO").first { $0["RELTYPE"]?.uppercased() == "SNOOZE" }?.text
            }
            for alarm in all where origin(alarm) == nil {
                let words = ["TRIGGER", "ACTION"].map { alarm.first($0)?.line ?? "" }.joined(separator: " ")
                counts[words, default: 0] += 1
                let key = "\(words) \(counts[words] ?? 1)"
                if let uid = alarm.first("UID")?.text { byUID[uid] = key }
                alarms.append((key, alarm))
            }
            for alarm in all {
                guard let uid = origin(alarm) else { continue }
                alarms.append((Side.snooze + (byUID[uid] ?? uid), alarm))
            }
        }

        subscript(_ key: String) -> ICalendarComponent? { alarms.first { $0.key == key }?.value }

        /// The time up to which a reminder was dismissed; empty if it was not.
        func acknowledged(_ key: String) -> String { self[key]?.first("ACKNOWLEDGED")?.value ?? "" }
    }
}
