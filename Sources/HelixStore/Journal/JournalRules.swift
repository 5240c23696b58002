import HelixModel
import HelixSQLite

/// The rules of a kind in the journal, where its columns alone do not suffice.
struct JournalRules: Sendable {
    /// The columns whose stored values have words in `helix history`; others are shown as they are.
    var words: [String: ValueWords] = [:]
    /// The columns that `helix history` does not list.
    var hidden: Set<String> = []
    /// The fields that a new entity has by itself, in words; nil for any value. Those of a created entity are not listed.
    var usual: [String: String?] = ["created at": nil]
    /// Writes changed fields of a row whose file changes with it; nil if only the row changes.
    var update: (@Sendable (Change, EntityID, JournalFields) throws -> Void)?
    /// Restores a row whose deletion left a row behind, and returns whether it did: the row now, and as it was.
    var revive: (@Sendable (Change, EntityID, _ current: JournalFields, _ former: JournalFields) throws -> Bool)?
    /// Whether nothing is left to undo because the row is gone for good. It throws if that prevents the undo.
    var isSettled: (@Sendable (Change, GoneRow) throws -> Bool)?
    /// Writes rows that are missing only because an index is behind, before the change set of a number is undone.
    var locate: (@Sendable (Store, Int64) throws -> Void)?
    /// Whether a column still has its journaled value, if that is more than equality.
    var isSame: (@Sendable (_ column: String, _ current: DatabaseValue?, _ journaled: DatabaseValue) -> Bool)?
}

extension JournalRules {
    /// The fields of a created entity besides those that every new one has.
    func worthTelling(_ fields: [FieldChange]) -> [FieldChange] {
        fields.filter { field in
            guard let usual = usual[field.name] else { return true }
            return usual != nil && usual != field.after
        }
    }
}

/// A row that an undo changes or removes, and that no longer exists.
struct GoneRow {
    let id: EntityID
    /// Whether the change to be undone created the row.
    let isCreation: Bool
    /// `undo` or `redo`.
    let verb: String
    /// The kinds of all entities that the change set changed.
    let kinds: Set<EntityKind>
}

/// The form in which `helix history` shows a column's values.
enum ValueWords: Sendable {
    /// Seconds since 1970; for a day if the other column is 1.
    case moment(day: String? = nil)
    /// Yes or no.
    case flag
    /// A length in seconds.
    case duration
    /// Words with a blank before and after each.
    case list
    /// The title of the entity with this ID.
    case title(EntityKind)
    /// Other words; nil if there are none.
    case custom(@Sendable (String, Database) throws -> String?)

    /// The words for a value.
    ///
    /// - Parameters:
    ///   - plain: the stored value as a text.
    ///   - fields: the fields of the row.
    func text(_ plain: String, among fields: [String: DatabaseValue], _ db: Database) throws -> String? {
        switch self {
        case .list: return plain.trimmingBlanks()
        case .flag: return plain == "0" ? "no" : "yes"
        case .duration: return Int(plain).map { DateWords.text(duration: $0) } ?? plain
        case .title(let kind):
            let title = try EntityID(plain).flatMap { try Store.knownTitle(db, kind, $0) }
            return title ?? plain
        case .custom(let words): return try words(plain, db)
        case .moment(let day):
            guard let seconds = Int64(plain) else { return plain }
            if let day, fields[day] == .int64(1) { return ISO8601.text(CivilDateTime(seconds: seconds).date) }
            return ISO8601.text(Instant(seconds), in: .utc)
        }
    }
}
