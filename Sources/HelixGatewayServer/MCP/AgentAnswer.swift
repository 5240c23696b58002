import HelixModel

/// The answer of a method as an agent receives it: without what programs alone use, with fences around the texts of others, and
/// within a size.
struct AgentAnswer {
    /// The maximum size of an answer in bytes.
    static let budget = 60_000

    private let tool: AgentTool
    private let fence = TextFence()

    init(of tool: AgentTool) { self.tool = tool }

    /// The structured answer.
    func json(_ answer: JSONText) -> JSONText {
        // A structured answer is an object.
        guard let list = tool.list else { return fitting(shaped(answer, "")) }
        let name = list.isEmpty ? "items" : list
        let whole = shaped(answer, "")
        guard let items = (list.isEmpty ? whole : whole[name] ?? .null).elements else { return fitting(whole) }
        let rest = list.isEmpty ? .object([]) : whole
        // A conversation is cut at its beginning, any other list at its end.
        let isFromEnd = tool.domain == .chat && name == "messages"
        var (kept, size) = ([JSONText](), 0)
        for item in isFromEnd ? items.reversed() : items {
            let item = fitting(item)
            size += item.compact.utf8.count
            if size > AgentAnswer.budget, !kept.isEmpty { break }
            kept.append(item)
        }
        let all = rest.setting(name, .array(isFromEnd ? kept.reversed() : kept))
        let left = items.count - kept.count
        return left == 0 ? all : all.setting("truncated", true).setting("left_out", .integer(left))
    }

    // MARK: Size

    /// The item, shortened until it fits, and marked if it was.
    private func fitting(_ item: JSONText) -> JSONText {
        var json = item
        // Each time the longest part is halved.
        for _ in 0..<200 {
            if json.compact.utf8.count <= AgentAnswer.budget { break }
            json = shortened(json)
        }
        return json == item ? item : json.setting("truncated", true)
    }

    private func shortened(_ json: JSONText) -> JSONText {
        func longest(_ values: [JSONText]) -> Int? {
            values.indices.max { values[$0].compact.utf8.count < values[$1].compact.utf8.count }
        }
        if let fields = json.fields, let place = longest(fields.map(\.value)) {
            var fields = fields
            fields[place].value = shortened(fields[place].value)
            return .object(fields)
        }
        if let elements = json.elements, let place = longest(elements) {
            if elements.count > 1 { return .array(Array(elements.prefix(elements.count / 2))) }
            return .array([shortened(elements[place])])
        }
        guard case .string(let text) = json else { return json }
        // The fence's end is put back: a text without one would let the rest of the answer look like a stranger's.
        let isFenced = fence.isFenced(text)
        let inner = isFenced ? text.dropLast(fence.end.count) : text[...]
        let half = String(decoding: Array(inner.utf8.prefix(inner.utf8.count / 2)), as: UTF8.self)
        return .string(half + " […] " + (isFenced ? fence.end : ""))
    }

    // MARK: Form

    private func shaped(_ json: JSONText, _ name: String) -> JSONText {
        if let elements = json.elements { return .array(elements.map { shaped($0, name) }) }
        if let fields = json.fields {
            return .object(
                fields.compactMap { field in
                    AgentAnswer.ignored.contains(field.name)
                        ? nil : .init(name: field.name, value: shaped(field.value, field.name))
                })
        }
        guard case .string(let text) = json, !AgentAnswer.plain.contains(name) else { return json }
        return .string(fence.fenced(text))
    }

    /// Fields whose texts helix makes: ids, times, and words out of a few. The text of any other field may be a stranger's.
    private static let plain: Set<String> = [
        "id", "key", "board_id", "task_id", "account_id", "thread_id", "mailbox", "status", "priority", "event_type",
        "provider", "sync_status", "conflict_severity", "response_status", "role", "kind", "chatType", "type",
        "start_time", "end_time", "due_date", "completed_at", "started_at", "ended_at", "timestamp", "last_sync",
        "depends_on_task_ids", "blocks_task_ids", "column_order", "sessionKey",
    ]

    /// Fields of the apps that say nothing to an agent, or say again what others do. Of mail, the text is enough: what its HTML hides
    /// is not in it.
    private static let ignored: Set<String> = [
        "userId", "user_id", "htmlBody", "html_body", "isRead", "isStarred", "threadId", "accountId", "is_deleted",
        "created_at", "updated_at", "received_at", "mimeType", "size_bytes", "inReplyTo", "boardId", "taskId",
        "is_public", "display_name",
        "external_event_id", "defaults", "path", "thinkingLevel", "sessionId", "ts", "entry", "displayName",
        "account_email", "last_synced_at", "content_type", "current_page", "email_count", "last_email_at",
    ]
}
