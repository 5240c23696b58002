import FoundationEssentials
import HelixModel
import HelixSQLite

// Accounts of a user and their outgoing messages are shared by the stores that several gateways have of the user, and by no
// device: those have accounts of their own.

extension ReplicaRecord {
    /// The kinds that the stores of a user at several gateways share, besides those that devices sync.
    public static let keptKinds: Set<EntityKind> = [.account, .outgoing]

    /// Whether a log has entities of a kind.
    static func isLogged(_ kind: EntityKind) -> Bool { rank[kind] != nil || keptKinds.contains(kind) }

    /// The record as a log has it; nil for an account of folders of this machine.
    ///
    /// The folder of an account's mail is another one at each gateway.
    var forLog: ReplicaRecord? {
        guard kind == .account, let all = fields?.fields else { return self }
        guard let word = fields?["kind"]?.text, let known = Account.Kind(rawValue: word), known.isKeptByGateways else {
            return nil
        }
        var record = self
        // The address of a calendar is the same everywhere.
        if known.hasMailServer { record.fields = .object(all.filter { $0.name != "path" }) }
        return record
    }
}

extension Account.Kind {
    /// Whether any gateway of a user can keep the account: one with a server, not with folders of one machine.
    public var isKeptByGateways: Bool { hasMailServer || self == .caldav || self == .carddav || self == .webcal }
}

extension Store {
    /// The accounts and outgoing messages that a log has, or is to have.
    /// - Throws: ``HelixError``.
    public func keptRecords() throws -> [ReplicaRecord] {
        try read { db in
            try ReplicaRecord.keptKinds.sorted { $0.rawValue < $1.rawValue }.flatMap { kind in
                let table = JournaledTable.table(kind)
                return try String.fetchAll(db, sql: "SELECT id FROM \(table.name) ORDER BY id").compactMap { text in
                    let id = EntityID(stored: text)
                    return ReplicaRecord(kind: kind, id: id, fields: try table.row(db, id)?.replica).forLog
                }
            }
        }
    }

    /// Adds the bytes of outgoing messages to a log before it names them.
    /// - Throws: ``HelixError``.
    public func keepBytes(of records: [ReplicaRecord], in log: any StoreLog) throws {
        for record in records where record.kind == .outgoing {
            guard let hash = record.fields?["sha256"]?.text, let path = files.path(hash) else { continue }
            try log.keep([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))), sha256: hash)
        }
    }

    /// Writes the state of an outgoing message. In a store with a log the log has it first, unless another gateway has changed
    /// the message meanwhile: then nothing is changed.
    /// - Throws: ``StoreIsBehind`` if another gateway has changed it; ``HelixError``.
    func writeOutbox<Value>(_ message: OutgoingMessage, _ body: (Database) throws -> Value) throws -> Value {
        guard let log else { return try writeDurably(body) }
        return try writeDurably { db in
            let known = Set(try EntityID.fetchOutgoing(db))
            let table = JournaledTable.table(.outgoing)
            func present(_ id: EntityID) throws -> ReplicaRecord {
                ReplicaRecord(kind: .outgoing, id: id, fields: try table.row(db, id)?.replica, changedAt: now)
            }
            let before = try present(message.id)
            let value = try body(db)
            for id in try EntityID.fetchOutgoing(db) where !known.contains(id) {
                guard try log.replace(present(id), base: nil) else { throw StoreIsBehind() }
            }
            let after = try present(message.id)
            if after.version != before.version {
                guard try log.replace(after, base: before.version) else { throw StoreIsBehind() }
            }
            return value
        }
    }
}

extension EntityID {
    fileprivate static func fetchOutgoing(_ db: Database) throws -> [EntityID] {
        try String.fetchAll(db, sql: "SELECT id FROM outgoing").map { EntityID(stored: $0) }
    }
}

extension Change {
    /// Takes over accounts and outgoing messages from a log.
    /// - Returns: the records that this store cannot take, with the reasons.
    /// - Throws: ``HelixError``.
    func adopt(kept records: [ReplicaRecord], from log: (any StoreLog)?) throws -> [(ReplicaRecord, reason: String)] {
        var refused: [(ReplicaRecord, reason: String)] = []
        for record in records {
            do { try adopt(record, from: log) } catch let error as HelixError
                where [.badInput, .conflict, .notFound, .usage].contains(error.code)
            { refused.append((record, error.message)) } catch let error as DatabaseError where error.code == .constraint
            {
                refused.append((record, "it conflicts with another one with the same name"))
            }
        }
        return refused
    }

    private func adopt(_ record: ReplicaRecord, from log: (any StoreLog)?) throws {
        let table = JournaledTable.table(record.kind)
        let former = try table.row(db, record.id)
        guard let json = record.fields else { return try delete(record.kind, record.id) }
        var fields = try JournalFields(replica: json)
        for column in table.columns where fields.values[column] == nil { fields.values[column] = .null }
        if record.kind == .account {
            let name = json["name"]?.text ?? ""
            guard Account.isName(name) else { throw HelixError(.badInput, "invalid account name '\(name)'") }
            if json["path"] == nil {
                let folder = store.localMail + "/" + record.id.text
                if former == nil { try MaildirFolder.make(folder) }
                fields.values["path"] = former?.values["path"] ?? folder.databaseValue
            }
        } else if former == nil, let hash = json["sha256"]?.text, let log, store.files.path(hash) == nil,
            let bytes = try log.bytes(ofFile: hash)
        {
            let staged = try store.files.stageWritten { try $0(bytes) }
            try store.files.keep(staged)
        }
        // The bytes of a file that is missing are missed when it is sent.
        isReplicating = true
        defer { isReplicating = false }
        if former == nil {
            try create(record.kind, record.id, fields)
        } else {
            try update(record.kind, record.id, fields, former: former)
        }
    }
}
