import HelixModel

/// A time at which a reminder of an event goes off.
public struct AlarmTime: Hashable, Sendable {
    /// The time.
    public var time: Instant
    /// The occurrence that it is about; for a reminder at a fixed time the next one after it, or else the last known.
    public var instance: EventSeries.Instance
    /// The index of the component that has the reminder: that of the occurrence, but for one at a fixed time.
    public var component: Int
    /// The index of the reminder in the alarms of the occurrence's component.
    public var alarm: Int
    /// The number of the repetition, from 0.
    public var repetition: Int
}

/// The times at which the reminders of events go off (RFC 5545 §3.8.6.3).
public struct AlarmTimes {
    /// The zone of floating times and of all-day events.
    private let zone: Zone
    /// The second of the day at which reminders of all-day events go off, whose trigger has whole days.
    private let allDay: Int

    /// - Parameters:
    ///   - zone: the zone of floating times and of all-day events.
    ///   - allDay: the second of the day for reminders of all-day events, whose trigger has whole days.
    public init(zone: Zone, allDay: Int) {
        self.zone = zone
        self.allDay = allDay
    }

    /// The times in a range, in order; those that were dismissed are left out.
    ///
    /// - Parameters:
    ///   - range: the range; its end is not part of it.
    ///   - reach: seconds by which a floating wall clock may differ from UTC.
    ///   - limit: the maximum number of occurrences of a rule to look at.
    /// - Returns: the times, and whether there are more occurrences than were looked at.
    public func times(
        of series: EventSeries, in range: TimeRange, reach: Int64, limit: Int
    ) -> (times: [AlarmTime], isComplete: Bool) {
        let ringing = series.components.indices.filter { series.components[$0].rings }
        guard !ringing.isEmpty else { return ([], true) }
        // A reminder at a fixed time goes off once, whatever the rule.
        var found = ringing.flatMap { fixed($0, of: series, in: range) }
        let shifts = ringing.flatMap { index in series.components[index].alarms.compactMap { self.shifts($0) } }
        guard let earliest = shifts.map(\.lowerBound).min(), let latest = shifts.map(\.upperBound).max() else {
            return (found.sorted(), true)
        }
        // A clock change moves nominal days by hours, and the set hour by up to a day.
        let slack = 2 * 86_400
        let window = series.window(
            TimeRange(start: range.start - latest - slack, end: range.end - earliest + slack), reach: reach,
            limit: limit)
        for instance in window.instances where series.components[instance.component].rings {
            let component = series.components[instance.component]
            for (index, alarm) in component.alarms.enumerated() {
                guard alarm.isAudible, let first = time(alarm, component, instance) else { continue }
                for number in 0...alarm.repetition.count {
                    let time = first + number * alarm.repetition.interval
                    let isDone = alarm.acknowledged.map { time <= $0 } ?? false
                    guard range.contains(time), !isDone else { continue }
                    found.append(
                        AlarmTime(
                            time: time, instance: instance, component: instance.component, alarm: index,
                            repetition: number))
                }
            }
        }
        return (found.sorted(), window.unknownFrom == nil)
    }

    /// The seconds from the start of an occurrence between which a relative reminder goes off, roughly.
    private func shifts(_ alarm: Alarm) -> ClosedRange<Int>? {
        guard alarm.isAudible else { return nil }
        let last = alarm.repetition.count * alarm.repetition.interval
        switch alarm.trigger {
        case .fromStart(let seconds): return min(seconds, 0)...max(seconds + last, 0)
        // The window has all occurrences that touch it, however long they are.
        case .fromEnd(let seconds): return min(seconds, 0)...max(seconds + last, 0)
        case .at: return nil
        }
    }

