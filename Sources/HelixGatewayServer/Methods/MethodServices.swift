import HelixGatewayStore

/// The services that methods use besides their store.
struct MethodServices: Sendable {
    let clock: GatewayClock
    let clients: ClientNotifier
    let sessions: SessionChecker
    let assistant: AssistantRuns
    let identities: SecretIdentities
    let accounts: AccountKeeper
    let push: PushSender
    let shares: ShareKeeper
    /// The users whom the directory shows.
    let directory: DirectoryScope
}
