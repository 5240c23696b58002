/// The keys of the calendar.
enum CalendarBindings {
    /// All of them, each once.
    static var all: [UIBinding] { view + moving.filter { own in !view.contains { $0.name == own.name } } }

    /// The keys while one looks at days.
    static let view: [UIBinding] = [
        UIBinding(
            "new", ["n"], vim: ["n", "i"], "Add an event in one line",
            UITemplate(line: "cal add {?*}", question: "Event", suggestion: "{on}")),
        UIBinding("show", ["enter"], "Show the event", UITemplate(line: "cal show {id}", showsOutput: true)),
        UIBinding("move", ["m"], "Move or stretch the event by keys", .motion(.move)),
        UIBinding(
            "edit", ["e"], "Edit the event in the editor",
            UITemplate(line: "cal edit {id} {scope}", needsTerminal: true)),
        UIBinding(
            "delete", ["d", "delete"], vim: ["d d", "delete"], "Delete the event",
            UITemplate(line: "cal delete {id} {scope} --yes", confirms: "Delete the event")),
        UIBinding(
            "copy", ["c"], vim: ["y"], "Copy the event to another time",
            UITemplate(line: "cal copy {id} {?*}", question: "Copy to")),
        UIBinding("left", ["h", "left"], "Day before", .motion(.left)),
        UIBinding("right", ["l", "right"], "Day after", .motion(.right)),
        UIBinding("down", ["j", "down"], "Next event, or next week", .motion(.down)),
        UIBinding("up", ["k", "up"], "Previous event, or previous week", .motion(.up)),
        UIBinding("later", ["pagedown", "]", ">"], vim: ["pagedown", "ctrl-f", ">"], "Next days", .motion(.pageDown)),
        UIBinding("earlier", ["pageup", "[", "<"], vim: ["pageup", "ctrl-b", "<"], "Days before", .motion(.pageUp)),
        UIBinding("now", ["t", "home"], "Go to today", .motion(.today)),
        UIBinding("day", ["D"], "One day", .motion(.day)),
        UIBinding("week", ["W"], "A week", .motion(.week)),
        UIBinding("month", ["M"], "A month", .motion(.month)),
        UIBinding("year", ["Y"], "A year", .motion(.year)),
        UIBinding("zone", ["z"], "Show the clock of another zone beside", .motion(.zone)),
        UIBinding(
            "free", ["f"], "Find time when other people are free, too",
            UITemplate(line: "cal free --with {?}", question: "With", showsOutput: true)),
        UIBinding("conflicts", ["C"], "List the conflicts", UITemplate(line: "cal conflicts", showsOutput: true)),
        UIBinding(
            "agenda", ["A"], "List the days from here",
            UITemplate(line: "cal agenda {day} --days 14", showsOutput: true)),
        UIBinding("accept", ["i a"], vim: ["a a"], "Accept the invitation", runs: "cal rsvp {id} accept"),
        UIBinding("decline", ["i d"], vim: ["a d"], "Decline the invitation", runs: "cal rsvp {id} decline"),
        UIBinding("tentative", ["i t"], vim: ["a t"], "Answer 'perhaps'", runs: "cal rsvp {id} tentative"),
    ]

    /// The keys while an event is moved.
    static let moving: [UIBinding] = [
        UIBinding("place", ["enter"], "Put it here", .motion(.open)),
        UIBinding("left", ["h", "left"], "Day before", .motion(.left)),
        UIBinding("right", ["l", "right"], "Day after", .motion(.right)),
        UIBinding("down", ["j", "down"], "15 minutes later", .motion(.down)),
        UIBinding("up", ["k", "up"], "15 minutes earlier", .motion(.up)),
        UIBinding("later", ["J", "pagedown"], "An hour later", .motion(.pageDown)),
        UIBinding("earlier", ["K", "pageup"], "An hour earlier", .motion(.pageUp)),
        UIBinding("stretch", ["+", "="], "15 minutes longer", .motion(.stretch)),
        UIBinding("shrink", ["-"], "15 minutes shorter", .motion(.shrink)),
    ]
}
