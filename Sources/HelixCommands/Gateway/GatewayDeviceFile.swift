import ArgumentParser
import FoundationEssentials
import HelixGateway
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix gateway device-file`
struct GatewayDeviceFile: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "device-file", abstract: "Sign in for another program of the family.",
        discussion: """
            Programs of the OpenClaw family, such as its command line and its SDK, cannot sign in with a user's password. \
            This writes the files that they read, identity/device.json and identity/device-auth.json, with a token of the \
            gateway. An identity that is there already is kept.

              helix gateway device-file sdk
              helix gateway device-file builder --scopes read --folder ~/builder/.openclaw
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The name of the device in lists.")
    var name: String

    @Option(
        name: .long, help: ArgumentHelp("The folder of the other program's state.", valueName: "folder"),
        completion: .directory)
    var folder = "~/.openclaw"

    @Option(
        name: .long, parsing: .upToNextOption,
        help: ArgumentHelp("The rights: read, write, pairing, admin, approvals.", valueName: "scope"))
    var scopes: [String] = ["read", "write"]

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        for scope in requested where GatewayProtocol.Scope(rawValue: scope) == nil {
            throw ValidationError("unknown scope '\(scope.replacing("operator.", with: ""))'")
        }
    }

    private var requested: [String] {
        scopes.flatMap { $0.split(separator: ",") }.map { $0.hasPrefix("operator.") ? String($0) : "operator.\($0)" }
    }

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        let files = FamilyFiles(folder: UserPath.expanded(folder, context.environment))
        if context.isDryRun {
            return try context.presentPlan("sign in '\(name)' at '\(account.name)' and write \(files.folder)/identity")
        }
        let moment = context.now.seconds * 1000
        let identity = try files.identity(at: moment)
        let token = try context.gatewayAccess(account).token(
            for: identity, named: name, scopes: requested, password: context.gatewayPassword(account))
        try files.keep(token, of: identity, at: moment)
        let granted = token.scopes.map { $0.replacing("operator.", with: "") }.joined(separator: ", ")
        context.note(
            StyledText(
                "Wrote \(files.folder)/identity for \(account.settings.url ?? account.name); rights: \(granted)."))
    }
}
