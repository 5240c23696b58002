extension Schema {
    /// Whether the text of an event has reminders.
    static let hasAlarm = "instr(text, 'BEGIN:VALARM') > 0"

    /// Whether the text of an event has reminders that go off at a fixed time, or maybe more than a month from it: their occurrence
    /// says nothing about when. The patterns match more than those.
    static let hasFarAlarm = """
        instr(text, 'BEGIN:VALARM') > 0 AND (instr(text, 'VALUE=DATE-TIME') > 0 OR text GLOB '*TRIGGER*:*P[0-9][0-9]*'
            OR text GLOB '*TRIGGER*:[0-9]*' OR text GLOB '*TRIGGER*:*W*' OR text GLOB '*TRIGGER*:*PT[0-9][0-9][0-9]*' OR instr(text, 'REPEAT:') > 0)
        """

    /// The events with reminders, so that no other event is read for them.
    static let reminders = """
        CREATE INDEX event_far_alarm ON event(n) WHERE \(hasFarAlarm);
        """
}
