import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail rules run`
struct RulesRun: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "run", abstract: "Run rules on the messages that are there.",
        discussion: """
            On those in the inboxes, or on those that match a query; each rule after the ones before it, as when mail arrives. \
            One 'helix undo' takes all of it back.

              helix mail rules run --dry-run
              helix mail rules run --only invoices in:archive after:2026-01-01
            """)
    static let reports: [PrintedReport] = [.json(RuleRunReport.self)]

    @Argument(
        parsing: .allUnrecognized, help: "The messages, as a query.", completion: .custom(CompletionLists.mailQuery))
    var query: [String] = []

    @Option(
        name: .long, parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Only this rule, also if it is off; may be repeated.", valueName: "rule"),
        completion: .custom(CompletionLists.rules))
    var only: [String] = []

    @OptionGroup var mail: MailOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let words = try query.plainWords(of: "mail rules run")
        let text = words.joined(separator: " ").lowercased()
        if let named = try store.mailRules().first(where: { $0.name.lowercased() == text }) {
            throw HelixError(
                .usage, "'\(named.name)' is a rule, and here a query is expected",
                hint: "To run it: --only '\(named.name)'. To search for the word: body:\"\(named.name)\".")
        }
        let scope =
            words.isEmpty
            ? MailQuery.mailbox("inbox")
            : try context.mailQueries.parse(QueryNoun.mail.line(words, dates: context.dates))
        let named = try only.map { try store.mailRule(named: $0).id }
        let all = try store.mailRules()
        let rules = named.isEmpty ? all.filter(\.isActive) : all.filter { named.contains($0.id) }
        guard !rules.isEmpty else {
            throw HelixError(
                .notFound, all.isEmpty ? "there are no rules" : "all rules are off",
                hint: all.isEmpty ? "'helix mail rules add' adds one." : "'helix mail rules edit NAME --on'.")
        }
        for rule in rules { try context.ruleSetting.check(rule, in: store) }
        let effects = try RuleRun(store, context.ruleSetting).run(rules, on: scope, isDryRun: changes.dryRun)
        var items: [RuleEffectItem] = []
        for effect in effects {
            let shown = try store.messages(ids: Array(effect.changed.prefix(RuleRunReport.shown)))
            items.append(RuleEffectItem(effect: effect, messages: try context.items(shown)))
        }
        var report = RuleRunReport(items: items)
        report.isDryRun = changes.dryRun
        try context.present(report, ids: items.flatMap { $0.messages.map(\.message.id) })
    }
}

/// The effect of a rule in a report.
struct RuleEffectItem: DescribedItem {
    let effect: RuleRun.Effect
    /// The first of the changed messages.
    let messages: [MailItem]

    static let described = list {
        Field("kind", .choice(["rule"]), "The kind of item.") { _ in EntityKind.rule.rawValue }
        Field("id", .id, "The identity of the rule.") { $0.effect.rule.id }
        Field("name", .string, "Its name.") { $0.effect.rule.name }
        Field("actions", .array(.string), "Its actions.") { $0.effect.rule.actions.map(\.text) }
        Field("matches", .integer, "The number of messages that match.") { $0.effect.matches.count }
        Field("messages", .array(.id), "The messages that were changed: the others were so already.") {
            $0.effect.changed
        }
        Field("tasks", .array(.id), "The tasks that were added.") { $0.effect.tasks }
    }
}

/// The effects of rules, in their order.
struct RuleRunReport: CuttableReport {
    static let schema = "helix.mail.rules.run/1"
    /// The messages to show of a rule.
    static let shown = 5
    var items: [RuleEffectItem]
    var isTruncated = false
    var isDryRun = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items {
            let (effect, count) = (item.effect, item.effect.changed.count)
            if effect.matches.isEmpty {
                canvas.paragraph("\(effect.rule.name): no message matches", style: .dim)
                continue
            }
            let matches = effect.matches.count
            var words = matches == 1 ? "1 message matches" : "\(matches) messages match"
            if count < matches { words += count == 0 ? ", and is as the rule wants it" : ", \(count) to change" }
            if count < matches, count == 0, matches > 1 {
                words = "\(matches) messages match, and are as the rule wants them"
            }
            canvas.paragraph("\(effect.rule.name): \(words)", style: .bold)
            if count == 0 { continue }
            let actions = RuleItem(rule: effect.rule).actions
            canvas.paragraph((isDryRun ? "would: " : "done: ") + actions, indent: 2, style: TextStyle(.green))
            var table = Table([.init(), .init(minimum: 10), .init(minimum: 12)])
            for message in item.messages {
                table.row([
                    StyledText("  " + viewer.short(message.message.id), .dim),
                    canvas.cell(StyledText(message.person), most: 24),
                    StyledText(message.subject) + message.labels(for: viewer),
                ])
            }
            table.draw(on: &canvas)
            if count > item.messages.count {
                canvas.line(StyledText("  … and \(count - item.messages.count) more.", .dim))
            }
        }
    }
}
