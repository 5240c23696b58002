import ArgumentParser
import HelixGateway
import HelixModel
import HelixTerminal

/// `helix gateway password`
struct GatewayPasswordCommand: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "password", abstract: "Change your own password at a gateway.",
        discussion: """
            Prompts for both passwords, or reads them from two lines of standard input. All other devices are signed out.

              helix gateway password home
            """)
    static let reports: [PrintedReport] = [.json(GatewayReport.self)]

    @Argument(help: "The gateway, if there are several.", completion: .custom(CompletionLists.gatewayAccounts))
    var name: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(name)
        if context.isDryRun { return try context.presentPlan("change your password at '\(account.name)'") }
        let client = try context.gateway(account)
        defer { client.close() }
        let former = context.console.secret("Present password of '\(account.settings.user ?? account.name)'")
        let new = try context.newPassword(of: account.settings.user ?? account.name)
        guard !former.isEmpty, !new.isEmpty else {
            throw HelixError(
                .usage, "the \(former.isEmpty ? "present" : "new") password is missing; nothing was changed",
                hint: "Standard input has the present one on its first line, the new one on its second.")
        }
        guard former != new else {
            throw HelixError(.usage, "the new password is the present one; nothing was changed")
        }
        _ = try client.call("users.password", ["old_password": .string(former), "new_password": .string(new)])
        try context.present(GatewayReport(item: GatewayItem(account: account, hello: client.hello, milliseconds: nil)))
        context.note(StyledText("The password is changed; other devices are signed out.", .dim))
        if account.settings.passwordCommand != nil {
            context.note(
                "Change the output of the account's --password-command, too: this device keeps its token until then.")
        }
    }
}

/// `helix gateway end`
struct GatewayEnd: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "end", abstract: "End your own account at a gateway.",
        discussion: """
            Reads the password from the terminal or standard input. You leave all groups, and your devices are signed out. Your password, profile and devices are deleted at the \
            gateway; messages to others stay with them. The gateway keeps your calendars, tasks and mail \
            accounts, unused, until its administrator deletes them. What is stored on this machine is kept. This cannot be undone.

              helix gateway end home
            """)
    static let reports: [PrintedReport] = [.json(GatewayReport.self)]

    @Argument(help: "The gateway, if there are several.", completion: .custom(CompletionLists.gatewayAccounts))
    var name: String?

    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let account = try context.gatewayAccount(name)
        if context.isDryRun { return try context.presentPlan("end your account at '\(account.name)'") }
        let user = account.settings.user ?? account.name
        try context.confirm("End the account '\(user)' at \(account.settings.url ?? "") for good?", yes: yes)
        let client = try context.gateway(account)
        defer { client.close() }
        let password = context.console.secret("Password of '\(user)'")
        guard !password.isEmpty else {
            throw HelixError(
                .usage, "no password given; nothing was changed", hint: "Type it, or give it on standard input.")
        }
        _ = try client.call("users.end", ["password": .string(password)])
        try context.present(GatewayReport(item: GatewayItem(account: account, hello: client.hello, milliseconds: nil)))
        context.note(
            StyledText("The account is ended. 'helix account remove \(account.name)' removes it here.", .dim))
    }
}
