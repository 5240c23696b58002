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
            if let end, end > start { event.set("DTEND", time("DTEND", end)) }
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

    /// A calendar of events.
    static func calendar(_ events: [ICalendarComponent]) -> String {
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//helix//EN\r\n" + events.map(\.text).joined()
            + "END:VCALENDAR\r\n"
    }
}
