import Crypto
import Foundation
import HelixModel
import HelixSQLite

/// An entity as it goes from one store to another: all that the journal keeps of it.
public struct ReplicaRecord: Hashable, Sendable {
    /// What it is.
    public var kind: EntityKind
    /// Its identity, the same in all stores.
    public var id: EntityID
    /// Its columns: texts, whole numbers and nulls. Nil if it was deleted.
    public var fields: JSONText?
    /// When it was changed last, as far as its store knows.
    public var changedAt: Instant?

    /// Such an entity.
    public init(kind: EntityKind, id: EntityID, fields: JSONText?, changedAt: Instant? = nil) {
        self.kind = kind
        self.id = id
        self.fields = fields
        self.changedAt = changedAt
    }

    /// A word that is another one for other fields: whoever names it says which state they mean. Nil for what is not there.
    public var version: String? { fields.map { ReplicaRecord.version($0) } }

    /// The version of fields: the beginning of the SHA-256 of their JSON, by name and without blanks.
    public static func version(_ fields: JSONText) -> String {
        let sorted = (fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name }
        var bytes: [UInt8] = []
        JSONText.object(sorted).write(to: &bytes)
        return SHA256.hash(data: bytes).prefix(8).hexadecimal
    }

    /// The kinds that go from store to store, in an order in which each needs none that comes after it. Mail goes by its own
    /// servers, and accounts are a machine's own.
    public static let kinds: [EntityKind] = [
        .board, .column, .project, .calendar, .event, .task, .timeEntry, .material, .link, .view, .search,
    ]

    /// The place of a kind in that order.
    static let rank: [EntityKind: Int] = Dictionary(uniqueKeysWithValues: kinds.enumerated().map { ($1, $0) })
}

extension JournalFields {
    /// The fields of a record.
    /// - Throws: ``HelixError`` of code `badInput` for what no column can hold.
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
                // Nothing that is counted here is larger than the last second of the year 9999.
                guard (-253_402_300_799...253_402_300_799).contains(number) else {
                    throw HelixError(.badInput, "'\(field.name)' is too large")
                }
                values[field.name] = number.databaseValue
            default: throw HelixError(.badInput, "'\(field.name)' must be a text or a whole number")
            }
        }
    }

    /// As a record has them; nulls are left out.
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
