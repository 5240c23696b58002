import FoundationEssentials
import HelixModel
import HelixPostgres
import HelixSQLite

/// A gateway's store in PostgreSQL, which any number of gateways share. The rules of conversations are functions of the
/// database, so that a request takes one round trip; those of accounts are ``SQLAccountStore``'s.
final class PostgresGatewayStore: GatewayStore, SQLAccountStore {
    let session: PostgresSession
    /// The conversations of the latest messages, so that the members of a large one are not sent with each message.
    var recent: [RecentConversation.Key: RecentConversation] = [:]
    /// The cursor behind the last message, until it is asked for.
    var lastCursor: ChatCursor?

    /// - Throws: ``HelixError`` if the database is not reachable, or its schema is not that of this program.
    init(_ target: PostgresTarget) throws {
        session = PostgresSession(target)
        let state = try session.perform(repeats: true, PostgresSchema.state)
        let wanted = PostgresSchema.migrations.count
        guard state.version != wanted || !state.hasPresentFunctions else { return }
        let problem =
            state.version == 0
            ? "the database \(target.shown) is not prepared"
            : state.version > wanted
                ? "the database was made by a newer helix"
                : state.version < wanted
                    ? "the database was made by an older helix"
                    : "the functions of the database are those of another helix"
        throw HelixError(
            .configuration, problem,
            hint: state.version > wanted
                ? "Update helix. Nothing was changed."
                : "Run with the newest helix: helix gateway database migrate --database '\(target.shown)'")
    }

    func didServe() { lastCursor = nil }

    /// Each request has a transaction of its own: those of other connections are written to the disk with it.
    func together(_ body: () -> Void) { body() }
    func rehearse() throws { try session.rehearse() }

    func reading<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value {
        try session.read { try body(session) }
    }

    func readingOnce<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value {
        try session.perform(repeats: true) { _ in try body(session) }
    }

    func writing<Value>(_ body: (any GatewayDatabase) throws -> Value) throws -> Value {
        try session.write { try body(session) }
    }

    /// Calls a function that returns a document.
    /// - Parameter repeats: whether it may be called again if the connection is lost, because it only reads.
    /// - Throws: ``HelixError``.
    func call(_ sql: String, _ arguments: StatementArguments, repeats: Bool = false) throws -> JSONText {
        try session.perform(repeats: repeats) { connection in
            try connection.withBytes("SELECT \(sql)", arguments) { $0.isEmpty ? .null : try JSONText($0) } ?? .null
        }
    }

    func secret() throws -> [UInt8] {
        let text = try session.perform(repeats: true) { connection -> String in
            try connection.rows("SELECT value FROM setting WHERE name = 'secret'").first?[0] ?? ""
        }
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    func noteNameChange(_ db: any GatewayDatabase, of user: EntityID) throws {
        _ = try db.fetchRows(sql: "SELECT note_name(?)", arguments: [user.text])
    }

    func isDeleted(_ db: any GatewayDatabase, message: EntityID, in conversation: EntityID) throws -> Bool? {
        try Bool.fetchOne(
            db,
            sql: """
                SELECT m.is_deleted FROM message_place p JOIN message m ON m.conversation = ?2 AND m.seq = p.seq
                WHERE p.id = ?1 AND p.conversation = ?2
                """, arguments: [message.text, conversation.text])
    }

    func leave(_ group: EntityID, _ user: EntityID, now: Instant) throws {
        _ = try remove(user, from: group, by: user, now: now)
    }

    func lockAdministrators(_ db: any GatewayDatabase) throws {
        _ = try db.fetchRows(sql: "SELECT pg_advisory_xact_lock(hashtext('helix.administrators'))", arguments: [])
    }

    func audited(since mark: String?) throws -> (mark: String, users: [EntityID]) {
        // Entries of several gateways do not become visible in the order of their transactions: the mark is a snapshot.
        try session.perform(repeats: true) { connection in
            let rows = try connection.rows("SELECT word FROM audited_since(?)", [mark])
            let words = rows.map { $0[0] as String }
            return (words.first ?? mark ?? "", words.dropFirst().map { EntityID(stored: $0) })
        }
    }

    func sweepAudit(now: Instant) throws {
        try writing { db in
            try db.execute(
                sql: "DELETE FROM signin_failure WHERE last < ?", arguments: [now.seconds - SignInFailures.memory])
            try db.execute(sql: "DELETE FROM audit WHERE at < ?", arguments: [now.seconds - 366 * 86_400])
        }
    }
}
