import HelixGatewayStore

/// The services that methods use besides their store.
struct MethodServices: Sendable {
    let clock: GatewayClock
    let clients: ClientNotifier
    let sessions: SessionChecker
    /// Failed attempts of signed-in clients at a user's password.
    let failedLogins: LoginFailures
    let assistant: AssistantRuns
    let identities: SecretIdentities
    let accounts: AccountKeeper
    let push: PushSender
    let shares: ShareKeeper
    /// The users whom the directory shows.
    let directory: DirectoryScope
}
