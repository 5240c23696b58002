import ArgumentParser
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore
import HelixSync
import HelixTerminal

/// The option that selects the account whose server runs rules.
struct SieveOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The account; needed if several have an IMAP server.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String?
}

/// The treatment of a script of somebody else that is active on the server.
struct OtherScriptOptions: ParsableArguments {
    @Flag(name: .long, help: "Run the script that is active now before that of helix.")
    var include = false

    @Flag(name: .long, help: "Run that of helix alone; the server keeps the script that is active now.")
    var replace = false

    func validate() throws {
        if include, replace { throw ValidationError("--include and --replace exclude each other.") }
    }

    var treatment: SieveScripts.Other { include ? .include : replace ? .replace : .keep }
}

extension CommandContext {
    /// The account whose server has scripts.
    /// - Throws: ``HelixError``.
    func sieveAccount(_ options: SieveOptions) throws -> Account {
        let store = try store()
        if let name = options.account {
            let account = try store.mailAccount(named: name)
            guard account.settings.sieveServer != nil else {
                throw HelixError(
                    .configuration, "the account '\(account.name)' has no ManageSieve server",
                    hint:
                        "Scripts are for accounts with an IMAP server, or 'helix account edit \(account.name) --sieve-host HOST'."
                )
            }
            return account
        }
        let accounts = try store.mailAccounts().filter { $0.settings.sieveServer != nil }
        guard accounts.count == 1, let account = accounts.first else {
            throw HelixError(
                .usage, accounts.isEmpty ? "no account has a ManageSieve server" : "several accounts have a server",
                hint: accounts.isEmpty
                    ? "Servers of IMAP accounts may have one: 'helix account add'."
                    : "Name one: --account \(accounts.map(\.name).joined(separator: "|")).")
        }
        return account
    }

    /// Uploads the script of an account.
    /// - Throws: ``HelixError``.
    func uploadScript(
        _ account: Account, vacation: VacationAnswer?, hasRules: Bool, other: SieveScripts.Other
    ) throws -> SieveItem {
        let (script, warning) = try SieveScripts(store(), account, ruleSetting).upload(
            vacation: vacation, hasRules: hasRules, other: other, isDryRun: isDryRun)
        if let warning { note(StyledText("The server warns: \(warning)", TextStyle(.yellow))) }
        return SieveItem(account: account.name, script: script, active: SieveScript.name)
    }
}

/// `helix mail rules script`
struct RulesScript: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "script", abstract: "Print the rules as a Sieve script.",
        discussion: """
            As 'helix mail rules upload' puts it on the server, as far as rules can be said in Sieve (RFC 5228); the others, and \
            why, are told on standard error. What a server would compare in another way than helix is not said there, or \
            narrower: it never does what the rule would not.

              helix mail rules script
              helix mail rules script --account work > work.sieve
            """)
    static let reports: [PrintedReport] = [.json(SieveReport.self)]

    @OptionGroup var sieve: SieveOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let scripts = SieveScripts(try context.store(), account, context.ruleSetting)
        let state = try scripts.state()
        let script = try scripts.script(
            extensions: state?.extensions, vacation: state?.vacation, hasRules: true, included: state?.included)
        let item = SieveItem(account: account.name, script: script)
        if output.isMachine { return try context.present(SieveReport(items: [item])) }
        try context.write(script.text)
        for line in item.remainders { context.note(StyledText("Not in it: " + line + ".")) }
    }
}

/// `helix mail rules upload`
struct RulesUpload: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "upload", abstract: "Let the server run the rules, also while helix does not.",
        discussion: """
            Puts them on the server of an IMAP account by ManageSieve (RFC 5804), as the script 'helix'. Rules that cannot be \
            said in Sieve go on running in helix. Scripts of others are left alone: if one is active, choose --include or \
            --replace. Upload again after changes; 'helix mail rules server' shows whether that is needed.

              helix mail rules upload --dry-run
              helix mail rules upload --account work --include
            """)
    static let reports: [PrintedReport] = [.json(SieveReport.self)]

    @OptionGroup var sieve: SieveOptions

    @OptionGroup var scripts: OtherScriptOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let vacation = try context.store().sieveStates()[account.number]?.vacation
        var item = try context.uploadScript(
            account, vacation: vacation, hasRules: true,
            other: scripts.treatment)
        item.isCurrent = changes.dryRun ? nil : true
        try context.present(SieveReport(items: [item]))
    }
}

/// `helix mail rules server`
struct RulesServer: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "server", abstract: "Show the scripts on the server, and whether that of helix is up to date.",
        discussion: "  helix mail rules server --account work")
    static let reports: [PrintedReport] = [.json(SieveReport.self)]

    @OptionGroup var sieve: SieveOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let scripts = SieveScripts(try context.store(), account, context.ruleSetting)
        let found = try scripts.list()
        let state = try scripts.state()
        let script = try scripts.script(
            extensions: found.extensions, vacation: state?.vacation, hasRules: state?.hasRules ?? true,
            included: state?.included)
        var item = SieveItem(account: account.name, script: script, active: found.active)
        item.scripts = found.scripts.map(\.name)
        item.isCurrent = found.isOurs && state?.text == script.text && item.active == SieveScript.name
        item.isForeign = found.text != nil && !found.isOurs
        item.answers = found.answers
        try context.present(SieveReport(items: [item]))
    }
}

