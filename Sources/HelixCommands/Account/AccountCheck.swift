import ArgumentParser
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix account check`
struct AccountCheck: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "check", abstract: "Test each step of an account's connection.",
        discussion: """
            Counts messages, events and tasks on the server and compares them with the store; a difference is an error.

              helix account check work
            """)
    static let reports: [PrintedReport] = [.json(AccountCheckReport.self)]

    @Argument(help: "The account.", completion: .custom(CompletionLists.allAccounts))
    var name: String

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let account = try store.account(named: name)
        let steps = AccountSteps.check(
            account, access: context.gatewayAccess(account), gateway: context.gatewayMaker, store: store)
        try context.present(AccountCheckReport(items: steps.map { AccountCheckItem(step: $0) }))
        // The report shows the error.
        if let step = steps.first(where: { $0.failure != nil }), let failure = step.failure {
            throw HelixError(
                failure.code, "'\(account.name)' does not work: the step '\(step.name)' failed", hint: failure.hint)
        }
    }
}

/// A step in a report.
struct AccountCheckItem: DescribedItem {
    let step: AccountStep

    static let described = list {
        Field("kind", .choice(["step"]), "The kind of the item.") { _ in "step" }
        Field("step", .string, "The step.") { $0.step.name }
        Field("ok", .bool, "Whether it succeeded.") { $0.step.failure == nil }
        Field("detail", .string, "The result, or the error.") { $0.step.failure?.message ?? $0.step.detail }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// A report of connection test steps.
struct AccountCheckReport: CuttableReport {
    static let schema = "helix.account.check/1"
    var items: [AccountCheckItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let width = items.map { TextWidth.of($0.step.name) }.max() ?? 0
        for item in items {
            let failure = item.step.failure
            var line = StyledText(failure == nil ? "✓  " : "✗  ", TextStyle(failure == nil ? .green : .red))
            line.append(item.step.name, .bold)
            let words = failure?.message ?? item.step.detail
            let style = failure == nil ? TextStyle.plain : TextStyle(.red)
            if width + 5 + TextWidth.of(words) <= canvas.width {
                line.append(String(repeating: " ", count: width - TextWidth.of(item.step.name) + 2))
                line.append(words, style)
                canvas.line(line)
            } else {
                canvas.line(line)
                canvas.paragraph(words, indent: 5, style: style)
            }
        }
    }
}
