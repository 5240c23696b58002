extension Store {
    /// Makes a change, or only tries it: then everything is taken back, and what `body` saw is told.
    /// - Throws: as ``change(_:command:_:)``.
    public func trying<Value>(
        _ summary: String, command: String, isDryRun: Bool, _ body: (Change) throws -> Value
    ) throws -> Value {
        var seen: Value?
        do {
            return try change(summary, command: command) { change in
                let value = try body(change)
                if isDryRun {
                    seen = value
                    throw DryRun()
                }
                return value
            }
        } catch let error as DryRun {
            guard let seen else { throw error }
            return seen
        }
    }

    private struct DryRun: Error {}
}
