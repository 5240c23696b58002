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

    /// Whether a component has the line, and so begins an event.
    static func begins(_ component: [UInt8]) -> Bool { start(in: component) != nil }

    private static let mark = Array(("\n" + name + ":").utf8)

    /// The place of the line end before the line; nil if there is none. Most events have none: looking at the line ends alone
    /// is ten times as fast as the search of a collection.
    private static func start(in text: [UInt8]) -> Int? {
        text.withUnsafeBufferPointer { bytes in
            let last = bytes.count - mark.count
            if last < 0 { return nil }
            return (0...last).first { place in
                bytes[place] == 0x0A && bytes[place + 1] == 0x58 && bytes[place...].starts(with: mark)
            }
        }
    }

    /// Removes the line from the components of an event.
    /// - Returns: the name of the calendar; nil if there is none.
    public static func take(from group: inout EventGroup) -> String? {
        var found: String?
        for place in group.components.indices {
            let text = group.components[place].text
            guard let start = CalendarNameLine.start(in: text) else { continue }
            let end = text[(start + 1)...].firstIndex(of: 0x0A) ?? text.endIndex
            found = found ?? ICalendarProperty(text[(start + 1)..<end])?.text
            group.components[place].text.removeSubrange(start..<end)
        }
        return found
    }
}