/// `helix mail rules remove`
struct RulesRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Remove the script of helix from the server.",
        discussion: """
            The rules go on running in helix. A script that was included is active again.

              helix mail rules remove --account work
            """)
    static let reports: [PrintedReport] = [.json(SieveReport.self)]

    @OptionGroup var sieve: SieveOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.sieveAccount(sieve)
        let (active, answered) = try SieveScripts(context.store(), account, context.ruleSetting).remove(
            isDryRun: changes.dryRun)
        var item = SieveItem(account: account.name, script: nil, active: active)
        item.isRemoved = true
        if answered { context.note(StyledText("The server answers no more while you are away.")) }
        try context.present(SieveReport(items: [item]))
    }
}

/// The script of a server in a report.
struct SieveItem: DescribedItem {
    let account: String
    /// The script as it is now; nil if it was removed.
    let script: SieveScript?
    /// The script that the server runs, as far as that is known.
    var active: String?
    /// The scripts on the server, if they were listed.
    var scripts: [String]?
    /// Whether the server runs the script as it is now.
    var isCurrent: Bool?
    var isRemoved = false
    /// Whether the script of helix on the server was uploaded by another device.
    var isForeign = false
    /// Whether that script answers while the user is away.
    var answers: Bool?

    init(account: String, script: SieveScript?, active: String? = nil) {
        (self.account, self.script, self.active) = (account, script, active)
    }

    static let described = list {
        Field("kind", .choice(["script"]), "The kind of item.") { _ in "script" }
        Field("account", .string, "The account.") { $0.account }
        Field("active", .string, required: false, "The script that the server runs.") { $0.active }
        Field("scripts", .array(.string), required: false, "The scripts on the server.") { $0.scripts }
        Field("current", .bool, required: false, "Whether the server runs the rules as they are now.") { $0.isCurrent }
        Field("answers", .bool, required: false, "Whether it answers while you are away.") { $0.answers }
        Field("rules", .array(.string), "The rules in the script.") { $0.script?.rules.map(\.name) ?? [] }
        Field("remainders", .array(.string), "The rules that run only in helix, with the reason.") { $0.remainders }
        Field("text", .string, required: false, "The script.") { $0.script?.text }
    }

    /// The rules that the server cannot run: `'bills': it adds a task`.
    var remainders: [String] { (script?.remainders ?? []).map { "'\($0.rule.name)': \($0.reason)" } }
}

/// The scripts of servers.
struct SieveReport: CuttableReport {
    static let schema = "helix.mail.rules.script/1"
    var items: [SieveItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for item in items { draw(item, on: &canvas) }
    }

    private func draw(_ item: SieveItem, on canvas: inout Canvas) {
        if item.isRemoved {
            canvas.paragraph(
                "The server of '\(item.account)' "
                    + (item.active.map { "runs the script '\($0)'." } ?? "runs no script."))
            return
        }
        let names = item.script?.rules.map(\.name) ?? []
        switch item.isCurrent {
        case true? where names.isEmpty && item.remainders.isEmpty:
            canvas.paragraph("The server of '\(item.account)' runs the script of helix.", style: TextStyle(.green))
        case true?:
            canvas.paragraph("The server of '\(item.account)' runs the rules as they are.", style: TextStyle(.green))
        case false? where item.active == SieveScript.name && item.isForeign:
            canvas.paragraph(
                "The server of '\(item.account)' runs rules that another device has uploaded.",
                style: TextStyle(.yellow))
        case false? where item.active == SieveScript.name:
            canvas.paragraph(
                "The server of '\(item.account)' runs other rules than these: helix mail rules upload",
                style: TextStyle(.yellow))
        case false?:
            let other = item.active.map { "the script '\($0)', not the rules of helix." } ?? "no script."
            canvas.paragraph("The server of '\(item.account)' runs \(other)", style: TextStyle(.yellow))
        case nil: canvas.paragraph("The server of '\(item.account)' would run:")
        }
        if let scripts = item.scripts, !scripts.isEmpty {
            canvas.paragraph("Scripts there: \(scripts.joined(separator: ", ")).", style: .dim)
        }
        if item.answers == true { canvas.paragraph("It answers while you are away.") }
        let isThere = item.isCurrent ?? true
        canvas.paragraph(
            names.isEmpty
                ? "No rule \(isThere ? "is" : "would be") in the script."
                : (isThere ? "In the script: " : "With an upload: ") + names.joined(separator: ", ") + ".")
        for line in item.remainders { canvas.paragraph("Only in helix: \(line).", style: TextStyle(.yellow)) }
    }
}
