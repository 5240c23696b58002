import HelixCalendar

/// Detects changes to an event by attendees' answers and server notes: they do not restore an event that was deleted locally.
enum AnswerChanges {
    /// Properties that such a change rewrites.
    private static let passing: Set<String> = [
        "DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE", "ATTENDEE", "ORGANIZER",
    ]

    /// Whether the texts differ only in those.
    static func isAll(from former: String, to new: String) -> Bool { rest(former) == rest(new) }

    private static func rest(_ text: String) -> [[String]] {
        ICalendarComponent.list(text).filter { $0.name != "VTIMEZONE" }.map { component in
            component.properties.filter { !passing.contains($0.name) && !$0.name.hasPrefix("X-") }.map(\.line).sorted()
        }
    }
}
