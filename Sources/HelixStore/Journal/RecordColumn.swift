import FoundationEssentials
import HelixModel
import HelixSQLite
import HelixTasks

/// A column of a record's table: how a row is read into the record, and the value that the record has for it.
///
/// The setters are closures, not key paths: a list of 20,000 tasks sets 600,000 values, each of which takes a key path four
/// times as long.
struct RecordColumn<Record>: Sendable {
    /// The name in the table.
    let name: String
    /// Whether changes of it are written to the journal, and are therefore replicated.
    var isJournaled = true
    /// Reads a column of a row, counted from 0, into the record.
    let read: @Sendable (inout Record, Statement, Int32) -> Void
    /// The record's value.
    let value: @Sendable (Record) -> DatabaseValue

    /// The same column, without entries in the journal.
    func notJournaled() -> Self {
        var column = self
        column.isJournaled = false
        return column
    }
}

extension RecordColumn {
    /// A text.
    static func text(
        _ name: String, _ value: @escaping @Sendable (Record) -> String?,
        read: @escaping @Sendable (inout Record, String?) -> Void
    ) -> Self {
        Self(name: name, read: { read(&$0, $1.text($2)) }, value: { value($0).databaseValue })
    }

    /// A whole number.
    static func integer(
        _ name: String, _ value: @escaping @Sendable (Record) -> Int?,
        read: @escaping @Sendable (inout Record, Int?) -> Void
    ) -> Self {
        Self(
            name: name, read: { read(&$0, $1.isNull($2) ? nil : Int($1.integer($2))) },
            value: { value($0).databaseValue })
    }

    /// Yes or no, as 1 or 0.
    static func flag(
        _ name: String, _ value: @escaping @Sendable (Record) -> Bool,
        read: @escaping @Sendable (inout Record, Bool) -> Void
    ) -> Self {
        Self(name: name, read: { read(&$0, $1.integer($2) != 0) }, value: { (value($0) ? 1 : 0).databaseValue })
    }

    /// The ID of an entity.
    static func id(
        _ name: String, _ value: @escaping @Sendable (Record) -> EntityID?,
        read: @escaping @Sendable (inout Record, EntityID?) -> Void
    ) -> Self {
        Self(name: name, read: { read(&$0, $1.id($2)) }, value: { (value($0)?.text).databaseValue })
    }

    /// A point in time, as seconds since 1970.
    static func instant(
        _ name: String, _ value: @escaping @Sendable (Record) -> Instant?,
        read: @escaping @Sendable (inout Record, Instant?) -> Void
    ) -> Self {
        integer(name, { value($0).map { Int($0.seconds) } }, read: { read(&$0, $1.map { Instant(Int64($0)) }) })
    }

    /// A day, as `YYYY-MM-DD`.
    static func day(
        _ name: String, _ value: @escaping @Sendable (Record) -> CivilDate?,
        read: @escaping @Sendable (inout Record, CivilDate?) -> Void
    ) -> Self {
        text(name, { value($0).map { ISO8601.text($0) } }, read: { read(&$0, $1.flatMap(CivilDate.init(stored:))) })
    }

    /// An amount, as a text of its exact digits.
    static func amount(
        _ name: String, _ value: @escaping @Sendable (Record) -> Decimal?,
        read: @escaping @Sendable (inout Record, Decimal?) -> Void
    ) -> Self {
        text(name, { value($0).map { "\($0)" } }, read: { read(&$0, $1.flatMap { Decimal(money: $0) }) })
    }

    /// A day or a point in time: the seconds, and in a second column whether it is a day.
    static func time(
        _ name: String, day: String, _ value: @escaping @Sendable (Record) -> TaskTime?,
        read: @escaping @Sendable (inout Record, TaskTime?) -> Void
    ) -> [Self] {
        [
            Self(
                name: name,
                read: { record, row, place in
                    if row.isNull(place) { return read(&record, nil) }
                    let seconds = row.integer(place)
                    read(
                        &record,
                        row.integer(place + 1) != 0
                            ? .date(CivilDateTime(seconds: seconds).date) : .moment(Instant(seconds)))
                },
                value: { record in
                    switch value(record) {
                    case .date(let date)?: CivilDateTime(date).seconds.databaseValue
                    case .moment(let instant)?: instant.seconds.databaseValue
                    case nil: .null
                    }
                }),
            // Read together with the column before it.
            Self(
                name: day, read: { _, _, _ in },
                value: { if case .date? = value($0) { 1.databaseValue } else { 0.databaseValue } }),
        ]
    }
}

/// The columns of a record except its ID, in the order in which they are read and written: SELECT lists, readers, INSERTs, the
/// journal and replication are made of it.
struct RecordLayout<Record>: Sendable {
    let columns: [RecordColumn<Record>]

    init(@RecordColumns<Record> _ columns: () -> [RecordColumn<Record>]) { self.columns = columns() }

    /// The number of columns.
    var count: Int32 { Int32(columns.count) }

    /// The names of the journaled columns.
    var journaled: [String] { columns.lazy.filter(\.isJournaled).map(\.name) }

    /// The columns as the list of a SELECT from a table with this alias.
    func selection(_ alias: String) -> String { columns.map { "\(alias).\"\($0.name)\"" }.joined(separator: ", ") }

    /// Reads the columns of a row, of which the first has the position `first`.
    func read(_ row: Statement, from first: Int32 = 0, into record: inout Record) {
        var place = first
        for column in columns {
            column.read(&record, row, place)
            place += 1
        }
    }

    /// The journaled values of a record.
    func fields(_ record: Record) -> JournalFields {
        var values: [String: DatabaseValue] = [:]
        values.reserveCapacity(columns.count)
        for column in columns where column.isJournaled { values[column.name] = column.value(record) }
        return JournalFields(values)
    }

    /// An INSERT of the ID, these columns, and others.
    func insertion(into table: String, others: [String] = []) -> String {
        let names = ["id"] + columns.map(\.name) + others
        let marks = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(names.map { "\"\($0)\"" }.joined(separator: ", "))) VALUES (\(marks))"
    }

    /// Binds the ID and the values of a record to its ``insertion(into:others:)``.
    func bind(_ id: EntityID, _ record: Record, others: [DatabaseValue] = [], to insertion: Statement) {
        insertion.bind(1, id.text)
        var place: Int32 = 2
        for column in columns {
            insertion.bind(place, column.value(record))
            place += 1
        }
        for value in others {
            insertion.bind(place, value)
            place += 1
        }
    }
}

/// A list of columns, each checked by the compiler on its own.
@resultBuilder enum RecordColumns<Record> {
    static func buildExpression(_ column: RecordColumn<Record>) -> [RecordColumn<Record>] { [column] }
    static func buildExpression(_ columns: [RecordColumn<Record>]) -> [RecordColumn<Record>] { columns }
    static func buildPartialBlock(first: [RecordColumn<Record>]) -> [RecordColumn<Record>] { first }
    static func buildPartialBlock(
        accumulated: [RecordColumn<Record>], next: [RecordColumn<Record>]
    ) -> [RecordColumn<Record>] { accumulated + next }
}

extension CivilDate {
    /// The day of a stored text; nil if it is none.
    init?(stored text: String) {
        let parts = text.split(separator: "-").compactMap { Int($0) }
        guard parts.count == 3, let day = CivilDate(validYear: parts[0], month: parts[1], day: parts[2]) else {
            return nil
        }
        self = day
    }
}
