import HelixModel
import HelixStore

/// A conflict: an entity that was changed on both sides, for the user to resolve.
public struct SyncChoice: Sendable {
    /// The values of one property on both sides.
    public struct Difference: Hashable, Sendable {
        /// Its display name: `title`.
        public var name: String
        /// The value as of the last sync; nil if there was none.
        public var before: String?
        /// The local value.
        public var here: String?
        /// The value on the other side.
        public var there: String?
    }

    /// The account that it was found with.
    enum Source: Sendable {
        case calendar(HeldChange)
        case gateway(Account, HeldReplica)
    }

    let source: Source
    /// The kind of entity.
    public let kind: EntityKind
    /// The entity.
    public let id: EntityID
    /// The account's name.
    public let account: String
    /// The time at which it was found.
    public let foundAt: Instant
    /// The local title.
    public let title: String
    /// The properties that both sides changed in different ways.
    public let differences: [Difference]

    /// Whether both versions can be kept.
    public var canKeepBoth: Bool { [.event, .task].contains(kind) }
}

/// The user's decision on a conflict.
public enum SyncDecision: String, Sendable, CaseIterable {
    /// Keep the local change.
    case local
    /// Keep the other side's change.
    case server
    /// Keep the other side's change, and a copy of the local one beside it.
    case both
}

/// Lists and resolves conflicts.
public struct SyncChoices {
    let store: Store
    let zone: Zone

    /// - Parameter zone: the zone of times without one.
    public init(_ store: Store, zone: Zone) {
        self.store = store
        self.zone = zone
    }

    /// The unresolved conflicts, the oldest first.
    /// - Throws: ``HelixError``.
    public func list() throws -> [SyncChoice] {
        (try calendarChoices() + gatewayChoices()).sorted { $0.foundAt < $1.foundAt }
    }

    /// Resolves a conflict. The result is sent by the next sync.
    /// - Throws: ``HelixError``.
    public func resolve(_ choice: SyncChoice, _ decision: SyncDecision) throws {
        switch choice.source {
        case .calendar(let held): try resolve(held, choice, decision)
        case .gateway(let account, let held): try resolve(held, of: account, choice, decision)
        }
    }
}
