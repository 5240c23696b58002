import HelixModel
import Synchronization

/// The door to the network: closed while an agent works whose profile lets nothing leave by itself.
public enum NetworkDoor {
    /// The refusal of this process, for its whole life.
    private static let refusal = Mutex<HelixError?>(nil)
    /// The refusal of a task that shares its process with others.
    @TaskLocal private static var ownRefusal: HelixError?

    /// Closes the door for the rest of the process's life: every connection then ends with the error.
    public static func close(_ error: HelixError) { refusal.withLock { $0 = error } }

    /// Runs `body` behind a closed door.
    /// - Throws: the errors of `body`.
    public static func closed<Value>(_ error: HelixError, _ body: () throws -> Value) rethrows -> Value {
        try $ownRefusal.withValue(error, operation: body)
    }

    /// Checks that the door is open, before anything is sent, names of hosts included.
    /// - Throws: the error that it was closed with.
    static func requireOpen() throws {
        if let error = ownRefusal ?? refusal.withLock({ $0 }) { throw error }
    }
}
