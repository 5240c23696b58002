import FoundationEssentials
import HelixSQLite
import TestSupport
import Testing

@testable import HelixPostgres

/// The connection to a real server; skipped where PostgreSQL is not installed.
@Suite(.enabled(if: PostgresSite.isInstalled, "needs the server postgresql")) struct PostgresConnectionTests {
    private func connect(_ more: String = "") throws -> PostgresConnection {
        let target = try PostgresTarget(try PostgresSite.uri("postgres") + more)
        return try PostgresConnection(target, application: "test", settings: ["statement_timeout": "5s"])
    }

    @Test func valuesComeBackAsTheyWere() throws {
        let connection = try connect()
        let values: StatementArguments = [
            Int64.max, "Grüße 👋 'quoted' \\ \n", DatabaseValue.blob(Data([0, 1, 255, 92, 39])), true,
            DatabaseValue.double(1.5), String?.none,
        ]
        let row = try #require(
            try connection.rows(
                "SELECT ?::int8 AS number, ?::text AS text, ?::bytea AS bytes, ?::smallint AS flag, ?::float8 AS x, ?::text AS n",
                values
            ).first)
        #expect(try row["number"] == Int64.max && row["text"] == "Grüße 👋 'quoted' \\ \n")
        #expect(try row["bytes"] == Data([0, 1, 255, 92, 39]) && row["flag"] == true)
        #expect(try row["x"] == DatabaseValue.double(1.5) && (row["n"] as String?) == nil)
        #expect(
            try connection.rows("SELECT 1 = 1, 1 = 2").first.map { ($0[0] as Bool, $0[1] as Bool) } ?? (false, true)
                == (true, false))
    }

    @Test func aHostThatClosesConnectionsIsPassedOver() throws {
        let closing = try TestServer("closing.py", ports: 1)
        let port = try PostgresSite.port()
        let uri = "postgresql://helix@127.0.0.1:\(closing.ports[0]),127.0.0.1:\(port)/postgres"
        let connection = try PostgresConnection(try PostgresTarget(uri), application: "test")
        #expect(connection.host == "127.0.0.1:\(port)")
        let hosts = try PostgresTarget("postgresql://a@[::1]:1,db2,db3:3/x?host=y").severalHosts
        #expect(hosts.map(\.host) == ["::1", "db2", "db3"] && hosts.map(\.port) == ["1", "", "3"])
        #expect(try PostgresTarget("postgresql:///x?service=y").severalHosts.isEmpty)
    }

    @Test func parametersAreNumberedAsInSQLite() throws {
        let connection = try connect()
        let row = try connection.rows(
            "SELECT ?2::text || ?1::text AS a, '?' AS \"b?\", 'it''s ?3'", ["x", "y"]
        ).first
        #expect(try row?["a"] == "yx" && row?["b?"] == "?")
        #expect(row?[2] == "it's ?3")
        // A NUL cannot be stored.
        #expect(try connection.rows("SELECT ?::text", ["a\0b"]).first?[0] == "a\u{FFFD}b")
    }

    @Test func anErrorSaysItsStateAndLeavesTheConnectionUsable() throws {
        let connection = try connect()
        let error = try #require(throws: PostgresError.self) { _ = try connection.rows("SELECT 1/0") }
        #expect(error.state == "22012" && !error.endsConnection)
        let aborted = try #require(throws: PostgresError.self) {
            try connection.transaction {
                try connection.script("CREATE TEMPORARY TABLE gone (n int)")
                _ = try connection.rows("SELECT nothing")
            }
        }
        #expect(aborted.state == "42703")
        #expect(throws: PostgresError.self) { _ = try connection.rows("SELECT * FROM gone") }
        #expect(try connection.rows("SELECT 7").first?[0] == 7)
    }

    @Test func aLostConnectionIsToldApart() throws {
        let (connection, other) = (try connect(), try connect())
        let pid: Int = try connection.rows("SELECT pg_backend_pid()").first?[0] ?? 0
        _ = try other.rows("SELECT pg_terminate_backend(?)", [pid])
        let error = try #require(throws: PostgresError.self) {
            for _ in 0..<100 { _ = try connection.rows("SELECT pg_sleep(0.02)") }
        }
        #expect(error.endsConnection && !connection.isOpen)
    }

    @Test func notificationsArrive() throws {
        let (listener, speaker) = (try connect(), try connect())
        try listener.script("LISTEN birds")
        guard case .none = try listener.wait(milliseconds: 10) else {
            Issue.record("a notification that nobody sent")
            return
        }
        _ = try speaker.rows("SELECT pg_notify('birds', ?)", ["robin 7"])
        var found: [String] = []
        for _ in 0..<50 where found.isEmpty {
            if case .notifications(let list) = try listener.wait(milliseconds: 100) { found = list.map(\.payload) }
        }
        #expect(found == ["robin 7"])
    }

    @Test func anAddressWithAPasswordIsRefused() throws {
        for uri in ["postgresql://ana:secret@db/helix", "postgresql://ana@db/helix?password=secret"] {
            let error = try #require(throws: PostgresTarget.Invalid.self) { _ = try PostgresTarget(uri) }
            #expect(!error.message.contains("secret"))
        }
        #expect(throws: PostgresTarget.Invalid.self) { _ = try PostgresTarget("mysql://ana@db/helix") }
        #expect(throws: PostgresTarget.Invalid.self) { _ = try PostgresTarget("helix.db") }
        #expect(try PostgresTarget("postgresql://ana@db/helix?sslmode=require").shown == "postgresql://ana@db/helix")
    }

    @Test func theFirstHostThatAcceptsWritesIsUsed() throws {
        let port = try PostgresSite.port()
        let dead = TestServer.freePort()
        let target = try PostgresTarget("postgresql://helix@127.0.0.1:\(dead),127.0.0.1:\(port)/postgres")
        #expect(try PostgresConnection(target, application: "test").host.hasSuffix(":\(port)"))
        let nobody = try PostgresTarget("postgresql://helix@127.0.0.1:\(dead)/postgres")
        let error = try #require(throws: PostgresError.self) {
            _ = try PostgresConnection(nobody, application: "test")
        }
        #expect(error.endsConnection)
    }
}
