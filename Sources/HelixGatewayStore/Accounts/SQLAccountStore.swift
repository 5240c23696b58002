import HelixModel
import HelixSQLite

/// The users, their devices and what belongs to those, in tables that have the same names and columns in SQLite and in
/// PostgreSQL: the rules are written once, in SQL that both understand.
///
/// Every statement names the user it is about, or is for administrators and maintenance: in PostgreSQL the tables are
/// partitioned by user.
protocol SQLAccountStore: GatewayAccountStore {
    /// Runs a read transaction.
    /// - Throws: ``HelixError``.
    func reading<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value

    /// Runs one statement that reads, which needs no transaction around it: in PostgreSQL that would be two more round trips.
    /// - Throws: ``HelixError``.
    func readingOnce<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value

    /// Runs a write transaction.
    /// - Throws: ``HelixError``.
    func writing<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value

    /// Waits until no other gateway changes administrators: each must see who is left.
    /// - Throws: ``HelixError``.
    func lockAdministrators(_ db: any GatewayDatabase) throws

    /// Records that the name of a user has changed, which the user's conversations show.
    /// - Throws: ``HelixError``.
    func noteNameChange(_ db: any GatewayDatabase, of user: EntityID) throws

    /// Whether a message was deleted; nil if there is none.
    /// - Throws: ``HelixError``.
    func isDeleted(_ db: any GatewayDatabase, message: EntityID, in conversation: EntityID) throws -> Bool?

    /// Leaves a group.
    /// - Throws: ``HelixError``.
    func leave(_ group: EntityID, _ user: EntityID, now: Instant) throws
}

extension SQLAccountStore {
    func readingOnce<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value { try reading(body) }
}

/// A connection to a gateway's database, in a transaction.
protocol GatewayDatabase: AnyObject {
    /// Runs a statement and reads all rows.
    /// - Throws: the database's error.
    func fetchRows(sql: String, arguments: StatementArguments) throws -> [Row]

    /// Runs a statement.
    /// - Throws: the database's error.
    func execute(sql: String, arguments: StatementArguments) throws

    /// The number of rows that the last statement changed.
    var changedRows: Int { get }
}

extension Database: GatewayDatabase {
    func fetchRows(sql: String, arguments: StatementArguments) throws -> [Row] {
        try Row.fetchAll(self, sql: sql, arguments: arguments)
    }
}

extension Row {
    /// Reads all rows.
    /// - Throws: the database's error.
    static func fetchAll(
        _ db: any GatewayDatabase, sql: String, arguments: StatementArguments = []
    ) throws -> [Row] { try db.fetchRows(sql: sql, arguments: arguments) }

    /// Reads the first row.
    /// - Throws: the database's error.
    static func fetchOne(
        _ db: any GatewayDatabase, sql: String, arguments: StatementArguments = []
    ) throws -> Row? { try db.fetchRows(sql: sql, arguments: arguments).first }
}

extension DatabaseValueConvertible {
    /// Reads the first column of all rows, without nulls.
    /// - Throws: the database's error.
    static func fetchAll(
        _ db: any GatewayDatabase, sql: String, arguments: StatementArguments = []
    ) throws -> [Self] { try db.fetchRows(sql: sql, arguments: arguments).compactMap { $0[0] } }

    /// Reads the first column of the first row; nil if there is no row, or for null.
    /// - Throws: the database's error.
    static func fetchOne(
        _ db: any GatewayDatabase, sql: String, arguments: StatementArguments = []
    ) throws -> Self? { try db.fetchRows(sql: sql, arguments: arguments).first.flatMap { $0[0] } }
}
