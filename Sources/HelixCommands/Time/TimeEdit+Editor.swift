import HelixModel
import HelixStore
import HelixTasks

extension TimeEdit {
    /// Opens the editor on a time entry, and applies the edited fields like options.
    /// - Throws: ``HelixError``.
    func openEditor(_ found: TimeEntryDetails, _ context: CommandContext) throws {
        let entry = found.entry
        func text(_ instant: Instant?) -> String {
            guard let instant else { return "" }
            let civil = context.zone.civil(instant)
            let clock = [civil.hour, civil.minute, civil.second].map { ISO8601.padded($0, 2) }
            return ISO8601.text(civil.date) + " " + clock.prefix(civil.second == 0 ? 2 : 3).joined(separator: ":")
        }
        let form = EditorForm(
            heading: [
                "Time entry \(entry.id.text.prefix(6)): edit the fields, save, and quit the editor.",
                "Times are in the zone \(context.zone.identifier).",
            ],
            fields: [
                .init(name: "title", value: found.title), .init(name: "start", value: text(entry.start)),
                .init(name: "end", value: text(entry.end), comment: entry.end == nil ? "The timer runs." : ""),
                .init(name: "project", value: found.project ?? ""),
                .init(name: "tags", value: entry.tags.joined(separator: ", ")),
                .init(name: "billable", value: entry.isBillable ? "yes" : "no"),
            ], notes: entry.note ?? "")
        try context.edit(entry.id, form) { changed, notes in
            var command = self
            func value(_ name: String) -> String? { changed[name]?.value }
            for name in ["start", "end"] where value(name)?.isEmpty == true {
                throw HelixError(
                    .usage, "a time entry needs a value for '\(name)'", hint: "'helix time resume' restarts its timer.")
            }
            (command.start, command.end) = (value("start"), value("end"))
            command.title = value("title")
            command.options.project = value("project").map { $0.isEmpty ? "none" : $0 }
            if let tags = form.list("tags", changed) {
                try tags.come.forEach(TagChange.check)
                command.options.tag = tags.come.map { "+" + $0 } + tags.gone.map { "-" + $0 }
            }
            if let text = value("billable") {
                guard let isBillable = ["yes": true, "no": false, "true": true, "false": false][text.lowercased()]
                else {
                    throw HelixError(.usage, "billable takes yes or no, not '\(text)'")
                }
                command.options.billable = isBillable
            }
            command.options.note = notes
            try command.change(found, context)
        }
    }
}
