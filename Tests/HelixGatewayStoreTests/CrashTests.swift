import Foundation
import HelixModel
import HelixPostgres
import TestSupport
import Testing

@testable import HelixGatewayStore

/// A database that crashed uses numbers of transactions again: those of transactions that failed just before. A cursor from before
/// must not take the new ones for seen.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct CrashTests {
    @Test func aCursorFromBeforeACrashMissesNothing() throws {
        let server = try TestServer("postgres.sh", ports: 1, keepsFolder: true)
        defer { try? FileManager.default.removeItem(at: server.folder) }
        let target = try PostgresTarget("postgresql://helix@127.0.0.1:\(server.ports[0])/postgres")
        func connect() throws -> PostgresConnection {
            for _ in 0..<100 {
                if let made = try? PostgresConnection(target, application: "test") { return made }
                usleep(100_000)
            }
            return try PostgresConnection(target, application: "test")
        }
        let admin = try connect()
        _ = try PostgresAdministration.migrate(target, isRehearsal: false)
        let now = Instant(1_795_255_200)
        var store = try PostgresGatewayStore(target)
        let ana = try store.addUser("ana", hash: "x", isAdmin: false, now: now).id
        let group = try store.beginConversation(EntityID(), .group, name: "g", others: [], by: ana, now: now).id
        // Failed transactions leave nothing in the log of the database.
        for _ in 0..<20 {
            try admin.script("BEGIN")
            _ = try admin.rows("SELECT pg_current_xact_id()")
            try admin.script("ROLLBACK")
        }
        let page = try store.chatPage(for: ana, since: nil, seen: nil, limit: 500)
        let pid =
            try String(contentsOf: server.folder.appendingPathComponent("run/data/postmaster.pid"), encoding: .utf8)
            .split(separator: "\n").first.flatMap { Int32($0) } ?? 0
        kill(pid, SIGKILL)
        server.waitUntilGone()
        try? FileManager.default.removeItem(at: server.folder.appendingPathComponent("run/data/postmaster.pid"))
        // The processes of the server end soon after their first one.
        usleep(1_500_000)
        let again = try TestServer("postgres.sh", in: server.folder, ports: 1, keepsFolder: true, port: server.ports[0])
        defer { again.stop() }
        _ = try connect()
        store = try PostgresGatewayStore(target)
        let said = try store.say(
            ChatDraft(id: EntityID(), content: "after the crash"), in: group, by: ana, asAssistant: false, now: now
        ).message
        let next = try store.chatPage(for: ana, since: page.cursor, seen: page.cursor, limit: 500)
        #expect(next.messages.map(\.id) == [said.id] && !next.isReset)
    }
}
