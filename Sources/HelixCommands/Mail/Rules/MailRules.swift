import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix mail rules`
struct MailRules: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rules", abstract: "Sort arriving mail by rules.",
        discussion: """
            A rule is a query and what is done with the messages that match. Rules run in their order when mail arrives in an \
            inbox: by 'helix sync', 'helix watch', or the command that finds it in a Maildir. 'helix undo ID', with the id that is told \
            then, takes back what a rule did.

              helix mail rules add invoices 'subject:invoice from:@water.example' \\
                  --label bills --move Bills --task due:+14d
              helix mail rules run --dry-run
              helix mail rules
            """,
        subcommands: [
            RulesList.self, RulesAdd.self, RulesEdit.self, RulesMove.self, RulesDelete.self, RulesRun.self,
            RulesScript.self, RulesUpload.self, RulesServer.self, RulesRemove.self,
        ], defaultSubcommand: RulesList.self)
}

/// The actions of a rule as options.
struct RuleActionOptions: ParsableArguments {
    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Add a label; may be repeated.", valueName: "name"))
    var label: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Remove a label; may be repeated.", valueName: "name"))
    var unlabel: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("Move to a mailbox, created if missing.", valueName: "mailbox"),
        completion: .custom(CompletionLists.mailboxes))
    var move: String?

    @Flag(name: .long, help: "Move to the archive.")
    var archive = false

    @Flag(name: .long, help: "Move to the trash.")
    var trash = false

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Mark as read or starred; may be repeated.", valueName: "mark"),
        completion: .list(["read", "starred"]))
    var mark: [String] = []

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp("Take out of sight until then.", valueName: "time"))
    var snooze: String?

    @Flag(name: .long, help: "Take the conversation out of sight.")
    var mute = false

    @Option(
        name: .long, parsing: .unconditional,
        help: ArgumentHelp(
            "Add a task, as 'tasks add' reads it; {subject} is that of the message, and its title if there is none.",
            valueName: "line"))
    var task: String?

    /// The actions.
    /// - Throws: ``HelixError`` of code `usage`.
    func actions() throws -> [MailRuleAction] {
        var actions = label.map(MailRuleAction.label) + unlabel.map(MailRuleAction.unlabel)
        for word in mark {
            switch word.lowercased() {
            case "read", "seen": actions.append(.read)
            case "starred", "flagged": actions.append(.star)
            default:
                throw HelixError(
                    .usage, "a rule cannot mark as '\(word)'", hint: "Use --mark read or --mark starred.")
            }
        }
        if let move { actions.append(.move(move)) }
        if archive { actions.append(.archive) }
        if trash { actions.append(.trash) }
        if let snooze { actions.append(.snooze(snooze)) }
        if mute { actions.append(.mute) }
        if let task { actions.append(.task(task.trimmingBlanks())) }
        return actions
    }
}

extension CommandContext {
    /// The settings that rules need.
    var ruleSetting: RuleSetting {
        RuleSetting(
            dates: dates, own: ownAddresses.map(\.address).uniqued, morning: configuration.text(.morning) ?? "9:00")
    }

    /// Runs the rules on mail that arrived.
    /// - Throws: ``HelixError``.
    func runRules(_ store: Store) throws {
        // They change more than a dry run may.
        if isDryRun || tellsDryRun { return }
        for effect in try RuleRun(store, ruleSetting).takeArrivals() {
            if !effect.changed.isEmpty { note(StyledText(effect.told + ".", .dim)) }
            if let problem = effect.warning { store.warnings.append(problem) }
        }
        showWarnings(of: store)
    }

    /// Shows all rules after a change, or one.
    fileprivate func presentRules(_ id: EntityID? = nil) throws {
        try present(RulesReport(items: try RuleItem.list(store()).filter { id == nil || $0.rule.id == id }))
        try noteOutdatedServers()
    }

    /// Notes which servers run the rules as they were before a change.
    func noteOutdatedServers() throws {
        let states = try store().sieveStates()
        if states.isEmpty { return }
        for account in try store().mailAccounts() where states[account.number]?.hasRules == true {
            guard try SieveScripts(store(), account, ruleSetting).isOutdated() else { continue }
            note(
                StyledText(
                    "The server of '\(account.name)' runs the rules as they were: helix mail rules upload --account \(account.name)",
                    TextStyle(.yellow)))
        }
    }

    /// Notes when a new rule runs, and what does not exist yet.
    fileprivate func noteNew(_ rule: MailRule) throws {
        for case .move(let mailbox) in rule.actions {
            let word = mailbox.lowercased()
            let isKnown = try store().mailboxes().contains {
                $0.mailbox.name.lowercased() == word || $0.mailbox.role?.rawValue == word
            }
            if !isKnown {
                note(StyledText("There is no mailbox '\(mailbox)' yet; the first message creates it.", .dim))
            }
        }
        if configuration.bool(.indexAttachments), try mailQueries.parse(rule.query).asksText {
            note(StyledText("Attached files are read later: a rule does not see words in them.", .dim))
        }
        let asked = try mailQueries.parse(rule.query).mailboxes.filter { $0.lowercased() != "inbox" }
        if let name = asked.first {
            note(
                StyledText(
                    "Rules run on mail that arrives in an inbox; this one asks for the mailbox '\(name)'.",
                    TextStyle(.yellow)))
        }
        explain(
            "It runs on mail that arrives. For the mail that is there: helix mail rules run --only '\(rule.name)' --dry-run"
        )
    }
}

extension RuleRun.Effect {
    /// The warning about its problem.
    var warning: String? {
        problem.map {
            "the rule '\(rule.name)' did not run\(changed.isEmpty ? "" : " for all messages"): "
                + "\($0); then: helix mail rules run --only '\(rule.name)'"
        }
    }
}

/// `helix mail rules list`
struct RulesList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the rules in their order.",
        discussion: "  helix mail rules list")
    static let reports: [PrintedReport] = [.json(RulesReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(RulesReport(items: try RuleItem.list(context.store())))
        try context.noteOutdatedServers()
    }
}

/// `helix mail rules add`
struct RulesAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a rule.",
        discussion: """
            It runs on mail that arrives from now on; 'helix mail rules run' runs it on what is there. Queries are those of \
            'helix mail search'.

              helix mail rules add invoices 'subject:invoice from:@water.example' \\
                  --label bills --move Bills --task due:+14d
              helix mail rules add lists list:announce --archive --mark read --stop
              helix mail rules add boss from:ana --mark starred --before lists
            """)
    static let reports: [PrintedReport] = [.json(RulesReport.self)]

    @Argument(help: "Its name.")
    var name: String

    @Argument(
        parsing: .allUnrecognized, help: "The messages, as a query.",
        completion: .custom(CompletionLists.mailQuery))
    var query: [String]

    @OptionGroup var actions: RuleActionOptions

    @Flag(name: .long, help: "Keep later rules from running on the messages that match.")
    var stop = false

    @Option(
        name: .long, help: ArgumentHelp("Put it before another rule.", valueName: "rule"),
        completion: .custom(CompletionLists.rules))
    var before: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let text = QueryNoun.mail.line(try query.plainWords(of: "mail rules add"), dates: context.dates)
        let rule = MailRule(
            id: EntityID(), name: name, query: text, actions: try actions.actions(), stops: stop)
        guard !text.trimmingBlanks().isEmpty else {
            throw HelixError(.usage, "no query", hint: "'in:inbox' matches every message that arrives.")
        }
        try context.ruleSetting.check(rule, in: store)
        let other = try before.map { try store.mailRule(named: $0).id }
        try store.change("add the rule '\(name)'", command: "mail rules add") { try $0.addRule(rule, before: other) }
        try context.presentRules(rule.id)
        try context.noteNew(rule)
    }
}

/// `helix mail rules edit`
struct RulesEdit: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "edit", abstract: "Change a rule, or turn it off and on.",
        discussion: """
            Actions replace all actions that the rule had.

              helix mail rules edit invoices --query 'subject:(invoice or bill)'
              helix mail rules edit invoices --label bills --archive
              helix mail rules edit invoices --off
            """)
    static let reports: [PrintedReport] = [.json(RulesReport.self)]

    @Argument(help: "The rule.", completion: .custom(CompletionLists.rules))
    var rule: String

    @Option(name: .long, help: ArgumentHelp("Its new name.", valueName: "name"))
    var name: String?

    @Option(
        name: [.long, .customShort("q")], help: ArgumentHelp("Its new query.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: String?

    @OptionGroup var actions: RuleActionOptions

    @Flag(name: .long, help: "Keep later rules from running on the messages that match.")
    var stop = false

    @Flag(name: .long, help: "Let later rules run on them.")
    var noStop = false

    @Flag(name: .long, help: "Use it.")
    var on = false

    @Flag(name: .long, help: "Do not use it.")
    var off = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if stop, noStop { throw ValidationError("--stop and --no-stop exclude each other.") }
        if on, off { throw ValidationError("--on and --off exclude each other.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let old = try store.mailRule(named: rule)
        var new = old
        if let name { new.name = name }
        if let query { new.query = QueryNoun.mail.line([query], dates: context.dates) }
        let given = try actions.actions()
        if !given.isEmpty { new.actions = given }
        if stop || noStop { new.stops = stop }
        if on || off { new.isActive = on }
        guard new != old || !given.isEmpty || stop || noStop || on || off || name != nil || query != nil else {
            throw HelixError(.usage, "nothing to change", hint: "helix mail rules edit '\(rule)' --off")
        }
        if new.isActive { try context.ruleSetting.check(new, in: store) }
        try store.change("edit the rule '\(new.name)'", command: "mail rules edit") { try $0.editRule(new) }
        try context.presentRules(new.id)
    }
}

/// `helix mail rules move`
struct RulesMove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "move", abstract: "Move a rule to another place in the order.",
        discussion: """
              helix mail rules move boss --before lists
              helix mail rules move lists --last
            """)
    static let reports: [PrintedReport] = [.json(RulesReport.self)]

    @Argument(help: "The rule.", completion: .custom(CompletionLists.rules))
    var rule: String

    @Option(
        name: .long, help: ArgumentHelp("Before this rule.", valueName: "rule"),
        completion: .custom(CompletionLists.rules))
    var before: String?

    @Flag(name: .long, help: "Behind all others.")
    var last = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (before == nil) != last { throw ValidationError("Give --before RULE or --last.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let moved = try store.mailRule(named: rule)
        let other = try before.map { try store.mailRule(named: $0).id }
        try store.change("move the rule '\(moved.name)'", command: "mail rules move") {
            try $0.moveRule(moved.id, before: other)
        }
        try context.presentRules()
    }
}

/// `helix mail rules delete`
struct RulesDelete: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "delete", abstract: "Delete a rule.", discussion: "  helix mail rules delete invoices")
    static let reports: [PrintedReport] = [.json(RulesReport.self)]

    @Argument(help: "The rule.", completion: .custom(CompletionLists.rules))
    var rule: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try store.mailRule(named: rule)
        try store.change("delete the rule '\(found.name)'", command: "mail rules delete") {
            try $0.deleteRule(found.id)
        }
        var report = RulesReport(items: [RuleItem(rule: found)])
        report.isDeleted = true
        try context.present(report)
        try context.noteOutdatedServers()
    }
}
