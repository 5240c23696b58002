import HelixGatewayStore
import HelixModel
import HelixStore

/// The log of one user, as the user's store on this gateway reads and writes it. It belongs to the thread of that store.
public final class UserLog: StoreLog {
    private let user: EntityID
    private let logs: any GatewayUserLogs
    /// The number of change sets that were appended.
    private(set) var appended = 0
    /// Whether the store is at a position that the log does not have: the log was restored from a backup.
    public var isForeign = false
    /// The entities of the log that the store cannot take yet.
    public private(set) var waiting: [ReplicaRecord] = []
    /// The name of the device that changes something; empty for the gateway itself.
    var device = ""

    /// The maximum number of entries that are read at once.
    private static let pageCount = 1_000
    /// The maximum number of entries that are appended at once.
    private static let batch = 2_000

    /// - Parameters:
    ///   - user: the user.
    ///   - logs: the logs of all users.
    public init(_ user: EntityID, _ logs: any GatewayUserLogs) { (self.user, self.logs) = (user, logs) }

    /// Appends what a change set of the store changed.
    /// - Throws: as ``StoreLog/append(_:after:summary:)``.
    public func append(_ records: [ReplicaRecord], after position: String?, summary: String) throws -> String {
        guard let end = try append(records.map(LogEntry.init(record:)), after: Self.position(position)) else {
            throw StoreIsBehind()
        }
        appended += 1
        return end.text
    }

    /// Appends the state of one entity.
    /// - Throws: as ``StoreLog/replace(_:base:)``.
    public func replace(_ record: ReplicaRecord, base: String?) throws -> Bool {
        try logs.replace(LogEntry(record: record), base: base, inLogOf: user)
    }

    /// Stores the bytes of an outgoing message.
    /// - Throws: ``HelixError``.
    public func keep(_ bytes: [UInt8], sha256: String) throws { try logs.keep(bytes, sha256: sha256, of: user) }

    /// The bytes of an outgoing message.
    /// - Throws: ``HelixError``.
    public func bytes(ofFile sha256: String) throws -> [UInt8]? { try logs.bytes(ofFile: sha256, of: user) }

    /// Whether an entity was deleted.
    /// - Throws: ``HelixError``.
    public func wasDeleted(_ id: EntityID) throws -> Bool { try logs.wasDeleted(id, inLogOf: user) }

    private func append(_ entries: [LogEntry], after position: LogPosition) throws -> LogPosition? {
        guard !entries.contains(where: { $0.fields?.containsNUL == true }) else {
            throw HelixError(.badInput, "a text contains the character U+0000, which cannot be stored")
        }
        return try logs.append(entries, toLogOf: user, after: position, device: device)
    }

    /// Whether a store is that of this log: the log may have been restored to an earlier state.
    /// - Throws: ``HelixError``.
    public func fits(_ store: Store) throws -> Bool {
        let position = Self.position(try store.logPosition())
        return try logs.end(ofLogOf: user) == position || contains(position)
    }

    /// Brings a store up to the end of the log. What another program changed in it without the log is appended.
    /// - Throws: ``HelixError``.
    public func catchUp(_ store: Store) throws {
        let own = try store.logPosition()
        var position = Self.position(own)
        let end = try logs.end(ofLogOf: user)
        let isComplete = end == position
        guard try isComplete || contains(position) else {
            isForeign = true
            throw HelixError(
                .busy, "the store of a user is not that of the log", hint: "It is made again: try again.")
        }
        // Read before the log's entries come, which count as changes, too.
        let unlogged = try store.unloggedRecords()
        var read: Set<EntityID> = []
        while !isComplete {
            let page = try page(after: position.number, skipsDeleted: nil)
            if page.entries.isEmpty { break }
            // Entities whose parents came later in their page, or in the next one, are taken with those; until then the position
            // is not saved.
            let fresh = page.entries.map(ReplicaRecord.init(entry:))
            let known = Set(fresh.map(\.id))
            let records = waiting.filter { !known.contains($0.id) } + fresh
            waiting = try store.adopt(records, position: page.position.text).map(\.0)
            read.formUnion(page.entries.map(\.id))
            position = page.position
            if !page.hasMore { break }
        }
        let rest = unlogged.filter { !read.contains($0.id) }
        if !unlogged.isEmpty {
            try append(unlogged: rest, store, after: position)
        } else if !isComplete, !waiting.isEmpty {
            // The store cannot take them, ever: it goes on with the others.
            try store.noteLogged(position: position.text)
        }
    }

    private func append(unlogged records: [ReplicaRecord], _ store: Store, after position: LogPosition) throws {
        var position = position
        try store.keepBytes(of: records, in: self)
        for start in stride(from: 0, to: records.count, by: Self.batch) {
            let part = records[start..<min(start + Self.batch, records.count)].map(LogEntry.init(record:))
            guard let end = try append(part, after: position) else {
                throw HelixError(.busy, "another gateway changed the same data at the same time", hint: "Try again.")
            }
            position = end
        }
        try store.noteLogged(position: position.text)
    }

    /// Whether a position is in the log.
    func contains(_ position: LogPosition) throws -> Bool { try logs.contains(position, inLogOf: user) }
    /// The end of the log.
    func end() throws -> LogPosition { try logs.end(ofLogOf: user) }
    /// The position of an entry, for a list that ends there.
    func position(at number: Int64) throws -> LogPosition {
        let end = try end()
        return end.number == number ? end : .start
    }
    /// Entries of the log.
    func page(after number: Int64, skipsDeleted: Int64?) throws -> LogPage {
        try logs.page(ofLogOf: user, after: number, skipsDeleted: skipsDeleted, limit: Self.pageCount)
    }

    private static func position(_ text: String?) -> LogPosition { text.flatMap { LogPosition($0) } ?? .start }
}

extension LogEntry {
    /// An entry with the state of a record.
    init(record: ReplicaRecord) {
        self.init(
            kind: record.kind, id: record.id, version: record.version ?? "", fields: record.fields,
            changedAt: record.changedAt)
    }
}
