import HelixGateway

/// The sender of a request.
struct Asker: Sendable {
    /// The key for fair queueing: a user, or the network of clients that have not signed in.
    var user: String
    /// Whether the sender is still connected.
    var isWanted: @Sendable () -> Bool
    /// Sends an error if the queue is overloaded.
    var refuse: @Sendable (GatewayError) -> Void
}
