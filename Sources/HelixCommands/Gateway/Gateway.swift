import ArgumentParser

/// `helix gateway`
struct Gateway: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gateway", abstract: "Run or use a gateway: device sync and chat.",
        discussion: """
            A gateway is a server that anyone can run for their devices, their family or their company. It uses \
            the OpenClaw protocol. Other OpenClaw gateways offer chat only; a helix gateway also syncs mail, calendars, tasks \
            and time.

            To run one:
              helix gateway user add ana
              helix gateway serve

            To use one:
              helix account add home gateway wss://gateway.example.org --user ana
              helix gateway pair home
            """,
        subcommands: [
            GatewayServe.self, GatewayDatabaseCommand.self, GatewayUserCommand.self, GatewayAs.self, GatewayStatus.self,
            GatewayPair.self,
            GatewayPasswordCommand.self, GatewayEnd.self, GatewayDevices.self,
            GatewayApprove.self, GatewayReject.self, GatewayRevoke.self, GatewayToken.self, GatewayPush.self,
            GatewayDeviceFile.self,
            GatewayCall.self,
        ])
}

/// The option that selects a gateway.
struct GatewayOptions: ParsableArguments {
    @Option(
        name: .long, help: ArgumentHelp("The gateway, if there are several.", valueName: "name"),
        completion: .custom(CompletionLists.allAccounts))
    var account: String?
}
