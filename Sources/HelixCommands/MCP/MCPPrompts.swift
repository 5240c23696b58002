import HelixMCP

extension MCPPrompt {
    /// All prompts, in the words of the tools of `helix mcp`.
    static let all = all(
        day: (
            "Call today, list_events and list_tasks (due), then find_free_time.",
            "the most urgent tasks in the free times"
        ), mail: "list_mail",
        week:
            "Call report_time by project, list_tasks for what was done and what is overdue, and list_events for the next seven days."
    )
}
