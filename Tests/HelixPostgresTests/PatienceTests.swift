import Glibc
import HelixPostgres
import TestSupport
import Testing

/// A statement without an answer ends its connection, and nobody waits for ever.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct PatienceTests {
    @Test func aStatementThatTakesTooLongEndsTheConnection() throws {
        let target = try PostgresTarget(try PostgresSite.uri("postgres"))
        let connection = try PostgresConnection(target, application: "test", patience: 300)
        #expect(try connection.rows("SELECT 1").first?[0] == 1)
        for run in [{ try connection.script("SELECT pg_sleep(20)") }, { _ = try connection.rows("SELECT 2") }] {
            let error = #expect(throws: PostgresError.self) { try run() }
            #expect(error?.endsConnection == true)
            #expect(!connection.isOpen)
        }
        let other = try PostgresConnection(target, application: "test", patience: 300)
        #expect(try other.rows("SELECT repeat('x', 3000000)").count == 1)
    }

    /// A line that goes silent while the server lives, as with a stopped process or a firewall that forgets.
    @Test func aSilentServerIsNotWaitedFor() throws {
        let target = try PostgresTarget(try PostgresSite.uri("postgres"))
        for sql in ["SELECT 1", "SELECT 2", nil] {
            let connection = try PostgresConnection(target, application: "test", patience: 300)
            let process: Int64 = try #require(try connection.rows("SELECT pg_backend_pid()").first?[0])
            _ = try connection.rows("SELECT 1")
            kill(pid_t(process), SIGSTOP)
            defer { kill(pid_t(process), SIGCONT) }
            // Known statements, new ones, which are prepared first, and scripts.
            let error = #expect(throws: PostgresError.self) {
                if let sql { _ = try connection.rows(sql) } else { try connection.script("BEGIN") }
            }
            #expect(error?.endsConnection == true && !connection.isOpen)
        }
    }

    @Test func aCommitDoesNotWaitForALostStandby() throws {
        let pair = try PostgresPair(isSynchronous: true)
        let target = try PostgresTarget(pair.uri("postgres"))
        let connection = try PostgresConnection(target, application: "test", patience: 1_000)
        try connection.script("CREATE TABLE t (n int)")
        pair.standby.stop()
        // The server's own limit ends no commit.
        try connection.script("SET statement_timeout = '300ms'")
        let error = #expect(throws: PostgresError.self) { try connection.run("INSERT INTO t VALUES (1)") }
        #expect(error?.endsConnection == true)
        // It is stored when a standby is there again, or not at all: who repeats it must do so under the same identity.
        let reader = try PostgresConnection(target, application: "test", patience: 1_000)
        #expect(try reader.rows("SELECT n FROM t").count <= 1)
    }
}
