/// A copied row of a result.
public struct Row {
    private let names: [String]
    private let values: [DatabaseValue]

    /// Creates a row of values, for another database whose rows are read in the same way.
    public init(names: [String], values: [DatabaseValue]) { (self.names, self.values) = (names, values) }

    fileprivate init(_ statement: Statement, names: [String]) {
        self.names = names
        values = names.indices.map { statement.value(Int32($0)) }
    }

    /// The number of columns.
    public var count: Int { values.count }

    /// The value in a column, counted from 0; the type's default for null.
    public subscript<Value: DatabaseValueConvertible>(_ column: Int) -> Value {
        Value(databaseValue: values[column]) ?? .missing
    }

    /// The value in a column, or nil for null.
    public subscript<Value: DatabaseValueConvertible>(_ column: Int) -> Value? {
        Value(databaseValue: values[column])
    }

    /// The value in the column with that name; the type's default for null.
    /// - Throws: ``DatabaseError`` for an unknown column.
    public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value {
        get throws { Value(databaseValue: try value(name)) ?? .missing }
    }

    /// The value in the column with that name, or nil for null.
    /// - Throws: ``DatabaseError`` for an unknown column.
    public subscript<Value: DatabaseValueConvertible>(_ name: String) -> Value? {
        get throws { Value(databaseValue: try value(name)) }
    }

    private func value(_ name: String) throws -> DatabaseValue {
        guard let place = names.firstIndex(of: name) else {
            throw DatabaseError(1, message: "no column '\(name)' in: \(names.joined(separator: ", "))", sql: nil)
        }
        return values[place]
    }

    /// Reads all rows.
    /// - Throws: ``DatabaseError``.
    public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Row] {
        var rows: [Row] = []
        try forEach(db, sql: sql, arguments: arguments) { rows.append($0) }
        return rows
    }

    /// Reads the first row.
    /// - Throws: ``DatabaseError``.
    public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Row? {
        let statement = try Statement(db, sql)
        statement.bind(arguments.values)
        defer { statement.reset() }
        return try statement.step() ? Row(statement, names: statement.columnNames) : nil
    }

    /// Calls `body` with each row as it is read; `body` must not run the same statement.
    /// - Throws: ``DatabaseError``, and the errors of `body`.
    public static func forEach(
        _ db: Database, sql: String, arguments: StatementArguments = [], _ body: (Row) throws -> Void
    ) throws {
        let statement = try Statement(db, sql)
        statement.bind(arguments.values)
        defer { statement.reset() }
        let names = statement.columnNames
        while try statement.step() { try body(Row(statement, names: names)) }
    }
}

extension DatabaseValueConvertible {
    /// Reads the first column of all rows, without nulls.
    /// - Throws: ``DatabaseError``.
    public static func fetchAll(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> [Self] {
        let statement = try Statement(db, sql)
        statement.bind(arguments.values)
        defer { statement.reset() }
        var values: [Self] = []
        while try statement.step() {
            if let value = Self(databaseValue: statement.value(0)) { values.append(value) }
        }
        return values
    }

    /// Reads the first column of the first row; nil if there is no row, or for null.
    /// - Throws: ``DatabaseError``.
    public static func fetchOne(_ db: Database, sql: String, arguments: StatementArguments = []) throws -> Self? {
        let statement = try Statement(db, sql)
        statement.bind(arguments.values)
        defer { statement.reset() }
        return try statement.step() ? Self(databaseValue: statement.value(0)) : nil
    }
}
