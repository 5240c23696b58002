import HelixCalendar
import HelixModel
import HelixSQLite
import HelixTasks

/// A time at which a reminder of an event or a task goes off.
public struct Reminder: Hashable, Sendable {
    /// The kind of what it is about.
    public var kind: EntityKind
    /// The event or the task.
    public var id: EntityID
    /// Its title.
    public var title: String
    /// The time at which it goes off.
    public var time: Instant
    /// The time of the occurrence, or when the task is due.
    public var subject: OccurrenceTime
    /// Whether a task is due, and not only reminded of.
    public var isDue = true
    /// The seconds of the way to an event.
    public var travel = 0
    /// The calendar of an event.
    public var calendar: String?
    /// The number of the repetition, from 0.
    public var repetition = 0
    /// The place of its VALARM; nil for a task that has none, and is announced when it is due.
    var place: AlarmPlace?
    /// The time of its last repetition.
    var last: Instant

    /// The index of a VALARM among those of a component that can go off, and of the component in its event or task.
    struct AlarmPlace: Hashable, Sendable {
        var component = 0
        var alarm: Int
    }
    /// The start by the rule of its occurrence, of a recurring event.
    var occurrence: CivilDateTime?
}

extension Store {
    /// The reminders that go off in a range, in order: those of events, and of open tasks when they are due.
    ///
    /// - Parameters:
    ///   - range: the range; its end is not part of it.
    ///   - zone: the zone of floating times and of days.
    ///   - allDay: the second of the day for tasks that are due on a day, and for reminders of all-day events in whole days.
    /// - Returns: the reminders, and whether there are more occurrences than were looked at.
    /// - Throws: ``HelixError``.
    public func reminders(
        in range: TimeRange, zone: Zone, allDay: Int, calendars: CalendarSelection = .visible
    ) throws -> (reminders: [Reminder], isComplete: Bool) {
        let near = TimeRange(start: range.start - Store.reminderReach, end: range.end + Store.reminderReach)
        try ensureExpanded(to: near.end.seconds + Store.zoneReach)
        return try read { db in
            let selected = try selected(db, calendars)
            let times = AlarmTimes(zone: zone, allDay: allDay)
            var (found, isComplete) = ([Reminder](), true)
            let events = try Statement(db, Store.ringing(near))
            while try events.step() {
                guard let calendar = selected[events.integer(3)], let id = events.id(0) else { continue }
                let series = EventSeries(
                    EventText.components(events.text(1) ?? "", zones: ZoneResolver(definitions: events.text(2) ?? "")))
                let part = times.times(of: series, in: range, reach: Store.zoneReach, limit: listLimit)
                isComplete = isComplete && part.isComplete
                let reader = OccurrenceReader(range: range, zone: zone, addresses: addresses, calendars: selected)
                found += part.times.compactMap { time in
                    let component = series.components[time.instance.component]
                    let (count, interval) = series.components[time.component].alarms[time.alarm].repetition
                    if reader.isDeclined(EventText.declinedBy(component)) { return nil }
                    return Reminder(
                        kind: .event, id: id, title: component.title, time: time.time,
                        subject: reader.occurrenceTime(
                            OccurrenceReader.Time(
                                start: time.instance.start, end: time.instance.end, basis: time.instance.basis,
                                recurrence: time.instance.recurrence)), travel: component.travel,
                        calendar: calendar.name,
                        repetition: time.repetition,
                        place: Reminder.AlarmPlace(component: time.component, alarm: time.alarm),
                        last: time.time + (count - time.repetition) * interval,
                        occurrence: time.instance.recurrence)
                }
            }
            found += try dueReminders(db, in: range, zone: zone, allDay: allDay)
            return (found.sorted { ($0.time, $0.title, $0.id.text) < ($1.time, $1.title, $1.id.text) }, isComplete)
        }
    }

    /// The most seconds between a reminder and its occurrence; events with others are found by an index.
    private static let reminderReach = 32 * 86_400

    /// The events with reminders that may go off near a range: those with occurrences there, and those whose triggers are far from
    /// their start, or fixed.
    private static func ringing(_ near: TimeRange) -> String {
        """
        SELECT e.id, e.text, e.zones, k.n FROM event e CROSS JOIN calendar k ON k.id = e.calendar
        WHERE e.n IN (
            SELECT o.event FROM \(stored(near)) o
            UNION SELECT n FROM event WHERE \(Schema.hasFarAlarm)
            UNION SELECT n FROM event WHERE is_dense = 1
            UNION SELECT n FROM event WHERE expanded_to IS NOT NULL
                AND expanded_to < \(near.end.seconds + Store.zoneReach))
        AND \(Schema.hasAlarm.replacing("text", with: "e.text"))
        """
    }

    /// The reminders of open tasks: their own, or else when they are due.
    private func dueReminders(_ db: Database, in range: TimeRange, zone: Zone, allDay: Int) throws -> [Reminder] {
        let row = try Statement(
            db,
            """
            SELECT id, title, due, due_day, scheduled, scheduled_day, source FROM task WHERE state = 'open' AND kind = 'task'
                AND n IN (
                    SELECT n FROM task WHERE \(Schema.taskHasAlarm)
                    UNION SELECT n FROM task WHERE state = 'open' AND kind = 'task'
                        AND due >= \(range.start.seconds - 3 * 86_400) AND due < \(range.end.seconds + 3 * 86_400))
            """)
        let times = AlarmTimes(zone: zone, allDay: allDay)
        var found: [Reminder] = []
        while try row.step() {
            guard let id = row.id(0) else { continue }
            func time(_ column: Int32) -> TaskTime? {
                if row.isNull(column) { return nil }
                let seconds = row.integer(column)
                return row.integer(column + 1) != 0
                    ? .date(CivilDateTime(seconds: seconds).date) : .moment(Instant(seconds))
            }
            let (due, start) = (time(2), time(4))
            let own = row.text(6).map(TaskAlarms.list) ?? []
            let alarms = own.isEmpty ? [TaskAlarms.usual] : own
            for (time, index, repetition) in times.times(of: alarms, start: start, due: due, in: range) {
                // A task may have no time but that of its reminder.
                let about = due ?? start ?? .moment(time)
                let (count, interval) = alarms[index].repetition
                found.append(
                    Reminder(
                        kind: .task, id: id, title: row.text(1) ?? "", time: time,
                        subject: about.occurrenceTime, isDue: due != nil, repetition: repetition,
                        place: own.isEmpty ? nil : Reminder.AlarmPlace(alarm: index),
                        last: time + (count - repetition) * interval))
            }
        }
        return found
    }
}

extension TaskTime {
    fileprivate var occurrenceTime: OccurrenceTime {
        switch self {
        case .date(let date): .days(date, date + 1)
        case .moment(let instant): .timed(TimeRange(start: instant, end: instant))
        }
    }
}
