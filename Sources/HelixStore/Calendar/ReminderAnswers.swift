import HelixCalendar
import HelixModel
import HelixTasks

/// An answer to reminders.
public enum ReminderAnswer: Hashable, Sendable {
    /// They do not go off again for the same occurrence.
    case dismissed
    /// They go off again at a time.
    case snoozed(until: Instant)

    /// The time at which they go off again, if they do.
    public var snoozedUntil: Instant? { if case .snoozed(let time) = self { time } else { nil } }
}

extension Change {
    /// Answers reminders of one event or task, in its VALARMs, which its server and other devices get (RFC 9074).
    ///
    /// A snooze moves the last one that went off, and dismisses the others.
    /// - Throws: ``HelixError``.
    public func answer(_ reminders: [Reminder], _ answer: ReminderAnswer) throws {
        guard let last = reminders.max(by: { $0.time < $1.time }) else { return }
        // A reminder of several occurrences is answered for all of them at once.
        var latest: [Reminder.AlarmPlace?: Reminder] = [:]
        for reminder in reminders where reminder.time >= latest[reminder.place]?.time ?? reminder.time {
            latest[reminder.place] = reminder
        }
        let answered = Array(latest.values)
        // A dismissal of what went off ends a snooze that is still to go off, too.
        let endsSnoozes = answer == .dismissed && last.time <= store.now
        if last.kind == .task {
            var task = try store.bareTask(db, last.id)
            task.changeAlarms { component in
                apply(&component, answered, answer, last)
                if endsSnoozes { component.removeSnoozes() }
            }
            return try save(task)
        }
        let event = try store.event(last.id)
        var components = event.components
        // Components that cannot be read are no part of the series.
        for (place, index) in event.readableComponents.enumerated() {
            apply(&components[index], answered.filter { $0.place?.component == place }, answer, last)
            if endsSnoozes { components[index].removeSnoozes() }
        }
        try updateEvent(last.id, components)
    }

    private func apply(
        _ component: inout ICalendarComponent, _ reminders: [Reminder], _ answer: ReminderAnswer, _ last: Reminder
    ) {
        // By what they are: an answer may remove another one, so that places change.
        let alarms = component.alarms
        for reminder in reminders {
            let index = reminder.place?.alarm ?? 0
            guard alarms.indices.contains(index), let place = component.alarms.firstIndex(of: alarms[index]) else {
                continue
            }
            if case .snoozed(let time) = answer, reminder == last {
                component.snooze(
                    alarm: place, until: time, uids: (EntityID().text + "@helix", EntityID().text + "@helix"),
                    now: max(store.now, reminder.last), occurrence: reminder.occurrence)
            } else {
                component.dismiss(alarm: place, upTo: max(store.now, reminder.last))
            }
            let stamp = ICalendarTime.utc(store.now).text
            component.set("LAST-MODIFIED", ICalendarProperty("LAST-MODIFIED", value: stamp))
        }
    }

    /// Adds a reminder at a fixed time to an event or task.
    /// - Throws: ``HelixError``.
    public func addReminder(to id: EntityID, _ kind: EntityKind, at time: Instant) throws {
        if kind == .task {
            var task = try store.bareTask(db, id)
            let title = task.title
            task.changeAlarms { $0.append(alarmAt: time, text: title) }
            return try save(task)
        }
        let event = try store.event(id)
        var components = event.components
        guard let place = components.firstIndex(where: { $0.first("RECURRENCE-ID") == nil }) ?? components.indices.first
        else { return }
        components[place].append(alarmAt: time, text: components[place].first("SUMMARY")?.text ?? "Reminder")
        try updateEvent(id, components)
    }
}
