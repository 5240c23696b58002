import FoundationEssentials
import HelixCalendar
import HelixModel
import HelixNetwork

/// Busy times of others, from a server with scheduling (RFC 6638 §5).
extension CalDAVRemote {
    /// The busy times of people by their addresses.
    ///
    /// - Parameter own: the user's own addresses.
    /// - Throws: ``HelixError``: `notFound` if the server does not know a person, `notAllowed` if it has no scheduling outbox.
    func busyTimes(of people: [String], in range: TimeRange, own: [String]) throws -> [String: [TimeRange]] {
        let (outbox, organizer) = try outbox(own)
        func stamp(_ instant: Instant) -> String { ICalendarTime.utc(instant).text }
        let lines =
            [
                "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//helix//EN", "METHOD:REQUEST", "BEGIN:VFREEBUSY",
                "UID:\(EntityID().text)@helix", "DTSTAMP:\(stamp(range.start))", "DTSTART:\(stamp(range.start))",
                "DTEND:\(stamp(range.end))", "ORGANIZER:mailto:\(organizer)",
            ] + people.map { "ATTENDEE:mailto:\($0)" } + ["END:VFREEBUSY", "END:VCALENDAR", ""]
        let headers =
            [
                "Content-Type: text/calendar; charset=utf-8; component=VFREEBUSY; method=REQUEST",
                "Originator: mailto:\(organizer)",
            ]
            + people.map { "Recipient: mailto:\($0)" }
        let (answer, place) = try client.request(
            "POST", outbox, headers: headers, body: Array(lines.joined(separator: "\r\n").utf8))
        try check(answer, place)
        var found: [String: [TimeRange]] = [:]
        for response in try XMLNode(answer.body).all("response") {
            // SOGo returns the address without an inner element.
            let recipient = response.first("recipient")
            let address = ICalendarProperty(
                "ATTENDEE",
                value: (recipient?.first("href")?.text ?? recipient?.text ?? "")
                    .trimmingBlanks()
            ).calendarAddress
            let status = response.first("request-status")?.text.trimmingBlanks() ?? ""
            guard status.isEmpty || status.hasPrefix("2"), let data = response.first("calendar-data")?.text else {
                throw HelixError(
                    .notFound,
                    "the server has no busy times of \(address)\(status.isEmpty ? "" : ": \(status)")",
                    hint: "A server only knows its own users.")
            }
            found[address] = Self.busyTimes(in: data)
        }
        if let missing = people.first(where: { found[$0] == nil }) {
            throw HelixError(.notFound, "the server has no busy times of \(missing)")
        }
        return found
    }

    /// The scheduling outbox, and the user's mail address as the server knows it.
    private func outbox(_ own: [String]) throws -> (URL, String) {
        let home = try home()
        let principal = try propfind(home, "<D:current-user-principal/>", depth: 0)?.found.first?
            .first("current-user-principal")?.first("href")?.text
        let place = try principal.map { try url(Self.normal($0)) } ?? home
        let resource = try propfind(place, "<C:schedule-outbox-URL/><C:calendar-user-address-set/>", depth: 0)?.found
            .first
        guard let href = resource?.first("schedule-outbox-URL")?.first("href")?.text else {
            throw HelixError(
                .notAllowed, "\(home.host ?? "the server") does not provide busy times of others (RFC 6638)")
        }
        let known = (resource?.first("calendar-user-address-set")?.all("href") ?? []).map {
            ICalendarProperty("ATTENDEE", value: $0.text).calendarAddress
        }.filter { $0.contains("@") }
        let address = own.first { known.isEmpty || known.contains($0) } ?? known.first ?? own.first
        guard let address else {
            throw HelixError(
                .configuration, "no mail address is configured", hint: "helix config set user.email you@example.org")
        }
        return (try url(Self.normal(href)), address)
    }

    /// Parses the busy times in a VFREEBUSY (RFC 5545 §3.8.2.6).
    static func busyTimes(in text: String) -> [TimeRange] {
        var found: [TimeRange] = []
        let unfolded = text.replacing("\r\n", with: "\n").replacing("\n ", with: "").replacing("\n\t", with: "")
        for line in unfolded.split(separator: "\n") {
            guard let property = ICalendarProperty(line: String(line)), property.name == "FREEBUSY",
                property["FBTYPE"]?.uppercased() != "FREE"
            else { continue }
            for period in property.value.split(separator: ",") {
                let ends = period.split(separator: "/")
                guard ends.count == 2, case .utc(let start)? = ICalendarTime(String(ends[0])) else { continue }
                if case .utc(let end)? = ICalendarTime(String(ends[1])) {
                    found.append(TimeRange(start: start, end: end))
                } else if let length = ICalendarDuration(String(ends[1])) {
                    found.append(TimeRange(start: start, end: start + length.total))
                }
            }
        }
        return found.sorted { $0.start < $1.start }
    }
}

/// Busy times of people, from servers.
public enum BusyTimes {
    /// The busy times of people in a range, from the first account whose server provides them.
    ///
    /// - Parameter own: the user's own addresses.
    /// - Throws: ``HelixError``.
    public static func of(
        _ people: [String], in range: TimeRange, account: Account, own: [String]
    ) throws -> [String: [TimeRange]] {
        try CalDAVRemote(account).busyTimes(
            of: people.map { $0.lowercased() }, in: range, own: own.map { $0.lowercased() })
    }
}
