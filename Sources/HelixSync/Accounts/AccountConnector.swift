import HelixGateway
import HelixModel
import HelixStore

/// The differences between kinds of accounts: connecting, syncing, checking, sending and watching. A new kind is a connector in
/// a folder of its own, and a line in ``HelixModel/Account/Kind/connector``.
protocol AccountConnector: Sendable {
    /// Connects to the account's server for reading mail; nil for a kind without one.
    /// - Parameter isFull: whether to fetch the whole state, and not only changes.
    /// - Throws: ``HelixError``.
    func mailRemote(
        _ account: Account, _ store: Store, isFull: Bool, gateway: GatewayAccess.Maker?
    ) throws -> (any MailRemote)?

    /// Syncs the account, which is locked.
    /// - Throws: ``HelixError``.
    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws

    /// Checks the account step by step.
    func check(_ steps: inout AccountSteps)

    /// Waits until the server reports a change, the store has one, or the time is over.
    /// - Returns: false if the server does not report changes; then the store alone is watched.
    func wait(_ watch: AccountWatch) -> Bool
}

extension AccountConnector {
    func mailRemote(
        _ account: Account, _ store: Store, isFull: Bool, gateway: GatewayAccess.Maker?
    ) throws -> (any MailRemote)? { nil }

    func sync(_ sync: AccountSync, _ outcome: inout SyncOutcome, _ progress: @escaping (String) -> Void) throws {
        try sync.mail(&outcome, progress)
    }

    func wait(_ watch: AccountWatch) -> Bool { false }
}

extension Account.Kind {
    /// The connector of the kind.
    var connector: any AccountConnector {
        switch self {
        case .maildir, .local: MaildirConnector()
        case .imap: IMAPConnector()
        case .jmap: JMAPConnector()
        case .caldav: CalDAVConnector()
        case .carddav: CardDAVConnector()
        case .vdir: FolderConnector()
        case .webcal: PublishedConnector()
        case .gateway: GatewayConnector()
        }
    }
}

extension Account {
    /// The account's server for reading mail; nil for an account without one.
    /// - Parameter isFull: whether to fetch the whole state, and not only changes.
    /// - Throws: ``HelixError``.
    func mailRemote(
        _ store: Store, isFull: Bool = false, gateway: GatewayAccess.Maker? = nil
    ) throws -> (any MailRemote)? {
        try kind.connector.mailRemote(self, store, isFull: isFull, gateway: gateway)
    }
}
