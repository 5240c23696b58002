import ArgumentParser
import FoundationEssentials
import HelixGateway
import HelixModel
import HelixSync
import HelixTerminal

/// `helix gateway push`
struct GatewayPush: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Be notified of messages while you are away.",
        discussion: """
            A gateway notifies telephones and programs of new chat messages: a topic of an ntfy server, an endpoint of \
            UnifiedPush, or a program's own URL. Muted conversations and blocked people notify nobody. Apps for \
            telephones register themselves.

              helix gateway push add ntfy https://ntfy.sh/ana-7f3k9
              helix gateway push test
            """,
        subcommands: [GatewayPushList.self, GatewayPushAdd.self, GatewayPushRemove.self, GatewayPushTest.self],
        defaultSubcommand: GatewayPushList.self)
}

/// `helix gateway push list`
struct GatewayPushList: HelixCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List your push targets.")
    static let reports: [PrintedReport] = [.json(PushReport.self)]

    @OptionGroup var which: GatewayOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let client = try context.gateway(try context.gatewayAccount(which.account))
        defer { client.close() }
        try context.present(PushReport(items: try PushItem.all(client)))
    }
}

/// `helix gateway push add`
struct GatewayPushAdd: ChangingCommand {
    /// The kinds that a command can register; apps register the others.
    enum Kind: String, ExpressibleByArgument, CaseIterable {
        case ntfy, webhook, unifiedpush
    }

    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a push target.",
        discussion: """
            Anyone who knows a topic can read it: choose a name that cannot be guessed, or an ntfy server with accounts. \
            A web hook receives JSON signed as Standard Webhooks describes; the key is printed once. UnifiedPush endpoints \
            without keys are only told that there is a message.

              helix gateway push add ntfy https://ntfy.sh/ana-7f3k9
              helix gateway push add ntfy https://ntfy.example.org/ana \\
                  --token-command 'pass show ntfy'
              helix gateway push add webhook https://example.org/hooks/helix --always
            """)
    static let reports: [PrintedReport] = [.json(PushReport.self)]

    @Argument(help: ArgumentHelp("ntfy, webhook or unifiedpush.", valueName: "kind"))
    var kind: Kind

    @Argument(help: ArgumentHelp("The topic or the address.", valueName: "url"))
    var url: String

    @Option(
        name: .long, help: ArgumentHelp("A command that prints the access token of the topic.", valueName: "command"))
    var tokenCommand: String?

    @Flag(name: .long, help: "Notify it even while a device of yours is connected.")
    var always = false

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if tokenCommand != nil, kind != .ntfy { throw ValidationError("--token-command requires the kind ntfy.") }
    }

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        let token = try tokenCommand.map { try Secrets.output(of: $0, for: "the push target") }
        let client = try context.gateway(account)
        defer { client.close() }
        let answer = try client.call(
            "push.register",
            [
                "kind": .string(kind.rawValue), "address": .string(url), "secret": token.map { .string($0) },
                "condition": always ? "always" : "user", "dry_run": context.isDryRun ? true : nil,
            ])
        if context.isDryRun { return try context.presentPlan("be notified at '\(url)' by '\(account.name)'") }
        guard let json = answer["target"], var item = PushItem(json) else {
            throw HelixError(.protocol, "'\(account.name)' did not return the push target")
        }
        item.secret = answer["secret"]?.text
        try context.present(PushReport(items: [item]))
        if item.secret != nil { context.note("The key is not shown again.") }
        if answer["is_new"]?.bool == false { context.note("It was a push target already; its settings are these now.") }
        context.note(StyledText("'helix gateway push test' sends a test.", .dim))
    }
}

/// `helix gateway push remove`
struct GatewayPushRemove: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "remove", abstract: "Remove a push target.", discussion: "  helix gateway push remove k3f7")
    static let reports: [PrintedReport] = [.json(PushReport.self)]

    @Argument(help: "The id of the push target, or a prefix of it.")
    var id: String

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let client = try context.gateway(try context.gatewayAccount(which.account))
        defer { client.close() }
        let target = try PushItem.one(id, client)
        if context.isDryRun { return try context.presentPlan("remove the push target \(target.address)") }
        _ = try client.call("push.unregister", ["id": .string(target.id)])
        try context.present(PushReport(items: try PushItem.all(client)))
    }
}

/// `helix gateway push test`
struct GatewayPushTest: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "test", abstract: "Send a test notification to your push targets.",
        discussion: """
            The exit status is not 0 if one of them could not be notified.

              helix gateway push test
              helix gateway push test k3f7
            """)
    static let reports: [PrintedReport] = [.json(PushTestReport.self)]

    @Argument(help: "The id of one push target, or a prefix of it.")
    var id: String?

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let client = try context.gateway(try context.gatewayAccount(which.account))
        defer { client.close() }
        let target = try id.map { try PushItem.one($0, client) }
        if context.isDryRun {
            return try context.presentPlan("send a test to \(target?.address ?? "all push targets")")
        }
        let parameters: JSONText = ["id": target.map { .string($0.id) }]
        let answer = try client.call("push.test", parameters)
        let items = (answer["results"]?.elements ?? []).compactMap { PushTestItem($0) }
        guard !items.isEmpty else {
            throw HelixError(
                .notFound, "no push targets", hint: "Add one: helix gateway push add ntfy https://ntfy.sh/TOPIC")
        }
        try context.present(PushTestReport(items: items))
        let failed = items.filter { $0.status != "delivered" }
        if !failed.isEmpty {
            throw HelixError(
                .offline,
                "\(failed.count) of \(items.count) push target\(items.count == 1 ? "" : "s") could not be notified")
        }
    }
}
