import ArgumentParser
import HelixGatewayStore
import HelixModel
import HelixTerminal

/// `helix gateway user`
struct GatewayUserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user", abstract: "Manage the users of the gateway on this machine.",
        subcommands: [
            GatewayUserAdd.self, GatewayUserList.self, GatewayUserPassword.self, GatewayUserDisable.self,
            GatewayUserEnable.self,
        ])
}

extension CommandContext {
    /// The store of the gateway on this machine.
    /// - Throws: ``HelixError``.
    func gatewayStore() throws -> any GatewayStore {
        let folder = try gatewayPlace()
        guard isDryRun else { return try folder.open() }
        guard folder.hasStore else {
            throw HelixError(
                .notFound, "no gateway on this machine yet to try this in",
                hint: "Create one with 'helix gateway user add NAME'.")
        }
        let store = try folder.open()
        try store.rehearse()
        return store
    }

    /// Prompts for a new password twice, or reads it from standard input once.
    /// - Throws: ``HelixError`` of code `usage`.
    func newPassword(of name: String) throws -> String {
        let first = console.secret("New password of '\(name)'")
        if console.canAsk, console.secret("Once more") != first {
            throw HelixError(.usage, "the passwords differ; nothing was changed", hint: "Try again.")
        }
        return first
    }
}

/// `helix gateway user add`
struct GatewayUserAdd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "add", abstract: "Add a user.",
        discussion: """
            Prompts for the password, or reads it from standard input. The first user is an administrator; --admin makes \
            others administrators, too.

              helix gateway user add ana
              pass show gateway/ana | helix gateway user add ana
            """)
    static let reports: [PrintedReport] = [.json(GatewayUserReport.self)]

    @Argument(help: "User name.")
    var name: String

    @Flag(name: .long, help: "Make the user an administrator.")
    var admin = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.gatewayStore()
        let hash = try GatewayPassword.hash(try context.newPassword(of: name))
        try store.addUser(name, hash: hash, isAdmin: admin, now: context.now)
        try context.present(GatewayUserReport(items: [GatewayUserItem(user: try store.user(named: name))]))
    }
}

/// `helix gateway user list`
struct GatewayUserList: HelixCommand {
    static let about = CommandConfiguration(commandName: "list", abstract: "List users.")
    static let reports: [PrintedReport] = [.json(GatewayUserReport.self)]

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        try context.present(
            GatewayUserReport(items: try context.gatewayStore().users().map { GatewayUserItem(user: $0) }))
    }
}

/// `helix gateway user password`
struct GatewayUserPassword: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "password", abstract: "Change a user's password and sign out their devices.")
    static let reports: [PrintedReport] = [.json(GatewayUserReport.self)]

    @Argument(help: "The user.")
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.gatewayStore()
        let user = try store.user(named: name)
        let hash = try GatewayPassword.hash(try context.newPassword(of: user.name))
        try store.setPassword(of: user.id, hash: hash, keeping: nil, now: context.now)
        try context.present(GatewayUserReport(items: [GatewayUserItem(user: try store.user(named: name))]))
    }
}

/// `helix gateway user disable`
struct GatewayUserDisable: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "disable", abstract: "Disable a user; their data is kept.")
    static let reports: [PrintedReport] = [.json(GatewayUserReport.self)]

    @Argument(help: "The user.")
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.setDisabled(true, name) }
}

/// `helix gateway user enable`
struct GatewayUserEnable: ChangingCommand {
    static let about = CommandConfiguration(commandName: "enable", abstract: "Enable a user again.")
    static let reports: [PrintedReport] = [.json(GatewayUserReport.self)]

    @Argument(help: "The user.")
    var name: String

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws { try context.setDisabled(false, name) }
}

extension CommandContext {
    fileprivate func setDisabled(_ isDisabled: Bool, _ name: String) throws {
        let store = try gatewayStore()
        try store.setDisabled(isDisabled, user: try store.user(named: name).id, now: now)
        try present(GatewayUserReport(items: [GatewayUserItem(user: try store.user(named: name))]))
    }
}

/// A user in a report.
struct GatewayUserItem: DescribedItem {
    let user: GatewayUser

    static let described = list {
        Field("kind", .choice(["user"]), "The kind of the item.") { _ in "user" }
        Field("id", .string, "The identity.") { $0.user.id.text }
        Field("name", .string, "User name.") { $0.user.name }
        Field("admin", .bool, "Whether they are an administrator.") { $0.user.isAdmin }
        Field("disabled", .bool, "Whether they are disabled.") { $0.user.isDisabled }
        Field("devices", .integer, "The number of paired devices.") { $0.user.deviceCount }
        Field("created_at", .string, "The time of creation.") { $1.iso($0.user.createdAt) }
        Field("links", .array(.id), "Always empty.") { _ in [String]() }
    }

}

/// A report of users.
struct GatewayUserReport: CuttableReport {
    static let schema = "helix.gateway.user/1"
    var items: [GatewayUserItem]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty {
            canvas.paragraph("No users yet. 'helix gateway user add NAME' adds one.", style: .dim)
            return
        }
        var table = Table([.init("name", minimum: 8), .init("devices", right: true), .init("since"), .init()])
        for item in items {
            let user = item.user
            let words = [user.isAdmin ? "administrator" : "", user.isDisabled ? "disabled" : ""].filter {
                !$0.isEmpty
            }
            table.row([
                StyledText(user.name, user.isDisabled ? .dim : .plain), StyledText("\(user.deviceCount)"),
                StyledText(viewer.day(viewer.zone.date(user.createdAt)), .dim),
                StyledText(words.joined(separator: ", "), user.isDisabled ? TextStyle(.red) : .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
