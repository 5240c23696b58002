import HelixModel

/// The form of an answer that an agent receives, as the JSON Schema that `tools/list` has as `outputSchema`: the forms of the
/// gateway's methods without the fields that ``AgentAnswer`` leaves out.
struct AgentForm: Sendable {
    /// The JSON Schema.
    let schema: JSONText

    /// A field of an object.
    struct Field: Sendable {
        let name: String
        let schema: JSONText
        let isRequired: Bool
    }

    private static let text: JSONText = ["type": "string"]
    private static let number: JSONText = ["type": "number"]
    private static let integer: JSONText = ["type": "integer"]
    private static let flag: JSONText = ["type": "boolean"]

    /// Fields that are always there.
    private static func all(_ schema: JSONText, _ names: String...) -> [Field] {
        names.map { Field(name: $0, schema: schema, isRequired: true) }
    }

    /// Fields that some objects have.
    private static func some(_ schema: JSONText, _ names: String...) -> [Field] {
        names.map { Field(name: $0, schema: schema, isRequired: false) }
    }

    private static func list(_ schema: JSONText) -> JSONText { ["type": "array", "items": schema] }

    /// An object of exactly these fields; one that was shortened has `truncated`.
    private static func object(_ parts: [Field]...) -> AgentForm {
        let fields = parts.flatMap { $0 } + some(flag, "truncated")
        return AgentForm(
            schema: [
                "type": "object", "properties": .object(fields.map { .init(name: $0.name, value: $0.schema) }),
                "required": .strings(fields.filter(\.isRequired).map(\.name)), "additionalProperties": false,
            ])
    }

    /// An object with a list of these; a list that was cut has the number of those left out.
    private static func list(of item: AgentForm, as name: String, _ parts: [Field]...) -> AgentForm {
        object(
            all(list(item.schema), name), parts.flatMap { $0 }, some(integer, "left_out"))
    }

    // MARK: Calendar

    static let event = object(
        all(
            text, "id", "account_id", "title", "start_time", "end_time", "timezone", "organizer_email", "status",
            "event_type"),
        all(integer, "duration_minutes", "attendee_count", "attachment_count"),
        all(flag, "is_all_day", "is_organizer", "is_busy", "has_conflict", "has_attachments"),
        all(text, "conflict_severity"), some(text, "description", "location", "recurrence_rule", "organizer_name"))

    static let events = list(of: event, as: "results", some(integer, "total"), some(flag, "has_more"))

    static let conflicts = list(of: event, as: "conflicts")

    static let calendars = list(
        of: object(
            all(text, "id", "provider", "name", "email", "email_address", "sync_status"),
            all(flag, "is_primary", "is_enabled", "auto_sync_enabled", "is_read_only"),
            all(integer, "sync_interval_minutes", "event_count"), some(text, "last_sync", "last_sync_error")),
        as: "items")

    /// The answer of a deletion.
    static let deleted = object(all(text, "id"), all(flag, "deleted"))

    // MARK: Tasks

    static let task = object(
        all(text, "id", "board_id", "title", "description", "status", "priority"),
        all(integer, "subtask_count", "completed_subtask_count"),
        all(list(text), "tags", "depends_on_task_ids", "blocks_task_ids"),
        some(text, "due_date", "completed_at", "assignee_id", "assignee_name"),
        some(number, "estimated_hours", "actual_hours"))

    static let tasks = list(of: task, as: "items")

    static let boards = list(
        of: object(
            all(text, "id", "name"), all(flag, "is_default"), all(list(text), "column_order"),
            all(
                list(
                    object(
                        all(text, "id", "board_id", "name", "status"), all(integer, "position"),
                        some(integer, "wip_limit")
                    )
                    .schema),
                "columns")),
        as: "items")

    static let projects = list(
        of: object(
            all(text, "id", "title", "status"), all(list(text), "blocks"),
            some(text, "customer_name", "start_date", "due_date", "assigned_user_id", "budget_amount"),
            some(text, "hourly_rate", "currency", "notes"), some(number, "budget_hours")),
        as: "items")

    static let timeEntry = object(
        all(text, "id", "task_id", "description", "started_at", "ended_at"), all(integer, "duration_minutes"),
        all(flag, "is_running"))

    // MARK: Mail

    private static let person = object(all(text, "email"), some(text, "name")).schema

    static let message = object(
        all(text, "id", "account_id", "mailbox", "subject", "body", "thread_id", "message_id", "timestamp"),
        all(person, "from"), all(list(person), "to", "cc"), all(flag, "is_read", "is_starred"),
        all(list(text), "labels"), all(integer, "attachment_count"), some(text, "in_reply_to"),
        some(list(object(all(text, "id", "filename"), all(integer, "size")).schema), "attachments"))

    static let messages = list(of: message, as: "results")

    static let thread = list(of: message, as: "emails")

    static let draft = object(
        all(text, "id", "account_id", "subject", "body", "timestamp"), all(list(person), "to", "cc", "bcc"),
        all(list(["type": "object"]), "attachments"), some(text, "in_reply_to"))

    // MARK: Chat

    static let conversations = list(
        of: object(
            all(text, "key", "kind", "label", "chatType"), all(integer, "updatedAt"),
            some(text, "lastMessagePreview"), some(integer, "unread")),
        as: "sessions", all(integer, "count"), some(integer, "totalCount"), some(flag, "hasMore"))

    static let conversation = list(
        of: object(
            all(text, "role"), all(list(object(all(text, "type", "text")).schema), "content"),
            all(integer, "timestamp"),
            all(object(all(text, "id", "kind"), all(integer, "seq")).schema, "__openclaw")),
        as: "messages", all(text, "sessionKey"), all(flag, "hasMore"))
}
