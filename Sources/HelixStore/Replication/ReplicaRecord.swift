import FoundationEssentials
import HelixCrypto
import HelixModel
import HelixSQLite

/// An entity as it is replicated between stores: all of its journaled fields.
public struct ReplicaRecord: Hashable, Sendable {
    /// The kind of entity.
    public var kind: EntityKind
    /// The ID, identical in all stores.
    public var id: EntityID
    /// The columns: texts, whole numbers and nulls. Nil if the entity was deleted.
    public var fields: JSONText?
    /// The time of the last change, as far as its store knows.
    public var changedAt: Instant?

    /// Creates a record.
    public init(kind: EntityKind, id: EntityID, fields: JSONText?, changedAt: Instant? = nil) {
        self.kind = kind
        self.id = id
        self.fields = fields
        self.changedAt = changedAt
    }

    /// A version that changes with the fields, so that a request can name the state it expects. Nil for a deleted entity.
    public var version: String? { fields.map { ReplicaRecord.version($0) } }

    /// The version of fields: a prefix of the SHA-256 of their JSON, sorted by name and without whitespace.
    public static func version(_ fields: JSONText) -> String {
        let sorted = (fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name }
        var bytes: [UInt8] = []
        JSONText.object(sorted).write(to: &bytes)
        return SHA256.hash(bytes).prefix(8).hexadecimal
    }

    /// The kinds that are replicated, ordered by dependency: none refers to a later one. Mail is synced through its own servers,
    /// and accounts are local to a machine.
    public static let kinds: [EntityKind] = EntityDescriptor.all.filter { $0.replicaOrder != nil }
        .sorted { ($0.replicaOrder ?? 0) < ($1.replicaOrder ?? 0) }.map(\.kind)

    /// The columns that are one value together: merged one by one they could contradict each other, such as an end before its
    /// start.
    public static let units: [EntityKind: [[String]]] = [
        .timeEntry: [["start", "end"]],
        .task: [
            ["due", "due_day"], ["scheduled", "scheduled_day"], ["hidden_until", "hidden_day"], ["column_id", "rank"],
            ["state", "completed_at"],
        ],
    ]

    /// The position of each kind in that order.
    static let rank: [EntityKind: Int] = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
}

extension JournalFields {
    /// The fields of a record.
    /// - Throws: ``HelixError`` of code `badInput` for a value that cannot be stored in a column.
    init(replica json: JSONText) throws {
        values = [:]
        guard let fields = json.fields else { throw HelixError(.badInput, "an entity must be an object") }
        for field in fields {
            switch field.value {
            case .null: values[field.name] = .null
            case .string(let text): values[field.name] = text.databaseValue
            case .number:
                guard let number = field.value.integer else {
                    throw HelixError(.badInput, "'\(field.name)' must be a whole number")
                }
                // The largest valid number is the last second of the year 9999.
                guard (-253_402_300_799...253_402_300_799).contains(number) else {
                    throw HelixError(.badInput, "'\(field.name)' is too large")
                }
                values[field.name] = number.databaseValue
            default: throw HelixError(.badInput, "'\(field.name)' must be a text or a whole number")
            }
        }
    }

    /// The fields as a record has them, without nulls.
    var replica: JSONText {
        .object(
            values.sorted { $0.key < $1.key }.compactMap { name, value in
                switch value {
                case .int64(let number): JSONText.Field(name: name, value: .integer(number))
                case .string(let text): JSONText.Field(name: name, value: .string(text))
                default: nil
                }
            })
    }
}
