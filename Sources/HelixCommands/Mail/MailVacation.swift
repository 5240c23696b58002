import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix mail vacation`
struct MailVacation: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vacation", abstract: "Answer mail while you are away.",
        discussion: """
            The server answers (RFC 5230), once to each sender in some days, and only to mail that was sent to you by name; \
            helix does not have to run.

              helix mail vacation set 'I am back on 14 December.' --until '13 dec'
              helix mail vacation off
            """,
        subcommands: [VacationShow.self, VacationSet.self, VacationOff.self], defaultSubcommand: VacationShow.self)
}

/// `helix mail vacation show`, or without `show`
struct VacationShow: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "show", abstract: "Show the answers of all accounts.", discussion: "  helix mail vacation")
    static let reports: [PrintedReport] = [.json(VacationReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let states = try store.sieveStates()
        let items = try store.mailAccounts().compactMap { account in
            states[account.number]?.vacation.map { VacationItem(account: account.name, vacation: $0) }
        }
        try context.present(VacationReport(items: items))
        context.explain("These were set on this device. 'helix mail rules server' asks the server.")
    }
}

/// `helix mail vacation set`
struct VacationSet: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "set", abstract: "Let the server answer.",
        discussion: """
            Uploads the answer, and with it the rules as they are now if they were uploaded before. Both days are included; \
            times are possible. A server has no undo: 'helix mail vacation off' ends it.

              helix mail vacation set 'I am back on 14 December.' \\
                  --from '1 dec' --until '13 dec'
              helix mail vacation set - --account work < away.txt
            """)
    static let reports: [PrintedReport] = [.json(VacationReport.self)]

    @Argument(help: "The text of the answer; '-' reads standard input.")
    var text: String

    @Option(name: .long, help: ArgumentHelp("The subject of the answer.", valueName: "text"))
    var subject: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("From that day or time on.", valueName: "when"))
    var from: String?

    @Option(
        name: .long, parsing: .unconditional, help: ArgumentHelp("Up to that day, or time.", valueName: "when"))
    var until: String?

    @Option(name: .long, help: ArgumentHelp("Days until a sender gets another answer: 1 to 30.", valueName: "number"))
    var days: Int = VacationAnswer.usualDays

    @OptionGroup var scripts: OtherScriptOptions
    @OptionGroup var sieve: SieveOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !(1...30).contains(days) { throw ValidationError("--days takes 1 to 30, not \(days).") }
    }

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let answer = try answer(context)
        let state = try context.store().sieveStates()[account.number]
        _ = try context.uploadScript(
            account, vacation: answer, hasRules: state?.hasRules ?? false,
            other: scripts.treatment)
        if state?.hasRules == true { context.note(StyledText("With the rules as they are now.", .dim)) }
        try context.present(VacationReport(items: [VacationItem(account: account.name, vacation: answer)]))
    }

    private func answer(_ context: CommandContext) throws -> VacationAnswer {
        let body = text == "-" ? String(decoding: try context.invocation.inputData(), as: UTF8.self) : text
        guard !body.trimmingBlanks().isEmpty else {
            throw HelixError(
                .usage, "the answer has no text", hint: "Write it in one argument, or '-' for standard input.")
        }
        if let subject, subject.contains(where: \.isNewline) || subject.trimmingBlanks().isEmpty {
            throw HelixError(.usage, "invalid subject '\(subject)'", hint: "Use one line.")
        }
        let dates = context.dates.looking(.ahead)
        let start = try from.map { try dates.moment($0).instant(in: context.zone) }
        let end = try until.map { phrase in
            if case .date(let day) = try dates.moment(phrase) { return context.zone.startOfDay(day + 1) }
            return try dates.moment(phrase).instant(in: context.zone)
        }
        if let end, end <= max(start ?? context.now, context.now) {
            throw HelixError(
                .usage, "'\(until ?? "")' is \(end <= context.now ? "in the past" : "before the start")",
                hint: "Give --until a later day.")
        }
        return VacationAnswer(text: body, subject: subject, start: start, end: end, days: days)
    }
}

/// `helix mail vacation off`
struct VacationOff: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "off", abstract: "Let the server answer no more.", discussion: "  helix mail vacation off")
    static let reports: [PrintedReport] = [.json(VacationReport.self)]

    @OptionGroup var sieve: SieveOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let scripts = SieveScripts(try context.store(), account, context.ruleSetting)
        let state = try scripts.state()
        if state?.vacation == nil {
            // Another device may have uploaded one.
            guard try scripts.list().answers else {
                throw HelixError(.notFound, "the server of '\(account.name)' does not answer for helix")
            }
            throw HelixError(
                .conflict, "the answer on the server of '\(account.name)' was uploaded by another device",
                hint: "'helix mail rules upload --replace' puts the rules of this device there, without an answer; "
                    + "'helix mail rules remove' takes the script away.")
        }
        // Without rules, nothing is left for the script.
        if state?.hasRules == true {
            _ = try context.uploadScript(account, vacation: nil, hasRules: true, other: .keep)
            context.note(StyledText("With the rules as they are now.", .dim))
        } else {
            _ = try scripts.remove(isDryRun: changes.dryRun)
        }
        var report = VacationReport(items: [])
        report.ended = account.name
        try context.present(report)
    }
}

/// The answer of an account in a report.
struct VacationItem: DescribedItem {
    let account: String
    let vacation: VacationAnswer

    static let described = list {
        Field("kind", .choice(["vacation"]), "The kind of item.") { _ in "vacation" }
        Field("account", .string, "The account.") { $0.account }
        Field("text", .string, "The text of the answer.") { $0.vacation.text }
        Field("subject", .string, required: false, "Its subject.") { $0.vacation.subject }
        Field("start", .time, required: false, "When it begins.") { item, viewer in
            item.vacation.start.map(viewer.iso)
        }
        Field("end", .time, required: false, "When it ends.") { item, viewer in item.vacation.end.map(viewer.iso) }
        Field("days", .integer, "Days until a sender gets another answer.") { $0.vacation.days }
    }
}

/// The answers while the user is away.
struct VacationReport: CuttableReport {
    static let schema = "helix.mail.vacation/1"
    var items: [VacationItem]
    var isTruncated = false
    /// The account whose server answers no more.
    var ended: String?

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if let ended { return canvas.paragraph("The server of '\(ended)' answers no more.") }
        if items.isEmpty { canvas.line(StyledText("No answer was set on this device.", .dim)) }
        for item in items {
            let answer = item.vacation
            var when = [
                answer.start.map { "from \(start($0, viewer))" }, answer.end.map { "until \(end($0, viewer))" },
            ]
            .compactMap { $0 }.joined(separator: " ")
            if let end = answer.end, end <= viewer.now { when += " (over)" }
            canvas.flow([
                StyledText(item.account, .bold),
                StyledText((when.isEmpty ? "from now on" : when) + ", every \(answer.days) days to the same sender"),
            ])
            if let subject = answer.subject { canvas.paragraph("Subject: \(subject)", indent: 2) }
            for line in answer.text.split(separator: "\n", omittingEmptySubsequences: false) {
                canvas.paragraph(String(line), indent: 2, style: .dim)
            }
        }
    }

    /// The first moment in words: midnight is the day.
    private func start(_ start: Instant, _ viewer: Viewer) -> String {
        let civil = viewer.zone.civil(start)
        return civil.secondOfDay == 0 ? viewer.day(civil.date) : viewer.moment(start)
    }

    /// The last moment in words: midnight belongs to the day before.
    private func end(_ end: Instant, _ viewer: Viewer) -> String {
        let civil = viewer.zone.civil(end)
        return civil.secondOfDay == 0 ? viewer.day(civil.date - 1) : viewer.moment(end)
    }
}
