import HelixCalendar
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// A scheduling message (RFC 5546) that is not read as an invitation: it has no time, or is about a task or free time.
struct SchedulingNotice: Sendable {
    /// The purpose, in words.
    let verb: String
    /// The title, of the message or of the event in the calendar.
    let title: String
    /// The state of the event in the calendar.
    let note: String?
    /// The reasons for which parts of it cannot be read.
    var problems: [String] = []

    /// The purposes, by component and method.
    private static let verbs: [String: [String: String]] = [
        "VEVENT": [
            "REQUEST": "Invitation", "CANCEL": "Cancelled", "REPLY": "Answer", "COUNTER": "Another time is proposed",
            "DECLINECOUNTER": "The proposed time is declined", "REFRESH": "Asks for the current version",
            "ADD": "More occurrences", "PUBLISH": "Event",
        ],
        "VTODO": [
            "REQUEST": "Task assigned", "CANCEL": "Task cancelled", "REPLY": "Answer about a task",
            "COUNTER": "A change of a task is proposed", "DECLINECOUNTER": "The change of a task is declined",
            "REFRESH": "Asks for the current version of a task",
        ],
        "VFREEBUSY": [
            "REQUEST": "Asks when you are free", "REPLY": "Free and busy times", "PUBLISH": "Free and busy times",
        ],
        "VJOURNAL": [:],
    ]
    private static let others = [
        "VEVENT": "Event", "VTODO": "Task", "VFREEBUSY": "Free and busy times", "VJOURNAL": "Journal",
    ]

    /// The notices of calendar parts.
    ///
    /// - Parameters:
    ///   - shown: the UIDs that are shown as invitations.
    ///   - known: the event in the calendar with a UID: its title and a description.
    static func all(
        _ texts: [String], besides shown: Set<String>, known: (String) throws -> (title: String, place: String)?
    ) throws -> [SchedulingNotice] {
        var found: [SchedulingNotice] = []
        // The same calendar is often included twice, as a part and as an attachment.
        var met = shown
        for text in texts {
            let (method, events, rest) = SchedulingFile.parts(text)
            let components = events.flatMap { $0.components.prefix(1) } + rest.filter { others[$0.name] != nil }
            for raw in components {
                let component = ICalendarComponent.list(String(decoding: raw.text, as: UTF8.self)).first
                let uid = component?.first("UID")?.text ?? ""
                guard met.insert(uid).inserted || uid.isEmpty else { continue }
                let stored = raw.name == "VEVENT" ? try known(uid) : nil
                let own = component?.first("SUMMARY")?.text.trimmingBlanks() ?? ""
                var note = stored.map { "in the calendar: \($0.place)" }
                if raw.name == "VEVENT", note == nil, method == "CANCEL" { note = "it is not in the calendar" }
                let findings = CalendarCheck.findings(in: Array(text.utf8), comparesReadings: false)
                found.append(
                    SchedulingNotice(
                        verb: verbs[raw.name]?[method] ?? others[raw.name] ?? raw.name,
                        title: own.isEmpty ? stored?.title ?? "" : own, note: note,
                        problems: findings.filter { $0.isOfEvent && ($0.uid ?? uid) == uid }.map(\.text)))
            }
            if components.isEmpty, rest.isEmpty {
                found.append(
                    SchedulingNotice(
                        verb: "A calendar", title: "", note: nil, problems: ["it contains no event that can be read"]))
            }
        }
        return found
    }

    func draw(on canvas: inout Canvas) {
        var line = StyledText("◷ " + verb, TextStyle(.magenta, bold: true))
        if !title.isEmpty {
            line.append(": ", TextStyle(.magenta, bold: true))
            line.append(title, .bold)
        }
        canvas.line(line.fitted(canvas.textWidth))
        if let note { canvas.paragraph(note, indent: 2, style: .dim) }
        if let first = problems.first {
            let rest = problems.count == 1 ? "" : " (and \(problems.count - 1) more)"
            canvas.paragraph("! not valid iCalendar: \(first)\(rest)", indent: 2, style: TextStyle(.yellow))
        }
    }
}

extension CommandContext {
    /// The notices of a message's calendar parts that are not invitations.
    /// - Throws: ``HelixError``.
    func schedulingNotices(in texts: [String], besides invitations: [Invitation]) throws -> [SchedulingNotice] {
        if texts.isEmpty { return [] }
        let store = try store()
        return try SchedulingNotice.all(texts, besides: Set(invitations.map(\.uid))) { uid in
            guard let event = try store.event(uid: uid) else { return nil }
            let title = ICalendarComponent.list(event.text).first?.first("SUMMARY")?.text ?? ""
            return (title, "\(title) (\(event.id.text.prefix(6)))")
        }
    }
}
