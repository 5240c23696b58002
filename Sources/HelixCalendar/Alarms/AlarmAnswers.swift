import HelixModel

/// Answers to reminders, written where all devices of the user read them: in the VALARMs of an event or task (RFC 9074 §6, §7).
extension ICalendarComponent {
    /// The reminders that can go off, in the order of ``EventComponent/alarms``.
    public var alarms: [Alarm] { alarmPlaces.map(\.alarm) }

    /// Creates a VALARM that shows a text (RFC 5545 §3.6.6).
    /// - Parameter trigger: its TRIGGER line.
    static func alarm(_ trigger: String, text: String) -> ICalendarComponent {
        ICalendarComponent(
            "VALARM",
            items: [
                .line("ACTION:DISPLAY"), .line(ICalendarProperty("DESCRIPTION", text: text).line), .line(trigger),
            ])
    }

    /// Appends a reminder that shows a text.
    /// - Parameter trigger: its TRIGGER line.
    public mutating func append(alarm trigger: String, text: String) {
        items.append(.component(.alarm(trigger, text: text)))
    }

    /// Appends a reminder at a fixed time.
    public mutating func append(alarmAt time: Instant, text: String) {
        append(alarm: "TRIGGER;VALUE=DATE-TIME:\(ICalendarTime.utc(time).text)", text: text)
    }

    /// Removes reminders that count from the start, or from the end.
    public mutating func removeAlarms(fromStart: Bool, fromEnd: Bool) {
        items = items.filter { item in
            guard case .component(let child) = item, child.name == "VALARM", let alarm = try? Alarm(child.properties)
            else { return true }
            switch alarm.trigger {
            case .fromStart: return !fromStart
            case .fromEnd: return !fromEnd
            case .at: return true
            }
        }
    }

    /// Removes what was answered to reminders: those that were snoozed, and the times of dismissals.
    public mutating func removeAlarmAnswers() {
        items = items.compactMap { item in
            guard case .component(var child) = item, child.name == "VALARM" else { return item }
            if let alarm = try? Alarm(child.properties), alarm.snoozedUID != nil { return nil }
            child.remove("ACKNOWLEDGED")
            return .component(child)
        }
    }

    /// Dismisses a reminder: it does not go off any more up to a time. A snoozed one is removed, and what it repeats is dismissed.
    ///
    /// - Parameters:
    ///   - index: its index in the component's alarms.
    ///   - time: the time of its last repetition, or the present if that is later.
    public mutating func dismiss(alarm index: Int, upTo time: Instant) {
        let places = alarmPlaces
        guard places.indices.contains(index) else { return }
        let origin = places.origin(of: index)
        acknowledge(places[origin].item, time)
        // A snoozed reminder without its origin can only be dismissed itself.
        guard let uid = places[origin].alarm.uid else { return }
        removeSnoozes(of: uid)
    }

    /// Snoozes a reminder: it goes off again at a time.
    ///
    /// - Parameters:
    ///   - index: its index in the component's alarms.
    ///   - uid: the UID of the reminder if it has none, and of the new one.
    ///   - now: the time up to which the reminder itself counts as dismissed.
    ///   - occurrence: the start by the rule of the occurrence that it is about; nil for a single event.
    public mutating func snooze(
        alarm index: Int, until time: Instant, uids: (origin: String, snooze: String), now: Instant,
        occurrence: CivilDateTime? = nil
    ) {
        let places = alarmPlaces
        guard places.indices.contains(index) else { return }
        let origin = places[places.origin(of: index)]
        let uid = origin.alarm.uid ?? uids.origin
        acknowledge(origin.item, now, uid: uid)
        guard case .component(let source) = items[origin.item] else { return }
        removeSnoozes(of: uid)
        var snooze = ICalendarComponent(
            "VALARM",
            items: [
                .line(ICalendarProperty("UID", value: uids.snooze).line),
                .line("TRIGGER;VALUE=DATE-TIME:\(ICalendarTime.utc(time).text)"),
                .line(ICalendarProperty("RELATED-TO", [.init("RELTYPE", ["SNOOZE"])], value: uid).line),
            ])
        if let occurrence {
            snooze.items.append(.line("\(Alarm.occurrenceName):\(ICalendarTime.floating(occurrence).text)"))
        }
        for name in ["ACTION", "DESCRIPTION", "SUMMARY", "ATTACH"] { snooze.set(name, source.all(name)) }
        // A DISPLAY alarm has both (RFC 5545 §3.6.6).
        if snooze.first("ACTION") == nil { snooze.items.append(.line("ACTION:DISPLAY")) }
        if snooze.first("DESCRIPTION") == nil {
            snooze.set("DESCRIPTION", ICalendarProperty("DESCRIPTION", text: first("SUMMARY")?.text ?? "Reminder"))
        }
        items.append(.component(snooze))
    }

    /// Removes all snoozed reminders, for an event or task that is dismissed.
    public mutating func removeSnoozes() {
        for uid in alarms.compactMap(\.snoozedUID) { removeSnoozes(of: uid) }
    }

    private mutating func acknowledge(_ item: Int, _ time: Instant, uid: String? = nil) {
        guard case .component(var alarm) = items[item] else { return }
        let former = (try? Alarm(alarm.properties))?.acknowledged
        let stamp = ICalendarTime.utc(max(time, former ?? time)).text
        alarm.set("ACKNOWLEDGED", ICalendarProperty("ACKNOWLEDGED", value: stamp))
        if let uid, alarm.first("UID") == nil { alarm.set("UID", ICalendarProperty("UID", value: uid)) }
        items[item] = .component(alarm)
    }

    private mutating func removeSnoozes(of uid: String) {
        let snoozes = Set(alarmPlaces.filter { $0.alarm.snoozedUID == uid }.map(\.item))
        items = items.enumerated().filter { !snoozes.contains($0.offset) }.map(\.element)
    }

    /// The VALARMs that can go off, with the indices of their items.
    private var alarmPlaces: [AlarmPlace] {
        items.enumerated().compactMap { index, item in
            guard case .component(let child) = item, child.name == "VALARM",
                let alarm = try? Alarm(child.properties)
            else { return nil }
            return AlarmPlace(item: index, alarm: alarm)
        }
    }
}

/// A VALARM in a component.
private struct AlarmPlace {
    var item: Int
    var alarm: Alarm
}

extension [AlarmPlace] {
    /// The index of the reminder that a snoozed one repeats; that of itself for others.
    fileprivate func origin(of index: Int) -> Int {
        guard let uid = self[index].alarm.snoozedUID else { return index }
        return firstIndex { $0.alarm.uid == uid } ?? index
    }
}