    private func time(_ alarm: Alarm, _ component: EventComponent, _ instance: EventSeries.Instance) -> Instant? {
        let (seconds, base): (Int, Int64)
        switch alarm.trigger {
        case .fromStart(let shift): (seconds, base) = (shift, instance.start)
        case .fromEnd(let shift): (seconds, base) = (shift, instance.end)
        case .at: return nil
        }
        let exact = seconds - alarm.days * 86_400
        switch instance.basis {
        case .instant:
            if alarm.days == 0 { return Instant(base) + exact }
            let clock = component.start.clock
            // A start that the clock skips keeps its time of day on other days.
            let nominal = component.recurrenceID == nil ? instance.recurrence : nil
            let civil: CivilDateTime
            if case .fromStart = alarm.trigger {
                civil = nominal ?? component.start.civil
            } else {
                civil = clock.civil(Instant(base))
            }
            return clock.instant(civil + alarm.days * 86_400) + exact
        case .floating: return zone.instant(CivilDateTime(seconds: base) + alarm.days * 86_400) + exact
        case .date:
            let first = CivilDateTime(seconds: base).date
            // Some programs write a day as 24 hours.
            if seconds % 86_400 == 0 {
                return zone.instant(CivilDateTime(first + seconds / 86_400, secondOfDay: allDay))
            }
            return zone.startOfDay(first + alarm.days) + exact
        }
    }

    /// The times at which the reminders of a task go off in a range, in order; those that were dismissed are left out.
    ///
    /// Those from its start count from when it is due if it has no start, and the other way round.
    /// - Parameter alarms: its reminders, in the order of its component.
    public func times(
        of alarms: [Alarm], start: TaskTime?, due: TaskTime?, in range: TimeRange
    ) -> [(time: Instant, alarm: Int, repetition: Int)] {
        var found: [(time: Instant, alarm: Int, repetition: Int)] = []
        for (index, alarm) in alarms.enumerated() where alarm.isAudible {
            let first: Instant?
            switch alarm.trigger {
            case .at(let instant): first = instant
            case .fromStart(let seconds): first = (start ?? due).map { time($0, seconds, days: alarm.days) }
            case .fromEnd(let seconds): first = (due ?? start).map { time($0, seconds, days: alarm.days) }
            }
            guard let first else { continue }
            for number in 0...alarm.repetition.count {
                let time = first + number * alarm.repetition.interval
                let isDone = alarm.acknowledged.map { time <= $0 } ?? false
                if range.contains(time), !isDone { found.append((time, index, number)) }
            }
        }
        return found.sorted { ($0.time, $0.alarm) < ($1.time, $1.alarm) }
    }

    private func time(_ base: TaskTime, _ seconds: Int, days: Int) -> Instant {
        switch base {
        case .moment(let instant):
            return zone.instant(zone.civil(instant) + days * 86_400) + (seconds - days * 86_400)
        case .date(let date):
            if seconds % 86_400 == 0 {
                return zone.instant(CivilDateTime(date + seconds / 86_400, secondOfDay: allDay))
            }
            return zone.startOfDay(date + days) + (seconds - days * 86_400)
        }
    }

    private func fixed(_ index: Int, of series: EventSeries, in range: TimeRange) -> [AlarmTime] {
        let component = series.components[index]
        return component.alarms.enumerated().flatMap { place, alarm -> [AlarmTime] in
            guard alarm.isAudible, case .at(let first) = alarm.trigger else { return [] }
            return (0...alarm.repetition.count).compactMap { number in
                let time = first + number * alarm.repetition.interval
                let isDone = alarm.acknowledged.map { time <= $0 } ?? false
                guard range.contains(time), !isDone else { return nil }
                if let occurrence = alarm.occurrence {
                    let found = series.instance(at: occurrence)
                    // The occurrence was deleted meanwhile.
                    if found == nil, component.exceptions.contains(where: { $0.civil == occurrence }) { return nil }
                    if let found {
                        return AlarmTime(
                            time: time, instance: found, component: index, alarm: place, repetition: number)
                    }
                }
                let next = component.recurrenceID == nil ? series.next(after: time) : nil
                return AlarmTime(
                    time: time, instance: next ?? series.instance(index, recurrence: component.recurrenceID?.civil),
                    component: index,
                    alarm: place, repetition: number)
            }
        }
    }
}

extension Array where Element == AlarmTime {
    fileprivate func sorted() -> [AlarmTime] {
        sorted { ($0.time, $0.instance.start, $0.alarm) < ($1.time, $1.instance.start, $1.alarm) }
    }
}

extension Alarm {
    /// Whether helix announces it: e-mail is the server's, and `none` is a reminder that was switched off.
    public var isAudible: Bool { action == "display" || action == "audio" }
}

extension EventComponent {
    /// Whether it has reminders that go off.
    fileprivate var rings: Bool { status != .cancelled && alarms.contains(where: \.isAudible) }
}
