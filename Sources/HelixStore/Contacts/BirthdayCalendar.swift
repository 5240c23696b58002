import HelixCalendar
import HelixContacts
import HelixCrypto
import HelixModel
import HelixSQLite

/// The calendar with the birthdays of contacts: an event for each, which changes with its contact in the same change set.
///
/// The identities of the calendar and its events are derived from the UIDs of contacts, and their text is the same each time: devices that
/// have the same contacts from a server make the same events, and a gateway has each once.
extension Change {
    /// The name that the calendar is created with.
    static let birthdayCalendarName = "Birthdays"

    private static let calendarID = EntityID(digest: SHA256.hash(Array("birthday calendar".utf8)))

    /// Creates, changes or deletes the event with the birthday of the contact with a UID, as the store has it now.
    func settleBirthday(of uid: String) throws {
        // A branch of an agent that may not change the calendar changes its contacts alone.
        if let profile = store.profile, !profile.change.contains(.calendar) { return }
        let event = EntityID(digest: SHA256.hash(Array("birthday \(uid)".utf8)))
        let present = try Row.fetchOne(db, sql: "SELECT text FROM event WHERE id = ?", arguments: [event.text])
        // Another address book may have the contact, too.
        let contacts = try String.fetchAll(
            db, sql: "SELECT text FROM contact WHERE uid = ? ORDER BY n", arguments: [uid]
        )
        .compactMap { VCard(text: $0)?.contact }
        guard store.hasBirthdays, let contact = contacts.first(where: { $0.birthday != nil && $0.kind == .person }),
            let birthday = contact.birthday
        else {
            if present != nil { try deleteEvent(event) }
            return
        }
        let component = Self.component(event, contact.name, birthday)
        guard let present else {
            try createEvent([component], id: event, uid: Self.uid(event), zones: nil, in: try birthdayCalendar())
            return
        }
        guard var own = ICalendarComponent.list(present[0]).first else { return }
        let before = own
        for name in ["SUMMARY", "DTSTART", "RRULE"] { own.set(name, component.first(name)) }
        if own != before { try updateEvent(event, [own]) }
    }

    private static func uid(_ event: EntityID) -> String { "birthday-\(event.text)@helix" }

    private static func component(
        _ event: EntityID, _ name: String, _ birthday: ContactDate
    ) -> ICalendarComponent {
        // A year that is unknown is the first leap year of the calendar's usual range.
        let start = CivilDate(year: birthday.year ?? 1972, month: birthday.month, day: birthday.day)
        var component = ICalendarComponent("VEVENT")
        component.items = [
            .line("UID:" + uid(event)), .line("DTSTAMP:19700101T000000Z"),
            .line("DTSTART;VALUE=DATE:" + ISO8601.text(start).filter { $0 != "-" }),
            .line(ICalendarProperty("SUMMARY", text: Self.title(name, birthday)).line),
            // February 29 is celebrated on the last day of the month in other years.
            .line(
                birthday.month == 2 && birthday.day == 29
                    ? "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1" : "RRULE:FREQ=YEARLY"),
            .line("TRANSP:TRANSPARENT"), .line("CATEGORIES:birthday"),
        ]
        return component
    }

    private static func title(_ name: String, _ birthday: ContactDate) -> String {
        birthday.year.map { "Birthday of \(name) (\($0))" } ?? "Birthday of \(name)"
    }

    /// The calendar, created if it does not exist.
    private func birthdayCalendar() throws -> EntityID {
        let all = try calendars()
        if all.contains(where: { $0.id == Self.calendarID }) { return Self.calendarID }
        let taken = Set(all.map { $0.name.lowercased() })
        var name = Self.birthdayCalendarName
        var number = 2
        while taken.contains(name.lowercased()) {
            name = "\(Self.birthdayCalendarName) \(number)"
            number += 1
        }
        // New events go to a calendar of their own: this one is never the default if another can be.
        if all.isEmpty { _ = try defaultCalendar() }
        let count = try calendars().count
        try create(
            .calendar, Self.calendarID,
            JournalFields([
                "name": name.databaseValue, "color": CalendarColor.magenta.rawValue.databaseValue,
                "is_hidden": 0.databaseValue, "is_default": 0.databaseValue, "position": count.databaseValue,
            ]))
        return Self.calendarID
    }
}
