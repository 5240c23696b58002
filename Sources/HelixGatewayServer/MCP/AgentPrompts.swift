import HelixMCP

extension MCPPrompt {
    /// The prompts at a gateway, in the words of its tools.
    static let atGateway = all(
        day: (
            "Call list_events for the day and list_tasks.",
            "the tasks that are due first in the times without events"
        ), mail: "search_mail",
        week:
            "Call list_tasks for what was done, search_tasks with is_overdue for what is late, and list_events for the next seven days."
    )
}
