import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix status`
struct Status: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "status", abstract: "Print a status line for prompts and status bars.",
        discussion: """
            Replaces names in braces: {next_event} {next_event_in} {timer} {timer_time} {timer_today} {due_today} \
            {overdue} {open} {started} {unread} {chat} {outbox} {synced}. Only the named fields are looked up. An empty field \
            also removes the space before it. {synced} is the time since the last successful sync. An exclamation mark after \
            {outbox} means that a message was rejected; after {synced}, that the last sync failed.

              helix status
              helix status --format '{next_event} {timer} {due_today}'
              PS1='$(helix status --format "{timer}") \\$ '
            """)
    static let reports: [PrintedReport] = [.json(StatusReport.self)]

    @Option(name: .long, help: ArgumentHelp("The format, with names in braces.", valueName: "text"))
    var format: String?

    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        (command.format, command.output) = (nil, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        var lookup = StatusLookup(context: context)
        if output.isMachine {
            if format != nil { throw HelixError(.usage, "--format and JSON exclude each other") }
            return try context.present(StatusReport(items: [try lookup.item()]))
        }
        let line = try lookup.filled(format ?? "{next_event}  {timer}  due {due_today}  overdue {overdue}")
        try context.write(SafeText.line(line) + "\n")
    }
}

/// Looks up the fields of a status line, each once.
struct StatusLookup {
    let context: CommandContext
    private var known: [String: String] = [:]

    init(context: CommandContext) { self.context = context }

    static let names = [
        "next_event", "next_event_in", "timer", "timer_time", "timer_today", "due_today", "overdue", "open", "started",
        "unread", "chat", "outbox", "synced",
    ]
    /// The fields that are numbers.
    static let counts = ["due_today", "overdue", "open", "started", "unread", "chat", "outbox"]

    /// The text with all names replaced by their values.
    /// - Throws: ``HelixError`` of code `usage` for an unknown name.
    mutating func filled(_ format: String) throws -> String {
        var out = ""
        var rest = Substring(format)
        while let open = rest.firstIndex(of: "{") {
            out += rest[..<open]
            guard let close = rest[open...].firstIndex(of: "}") else { break }
            let name = String(rest[rest.index(after: open)..<close])
            let value = try value(name)
            if value.isEmpty { while out.last == " " { out.removeLast() } }
            out += value
            rest = rest[rest.index(after: close)...]
        }
        return (out + rest).trimmingBlanks()
    }

    mutating func value(_ name: String) throws -> String {
        if let value = known[name] { return value }
        let value = try find(name)
        known[name] = value
        return value
    }

    private func find(_ name: String) throws -> String {
        let store = try context.store()
        let (zone, now) = (context.zone, context.now)
        func count(_ filter: TaskFilter) throws -> String {
            "\(try store.taskCount(.all([.state(.open), .kind(.task), filter]), zone: zone))"
        }
        switch name {
        case "next_event", "next_event_in":
            let range = TimeRange(start: now, end: now + 24 * 3600)
            let next = try store.occurrences(in: range, zone: zone).first {
                !$0.time.isAllDay && $0.isBusy && $0.start(in: zone) >= now
            }
            guard let next else { return "" }
            let start = next.start(in: zone)
            if name == "next_event_in" { return DateWords.text(hours: start - now) }
            return "\(context.viewer.clock(start)) \(next.title)"
        case "timer":
            return try store.runningEntry().map { running in
                "▶ \(running.title) \(DateWords.text(hours: running.entry.duration(at: now)))"
            } ?? ""
        case "timer_time":
            return try store.runningEntry().map { DateWords.text(hours: $0.entry.duration(at: now)) } ?? ""
        case "timer_today":
            let day = zone.range(from: context.today, to: context.today + 1)
            return DateWords.text(hours: try store.timeSpent(in: day))
        case "due_today": return try count(.mark(.today))
        case "overdue": return try count(.mark(.overdue))
        case "open": return try count(.not(.mark(.waiting)))
        case "started": return try count(.mark(.started))
        case "unread":
            guard try !store.mailAccounts().isEmpty else { return "0" }
            _ = try context.mailStore(.unset)
            let query = MailQuery.inSight(.all([.has(.unread), .mailbox("inbox")]), now: context.now)
            return "\(try store.messageCount(query))"
        case "chat": return "\(try store.unreadChatCount().messages)"
        case "synced": return try synced(store)
        case "outbox":
            var (waiting, parked) = try store.outboxCount()
            let chat = try store.chatOutboxCount()
            let unsynced = try store.unsyncedChanges(zone: zone).reduce(0) { $0 + $1.count }
            (waiting, parked) = (waiting + chat.waiting + unsynced, parked + chat.parked)
            return parked > 0 && !context.output.isMachine ? "\(waiting)!" : "\(waiting)"
        default:
            throw HelixError(
                .usage, "unknown field '{\(name)}'",
                hint: "Use one of: \(StatusLookup.names.map { "{\($0)}" }.joined(separator: " ")).")
        }
    }

    /// The time since the last successful sync of the account that was synced longest ago.
    private func synced(_ store: Store) throws -> String {
        let accounts = try store.accounts().filter { $0.kind.isRemote }
        if accounts.isEmpty { return "" }
        let states = try store.syncStates()
        let own = accounts.map { states[$0.number] }
        let hasFailed = own.contains { $0?.problem != nil }
        guard
            let oldest = own.map({ $0?.syncedAt }).reduce(
                .some(context.now),
                { oldest, next in
                    guard let oldest, let next else { return nil }
                    return min(oldest, next)
                })
        else { return hasFailed ? "never!" : "never" }
        return DateWords.text(hours: max(0, context.now - oldest)) + (hasFailed ? "!" : "")
    }

    mutating func item() throws -> StatusItem {
        var values: [String: String] = [:]
        for name in StatusLookup.names { values[name] = try value(name) }
        return StatusItem(values: values)
    }
}

/// All fields of a status line.
struct StatusItem: DescribedItem {
    let values: [String: String]

    static let described =
        list { Field("kind", .choice(["status"]), "What the item is.") { _ in "status" } }
        + StatusLookup.names.map { name in
            let isCount = StatusLookup.counts.contains(name)
            let field = Field(
                name, isCount ? .integer : .string, required: isCount, "As {\(name)} in --format."
            ) { item -> JSONValue? in
                let value = item.values[name] ?? ""
                if let number = Int(value) { return .integer(number) }
                return value.isEmpty ? nil : .string(value)
            }
            // Titles may come from invitations and mail.
            return ["next_event", "timer"].contains(name) ? field.foreign : field
        } + list { Field("links", .array(.id), "Always empty.") { _ in [String]() } }
}

/// The status as an object.
struct StatusReport: Report {
    static let schema = "helix.status/1"
    static let isList = false
    let items: [StatusItem]

    func draw(on canvas: inout Canvas, for viewer: Viewer) {}
}
