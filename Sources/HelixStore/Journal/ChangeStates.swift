/// State that a domain keeps while a change set is made, such as a cache.
protocol ChangeState: AnyObject {
    init()
}

/// Work outside the database that belongs to a change set: done right before the commit, and reverted if that fails.
protocol ChangeEffect: ChangeState {
    /// Does the work; the next process that opens the store settles it if this one dies.
    func perform(for change: Change) throws
    /// Drops the work, in a dry run.
    func forget()
    /// Ends the work after the commit.
    func commit()
    /// Reverts the work.
    /// - Returns: the error to show: `error`, or one that reverting failed, too.
    func revert(because error: any Error) -> any Error
    /// Leaves the work to the next process that opens the store, if it is unknown whether the change set was committed.
    func leave()
}

/// The states of a change set, one of each type.
final class ChangeStates {
    private var states: [ObjectIdentifier: any ChangeState] = [:]

    /// The state of a type, created when it is first needed.
    func of<State: ChangeState>(_ type: State.Type) -> State {
        let key = ObjectIdentifier(type)
        if let known = states[key] as? State { return known }
        let made = State()
        states[key] = made
        return made
    }

    /// The work outside the database.
    private var effects: [any ChangeEffect] { states.values.compactMap { $0 as? any ChangeEffect } }

    func perform(for change: Change) throws { for effect in effects { try effect.perform(for: change) } }
    func forget() { for effect in effects { effect.forget() } }
    func commit() { for effect in effects { effect.commit() } }
    func leave() { for effect in effects { effect.leave() } }
    func revert(because error: any Error) -> any Error {
        effects.reduce(error) { $1.revert(because: $0) }
    }
}
