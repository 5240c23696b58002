import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixTasks

/// The wire format of projects, in the names of the family's app for field work.
enum ProjectWire {
    static func json(_ project: ProjectRecord) -> JSONText {
        [
            "id": .string(project.id.text), "title": .string(project.name),
            "customer_name": project.customer.map { .string($0) }, "status": .string(project.status.rawValue),
            "start_date": project.start.map(day), "due_date": project.due.map(day),
            "assigned_user_id": project.assignee.map { .string($0) },
            "budget_hours": project.budgetTime.map { .double((Double($0) / 36).rounded() / 100) },
            "budget_amount": project.budgetMoney.map(amount), "hourly_rate": project.hourlyRate.map(amount),
            "currency": project.currency.map { .string($0) }, "notes": project.notes.map { .string($0) },
            "blocks": .strings(project.blocks), "created_at": TaskWire.text(project.createdAt),
        ]
    }

    /// A task or note of a project.
    /// - Parameters:
    ///   - place: the position within the project.
    ///   - waitsFor: the tasks that it depends on.
    static func json(_ details: TaskDetails, at place: Int, waitsFor: [EntityID]) -> JSONText {
        let task = details.task
        return [
            "id": .string(task.id.text), "project_id": task.project.map { .string($0.text) },
            "block_title": task.block.map { .string($0) }, "title": .string(task.title),
            "task_description": .string(task.notes ?? task.title), "is_info_block": .bool(task.kind != .task),
            "is_completed": .bool(task.state != .open), "order_index": .integer(place),
            "assigned_user_id": task.assignee.map { .string($0) },
            "depends_on_task_ids": .strings(waitsFor.map(\.text).sorted()),
            "due_date": task.due.map { TaskWire.text($0.start(in: .utc)) },
            "updated_at": TaskWire.text(task.modifiedAt),
        ]
    }

    static func json(_ material: MaterialRecord) -> JSONText {
        [
            "id": .string(material.id.text), "project_id": .string(material.project.text),
            "material_name": .string(material.name), "quantity": .string("\(material.quantity)"),
            "unit": .string(material.unit), "unit_price": amount(material.unitPrice),
            "supplier": material.supplier.map { .string($0) },
            "receipt_file_id": material.receipt.map { .string($0.text) }, "bought_on": material.boughtOn.map(day),
            "created_at": TaskWire.text(material.createdAt),
        ]
    }

    static func json(_ file: FileRecord) -> JSONText {
        [
            "id": .string(file.id.text), "project_id": .string(file.project.text), "file_path": .string(file.name),
            "file_type": .string(MediaType.of(file.name)), "category": .string(file.role.rawValue),
            "sha256": .string(file.sha256), "size": .integer(file.size), "upload_status": "completed",
            "created_at": TaskWire.text(file.createdAt),
        ]
    }

    /// The entries of one day, from the first start to the last end, with the time between them as break.
    static func registration(_ entries: [TimeEntryDetails], of user: EntityID, now: Instant) -> JSONText {
        let ranges = entries.map { $0.entry.range(at: now) }
        let start = ranges.map(\.start).min() ?? now
        let end = ranges.map(\.end).max() ?? now
        let worked = ranges.reduce(0) { $0 + $1.duration }
        var titles: [String] = []
        for entry in entries where !entry.title.isEmpty && !titles.contains(entry.title) { titles.append(entry.title) }
        return [
            "id": entries.first.map { .string($0.entry.id.text) }, "user_id": .string(user.text),
            "start_time": TaskWire.text(start), "end_time": TaskWire.text(end),
            "break_duration": .integer(max(0, Int(end.seconds - start.seconds) - worked) / 60),
            "duration_minutes": .integer(worked / 60), "description": .string(titles.joined(separator: ", ")),
            "entry_ids": .strings(entries.map(\.entry.id.text)),
        ]
    }

    static func day(_ date: CivilDate) -> JSONText { .string(ISO8601.text(date)) }

    /// An amount as the text of its exact digits.
    static func amount(_ number: Decimal) -> JSONText { .string("\(number)") }
}
