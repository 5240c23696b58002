import HelixCalendar
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The check of exported tasks by libical, before they are written.
struct TaskCheck {
    private let context: CommandContext

    init(_ context: CommandContext) { self.context = context }

    /// - Parameter texts: the VTODOs of the tasks, in their order.
    /// - Throws: ``HelixError`` of code `unexpected` if a part of a task that helix wrote is not valid.
    func check(_ texts: [String], of tasks: [TaskDetails]) throws {
        guard CalendarCheck.isAvailable else {
            return context.note("Not checked by libical, which is not installed: apt-get install libical3")
        }
        for (text, details) in zip(texts, tasks) {
            let source = details.task.source
            let own = CalendarCheck.ownFindings(
                inText: text, zones: VTodoFormat.zones(of: source), former: source, isForeign: { _ in false })
            guard let first = own.first else { continue }
            throw HelixError(
                .unexpected,
                "the task \(details.task.id.text.prefix(6)), as helix writes it, is not valid: \(first.text); nothing was written",
                hint: "This is an error of helix; please report it. --no-check exports the tasks as they are.")
        }
    }
}
