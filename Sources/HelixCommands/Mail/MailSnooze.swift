import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail snooze`
struct MailSnooze: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "snooze", abstract: "Take a message out of sight until a time.",
        discussion: """
            It leaves 'inbox', 'unread', 'today' and 'status', and comes back at the top of the inbox, unread; a day without a \
            time is its morning. The label snoozed-TIME holds it, also on your other devices. 'off' takes it back now.

              helix mail snooze k3f7 mon 8:00
              helix mail snooze k3f7 in 3 hours
              helix mail snooze --query 'label:newsletter is:unread' saturday
              helix mail snooze k3f7 off
              helix mail list is:snoozed
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A message by its id, unless --query is given, and a time.", valueName: "id|time"),
        completion: .custom(CompletionLists.messageIDs))
    var words: [String]

    @Option(
        name: [.long, .customShort("q")], help: ArgumentHelp("Select messages by a query.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: String?

    @Flag(name: .long, help: "Show what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        var words = try words.plainWords(of: "mail snooze")
        var targets = MailTargets()
        (targets.query, targets.dryRun) = (query, dryRun)
        targets.messages = query == nil && !words.isEmpty ? [words.removeFirst()] : []
        let text = words.joined(separator: " ")
        guard !text.isEmpty else {
            throw HelixError(.usage, "no time given", hint: "Example: helix mail snooze k3f7 mon 8:00")
        }
        let store = try context.mailStore(mail)
        let ids = try context.messageIDs(targets.messages, query: query)
        let old = Set(try store.messages(ids: ids).flatMap(\.labels).filter { MessageAway.time($0) != nil })
        var edit = MessageEdit()
        edit.removedLabels = old.sorted()
        let isEnded = text.lowercased() == "off"
        if !isEnded {
            edit.addedLabels = [MessageAway.label(until: try context.snoozeTime(text))]
            edit.removedLabels.removeAll { edit.addedLabels.contains($0) }
            // It comes back as new.
            edit.clear = .seen
        }
        try context.changeMessages(
            targets, mail, ids: ids, verb: isEnded ? "back" : "snoozed", command: "mail snooze", edit)
    }
}

/// `helix mail mute`
struct MailMute: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "mute", abstract: "Take a conversation out of sight, with all that comes to it.",
        discussion: """
            Its messages, also those to come, leave 'inbox', 'unread', 'today' and 'status', and are not announced; searches \
            find them. The label muted of one message holds it, also on your other devices.

              helix mail mute k3f7
              helix mail mute k3f7 --off
              helix mail list is:muted
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @OptionGroup var targets: MailTargets
    var dryRun: Bool { targets.dryRun }

    @Flag(name: .long, help: "Bring the conversation back.")
    var off = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        var ids = try context.messageIDs(targets.messages, query: targets.query)
        var edit = MessageEdit()
        if off {
            // The label may be at any message of the conversation.
            let threads = Set(try store.messages(ids: ids).map(\.thread))
            ids = try threads.sorted().flatMap { try store.thread($0).map(\.id) }
            edit.removedLabels = [MessageAway.muted]
        } else {
            edit.addedLabels = [MessageAway.muted]
        }
        try context.changeMessages(targets, mail, ids: ids, verb: off ? "unmuted" : "muted", command: "mail mute", edit)
    }
}

extension CommandContext {
    /// The time at which a snoozed message comes back; a day without a time is its morning.
    /// - Throws: ``HelixError`` of code `usage` for an invalid or past time.
    func snoozeTime(_ text: String) throws -> Instant {
        let instant = try MessageAway.end(text, dates: dates, morning: configuration.text(.morning) ?? "9:00")
        guard instant > now else {
            throw HelixError(
                .usage, "'\(text)' is in the past: \(viewer.day(zone.date(instant))) \(viewer.clock(instant))",
                hint: "Use a future time.")
        }
        return instant
    }

    /// Ends the snooze of messages that came back and were read.
    /// - Throws: ``HelixError``.
    func endSnooze(of messages: [EmailMessage]) throws {
        let labels = Set(messages.flatMap(\.labels).filter { MessageAway.time($0).map { $0 <= now } ?? false })
        if labels.isEmpty { return }
        var edit = MessageEdit()
        (edit.removedLabels, edit.isOptional) = (labels.sorted(), true)
        let ids = messages.filter { !labels.isDisjoint(with: $0.labels) }.map(\.id)
        _ = try store().change("read \(ids.count == 1 ? "a message" : "messages") that came back", command: "mail read")
        {
            try $0.editMessages(ids, edit)
        }
    }
}
