/// The keys of tasks.
enum TaskBindings {
    static let all: [UIBinding] = [
        UIBinding("show", ["enter"], "Show the task", UITemplate(line: "tasks show {id}", showsOutput: true)),
        UIBinding(
            "new-task", ["n"], vim: ["n", "i"], "Add a task in one line",
            UITemplate(line: "tasks add {?*} --board={board} --column={column}", question: "Task")),
        UIBinding("move-right", ["L", "shift-right", ">"], "Move to the next column", runs: "tasks move {ids} --next"),
        UIBinding("move-left", ["H", "shift-left", "<"], "Move to the column before", runs: "tasks move {ids} --prev"),
        UIBinding("move-down", ["J", "shift-down"], "Move down", .motion(.moveDown)),
        UIBinding("move-up", ["K", "shift-up"], "Move up", .motion(.moveUp)),
        UIBinding("done", ["x"], "Mark as done", runs: "tasks done {ids}"),
        UIBinding("reopen", ["X"], "Open it again", runs: "tasks reopen {ids}"),
        UIBinding("start", ["s"], "Start the timer", runs: "tasks start {id}"),
        UIBinding("stop", ["S"], "Stop the timer", runs: "time stop"),
        UIBinding(
            "edit", ["e"], "Change fields: due:fri +tag !high",
            UITemplate(line: "tasks edit {list} {?*}", question: "Change")),
        UIBinding("editor", ["E"], "Edit in the editor", UITemplate(line: "tasks edit {id}", needsTerminal: true)),
        UIBinding(
            "delete", ["d", "delete"], vim: ["d d", "delete"], "Delete",
            UITemplate(line: "tasks delete {ids} --yes", confirms: "Delete the task")),
        UIBinding("mark", ["space"], "Mark, for the next command", .motion(.mark)),
        UIBinding("unmark", ["ctrl-t"], "Remove all marks", .motion(.unmark)),
        UIBinding("left", ["h", "left"], "Column before", .motion(.left)),
        UIBinding("right", ["l", "right"], "Next column", .motion(.right)),
        UIBinding("down", ["j", "down"], "Next card", .motion(.down)),
        UIBinding("up", ["k", "up"], "Previous card", .motion(.up)),
        UIBinding("first", ["home", "="], vim: ["g g", "home"], "First card", .motion(.first)),
        UIBinding("last", ["end", "*"], vim: ["G", "end"], "Last card", .motion(.last)),
        UIBinding("page-down", ["pagedown"], "Five cards down", .motion(.pageDown)),
        UIBinding("page-up", ["pageup"], "Five cards up", .motion(.pageUp)),
        UIBinding("search", ["/"], "Filter as you type", .motion(.search)),
        UIBinding("lanes", ["g"], vim: ["z"], "Lanes by project, priority, assignee, tag, due date", .motion(.lanes)),
        UIBinding("boards", ["b", "c"], "Choose a board", .motion(.boxes)),
        UIBinding(
            "tree", ["t"], "Show what it depends on and what waits for it, as a tree",
            UITemplate(line: "tasks depend {id} --graph", showsOutput: true)),
        UIBinding(
            "depend", ["D"], "Make it depend on another task",
            UITemplate(line: "tasks depend {id} {?}", question: "It depends on")),
        UIBinding("gantt", ["G"], vim: ["T"], "Show the project as a Gantt chart", .motion(.tree)),
        UIBinding("schedule", ["p"], "Book time for it in the calendar", runs: "tasks schedule {id}"),
        UIBinding("next-tasks", ["N"], "List the most urgent tasks", UITemplate(line: "tasks next", showsOutput: true)),
    ]
}
