import HelixCalendar

/// Changes that other people's answers and a server's own notes make to an event: they do not bring back what was deleted here.
enum AnswerChanges {
    /// Properties that such a change writes anew.
    private static let passing: Set<String> = [
        "DTSTAMP", "LAST-MODIFIED", "CREATED", "SEQUENCE", "ATTENDEE", "ORGANIZER",
    ]

    /// Whether nothing else is different.
    static func isAll(from former: String, to new: String) -> Bool { rest(former) == rest(new) }

    private static func rest(_ text: String) -> [[String]] {
        ICalendarComponent.list(text).filter { $0.name != "VTIMEZONE" }.map { component in
            component.properties.filter { !passing.contains($0.name) && !$0.name.hasPrefix("X-") }.map(\.line).sorted()
        }
    }
}
