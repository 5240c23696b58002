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
        guard let list = tool.list else { return cut(shaped(answer, "")) }
        let name = list.isEmpty ? "items" : list
        let whole = shaped(answer, "")
        guard let items = (list.isEmpty ? whole : whole[name] ?? .null).elements else { return cut(whole) }
        let rest = list.isEmpty ? .object([]) : whole
        var (kept, size) = ([JSONText](), 0)
        for item in items {
            size += item.compact.utf8.count
            if size > AgentAnswer.budget, !kept.isEmpty { break }
            kept.append(size > AgentAnswer.budget ? cut(item) : item)
        }
        let all = rest.setting(name, .array(kept))
        return kept.count == items.count
            ? all : all.setting("truncated", true).setting("left_out", .integer(items.count - kept.count))
    }

    /// Shortens the longest texts of an item that is too large, and says so.
    private func cut(_ item: JSONText) -> JSONText {
        let size = item.compact.utf8.count
        guard size > AgentAnswer.budget, let fields = item.fields else { return item }
        let longest = fields.max { $0.value.compact.utf8.count < $1.value.compact.utf8.count }
        guard let longest, case .string(let text) = longest.value else { return item.setting("truncated", true) }
        // The fence's end is put back: a text without one would let the rest of the answer look like a stranger's.
        let room = max(1_000, AgentAnswer.budget - (size - text.utf8.count))
        let short = String(decoding: Array(text.utf8.prefix(room)), as: UTF8.self)
        return item.setting(longest.name, .string(short + " […] " + (fence.isFenced(text) ? fence.end : "")))
            .setting("truncated", true)
    }

    private func shaped(_ json: JSONText, _ name: String) -> JSONText {
        if let elements = json.elements { return .array(elements.map { shaped($0, name) }) }
        if let fields = json.fields {
            return .object(
                fields.compactMap { field in
                    AgentAnswer.ignored.contains(field.name)
                        ? nil : .init(name: field.name, value: shaped(field.value, field.name))
                })
        }
        guard case .string(let text) = json, isForeign(name) else { return json }
        return .string(fence.fenced(text))
    }

    /// Whether a field has a text that others may have written.
    private func isForeign(_ name: String) -> Bool {
        switch tool.domain {
        case .mail: ["subject", "body", "name", "filename", "labels"].contains(name)
        case .calendar:
            ["title", "description", "location", "organizer_name", "name", "display_name"].contains(name)
        case .chat:
            ["text", "label", "displayName", "derivedTitle", "lastMessagePreview", "name", "sender"].contains(name)
        // Those are the user's own.
        case .tasks, .time: false
        }
    }

    /// Fields of the apps that say nothing to an agent, or say again what others do. Of mail, the text is enough: what its HTML hides
    /// is not in it.
    private static let ignored: Set<String> = [
        "userId", "user_id", "htmlBody", "html_body", "isRead", "isStarred", "threadId", "accountId", "is_deleted",
        "created_at", "updated_at", "received_at", "mimeType", "size_bytes", "inReplyTo", "boardId", "taskId",
        "is_public",
        "external_event_id", "defaults", "path", "thinkingLevel", "sessionId", "ts",
    ]
}
