import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks

extension TaskWriter {
    /// The tasks as the export in a format has them, for an import that must recognize them.
    /// - Throws: ``HelixError``.
    func forms(_ format: TaskFormat) throws -> TaskForms {
        var forms = TaskForms()
        switch format {
        case .taskwarrior: try addTaskwarrior(to: &forms)
        case .todotxt: addTodoTxt(to: &forms)
        case .ics: try addTodos(to: &forms)
        case .markdown: addChecklist(to: &forms)
        case .csv: try addTable(to: &forms)
        }
        forms.close()
        return forms
    }

    private func addTaskwarrior(to forms: inout TaskForms) throws {
        let uids = try uids(TaskWriter.uuid)
        let blockers = try blockers(uids)
        for details in tasks {
            let form = TaskForms.Form(id: details.task.id) {
                let object = TaskwarriorFormat.object(
                    details, uid: { uids[$0.id] ?? "" }, blockers: blockers[details.task.id] ?? [],
                    parent: details.task.parent.flatMap { uids[$0] }, now: context.now,
                    zone: context.zone)
                return try TaskwarriorFormat.read(Array(object.compact.utf8), now: context.now, zone: context.zone)
                    .tasks.first
            }
            forms.add(form, uid: uids[details.task.id] ?? "")
        }
    }

    private func addTable(to forms: inout TaskForms) throws {
        let table = try CSVTable(Array(text(.csv).utf8))
        for (details, read) in zip(tasks, TaskCSVFormat.read(table, now: context.now, zone: context.zone).tasks) {
            guard let uid = read.task.uid else { continue }
            forms.add(TaskForms.Form(id: details.task.id) { read }, uid: uid)
        }
    }

    private func addTodoTxt(to forms: inout TaskForms) {
        for details in tasks where details.task.state != .dropped {
            let line = TodoTxtFormat.line(details, now: context.now, zone: context.zone)
            let read = try? TodoTxtFormat.read(Array(line.utf8), now: context.now, zone: context.zone).tasks.first
            guard let read, let uid = read.task.uid else { continue }
            forms.add(TaskForms.Form(id: details.task.id) { read }, uid: uid)
        }
    }

    private func addTodos(to forms: inout TaskForms) throws {
        let format = VTodoFormat(now: context.now, zone: context.zone)
        let uids = try uids(\.calendarUID)
        let blockers = try blockers(uids)
        let known = Set(uids.values)
        let boards = try boards()
        for details in tasks {
            let form = TaskForms.Form(id: details.task.id) {
                let parent = details.task.parent.flatMap { uids[$0] }
                let ties = TaskTies(
                    parent: parent, blockers: blockers[details.task.id] ?? [], isKnown: known.contains)
                var export = CalendarExport(now: context.now)
                let (text, zones) = (
                    format.text(details, ties, board: boards[details.task.column], isExport: true),
                    VTodoFormat.zones(of: details.task.source)
                )
                export.note(text: text, zones: zones)
                let bytes = export.header(name: nil) + export.event(text, zones: zones) + export.footer
                return try format.read(bytes, name: "").tasks.first
            }
            forms.add(form, uid: uids[details.task.id] ?? "")
        }
    }

    /// Checklists have no identities: an item is known by its project, its parent and its title.
    private func addChecklist(to forms: inout TaskForms) {
        let text = MarkdownFormat.text(tasks, zone: context.zone)
        guard let items = try? MarkdownFormat.read(Array(text.utf8), dates: context.dates).tasks else { return }
        for (item, place) in zip(items, MarkdownFormat.places(tasks)) {
            forms.add(TaskForms.Form(id: place.task, step: place.step) { item }, uid: item.task.uid ?? "")
        }
    }
}
