import HelixPostgres
import TestSupport
import Testing

@testable import HelixGatewayStore

/// A server whose files were replaced by those of a backup uses numbers of transactions again. It must not take the cursor of a
/// client that has seen more for a place of its own.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct RestoredDatabaseTests {
    /// The cursor of a client that sees its own write.
    private func write(_ server: RestorableServer, _ count: Int) throws -> String {
        let session = PostgresSession(try PostgresTarget(server.uri("postgres")))
        var cursor = ""
        for _ in 0..<count {
            cursor = try session.perform {
                try $0.rows("SELECT cursor_text(pg_current_xact_id(), pg_current_snapshot())").first?[0] ?? ""
            }
        }
        return cursor
    }

    private func isKnown(_ cursor: String, _ server: RestorableServer) throws -> Bool {
        try PostgresSession(try PostgresTarget(server.uri("postgres"))).perform {
            try $0.rows("SELECT is_known_cursor(?)", [cursor]).first?[0] ?? false
        }
    }

    @Test func cursorsLaterThanABackupAreUnknown() throws {
        let server = try RestorableServer()
        _ = try PostgresAdministration.migrate(try PostgresTarget(server.uri("postgres")), isRehearsal: false)
        let early = try write(server, 3)
        try server.backUp()
        // An ordinary start loses nothing.
        #expect(try isKnown(early, server))
        let late = try write(server, 3)
        #expect(try isKnown(late, server))
        try server.restore()
        // The numbers of the lost transactions are used again, by others.
        _ = try write(server, 20)
        #expect(try isKnown(early, server))
        #expect(try !isKnown(late, server))
    }
}
