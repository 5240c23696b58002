import ArgumentParser
import FoundationEssentials
import HelixGateway
import HelixModel
import HelixSystem
import HelixTerminal

/// `helix chat profile`
struct ChatProfile: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "profile", abstract: "Show or change what a gateway's users see of you.",
        discussion: """
            The e-mail address is for signing in and shown to administrators only; the rest is shown to those who find you \
            in 'helix chat people'. 'none' clears a field.

              helix chat profile
              helix chat profile --name 'Ana Rossi' --status 'on holiday until Monday'
              helix chat profile --avatar ~/me.png
            """)
    static let reports: [PrintedReport] = [.json(ChatProfileReport.self)]

    @Option(name: .long, help: ArgumentHelp("The displayed name.", valueName: "name"))
    var name: String?

    @Option(name: .long, help: ArgumentHelp("The e-mail address.", valueName: "address"))
    var email: String?

    @Option(name: .long, help: ArgumentHelp("A short text about the present.", valueName: "text"))
    var status: String?

    @Option(
        name: .long, help: ArgumentHelp("The picture, PNG or JPEG, at most 256 KiB.", valueName: "file"),
        completion: .file())
    var avatar: String?

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(which.account)
        func text(_ value: String?) -> JSONText? { value.map { .string($0 == "none" ? "" : $0) } }
        let picture = try avatar.map { path in
            if path == "none" { return JSONText.string("") }
            let path = UserPath.expanded(path, context.environment)
            guard let data = FileManager.default.contents(atPath: path) else {
                throw HelixError(.notFound, "cannot read \(path)")
            }
            return .string(data.base64EncodedString())
        }
        let change: JSONText = [
            "display_name": text(name), "email": text(email), "status": text(status), "avatar": picture,
        ]
        let isChange = change.fields?.isEmpty == false
        if isChange, context.isDryRun {
            return try context.presentPlan("change your profile at '\(account.name)'")
        }
        let client = try context.gateway(account)
        defer { client.close() }
        try client.requirePeople(account)
        let me = try isChange ? client.call("users.update", change) : client.call("users.me")
        try context.present(ChatProfileReport(item: ChatProfileItem(json: me)))
    }
}

/// `helix chat block`
struct ChatBlock: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "block", abstract: "Block a user of a gateway.",
        discussion: """
            Blocked users cannot write to you directly or add you to groups. In groups that you share, you still see each \
            other.

              helix chat block mallory
            """)
    static let reports: [PrintedReport] = [.json(ChatPeopleReport.self)]

    @Argument(help: "The user name.")
    var name: String

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.setBlocked(true, name, at: which.account) }
}

/// `helix chat unblock`
struct ChatUnblock: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "unblock", abstract: "Unblock a user of a gateway.", discussion: "  helix chat unblock mallory")
    static let reports: [PrintedReport] = [.json(ChatPeopleReport.self)]

    @Argument(help: "The user name.")
    var name: String

    @OptionGroup var which: GatewayOptions
    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.setBlocked(false, name, at: which.account) }
}

extension CommandContext {
    fileprivate func setBlocked(_ isBlocked: Bool, _ name: String, at gateway: String?) throws {
        let account = try gatewayAccount(gateway)
        let verb = isBlocked ? "block" : "unblock"
        if isDryRun { return try presentPlan("\(verb) '\(name)' at '\(account.name)'") }
        let client = try self.gateway(account)
        defer { client.close() }
        try client.requirePeople(account)
        let answer = try client.call("users.block", ["name": .string(name), "blocked": .bool(isBlocked)])
        let person = GatewayClient.Person(
            id: answer["id"]?.text ?? "", name: answer["name"]?.text ?? name,
            isOnline: answer["online"]?.bool == true, isBlocked: isBlocked)
        try present(ChatPeopleReport(items: [ChatPersonItem(person: person, isMe: false)]))
    }
}

extension GatewayClient {
    /// - Throws: ``HelixError`` of code `notFound` for a gateway without profiles.
    func requirePeople(_ account: Account) throws {
        guard hello.isHelix, hello.methods.contains("users.update") else {
            throw HelixError(.notFound, "the gateway of '\(account.name)' has no profiles of users")
        }
    }
}

/// A user's own profile in a report.
struct ChatProfileItem: DescribedItem {
    let json: JSONText

    private func text(_ name: String) -> String? {
        json[name]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    static let described = list {
        Field("kind", .choice(["profile"]), "The kind of the item.") { _ in "profile" }
        Field("id", .id, "The identity at the gateway.") { $0.text("id") }
        Field("name", .string, "The user name.") { $0.text("name") }
        Field("display_name", .string, required: false, "The displayed name.") { $0.text("display_name") }
        Field("email", .string, required: false, "The e-mail address.") { $0.text("email") }
        Field("status", .string, required: false, "A short text about the present.") { $0.text("status") }
        Field("avatar", .string, required: false, "The SHA-256 of the picture.") { $0.text("avatar") }
        Field("admin", .bool, "Whether you are an administrator.") { $0.json["is_admin"]?.bool ?? false }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }
}

/// A report of one's own profile.
struct ChatProfileReport: Report {
    static let schema = "helix.chat.profile/1"
    static let isList = false
    let item: ChatProfileItem
    var items: [ChatProfileItem] { [item] }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var table = Table([.init(), .init(minimum: 20)])
        let fields = [
            ("user", "name"), ("displayed name", "display_name"), ("e-mail", "email"), ("status", "status"),
        ]
        for (name, field) in fields {
            let text = item.json[field]?.text ?? ""
            table.row([StyledText(name, .dim), text.isEmpty ? StyledText("none", .dim) : StyledText(text)])
        }
        let hasPicture = item.json["avatar"]?.text != nil
        table.row([StyledText("picture", .dim), hasPicture ? StyledText("set") : StyledText("none", .dim)])
        table.draw(on: &canvas)
    }
}
