import HelixModel

/// The places that are notified while devices are away.
public protocol GatewayPushStore {
    /// A user's targets, the oldest first.
    /// - Throws: ``HelixError``.
    func pushTargets(of user: EntityID) throws -> [PushTarget]

    /// Registers a target, or replaces the settings of the same address. A telephone's token belongs to the user who registered
    /// it last.
    /// - Returns: the target; a known one keeps its identity.
    /// - Throws: ``HelixError``: `conflict` if the user has too many, `notFound` if the device is not approved.
    func savePushTarget(_ target: PushTarget) throws -> PushTarget

    /// Removes a target.
    /// - Returns: whether the user had it.
    /// - Throws: ``HelixError``.
    @discardableResult
    func removePushTarget(_ id: EntityID, of user: EntityID) throws -> Bool

    /// The targets of a conversation's other members, except those who muted it or blocked the sender.
    /// - Parameter sender: nil for an assistant: then the conversation's only member is notified.
    /// - Throws: ``HelixError``.
    func pushTargets(in conversation: EntityID, from sender: EntityID?) throws -> [PushTarget]

    /// A target, if it is still to be notified of a message: it exists, its user wants to know, and the message was not removed.
    /// - Throws: ``HelixError``.
    func pushTarget(
        _ id: EntityID, for message: EntityID?, in conversation: EntityID, from sender: EntityID?
    ) throws -> PushTarget?

    /// Records the outcome of a delivery: a failure is counted, a success ends the count.
    /// - Throws: ``HelixError``.
    func notePush(_ id: EntityID, problem: String?) throws
}
