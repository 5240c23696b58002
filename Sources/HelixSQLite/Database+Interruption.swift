import CSQLite

extension Database {
    /// The question that a long read asks now and then.
    private final class Interruption {
        let ask: () -> Bool
        var isOver = false

        init(_ ask: @escaping () -> Bool) { self.ask = ask }
    }

    /// The steps of the virtual machine between two questions, of which a millisecond has some tens of thousands.
    private static let patience: Int32 = 8_000

    /// Runs a read that may be given up, such as for a key that waits.
    /// - Parameter isInterrupted: asked now and then; true gives up.
    /// - Returns: nil if it was given up.
    /// - Throws: the error of `body`.
    public func interruptible<Value>(_ isInterrupted: () -> Bool, _ body: () throws -> Value) throws -> Value? {
        try withoutActuallyEscaping(isInterrupted) { ask in
            let interruption = Interruption(ask)
            return try withExtendedLifetime(interruption) {
                sqlite3_progress_handler(
                    connection, Database.patience,
                    { pointer in
                        guard let pointer else { return 0 }
                        let own = Unmanaged<Interruption>.fromOpaque(pointer).takeUnretainedValue()
                        own.isOver = own.ask()
                        return own.isOver ? 1 : 0
                    }, Unmanaged.passUnretained(interruption).toOpaque())
                defer { sqlite3_progress_handler(connection, 0, nil, nil) }
                do { return try body() } catch {
                    if interruption.isOver { return nil }
                    throw error
                }
            }
        }
    }
}
