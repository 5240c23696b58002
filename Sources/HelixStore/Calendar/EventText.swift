import HelixCalendar
import HelixModel

/// Parsing of the stored text of an event.
enum EventText {
    /// The usable components of an event's text, in its order.
    static func components(_ text: String, zones: ZoneResolver) -> [EventComponent] {
        pieces(text).compactMap { try? EventComponent($0, zones: zones) }
    }

    /// The texts of the single components.
    static func pieces(_ text: String) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        let end = Array("END:VEVENT\n".utf8)
        var start = 0
        let bytes = Array(text.utf8)
        var line = 0
        while line < bytes.count {
            let next = (bytes[line...].firstIndex(of: 0x0A) ?? bytes.count - 1) + 1
            if bytes[line] == 0x45, bytes[line..<next].elementsEqual(end) {
                pieces.append(Array(bytes[start..<next]))
                start = next
            }
            line = next
        }
        return pieces
    }

    /// `Name <address>` lines: the organizer, then the attendees.
    static func people(_ component: EventComponent) -> String? {
        let all = (component.organizer.map { [$0] } ?? []) + component.attendees
        if all.isEmpty { return nil }
        return all.map { person in person.name.map { "\($0) <\(person.address)>" } ?? person.address }
            .joined(separator: "\n")
    }

    /// The addresses of attendees who declined, enclosed in commas: `,ana@example.com,`; with `*` if the only invitee declined.
    static func declinedBy(_ component: EventComponent) -> String? {
        let declined = component.attendees.filter { $0.participation == .declined }
        if declined.isEmpty { return nil }
        let others = component.attendees.filter { $0.address != component.organizer?.address }
        let isOnlyOne = others.count == 1 && others[0].participation == .declined
        return "," + declined.map(\.address).joined(separator: ",") + "," + (isOnlyOne ? "*," : "")
    }

    /// The name of the time zone of an event's wall time; `UTC` for instants, nil for days and floating times.
    static func zoneName(_ time: EventTime) -> String? {
        switch time {
        case .zoned(_, let zone): zone.identifier
        case .utc: "UTC"
        case .date, .floating: nil
        }
    }
}
