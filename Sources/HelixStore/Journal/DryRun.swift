extension Store {
    /// Makes a change, or rolls it back in a dry run; both return the result of `body`.
    /// - Throws: as ``change(_:command:_:)``.
    public func trying<Value>(
        _ summary: String, command: String, origin: ChangeOrigin = .command, isDryRun: Bool,
        _ body: (Change) throws -> Value
    ) throws -> Value {
        var seen: Value?
        do {
            return try change(summary, command: command, origin: origin) { change in
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
