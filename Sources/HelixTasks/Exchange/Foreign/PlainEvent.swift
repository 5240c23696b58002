import HelixCalendar
import HelixModel

/// An event of a program that has no time zones, to be written as iCalendar.
struct PlainEvent {
    enum Span {
        /// From a day to the last day.
        case days(CivilDate, CivilDate)
        /// From a time to a time, on the clock of wherever the user is.
        case times(CivilDateTime, CivilDateTime?)
    }

    var uid: String
    var title: String
    var span: Span
    var rule: String?
    var exceptions: [CivilDate] = []
    var tags: [String] = []
    var notes: String?
    /// Whether the other program reminds of it.
    var hasReminder = false

    /// The VEVENT.
    var component: ICalendarComponent {
        var event = ICalendarComponent("VEVENT")
        func day(_ name: String, _ date: CivilDate) -> ICalendarProperty {
            ICalendarProperty(name, [.init("VALUE", ["DATE"])], value: ICalendarTime.date(date).text)
        }
        func time(_ name: String, _ civil: CivilDateTime) -> ICalendarProperty {
            ICalendarProperty(name, value: ICalendarTime.floating(civil).text)
        }
        event.set("UID", ICalendarProperty("UID", text: uid))
        event.set("DTSTAMP", ICalendarProperty("DTSTAMP", value: "19700101T000000Z"))
        event.set("SUMMARY", ICalendarProperty("SUMMARY", text: title))
        switch span {
        case .days(let first, let last):
            event.set("DTSTART", day("DTSTART", first))
            if last > first { event.set("DTEND", day("DTEND", last + 1)) }
            event.set("EXDATE", exceptions.map { day("EXDATE", $0) })
        case .times(let start, let end):
            event.set("DTSTART", time("DTSTART", start))
            if let end, end != start { event.set("DTEND", time("DTEND", end)) }
            event.set(
                "EXDATE", exceptions.map { time("EXDATE", CivilDateTime($0, secondOfDay: start.secondOfDay)) })
        }
        if let rule { event.set("RRULE", ICalendarProperty("RRULE", value: rule)) }
        if !tags.isEmpty {
            event.set(
                "CATEGORIES",
                ICalendarProperty("CATEGORIES", value: tags.map(ICalendarProperty.escaped).joined(separator: ",")))
        }
        if let notes { event.set("DESCRIPTION", ICalendarProperty("DESCRIPTION", text: notes)) }
        if hasReminder {
            var alarm = ICalendarComponent("VALARM")
            alarm.set("ACTION", ICalendarProperty("ACTION", value: "DISPLAY"))
            alarm.set("TRIGGER", ICalendarProperty("TRIGGER", value: "-PT5M"))
            alarm.set("DESCRIPTION", ICalendarProperty("DESCRIPTION", text: title))
            event.setComponents("VALARM", [alarm])
        }
        return event
    }
}

/// The events of a file of another program, written as iCalendar.
public struct ConvertedCalendar {
    /// The iCalendar text.
    public private(set) var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//helix//EN\r\n"
    /// The lines of the file that were not understood.
    public internal(set) var defects: [ForeignDefect] = []
    /// The numbers of items that are no events.
    public internal(set) var omitted: [String: Int] = [:]
    /// The first line of each event in ``text``, with its line in the file.
    private var starts: [(written: Int, source: Int)] = []
    private var lineCount = 3

    /// Adds an event that begins at a line of the file.
    mutating func add(_ event: PlainEvent, line: Int) {
        let written = event.component.text
        starts.append((lineCount + 1, line))
        lineCount += written.utf8.count { $0 == 0x0A }
        text += written
    }

    /// Ends the calendar.
    mutating func end() { text += "END:VCALENDAR\r\n" }

    /// The line of the file for a line of ``text``.
    public func sourceLine(_ line: Int) -> Int {
        starts.last { $0.written <= line }?.source ?? 1
    }
}
