import HelixModel
import HelixStore
import HelixTasks

extension TasksEdit {
    /// Opens the editor on a task, and applies the edited fields like those of a line.
    /// - Throws: ``HelixError``.
    func openEditor(_ id: EntityID, _ context: CommandContext) throws {
        let details = try context.store().task(id)
        let task = details.task
        func text(_ time: TaskTime?) -> String {
            switch time {
            case .date(let date)?: return ISO8601.text(date)
            case .moment(let instant)?:
                let civil = context.zone.civil(instant)
                return "\(ISO8601.text(civil.date)) \(ISO8601.padded(civil.hour, 2)):\(ISO8601.padded(civil.minute, 2))"
            case nil: return ""
            }
        }
        var fields: [EditorForm.Field] = [
            .init(name: "title", value: task.title), .init(name: "project", value: details.project ?? ""),
            .init(name: "tags", value: task.tags.joined(separator: ", ")),
            .init(name: "priority", value: task.priority?.name ?? "", comment: "low, medium, high or critical."),
            .init(name: "due", value: text(task.due), comment: "A date or time: fri 17:00, in 2 weeks."),
            .init(name: "scheduled", value: text(task.scheduled)),
            .init(name: "wait", value: text(task.hiddenUntil)),
            .init(name: "estimate", value: task.estimate.map { DateWords.text(duration: $0) } ?? ""),
            .init(
                name: "repeat",
                value: task.recurrence.map { TaskSeries.phrase($0, due: task.due, zone: context.zone) } ?? ""),
        ]
        fields += TaskProperty.all.map { .init(name: $0.name, value: $0.get(task) ?? "") }
        fields += [
            .init(name: "block", value: task.block ?? ""),
            .init(name: "parent", value: task.parent.map { String($0.text.prefix(8)) } ?? ""),
        ]
        let form = EditorForm(
            heading: ["Task \(id.text.prefix(6)): edit the fields, save, and quit the editor."], fields: fields,
            notes: task.notes ?? "")
        try context.edit(id, form) { changed, notes in
            let lines = context.taskLines
            var said = TaskChanges()
            for (name, entry) in changed where name != "tags" { try lines.set(name, entry.value, &said) }
            if let tags = form.list("tags", changed) {
                try tags.come.forEach(TagChange.check)
                (said.addedTags, said.removedTags) = tags
            }
            if let notes { said.notes = notes.isEmpty ? .clear : .set(notes) }
            try change([id], said, context)
        }
    }
}
