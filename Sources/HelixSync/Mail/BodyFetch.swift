import HelixModel
import HelixNetwork
import HelixStore

/// Fetches the bodies of messages stored with headers only.
public struct BodyFetch {
    private let store: Store
    private let gateway: GatewayAccess.Maker?

    /// Creates a fetch into a store.
    /// - Parameter gateway: returns the access to a gateway, for mail that one keeps.
    public init(_ store: Store, gateway: GatewayAccess.Maker? = nil) { (self.store, self.gateway) = (store, gateway) }

    /// Fetches complete messages of one account; those that were removed on the server stay as they are.
    ///
    /// - Parameters:
    ///   - server: a connected server.
    ///   - done: called with the count after each message.
    /// - Returns: the number of messages that are complete now.
    /// - Throws: ``HelixError``: `offline` without a network.
    func run(
        _ ids: [EntityID], of account: Account, server: any MailRemote, done: (Int) -> Void = { _ in }
    ) throws -> Int {
        var places: [(id: EntityID, place: RemotePlace)] = []
        for id in ids { if let place = try store.remotePlace(id, of: account) { places.append((id, place)) } }
        var count = 0
        for mailbox in Set(places.map(\.place.mailbox)) {
            let own = Dictionary(
                places.filter { $0.place.mailbox == mailbox }.map { ($0.place.uid, $0.id) }, uniquingKeysWith: { $1 })
            do { try server.open(mailbox.name) } catch let refusal as ServerRefusal {
                throw ServerRefusal.problem(refusal, mailbox.name)
            }
            let delivery = try RemoteDelivery(mailbox, in: account)
            defer { delivery.abandon() }
            let uids = own.keys.sorted(by: >)
            let batches = stride(from: 0, to: uids.count, by: 20).map { Array(uids[$0..<min($0 + 20, uids.count)]) }
            try server.fetch(batches, into: delivery) { message in
                guard let id = own[message.uid] else { return delivery.abandon() }
                try delivery.end(replacing: try store.messageFile(id))
                try store.rereadMessage(id)
                count += 1
                done(count)
            }
        }
        return count
    }

    /// Fetches one complete message.
    /// - Throws: ``HelixError``: `offline` without a network, `notFound` if it was removed on the server.
    public func run(_ id: EntityID) throws {
        let account = try store.account(of: id)
        let found: (any MailRemote)?
        do { found = try account.mailRemote(store, gateway: gateway) } catch let error as HelixError {
            throw HelixError(
                error.code,
                "only the headers of the message are stored, and the rest cannot be fetched: \(error.message)",
                hint: error.hint)
        }
        guard let server = found else {
            throw HelixError(.notFound, "only the headers of the message are stored, and its account has no server")
        }
        defer { server.end() }
        guard try run([id], of: account, server: server) > 0 else {
            throw HelixError(
                .notFound, "only the headers of the message are stored, and it was removed on the server",
                hint: "helix sync")
        }
    }
}
