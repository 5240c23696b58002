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
    static let reports: [PrintedReport] = [.json(DeviceFileReport.self)]

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
        guard name.contains(where: { !$0.isWhitespace }), name.count <= 128, SafeText.line(name) == name else {
            throw ValidationError("the name of a device has 1 to 128 characters, without control characters")
        }
        if requested.isEmpty { throw ValidationError("no rights given") }
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
        try context.present(
            DeviceFileReport(
                item: DeviceFileItem(
                    folder: files.folder + "/identity", url: account.settings.url ?? account.name, device: identity.id,
                    name: name, scopes: token.scopes.map { $0.replacing("operator.", with: "") })))
    }
}

/// The files of another program in a report.
struct DeviceFileItem: DescribedItem {
    let folder: String
    let url: String
    let device: String
    let name: String
    let scopes: [String]

    static let described = list {
        Field("kind", .choice(["device_file"]), "The kind of the item.") { _ in "device_file" }
        Field("folder", .string, "The folder of device.json and device-auth.json.") { $0.folder }
        Field("url", .string, "The address of the gateway.") { $0.url }
        Field("device", .string, "The id of the device.") { $0.device }
        Field("name", .string, "The name of the device in lists.") { $0.name }
        Field("scopes", .array(.string), "The rights that it has.") { $0.scopes }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of the files that another program signs in with.
struct DeviceFileReport: Report {
    static let schema = "helix.gateway.device-file/1"
    static let isList = false
    let item: DeviceFileItem
    var items: [DeviceFileItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let rights = item.scopes.joined(separator: ", ")
        canvas.line(StyledText("Wrote \(item.folder) for \(item.url); rights: \(rights)."))
    }
}
