import HelixModel
import HelixSQLite

/// The one who makes a change: shown by `helix history`, and selected by its `--by` and `--run`.
public struct ChangeActor: Hashable, Sendable {
    /// The class of an actor. The raw value is written to the store and to JSON.
    public enum Kind: String, Sendable, CaseIterable {
        /// Someone at a terminal.
        case person
        /// A program that runs helix without a terminal.
        case script
        /// An AI agent, which works under a profile.
        case agent
        /// An app or another client of the gateway.
        case device
        /// A server, or another device of the user.
        case sync
    }

    /// Its class.
    public var kind: Kind
    /// The profile of an agent or the name of a device; nil for others.
    public var name: String?
    /// The run of an agent; nil for others.
    public var run: String?

    /// Creates an actor.
    public init(_ kind: Kind, name: String? = nil, run: String? = nil) {
        (self.kind, self.name, self.run) = (kind, name, run)
    }

    /// Its name, or its class.
    public var shownName: String { name ?? kind.rawValue }
}

/// A selection of change sets.
public struct HistoryFilter: Sendable {
    /// The entity that they changed.
    public var entity: EntityID?
    /// The change set itself.
    public var changeSet: EntityID?
    /// The name or class of their actor.
    public var actor: String?
    /// The run of an agent.
    public var run: String?

    /// Creates a filter; without arguments it selects all change sets.
    public init(entity: EntityID? = nil, changeSet: EntityID? = nil, actor: String? = nil, run: String? = nil) {
        (self.entity, self.changeSet, self.actor, self.run) = (entity, changeSet, actor, run)
    }

    /// The condition on a row `s` of `change_set`, with its arguments.
    var condition: (sql: String, arguments: StatementArguments) {
        var parts: [String] = []
        var arguments = StatementArguments()
        if let entity {
            parts.append("s.n IN (SELECT change_set FROM change WHERE entity = ?)")
            arguments += [entity.text]
        }
        if let changeSet {
            parts.append("s.id = ?")
            arguments += [changeSet.text]
        }
        if let actor {
            parts.append("(s.actor_name = ? COLLATE NOCASE OR s.actor = ?)")
            arguments += [actor, actor.lowercased()]
        }
        if let run {
            parts.append("s.run = ?")
            arguments += [run]
        }
        return (parts.isEmpty ? "1" : parts.joined(separator: " AND "), arguments)
    }
}
