/// The calendar of an event in an export of several calendars: `X-HELIX-CALENDAR`, in the first component of the event.
public enum CalendarNameLine {
    private static let name = "X-HELIX-CALENDAR"
    private static let begin = "BEGIN:VEVENT\n"

    /// The text of an event with the name of its calendar.
    public static func adding(_ calendar: String, to text: String) -> String {
        guard text.hasPrefix(begin) else { return text }
        let line = ICalendarProperty(name, text: calendar).line
        return begin + line + "\n" + text.dropFirst(begin.count)
    }

    /// Removes the line from the components of an event.
    /// - Returns: the name of the calendar; nil if there is none.
    public static func take(from group: inout EventGroup) -> String? {
        let mark = Array(("\n" + name + ":").utf8)
        var found: String?
        for place in group.components.indices {
            let text = group.components[place].text
            guard let start = text.firstRange(of: mark)?.lowerBound else { continue }
            let end = text[(start + 1)...].firstIndex(of: 0x0A) ?? text.endIndex
            found = found ?? ICalendarProperty(text[(start + 1)..<end])?.text
            group.components[place].text.removeSubrange(start..<end)
        }
        return found
    }
}
