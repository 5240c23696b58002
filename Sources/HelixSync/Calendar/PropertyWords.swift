/// What people call the properties of events and tasks.
enum PropertyWords {
    private static let words = [
        "SUMMARY": "title", "DTSTART": "start", "DTEND": "end", "DURATION": "duration", "DUE": "due",
        "LOCATION": "location", "DESCRIPTION": "notes", "STATUS": "status", "PRIORITY": "priority",
        "CATEGORIES": "tags", "RRULE": "repetition", "EXDATE": "left out", "RDATE": "added", "ATTENDEE": "attendees",
        "ORGANIZER": "organizer", "TRANSP": "busy", "URL": "address", "VALARM": "alarms", "CLASS": "privacy",
        "RELATED-TO": "relations", "ESTIMATED-DURATION": "estimate", "X-HELIX-COLUMN": "column",
        "X-HELIX-PROJECT": "project", "X-HELIX-BLOCK": "block", "X-HELIX-ASSIGNEE": "assignee",
        "X-HELIX-STEP": "checklist", "X-HELIX-HIDDEN-UNTIL": "hidden until", "X-HELIX-REPEAT": "repetition",
        "EVENT": "the whole event", "OCCURRENCE": "an occurrence",
    ]

    /// The word for a property; its name in lower case where there is none.
    static func word(_ name: String) -> String { words[name] ?? name.lowercased() }
}
