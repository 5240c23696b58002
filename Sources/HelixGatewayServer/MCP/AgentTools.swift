import HelixModel

extension AgentTool {
    private static let id = Parameter.text("id", "The id, as lists show it.", required: true)
    private static let start = Parameter.text(
        "start", "Not before this time: 2026-12-01T14:30:00Z, or a date.", as: "start_date")
    private static let end = Parameter.text("end", "Not after this time.", as: "end_date")
    private static let statuses = ["todo", "in_progress", "in_review", "done"]
    private static let priorities = ["low", "medium", "high", "critical"]

    private static let eventFields: [Parameter] = [
        .text("description", "The description."), .text("location", "The place."),
        .flag("is_all_day", "Whether it has dates and no times."),
    ]

    private static let taskFields: [Parameter] = [
        .text("description", "The notes."), .choice("priority", priorities, "The priority."),
        .text("due_date", "When it is due: a time, or midnight in UTC for a date."),
        .number("estimated_hours", "The estimate."), .texts("tags", "The tags, all of them."),
    ]

    /// All tools, in the order in which agents see them. None sends anything.
    static let all: [AgentTool] = [
        AgentTool(
            "list_events", "calendar.search_events", .calendar, returns: .events, list: "results",
            takes: [
                start, end, .text("query", "Words of the title, description or place."),
                .text("calendar", "The id of a calendar.", as: "account_id"),
                .flag("has_conflicts", "Only those that overlap others, or only the rest."), .limit,
            ],
            "Events and their occurrences, by time; without a range, those of the year before and after now."),
        AgentTool("get_event", "calendar.get_event", .calendar, returns: .event, takes: [id], "One event, whole."),
        AgentTool(
            "list_conflicts", "calendar.check_conflicts", .calendar, returns: .conflicts, list: "conflicts",
            takes: [.text("event", "The id of the event.", as: "event_id", required: true)],
            "The events at the same time as one."),
        AgentTool(
            "list_calendars", "calendar.list_accounts", .calendar, returns: .calendars, list: "", "The calendars."),
        AgentTool(
            "create_event", "calendar.create_event", .calendar, effect: .adds, returns: .event,
            takes: [
                .text("title", "The title.", required: true),
                .text("start", "When it begins.", as: "start_time", required: true),
                .text("end", "When it ends.", as: "end_time", required: true),
                .text("calendar", "The id of a calendar; the default one without it.", as: "account_id"),
            ] + eventFields, "Add an event to a calendar. Nobody is invited."),
        AgentTool(
            "update_event", "calendar.update_event", .calendar, effect: .edits, returns: .event,
            takes: [
                id, .text("title", "The title."), .text("start", "When it begins.", as: "start_time"),
                .text("end", "When it ends.", as: "end_time"),
            ] + eventFields, "Change an event, or all occurrences of a series."),
        AgentTool(
            "delete_event", "calendar.delete_event", .calendar, effect: .removes, returns: .deleted, takes: [id],
            "Delete an event, or a whole series."),
        AgentTool(
            "list_tasks", "tasks.list", .tasks, returns: .tasks, list: "",
            takes: [
                .text("board", "The id of a board; the default one without it.", as: "board_id"),
                .choices("status", statuses, "Only these."), .limit, .offset,
            ], "The tasks of a board."),
        AgentTool(
            "search_tasks", "tasks.search", .tasks, returns: .tasks, list: "",
            takes: [
                .text("query", "Words of the title or notes."), .choices("status", statuses, "Only these."),
                .choices("priority", priorities, "Only these."), .texts("tags", "Only those with all of these."),
                .flag("is_overdue", "Only those that are overdue, or only the rest."), .limit,
            ], "Search the tasks of all boards."),
        AgentTool("get_task", "tasks.get", .tasks, returns: .task, takes: [id], "One task, whole."),
        AgentTool(
            "list_boards", "tasks.boards.list", .tasks, returns: .boards, list: "", "The boards with their columns."),
        AgentTool("list_projects", "projects.list", .tasks, returns: .projects, list: "", "The projects."),
        AgentTool(
            "create_task", "tasks.create", .tasks, effect: .adds, returns: .task,
            takes: [
                .text("title", "The title.", required: true),
                .text("board", "The id of a board; the default one without it.", as: "board_id"),
            ] + taskFields, "Add a task."),
        AgentTool(
            "update_task", "tasks.update", .tasks, effect: .edits, returns: .task,
            takes: [id, .text("title", "The title."), .choice("status", statuses, "The status.")] + taskFields,
            "Change a task, or move it to another column by its status."),
        AgentTool(
            "delete_task", "tasks.delete", .tasks, effect: .removes, returns: .deleted, takes: [id], "Delete a task."),
        AgentTool(
            "start_clock", "tasks.timetracking.start", .tasks, effect: .edits, returns: .timeEntry,
            takes: [.text("task", "The id of the task.", as: "task_id", required: true)], "Start the clock for a task."),
        AgentTool(
            "search_mail", "email.search", .mail, returns: .messages, list: "results",
            takes: [
                .text("query", "A query like 'from:ana subject:boiler is:unread newer:7d', or words."),
                .text("mailbox", "A mailbox, a role such as inbox, or all."), start, end,
                .flag("is_read", "Only read ones, or only unread ones."), .limit,
            ], "Search messages, the newest first, each with the start of its text."),
        AgentTool(
            "read_mail", "email.get", .mail, returns: .message, takes: [id],
            "A message with its text and the names of its attachments."),
        AgentTool(
            "read_thread", "email.thread", .mail, returns: .thread, list: "emails",
            takes: [.text("thread", "The thread_id of a message.", as: "thread_id", required: true)],
            "The messages of a thread, each with the start of its text."),
        AgentTool(
            "mark_mail", "email.mark_read", .mail, effect: .edits, returns: .message,
            takes: [id, .flag("is_read", "Whether it is read.", required: true)], "Mark a message as read or unread."),
        AgentTool(
            "label_mail", "email.add_label", .mail, effect: .edits, returns: .message,
            takes: [id, .text("label", "The label.", required: true)], "Add a label to a message."),
        AgentTool(
            "draft_mail", "email.draft.save", .mail, effect: .adds, returns: .draft,
            takes: [
                .texts("to", "The recipients' addresses."), .texts("cc", "The recipients of copies."),
                .text("subject", "The subject."), .text("body", "The text."),
                .text("in_reply_to", "The id of the message that it answers."),
            ], "Save a draft. A person sends it."),
        AgentTool(
            "list_conversations", "sessions.list", .chat, returns: .conversations, list: "sessions",
            takes: [.text("search", "A part of the name."), .limit], "The conversations, the latest first."),
        AgentTool(
            "read_conversation", "chat.history", .chat, returns: .conversation, list: "messages",
            takes: [
                .text("conversation", "The key of a conversation.", as: "sessionKey", required: true), .limit,
                .number("before", "The seq of a message: only those before it."),
            ], "The latest messages of a conversation."),
    ]
}
