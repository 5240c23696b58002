import HelixCalendar
import HelixModel

/// The reminders of tasks: the VALARMs of their VTODO, which ``TodoTask/source`` keeps, so that all devices have them.
public enum TaskAlarms {
    /// The reminder of a task that has none of its own: when it is due.
    public static let usual = Alarm(trigger: .fromEnd(0))

    /// The reminders in the source of a task, in order.
    public static func list(_ source: String) -> [Alarm] {
        let all = ICalendarComponent.list(source)
        return place(all).map { all[$0].alarms } ?? []
    }

    /// The component of the task itself among those of its source.
    fileprivate static func place(_ all: [ICalendarComponent]) -> Int? {
        all.firstIndex { $0.name == "VTODO" && $0.first("RECURRENCE-ID") == nil }
            ?? all.firstIndex { $0.name == "VTODO" }
    }
}

extension TodoTask {
    /// Changes the component that keeps its reminders. A task that has none of its own gets the usual one first.
    ///
    /// - Parameter body: changes the component.
    public mutating func changeAlarms(_ body: (inout ICalendarComponent) -> Void) {
        var all = source.map(ICalendarComponent.list) ?? []
        let place: Int
        if let found = TaskAlarms.place(all) {
            place = found
        } else {
            // Everything else is written from the fields of the task.
            let stamp = ICalendarTime.utc(createdAt).text
            place = all.count
            all.append(
                ICalendarComponent(
                    "VTODO",
                    items: [
                        .line(ICalendarProperty("UID", text: calendarUID).line), .line("DTSTAMP:\(stamp)"),
                        .line("CREATED:\(stamp)"), .line(ICalendarProperty("SUMMARY", text: title).line),
                    ]))
        }
        if all[place].alarms.isEmpty, due != nil || scheduled != nil {
            all[place].append(alarm: "TRIGGER;RELATED=END:PT0S", text: title)
        }
        body(&all[place])
        source = all.map(\.text).joined()
    }
}
