import HelixCalendar
import HelixModel
import HelixStore

extension CalEdit {
    /// Opens the editor on an event, and applies the changes as if they were given as options.
    /// - Throws: ``HelixError``.
    func openEditor(_ stored: StoredEvent, _ context: CommandContext) throws {
        let (chosen, occurrence) = try scope.scope(of: stored, context)
        let series = stored.series
        let times = try context.times(of: occurrence, series, chosen)
        guard let event = series.component(of: occurrence, zone: context.zone) ?? series.components.first else {
            throw HelixError(.badInput, "the stored event cannot be read")
        }
        let rule = series.master.flatMap { index -> String? in
            if case .this = chosen { return nil }
            return series.components[index].rules.first?.phrase(start: series.components[index].start)
        }
        func text(_ time: EventTime) -> String {
            let civil = time.isDate ? time.civil : context.zone.civil(time.instant(in: context.zone))
            let clock = ISO8601.padded(civil.hour, 2) + ":" + ISO8601.padded(civil.minute, 2)
            return ISO8601.text(civil.date) + (time.isDate ? "" : " " + clock)
        }
        let end = times.end.isDate ? EventTime.date(times.end.civil.date + -1) : times.end
        let zone = times.start.isDate ? "" : "Times are in the zone \(context.zone.identifier)."
        func list(_ items: [String]) -> String { items.joined(separator: ", ") }
        let form = EditorForm(
            heading: [
                "The event \(stored.id.text.prefix(6)): edit the fields, save and quit the editor.", zone,
            ]
            .filter { !$0.isEmpty },
            fields: [
                .init(name: "title", value: event.title), .init(name: "start", value: text(times.start)),
                .init(name: "end", value: text(end), comment: times.end.isDate ? "The last day." : ""),
                .init(name: "repeat", value: rule ?? "", comment: "As in: every 2 weeks on friday until 31 dec."),
                .init(name: "location", value: event.location ?? ""),
                .init(name: "calendar", value: stored.calendar.name),
                .init(name: "attendees", value: list(event.attendees.map(EditorForm.text))),
                .init(name: "categories", value: list(event.categories)),
                .init(
                    name: "alarms", value: list(event.alarms.compactMap(EditorForm.text)),
                    comment: "Durations before the start: 10m, 1h."),
                .init(name: "status", value: event.status.rawValue, comment: "confirmed, tentative or cancelled."),
                .init(
                    name: "free", value: event.isOpaque ? "no" : "yes",
                    comment: "Show the time as free; --no-free as busy."),
                .init(name: "url", value: event.url ?? ""),
            ], notes: event.description ?? "")
        try context.edit(stored.id, form) { changed, notes in
            var command = self
            try command.take(changed, notes, of: form)
            try command.change(stored, context)
        }
    }

    /// Sets options from the values of the form.
    private mutating func take(
        _ changed: [String: EditorForm.Entry], _ notes: String?, of form: EditorForm
    ) throws {
        func value(_ name: String) -> String? { changed[name]?.value }
        // Only additions and removals are applied: elements that the form does not show are kept.
        func items(_ name: String) -> [String] {
            guard let new = form.list(name, changed) else { return [] }
            return new.gone.map { "-" + $0 } + new.come.map { "+" + $0 }
        }
        func needed(_ name: String) throws -> String? {
            guard let value = value(name) else { return nil }
            if value.isEmpty { throw HelixError(.usage, "an event needs a value for '\(name)'") }
            return value
        }
        title = try needed("title")
        (event.start, event.end) = (try needed("start"), try needed("end"))
        calendar = try needed("calendar")
        event.repetition = value("repeat").map { $0.isEmpty ? "never" : $0 }
        (event.location, event.url, event.description) = (value("location"), value("url"), notes)
        (event.attendee, event.category, event.alarm) = (items("attendees"), items("categories"), items("alarms"))
        if let text = try needed("status") {
            guard let status = EventStatus(rawValue: text.lowercased()) else {
                throw HelixError(.usage, "unknown status '\(text)'", hint: "Use confirmed, tentative or cancelled.")
            }
            event.status = status
        }
        if let text = try needed("free") {
            guard let free = ["yes": true, "no": false, "true": true, "false": false][text.lowercased()] else {
                throw HelixError(.usage, "'\(text)' is neither yes nor no")
            }
            event.free = free
        }
    }
}

extension EditorForm {
    /// A person in the format of options; a name with a comma would be parsed as two.
    fileprivate static func text(_ person: Attendee) -> String {
        guard let name = person.name, !name.contains(where: { ",<>".contains($0) }) else { return person.address }
        return "\(name) <\(person.address)>"
    }

    /// A reminder in the format of options; nil if they cannot express it.
    fileprivate static func text(_ alarm: Alarm) -> String? {
        guard case .fromStart(let seconds) = alarm.trigger, seconds <= 0 else { return nil }
        return DateWords.text(duration: -seconds)
    }
}
