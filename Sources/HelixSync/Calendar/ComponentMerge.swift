import HelixCalendar
import HelixContacts
import HelixModel

/// Merges two changes of an event, a task or a contact: each property as the side that changed it has it.
struct ComponentMerge {
    /// The merged components.
    var text: String
    /// Properties that both sides changed in different ways.
    var contested: [String] = []

    /// - Parameter strategy: which side wins where both changed the same property.
    init(base: String, ours: String, theirs: String, strategy: AccountSettings.Strategy) {
        if theirs.hasPrefix("BEGIN:VCARD") {
            let merge = VCardMerge(
                base: base, ours: ours, theirs: theirs, isOurs: strategy == .merge ? nil : strategy == .local)
            (text, contested) = (merge.text, merge.contested)
            return
        }
        let (was, mine, yours) = (Self.parts(base), Self.parts(ours), Self.parts(theirs))
        var isOurs = strategy == .local
        if strategy == .merge {
            isOurs = Self.stamp(mine) > Self.stamp(yours)
        }
        var out = ""
        var keys = yours.map(\.key)
        keys += mine.map(\.key).filter { !keys.contains($0) }
        text = ""
        for key in keys {
            let (old, our, their) = (was[key], mine[key], yours[key])
            if our == their {
                out += their?.text ?? ""
            } else if our == old {
                out += their?.text ?? ""
            } else if their == old {
                out += our?.text ?? ""
            } else if let our, let their {
                // Both sides are the first to change this occurrence: its base is the series.
                let before = old ?? EventEditor.occurrence(of: was.map(\.value), for: our)
                out += merge(before, our, their, isOurs).text
            } else {
                // Changed on one side, deleted on the other: the change is kept.
                out += (our ?? their)?.text ?? ""
                contested.append(key.isEmpty ? "EVENT" : "OCCURRENCE")
            }
        }
        text = Self.withoutDoubles(out)
    }

    /// Removes exclusions of occurrences that one side changed while the other excluded them: the change is kept.
    private static func withoutDoubles(_ text: String) -> String {
        guard text.hasBytes(of: "RECURRENCE-ID"), text.hasBytes(of: "EXDATE") else { return text }
        var components = ICalendarComponent.list(text)
        let changed = Set(components.compactMap { $0.first("RECURRENCE-ID")?.value })
        guard let place = components.firstIndex(where: { $0.first("RECURRENCE-ID") == nil }) else { return text }
        let left = components[place].all("EXDATE")
        let kept = left.compactMap { property -> ICalendarProperty? in
            let values = property.value.split(separator: ",").filter { !changed.contains(String($0)) }
            if values.isEmpty { return nil }
            var property = property
            property.value = values.joined(separator: ",")
            return property
        }
        if kept == left { return text }
        components[place].set("EXDATE", kept)
        return components.map(\.text).joined()
    }

    /// The components by their occurrence; empty key for the event itself.
    private static func parts(_ text: String) -> [(key: String, value: ICalendarComponent)] {
        ICalendarComponent.list(text).filter { $0.name != "VTIMEZONE" }.map {
            ($0.first("RECURRENCE-ID")?.value ?? "", $0)
        }
    }

    /// The time of the last change of components, if they have one; otherwise empty.
    static func stamp(_ text: String) -> String {
        text.hasPrefix("BEGIN:VCARD") ? VCardMerge.stamp(text) : stamp(parts(text))
    }

    private static func stamp(_ parts: [(key: String, value: ICalendarComponent)]) -> String {
        parts.map { $0.value.first("LAST-MODIFIED")?.value ?? $0.value.first("DTSTAMP")?.value ?? "" }.max() ?? ""
    }

    /// Properties that every change updates, without a meaning of their own.
    private static let stamps: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
    /// Properties that derive from others, or are too unimportant for a conflict.
    private static let quiet: Set<String> = [
        "X-HELIX-RANK", "X-HELIX-STARTED", "COMPLETED", "PERCENT-COMPLETE", "X-MOZ-LASTACK", "X-MOZ-GENERATION",
    ]

    /// Properties for the time of an event.
    private static let times = ["DTSTART", "DTEND", "DURATION", "RRULE"]

    private mutating func merge(
        _ old: ICalendarComponent?, _ ours: ICalendarComponent, _ theirs: ICalendarComponent, _ isOurs: Bool
    ) -> ICalendarComponent {
        let (was, mine, yours) = (Self.fields(old), Self.fields(ours), Self.fields(theirs))
        var names = yours.map(\.key)
        names += mine.map(\.key).filter { !names.contains($0) }
        var merged = ICalendarComponent(theirs.name)
        let moves = [mine, yours].map { side in Self.times.contains { side[$0] ?? [] != was[$0] ?? [] } }
        // A component that differs from the other side's only in its stamps need not be sent.
        var isTheirs = true
        let movers = moves == [true, false] ? mine["ATTENDEE"] : moves == [false, true] ? yours["ATTENDEE"] : nil
        for name in names {
            let (before, our, their) = (was[name] ?? [], mine[name] ?? [], yours[name] ?? [])
            if Self.stamps.contains(name) {
                merged.items += [our, their].max { Self.number($0) < Self.number($1) } ?? their
            } else if name == "ATTENDEE", our != their, movers != nil || our != before && their != before {
                let people = AttendeeMerge(before, our, their, isOurs: isOurs, movers: movers)
                if people.isContested { contested.append(name) }
                merged.items += people.items
                isTheirs = isTheirs && people.items == their
            } else if name == "VALARM", our != their, our != before, their != before {
                let alarms = AlarmMerge(before, our, their, isOurs: isOurs)
                if alarms.isContested { contested.append(name) }
                merged.items += alarms.items
                isTheirs = isTheirs && alarms.items == their
            } else if our == their || our == before {
                merged.items += their
            } else if their == before {
                merged.items += our
                isTheirs = false
            } else {
                if !Self.quiet.contains(name) { contested.append(name) }
                merged.items += isOurs ? our : their
                isTheirs = isTheirs && !isOurs
            }
        }
        return isTheirs ? theirs : merged
    }

    private static func number(_ items: [ICalendarComponent.Item]) -> String {
        guard case .line(let line)? = items.first, let property = ICalendarProperty(line: line) else { return "" }
        return String(repeating: "0", count: max(0, 20 - property.value.count)) + property.value
    }

    /// The properties of a component by name; its parts by kind.
    private static func fields(
        _ component: ICalendarComponent?
    ) -> [(key: String, value: [ICalendarComponent.Item])] {
        var found: [(key: String, value: [ICalendarComponent.Item])] = []
        for item in component?.items ?? [] {
            let name: String =
                switch item {
                case .line(let line): ICalendarProperty(line: line)?.name ?? line
                case .component(let inner): inner.name
                }
            if let place = found.firstIndex(where: { $0.key == name }) {
                found[place].value.append(item)
            } else {
                found.append((name, [item]))
            }
        }
        return found
    }
}

extension [(key: String, value: ICalendarComponent)] {
    fileprivate subscript(_ key: String) -> ICalendarComponent? { first { $0.key == key }?.value }
}

extension [(key: String, value: [ICalendarComponent.Item])] {
    fileprivate subscript(_ key: String) -> [ICalendarComponent.Item]? { first { $0.key == key }?.value }
}
