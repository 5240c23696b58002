import HelixModel
import HelixSQLite

/// The kinds of keys of users, each of which one user has.
enum UserKey: String {
    /// The user name, without regard to case.
    case name
    /// The e-mail address.
    case email
    /// The user of another service who signs in with its tokens: the issuer and its name for them.
    case subject
    /// The skeleton of the user name or of the displayed name: no two users have names that look alike.
    case shape
}

/// Users are found by their keys, in a table of its own: in PostgreSQL a key has a place of its own, apart from its user.
extension SQLAccountStore {
    /// The user who has a key; nil if it is free.
    func holder(_ db: any GatewayDatabase, _ kind: UserKey, of key: String) throws -> EntityID? {
        try String.fetchOne(
            db, sql: "SELECT \"user\" FROM user_key WHERE kind = ? AND key = ?", arguments: [kind.rawValue, key]
        ).map { EntityID(stored: $0) }
    }

    /// Gives a user a key, which the user may have already.
    /// - Throws: ``HelixError`` of code `conflict` if another user has it.
    func take(_ db: any GatewayDatabase, _ kind: UserKey, _ key: String, for user: EntityID) throws {
        try db.execute(
            sql: "INSERT INTO user_key (kind, key, \"user\") VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            arguments: [kind.rawValue, key, user.text])
        // Two gateways may add users at the same time.
        guard try db.changedRows > 0 || holder(db, kind, of: key) == user else {
            throw HelixError(.conflict, "another user has just taken that name", hint: "Choose another one.")
        }
    }

    /// Takes a key from a user.
    func release(_ db: any GatewayDatabase, _ kind: UserKey, _ key: String, of user: EntityID) throws {
        try db.execute(
            sql: "DELETE FROM user_key WHERE kind = ? AND key = ? AND \"user\" = ?",
            arguments: [kind.rawValue, key, user.text])
    }

    /// The name of a user.
    func name(_ db: any GatewayDatabase, of user: EntityID) throws -> String {
        try String.fetchOne(db, sql: "SELECT name FROM \"user\" WHERE id = ?", arguments: [user.text]) ?? "somebody"
    }

    /// Whether there is a user.
    func exists(_ db: any GatewayDatabase, _ user: EntityID) throws -> Bool {
        try Int.fetchOne(db, sql: "SELECT 1 FROM \"user\" WHERE id = ?", arguments: [user.text]) != nil
    }
}
