import HelixCalendar
import HelixModel

/// The text of a message about an event, for mail programs that do not support invitations.
struct InvitationWords {
    /// The name of the sender.
    var sender: String
    /// The event before the change; empty if it is new.
    var former: [ICalendarComponent] = []

    /// The text of the message.
    func text(_ method: SchedulingText.Method, _ event: [ICalendarComponent]) -> String {
        let title = EventInvitation(event).title
        let old = Self.components(former)
        var lines: [String] =
            switch method {
            case .cancel: ["'\(title)' does not take place."]
            case .declineCounter: ["\(sender) keeps '\(title)' as it is."]
            case .counter: ["\(sender) proposes another time for '\(title)'."]
            case .request, .reply:
                [old.isEmpty ? "\(sender) invites you to '\(title)'." : "\(sender) has changed '\(title)'."]
            }
        let new = Self.components(event)
        if let first = new.first {
            lines.append("")
            lines += Self.facts(first, before: old.first { $0.recurrenceID == first.recurrenceID })
        }
        // Separate days of a series are included only if they are new.
        for component in new.dropFirst() where !old.isEmpty {
            guard let day = component.recurrenceID else { continue }
            let before = old.first { $0.recurrenceID == day } ?? old.first.map { Self.occurrence($0, day) }
            if let before, Self.isSame(before, component) { continue }
            lines += ["", "On \(Self.when(day)):"] + Self.facts(component, before: before)
        }
        if let old = old.first, let new = new.first {
            let gone = new.exceptions.filter { !old.exceptions.contains($0) }
            lines += gone.prefix(20).map { "Not on \(Self.when($0))." }
            if (old.description ?? "") != (new.description ?? "") { lines += ["", "The description has changed."] }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The new and the former times of an event.
    func times(of event: [ICalendarComponent]) -> String {
        let old = Self.components(former)
        return Self.components(event).flatMap { component in
            Self.facts(component, before: old.first { $0.recurrenceID == component.recurrenceID })
        }.joined(separator: "\n")
    }

    /// The valid components, the event itself first.
    private static func components(_ event: [ICalendarComponent]) -> [EventComponent] {
        let read = event.compactMap { try? EventComponent(Array($0.text.utf8), zones: ZoneResolver()) }
        return read.filter { $0.recurrenceID == nil } + read.filter { $0.recurrenceID != nil }
    }

    /// The regular occurrence of a series on a day.
    private static func occurrence(_ master: EventComponent, _ day: EventTime) -> EventComponent {
        var component = master
        component.rules = []
        (component.end, component.start) = (master.end(for: day), day)
        return component
    }

    private static func isSame(_ one: EventComponent, _ other: EventComponent) -> Bool {
        one.start == other.start && one.end(for: one.start) == other.end(for: other.start)
            && one.title == other.title && one.location == other.location
    }

    private static func facts(_ component: EventComponent, before: EventComponent?) -> [String] {
        func line(_ name: String, _ now: String, _ former: String?) -> String {
            guard let former, former != now else { return name + now }
            return name + (now.isEmpty ? "(removed) " : now + "  ") + "(was \(former.isEmpty ? "not set" : former))"
        }
        var lines: [String] = []
        if let before, before.title != component.title { lines.append(line("What:  ", component.title, before.title)) }
        lines.append(line("When:  ", span(component), before.map(span)))
        let (place, formerPlace) = (component.location ?? "", before.map { $0.location ?? "" })
        if !place.isEmpty || !(formerPlace ?? "").isEmpty { lines.append(line("Where: ", place, formerPlace)) }
        return lines
    }

    /// The start and end, and the recurrence.
    private static func span(_ component: EventComponent) -> String {
        let (start, end) = (component.start, component.end(for: component.start))
        let rule = component.rules.first.map { ", \($0.phrase(start: component.start))" } ?? ""
        if start.isDate {
            let last = end.civil.date - 1
            return DateWords.text(start.civil.date)
                + (last > start.civil.date ? " – \(DateWords.text(last))" : "") + rule
        }
        let isSameDay = start.civil.date == end.civil.date
        let until =
            start.ordinal == end.ordinal
            ? "" : "–" + (isSameDay ? "" : DateWords.text(end.civil.date) + " ") + clock(end)
        return DateWords.text(start.civil.date) + " " + clock(start) + until + zone(start) + rule
    }

    /// A moment, or a day.
    private static func when(_ time: EventTime) -> String {
        time.isDate
            ? DateWords.text(time.civil.date) : DateWords.text(time.civil.date) + " " + clock(time) + zone(time)
    }

    private static func clock(_ time: EventTime) -> String {
        String(ISO8601.text(time.civil).dropFirst(11).prefix(5))
    }

    private static func zone(_ time: EventTime) -> String {
        switch time {
        case .zoned(_, let own): " \(own.identifier)"
        case .utc: " UTC"
        case .floating, .date: ""
        }
    }
}
