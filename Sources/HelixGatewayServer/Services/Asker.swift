import HelixGateway

/// Somebody who waits for an answer.
struct Asker: Sendable {
    /// Whose turn it counts as: a user's, or a network's of those who have not signed in.
    var user: String
    /// Whether they are still there.
    var isWanted: @Sendable () -> Bool
    /// Tells them that there is no time for what they asked.
    var refuse: @Sendable (GatewayError) -> Void
}
