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

/// `helix mail follow-up`
struct MailFollowUp: DryRunCommand {
    static let about = CommandConfiguration(
        commandName: "follow-up", abstract: "Be told if nobody answers a message that you sent.",
        discussion: """
            'mail inbox' shows it at the top from then on, and 'helix watch' announces it, unless a message that refers to it came \
            before; a day without a time is its morning. The label follow-up-TIME holds it, also on your other devices. \
            --remind-if-no-answer does the same when you write.

              helix mail follow-up k3f7 3d
              helix mail follow-up k3f7 fri 9:00
              helix mail follow-up k3f7 off
              helix mail list is:awaiting
            """)
    static let reports: [PrintedReport] = [.json(MailChangeReport.self)]

    @Argument(
        parsing: .allUnrecognized,
        help: ArgumentHelp("A message by its id, and a time or a length.", valueName: "id|time"),
        completion: .custom(CompletionLists.messageIDs))
    var words: [String]

    @Flag(name: .long, help: "Show what would change, and change nothing.")
    var dryRun = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let words = try words.plainWords(of: "mail follow-up")
        guard words.count > 1 else {
            throw HelixError(.usage, "no time given", hint: "Example: helix mail follow-up k3f7 3d")
        }
        let store = try context.mailStore(mail)
        let message = try store.message(try context.messageID(words[0]))
        let text = words.dropFirst().joined(separator: " ")
        var edit = MessageEdit()
        edit.removedLabels = message.labels.filter { MessageAway.followUpTime($0) != nil }
        let isEnded = text.lowercased() == "off"
        if !isEnded {
            let own = Set(context.ownAddresses.map { $0.address.lowercased() })
            let senders = message.from.split(separator: "\n").map { MailAddress(text: $0).address.lowercased() }
            guard senders.contains(where: own.contains) else {
                throw HelixError(
                    .usage, "'\(message.subject)' is not from you, so nobody answers it to you",
                    hint: "'helix mail snooze \(words[0]) \(text)' brings it back then.")
            }
            guard !message.flags.contains(.draft) else {
                throw HelixError(
                    .usage, "'\(message.subject)' is a draft, and was not sent",
                    hint: "helix mail send \(words[0]) --remind-if-no-answer '\(text)'")
            }
            edit.addedLabels = [MessageAway.followUpLabel(at: try context.followUp(text, after: context.now))]
            edit.removedLabels.removeAll { edit.addedLabels.contains($0) }
        }
        var targets = MailTargets()
        targets.dryRun = dryRun
        try context.changeMessages(
            targets, mail, ids: [message.id], verb: isEnded ? "not followed up" : "followed up",
            command: "mail follow-up", edit)
        if !isEnded, !dryRun, try !store.awaitsAnswer(message.id) {
            context.note(StyledText("Somebody has answered it already.", TextStyle(.yellow)))
        }
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
