import ArgumentParser
import HelixGateway
import HelixModel
import HelixTerminal

/// `helix gateway token`
struct GatewayToken: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "token", abstract: "Make a token for an agent that uses the gateway.",
        discussion: """
            The agent speaks the Model Context Protocol with the gateway's address '/mcp'. It may read and change only the \
            domains named here, and send nothing. 'helix gateway devices' lists agents, 'helix gateway revoke' ends one.

              helix gateway token 'my agent' --read mail --change tasks
            """)
    static let reports: [PrintedReport] = [.json(AgentTokenReport.self)]

    /// The domains for which the gateway has tools that read, and that change something.
    private static let readable: [AgentProfile.Domain] = [.mail, .calendar, .tasks, .chat]
    private static let changeable: [AgentProfile.Domain] = [.mail, .calendar, .tasks]

    private static func names(_ domains: [AgentProfile.Domain]) -> String {
        domains.map(\.rawValue).joined(separator: ", ")
    }

    @Argument(help: "The name of the agent.")
    var name: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A domain that it may read: \(GatewayToken.names(GatewayToken.readable)). Repeatable; without this and --change, all of them.",
            valueName: "domain"))
    var read: [AgentProfile.Domain] = []

    @Option(
        name: .long,
        help: ArgumentHelp(
            "A domain that it may change: \(GatewayToken.names(GatewayToken.changeable)). Repeatable.",
            valueName: "domain"))
    var change: [AgentProfile.Domain] = []

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if name.trimmingBlanks().isEmpty { throw ValidationError("The name is empty.") }
        for (option, given, known) in [("--read", read, Self.readable), ("--change", change, Self.changeable)] {
            if let other = given.first(where: { !known.contains($0) }) {
                throw ValidationError("\(option) takes \(Self.names(known)), not \(other.rawValue).")
            }
        }
    }

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        func words(_ domains: [AgentProfile.Domain]) -> [String] {
            AgentProfile.Domain.allCases.filter(domains.contains).map(\.rawValue)
        }
        // A domain that may be changed can be read, too.
        let readable = words(read.isEmpty && change.isEmpty ? Self.readable : read + change)
        let changeable = words(change)
        if context.isDryRun {
            return try context.presentPlan("make a token for '\(name)' at '\(account.name)'")
        }
        let client = try context.gateway(account, asksForPassword: false)
        defer { client.close() }
        let answer = try client.call(
            "device.token.create",
            ["deviceName": .string(name), "read": .strings(readable), "change": .strings(changeable)])
        guard let device = answer["deviceId"]?.text, let token = answer["token"]?.text else {
            throw HelixError(.badInput, "the gateway sent no token", hint: "It may be older than this helix.")
        }
        try context.present(
            AgentTokenReport(
                item: AgentTokenItem(
                    device: device, name: name, token: token, url: GatewayToken.address(account.settings.url ?? ""),
                    read: readable, change: changeable)))
    }

    /// The address for agents at a gateway.
    static func address(_ url: String) -> String {
        var text = url
        for (scheme, other) in [("wss://", "https://"), ("ws://", "http://")] where text.hasPrefix(scheme) {
            text = other + text.dropFirst(scheme.count)
        }
        while text.hasSuffix("/") { text.removeLast() }
        return text + "/mcp"
    }
}

extension AgentProfile.Domain: ExpressibleByArgument {}

/// A new token in a report.
struct AgentTokenItem: DescribedItem {
    var device: String
    var name: String
    var token: String
    var url: String
    var read: [String]
    var change: [String]

    static let described = list {
        Field("kind", .choice(["device"]), "The kind of the item.") { _ in "device" }
        Field("id", .string, "The id of the device that the agent is.") { $0.device }
        Field("name", .string, "The name.") { $0.name }
        Field("token", .string, "The token; it is not shown again.") { $0.token }
        Field("url", .string, "The address for the Model Context Protocol.") { $0.url }
        Field("read", .array(.string), "The domains that it may read.") { $0.read }
        Field("change", .array(.string), "The domains that it may change.") { $0.change }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of a new token.
struct AgentTokenReport: Report {
    static let schema = "helix.gateway.token/1"
    static let isList = false
    let item: AgentTokenItem
    var items: [AgentTokenItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let changes = item.change.isEmpty ? "and change nothing" : "and change \(item.change.joined(separator: ", "))"
        canvas.paragraph("'\(item.name)' may read \(item.read.joined(separator: ", ")), \(changes).")
        canvas.line(StyledText(""))
        canvas.line(StyledText("address  ", .dim) + StyledText(item.url))
        canvas.line(StyledText("token    ", .dim) + StyledText(item.token))
        canvas.line(StyledText(""))
        canvas.line(StyledText("For Claude Code:", .dim))
        // On one line, however long, so that it can be copied.
        canvas.line(
            StyledText(
                "  claude mcp add --transport http helix \(item.url) --header 'Authorization: Bearer \(item.token)'"))
        canvas.line(StyledText("The token is not shown again.", .dim))
    }
}
