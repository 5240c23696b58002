import HelixGatewayStore
import HelixModel

/// The queues of a gateway's stores.
final class StoreQueues: Sendable {
    /// The users and devices, and the decision about new clients.
    struct Accounts {
        let store: any GatewayAccountStore
        let admission: Admission
    }

    let accounts: StoreQueue<Accounts>
    let chat: StoreQueue<any GatewayMessageStore>
    /// Attachments: a large upload must not delay messages.
    let files: StoreQueue<any GatewayFileStore>
    /// Changes of passwords: hashing one takes a tenth of a second.
    let passwords: StoreQueue<any GatewayUserStore & GatewayPeopleStore & GatewayFailureStore>
    /// Push targets: notifications must not delay messages.
    let push: StoreQueue<any GatewayPushStore>
    /// The users' own stores.
    let users: UserServices

    /// - Parameters:
    ///   - tokens: verifies tokens of another service; nil to accept none.
    ///   - lanes: the number of queues for conversations: one for a database with one writer.
    ///   - open: opens the gateway's store, once for each queue, with a page cache of that many kilobytes.
    /// - Throws: ``HelixError``.
    init(
        users: UserServices, allowsSignUp: Bool, tokens: JWTVerifier? = nil, lanes: Int = 1,
        open: (_ kilobytes: Int) throws -> any GatewayStore
    ) throws {
        accounts = StoreQueue([try open(256)], label: "helix.gateway.accounts", qos: .userInitiated) { store in
            Accounts(store: store, admission: Admission(store, allowsSignUp: allowsSignUp, tokens: tokens))
        }
        let talking = try (0..<lanes).map { _ in try open(2_000) }
        chat = StoreQueue(talking, label: "helix.gateway.chat", qos: .userInteractive) { $0 }
        // Pages for the hourly maintenance need not stay cached until the next run.
        files = StoreQueue([try open(256)], label: "helix.gateway.files", qos: .utility) { $0 }
        passwords = StoreQueue([try open(256)], label: "helix.gateway.password", qos: .utility) { $0 }
        push = StoreQueue([try open(256)], label: "helix.gateway.push", qos: .utility) { $0 }
        self.users = users
    }

    /// Drops queued jobs and waits for the running ones.
    func finish() {
        chat.finish()
        files.finish()
        passwords.finish()
        push.finish()
        accounts.finish()
        users.finish()
    }
}
