import HelixModel

/// A resource at a gateway: the answer of a tool, with an address.
struct AgentResource: Sendable {
    /// The address, or its template with `{id}`.
    let uri: String
    /// The name.
    let name: String
    /// The purpose.
    let summary: String
    /// The tool that reads it.
    let tool: AgentTool
    /// The arguments of the tool now; a template's id is added.
    let arguments: @Sendable (Instant) -> JSONText

    /// All resources, those with fixed addresses first.
    static let all: [AgentResource] = [
        events("helix://today", "today", days: 1, "The events of today, in UTC."),
        AgentResource("helix://inbox", "inbox", "The newest messages.", "search_mail") { _ in
            ["mailbox": "inbox", "limit": 20]
        },
        events("helix://week", "week", days: 7, "The events of the next seven days, in UTC."),
        AgentResource("helix://tasks/next", "next tasks", "The open tasks of the default board.", "list_tasks") { _ in
            ["status": ["todo", "in_progress", "in_review"]]
        },
        AgentResource("helix://event/{id}", "event", "An event.", "get_event"),
        AgentResource("helix://task/{id}", "task", "A task.", "get_task"),
        AgentResource("helix://mail/{id}", "mail", "A message with its text.", "read_mail"),
    ].compactMap { $0 }

    private init?(
        _ uri: String, _ name: String, _ summary: String, _ tool: String,
        arguments: @escaping @Sendable (Instant) -> JSONText = { _ in [:] }
    ) {
        guard let tool = AgentTool.all.first(where: { $0.name == tool }) else { return nil }
        (self.uri, self.name, self.summary, self.tool, self.arguments) = (uri, name, summary, tool, arguments)
    }

    private static func events(_ uri: String, _ name: String, days: Int, _ summary: String) -> AgentResource? {
        AgentResource(uri, name, summary, "list_events") { now in
            let today = Zone.utc.date(now)
            return ["start": .string(ISO8601.text(today)), "end": .string(ISO8601.text(today + days))]
        }
    }

    /// Whether it is one of single items.
    var isTemplate: Bool { uri.hasSuffix("{id}") }

    /// Its description.
    var described: JSONText {
        [
            isTemplate ? "uriTemplate" : "uri": .string(uri), "name": .string(name), "description": .string(summary),
            "mimeType": "application/json",
        ]
    }

    /// The arguments of the tool for an address; nil for another resource's.
    func arguments(for address: String, now: Instant) -> JSONText? {
        guard isTemplate else { return address == uri ? arguments(now) : nil }
        let head = uri.dropLast("{id}".count)
        guard address.hasPrefix(head) else { return nil }
        let id = String(address.dropFirst(head.count))
        let isPlain = !id.isEmpty && id.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        return isPlain ? ["id": .string(id)] : nil
    }
}
