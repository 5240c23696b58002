import HelixModel
import HelixNetwork
import HelixStore

/// Fetches what is missing of messages of which only the head is here.
public struct BodyFetch {
    private let store: Store

    /// A fetch into a store.
    public init(_ store: Store) { self.store = store }

    /// Fetches messages of one account whole; those that are gone from the server are left as they are.
    ///
    /// - Parameters:
    ///   - server: one that is connected already.
    ///   - done: called after each.
    /// - Returns: how many are whole now.
    /// - Throws: ``HelixError``: `offline` without a network.
    func run(
        _ ids: [EntityID], of account: MailAccount, server: any MailRemote, done: (Int) -> Void = { _ in }
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

    /// Fetches one message whole.
    /// - Throws: ``HelixError``: `offline` without a network, `notFound` if the server has it no more.
    public func run(_ id: EntityID) throws {
        let account = try store.account(of: id)
        let found: (any MailRemote)?
        do { found = try account.mailRemote(store) } catch let error as HelixError {
            throw HelixError(
                error.code, "only the head of the message is here, and the rest cannot be fetched: \(error.message)",
                hint: error.hint)
        }
        guard let server = found else {
            throw HelixError(.notFound, "only the head of the message is here, and its account has no server")
        }
        defer { server.end() }
        guard try run([id], of: account, server: server) > 0 else {
            throw HelixError(
                .notFound, "only the head of the message is here, and the server has it no more", hint: "helix sync")
        }
    }
}
