import HelixModel

/// A version of an entity in a user's log.
public struct LogEntry: Hashable, Sendable {
    /// The kind of entity.
    public var kind: EntityKind
    /// The identity.
    public var id: EntityID
    /// A version that follows from the fields; empty for a deleted entity.
    public var version: String
    /// The fields, sorted by name; nil if the entity was deleted.
    public var fields: JSONText?
    /// The time of the change, as far as is known.
    public var changedAt: Instant?

    /// Creates an entry.
    public init(kind: EntityKind, id: EntityID, version: String, fields: JSONText?, changedAt: Instant?) {
        (self.kind, self.id, self.version, self.fields, self.changedAt) = (kind, id, version, fields, changedAt)
    }
}

/// Entries of a log in their order, each the present version of its entity.
public struct LogPage: Sendable {
    /// The entries.
    public var entries: [LogEntry]
    /// The position of the last of them; that of the request if there is none.
    public var position: LogPosition
    /// Whether there are more.
    public var hasMore: Bool
    /// The number of all entities; only in the first page of everything.
    public var total: Int?
}

/// A position in the log of a user: a number, and a mark of the entry that has it, by which a log is told from one that lost its
/// last entries and went on.
public struct LogPosition: Hashable, Sendable {
    /// The number of the last entry.
    public var number: Int64
    /// The mark; empty for the beginning.
    public var mark: String

    /// The beginning of every log.
    public static let start = LogPosition(number: 0, mark: "")

    /// Creates a position.
    public init(number: Int64, mark: String) { (self.number, self.mark) = (number, mark) }

    /// Parses a position: `120.3f2a9c`. Nil for other text.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int64(parts[0]), number >= 0 else { return nil }
        self.init(number: number, mark: String(parts[1]))
    }

    /// The position as text.
    public var text: String { "\(number).\(mark)" }
}

/// The logs of a gateway's users, in which all gateways agree: the versions of a user's entities in one order. The store that a
/// gateway has of a user is made from it.
public protocol GatewayUserLogs: Sendable {
    /// Appends entries if nobody has appended any behind a position.
    /// - Returns: the position behind them; nil if others were first.
    /// - Throws: ``HelixError``; of code `busy` also if it is not known whether they were appended.
    func append(
        _ entries: [LogEntry], toLogOf user: EntityID, after position: LogPosition, device: String
    ) throws -> LogPosition?

    /// The end of a user's log.
    /// - Throws: ``HelixError``.
    func end(ofLogOf user: EntityID) throws -> LogPosition

    /// Whether a position is in the log of a user.
    /// - Throws: ``HelixError``.
    func contains(_ position: LogPosition, inLogOf user: EntityID) throws -> Bool

    /// The entities that changed behind a position.
    /// - Parameters:
    ///   - skipsDeleted: whether deleted entities up to this number are left out; nil for none.
    ///   - limit: the maximum number of entries.
    /// - Throws: ``HelixError``.
    func page(
        ofLogOf user: EntityID, after number: Int64, skipsDeleted: Int64?, limit: Int
    ) throws -> LogPage

    /// The users who have tasks or projects that are assigned to somebody, or are copies of such.
    /// - Throws: ``HelixError``.
    func usersWhoAssign() throws -> [EntityID]

    /// Appends the state of one entity if it follows a version, whatever else was appended meanwhile.
    /// - Parameter base: the version; nil for a new entity.
    /// - Returns: whether it was appended.
    /// - Throws: ``HelixError``; of code `busy` also if it is not known whether it was.
    func replace(_ entry: LogEntry, base: String?, inLogOf user: EntityID) throws -> Bool

    /// Stores the bytes of an outgoing message of a user.
    /// - Throws: ``HelixError``.
    func keep(_ bytes: [UInt8], sha256: String, of user: EntityID) throws

    /// The bytes of an outgoing message of a user; nil if there are none.
    /// - Throws: ``HelixError``.
    func bytes(ofFile sha256: String, of user: EntityID) throws -> [UInt8]?

    /// Whether the last entry about an entity is its deletion.
    /// - Throws: ``HelixError``.
    func wasDeleted(_ id: EntityID, inLogOf user: EntityID) throws -> Bool
}
