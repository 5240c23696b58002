import HelixModel
import HelixStore

/// An entity that a request makes. With an `idempotencyKey` a repetition of the request names the same one, at every gateway;
/// a key belongs to a user, a method, and what the entity is made in.
struct NewEntity {
    let kind: EntityKind
    let id: EntityID
    /// Whether the request may be a repetition.
    let isKeyed: Bool

    /// Whether an earlier request has made it.
    /// - Throws: ``HelixError`` of code `conflict` if it was deleted since: a late repetition does not restore it.
    func isMade(in store: Store) throws -> Bool {
        guard isKeyed else { return false }
        if try store.hasEntity(kind, id) { return true }
        if try store.wasDeleted(id) {
            throw HelixError(.conflict, "what this idempotencyKey made was deleted", hint: "Use another key.")
        }
        return false
    }
}

extension MethodCall {
    /// The entity that this request makes; consumes `idempotencyKey`.
    /// - Parameter place: the entity that it is made in; nil for none.
    /// - Throws: ``GatewayError`` for an invalid key.
    mutating func newEntity(_ kind: EntityKind, in place: EntityID? = nil) throws -> NewEntity {
        guard let key = try params.text("idempotencyKey", most: 256) else {
            return NewEntity(kind: kind, id: EntityID(), isKeyed: false)
        }
        guard !key.isEmpty else { throw params.wrong("idempotencyKey", "is empty") }
        let purpose = "new \(kind.rawValue) \(place?.text ?? "")"
        let id = services.identities.identity(purpose, session.user.id, key)
        return NewEntity(kind: kind, id: id, isKeyed: true)
    }
}
