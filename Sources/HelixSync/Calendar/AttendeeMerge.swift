import HelixCalendar

/// Merges attendees and their answers: each person as the side that changed them has them.
struct AttendeeMerge {
    /// The merged lines.
    var items: [ICalendarComponent.Item] = []
    /// Whether both sides changed the same person in different ways.
    var isContested = false

    /// - Parameters:
    ///   - movers: the lines of the side that alone changed the event's time; nil if neither or both did. Answers that the other
    ///     side received meanwhile were to the former time, and do not count for this one.
    init(
        _ before: [ICalendarComponent.Item], _ our: [ICalendarComponent.Item], _ their: [ICalendarComponent.Item],
        isOurs: Bool, movers: [ICalendarComponent.Item]?
    ) {
        let (was, mine, yours) = (Self.people(before), Self.people(our), Self.people(their))
        let moved = movers.map(Self.people)
        var addresses = yours.map(\.calendarAddress)
        addresses += mine.map(\.calendarAddress).filter { !addresses.contains($0) }
        for address in addresses {
            func find(_ list: [ICalendarProperty]) -> ICalendarProperty? {
                list.first { $0.calendarAddress == address }
            }
            let (old, ours, theirs) = (find(was), find(mine), find(yours))
            var chosen: ICalendarProperty?
            if ours == theirs || ours == old {
                chosen = theirs
            } else if theirs == old {
                chosen = ours
            } else if let ours, let theirs {
                // The later answer wins (RFC 5546 §3.2.3).
                let (first, second) = (ours["X-HELIX-ANSWERED"] ?? "", theirs["X-HELIX-ANSWERED"] ?? "")
                isContested = isContested || first == second
                chosen = first == second ? (isOurs ? ours : theirs) : first > second ? ours : theirs
            } else {
                // Removed on one side, changed on the other: the person is kept.
                chosen = ours ?? theirs
            }
            guard var person = chosen else { continue }
            if let moved, person.isToldByMail, let asked = find(moved) {
                person.setParameter("PARTSTAT", asked["PARTSTAT"])
            }
            items.append(.line(person.line))
        }
    }

    private static func people(_ items: [ICalendarComponent.Item]) -> [ICalendarProperty] {
        items.compactMap { if case .line(let line) = $0 { ICalendarProperty(line: line) } else { nil } }
    }
}
