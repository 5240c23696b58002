import ArgumentParser
import HelixGateway
import HelixModel
import HelixStore
import HelixTerminal

/// `helix gateway status`
struct GatewayStatus: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "status", abstract: "Show the status of a gateway.",
        discussion: "  helix gateway status")
    static let reports: [PrintedReport] = [.json(GatewayReport.self)]

    @OptionGroup var which: GatewayOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        let start = ContinuousClock.now
        let client = try context.gateway(account, asksForPassword: false)
        defer { client.close() }
        let time = start.duration(to: .now).components
        try context.present(
            GatewayReport(
                item: GatewayItem(
                    account: account, hello: client.hello,
                    milliseconds: Int(time.seconds) * 1000 + Int(time.attoseconds / 1_000_000_000_000_000))))
    }
}

/// `helix gateway pair`
struct GatewayPair: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "pair", abstract: "Pair this device with a gateway.",
        discussion: """
            Signs in and stores the token of this device, so the password is needed only once. If the owner has to \
            approve the device, prints the request number and the command to approve it; run this again afterwards.

            --sign-up creates a user at a gateway that allows it ('gateway serve --sign-up'), with the user name and \
            password of the account. The user may be an e-mail address; the gateway derives a user name from it.

              helix gateway pair home
              helix gateway pair home --sign-up
              helix gateway pair home --sign-up --display-name 'Ana Rossi'
            """)
    static let reports: [PrintedReport] = [.json(GatewayReport.self)]

    @Argument(help: "The gateway, if there are several.", completion: .custom(CompletionLists.allAccounts))
    var name: String?

    @Flag(name: .long, help: "Sign up with a new user name and password.")
    var signUp = false

    @Option(name: .long, help: ArgumentHelp("With --sign-up: the displayed name.", valueName: "name"))
    var displayName: String?

    @Option(name: .long, help: ArgumentHelp("With --sign-up: the e-mail address.", valueName: "address"))
    var email: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !signUp, displayName != nil || email != nil {
            throw ValidationError("--display-name and --email require --sign-up; 'helix chat profile' changes them.")
        }
    }

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(name)
        if signUp, account.settings.user == nil {
            throw HelixError(
                .usage, "the account '\(account.name)' has no user name",
                hint: "Set it: helix account edit \(account.name) --user ana")
        }
        if context.isDryRun {
            let verb = signUp ? "create the user '\(account.settings.user ?? "")'" : "pair this device"
            return try context.presentPlan("\(verb) at '\(account.name)'")
        }
        let client = try context.gateway(account, signsUp: signUp)
        defer { client.close() }
        try context.present(GatewayReport(item: GatewayItem(account: account, hello: client.hello, milliseconds: nil)))
        if signUp, let name = try client.call("users.me")["name"]?.text, name != account.settings.user {
            context.note("Your user name is \(name).")
        }
        if displayName != nil || email != nil {
            do {
                _ = try client.call(
                    "users.update",
                    ["display_name": displayName.map { .string($0) }, "email": email.map { .string($0) }])
            } catch let error as HelixError {
                throw HelixError(
                    error.code, "signed up and paired, but the profile was not set: \(error.message)",
                    hint: "Set it with 'helix chat profile'; do not sign up again.")
            }
        }
        context.note(StyledText("This device is paired.", .dim))
    }
}

/// A gateway in a report.
struct GatewayItem: DescribedItem {
    let account: Account
    let hello: GatewayHello
    let milliseconds: Int?

    static let described = list {
        Field("kind", .choice(["gateway"]), "The kind of the item.") { _ in "gateway" }
        Field("account", .string, "The account.") { $0.account.name }
        Field("url", .string, "The address.") { $0.account.settings.url }
        Field("user", .string, required: false, "The user name.") { $0.account.settings.user }
        Field("type", .choice(["helix", "openclaw"]), "The kind of gateway.") {
            $0.hello.isHelix ? "helix" : "openclaw"
        }
        Field("version", .string, "The version of the gateway.") { $0.hello.server }
        Field("protocol", .integer, "The protocol version in use.") { $0.hello.version }
        Field("connect_ms", .integer, required: false, "The time to sign in, in milliseconds.") { $0.milliseconds }
        Field("methods", .array(.string), "The methods that it lists.") { $0.hello.methods }
        Field("largest_frame", .integer, "The maximum size of a request, in bytes.") { $0.hello.largestFrame }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// A report of a gateway.
struct GatewayReport: Report {
    static let schema = "helix.gateway/1"
    static let isList = false
    let item: GatewayItem
    var items: [GatewayItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let hello = item.hello
        var table = Table([.init(), .init(minimum: 20)])
        func line(_ name: String, _ text: String) { table.row([StyledText(name, .dim), StyledText(text)]) }
        line("gateway", "\(item.account.name), \(item.account.settings.url ?? "")")
        if let user = item.account.settings.user { line("user", user) }
        line("type", "\(hello.isHelix ? "helix" : "OpenClaw family") \(hello.server), protocol \(hello.version)")
        if let time = item.milliseconds { line("sign-in", "\(time) ms") }
        line("methods", hello.methods.isEmpty ? "none listed" : "\(hello.methods.count)")
        if !hello.isHelix { line("offers", "chat; no mail, calendars or tasks") }
        table.draw(on: &canvas)
    }
}
