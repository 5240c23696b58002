import HelixModel
import HelixStore

/// An entity that a request makes. With an `idempotencyKey` a repetition of the request names the same one, at every gateway.
struct NewEntity {
    let kind: EntityKind
    let id: EntityID
    /// Whether the request may be a repetition.
    let isKeyed: Bool

    /// Whether an earlier request has made it.
    /// - Throws: ``HelixError``.
    func isMade(in store: Store) throws -> Bool {
        guard isKeyed else { return false }
        return try store.hasEntity(kind, id)
    }
}

extension MethodCall {
    /// The entity that this request makes; consumes `idempotencyKey`.
    /// - Throws: ``GatewayError`` for an invalid key.
    mutating func newEntity(_ kind: EntityKind) throws -> NewEntity {
        guard let key = try params.text("idempotencyKey", most: 256) else {
            return NewEntity(kind: kind, id: EntityID(), isKeyed: false)
        }
        guard !key.isEmpty else { throw params.wrong("idempotencyKey", "is empty") }
        let id = services.identities.identity("new \(kind.rawValue)", session.user.id, key)
        return NewEntity(kind: kind, id: id, isKeyed: true)
    }
}
