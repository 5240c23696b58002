import Foundation
import TestSupport
import Testing

/// Chat without a network, with a gateway that dies, has no room or says no: nothing is lost, doubled or out of order.
@Suite struct GatewayChatFaultTests {
    @Test func whatWasSaidOfflineArrivesOnceAndInOrder() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "0")
        try HelixHome.sync(ana, phone, bob)
        site.server.stop()
        for number in 1...5 {
            #expect(try ana.run("chat", "send", "bob", "a\(number)").status == 0)
            #expect(try phone.run("chat", "send", "bob", "p\(number)").status == 0)
        }
        #expect(try ana.run("chat", "send", "bob", "a6", "--wait").status == 69)
        #expect(try ana.states(of: "bob").suffix(6).allSatisfy { $0 == "pending" })
        #expect(try ana.run("sync").status == 69)
        try site.restart()
        try HelixHome.sync(ana, phone, ana, bob)
        let all = try bob.words(of: "ana")
        #expect(all == ["0", "a1", "a2", "a3", "a4", "a5", "a6", "p1", "p2", "p3", "p4", "p5"])
        #expect(try ana.words(of: "bob") == all && phone.words(of: "bob") == all)
        // The gateway took it, and the answer was lost: sent again, it is there once.
        let id = try #require(try ana.run("chat", "show", "bob", "--json").items().last?["id"] as? String)
        try forget(id, ana)
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana") == all)
        for home in [ana, phone, bob] { #expect(try home.run("doctor").status == 0) }
    }

    /// As if nobody knew that a message has left.
    private func forget(_ id: String, _ home: HelixHome) throws {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute("UPDATE chat_message SET state = 'pending', seq = NULL, synced = NULL WHERE id = ?", (sys.argv[2],))
            db.commit()
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script, home.store, id]).status == 0)
    }

    /// A message that the gateway could not take waits some seconds: a sync before that leaves it queued, and says so.
    @Test func aSyncBeforeTheNextAttemptSaysWhatStaysQueued() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        for home in [ana, bob] { home.environment["HELIX_NOW"] = nil }
        try ana.run("chat", "new", "--with", "bob", "-m", "0")
        try HelixHome.sync(ana, bob)
        site.server.stop()
        #expect(try ana.run("chat", "send", "bob", "1").status == 0)
        try site.restart()
        try ana.sql(
            "UPDATE chat_message SET retry_at = unixepoch() + 300, tries = 1, problem = 'no database' WHERE state = 'pending'"
        )
        for words in [["sync"], ["sync", "--json"]] {
            let result = try ana.run(words)
            #expect(result.status != 0, "\(words)")
            #expect((result.output + result.errors).contains("1 message in 'bob' stays queued for"), "\(result.errors)")
            #expect((result.output + result.errors).contains("no database"))
        }
        #expect(try ana.states(of: "bob").last == "pending")
        try ana.sql("UPDATE chat_message SET retry_at = 0 WHERE state = 'pending'")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana") == ["0", "1"])
    }

    @Test func aGatewayKilledInBetweenLosesNothingItAcknowledged() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob")
        try HelixHome.sync(ana)
        for round in 0..<4 {
            for number in 0..<10 { try ana.run("chat", "send", "bob", "\(round)-\(number)") }
            // Killed while it is told of them.
            try site.server.kill(afterMilliseconds: 100 + round * 60)
            _ = try ana.run("sync")
            site.server.waitUntilGone()
            try site.restart()
        }
        try HelixHome.sync(ana, bob, ana)
        let wanted = (0..<4).flatMap { round in (0..<10).map { "\(round)-\($0)" } }
        #expect(try bob.words(of: "ana") == wanted && ana.words(of: "bob") == wanted)
    }

    @Test func aQuestionThatNobodyHeardIsNotAskedLater() throws {
        let site = try GatewaySite()
        let ana = try site.device(of: "ana")
        try HelixHome.sync(ana)
        site.server.stop()
        #expect(try ana.run("chat", "ask", "a secret", input: "").status == 69)
        #expect(
            try ana.run("chat", "list", "--all", "--json").items().isEmpty
                && ana.run("outbox", "--json").items().isEmpty)
        #expect(try ana.run("chat", "ask", "", input: "").status == 64)
        try ana.run("config", "set", "assistant.url", "http://127.0.0.1:9/v1")
        #expect(try ana.run("chat", "ask", "--local", "a secret", input: "").status == 69)
        #expect(try ana.run("chat", "list", "--all", "--json").items().isEmpty)
    }

    @Test func aGatewayOnAFullDiskSaysSoAndLosesNothing() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        for home in [ana, bob] { home.environment["HELIX_NOW"] = nil }
        try ana.run("chat", "new", "--with", "bob", "-m", "0")
        try HelixHome.sync(ana, bob)
        let long = String(repeating: "x", count: 8000)
        for number in 1...60 { try ana.run("chat", "send", "bob", "\(number) \(long)") }
        site.server.stop()
        try site.restart(fileLimit: 500)
        let full = try ana.run("sync")
        #expect(full.status != 0, "\(full.output)")
        // It lives, and what was said before can be read; what it took is a beginning of what was sent.
        #expect(try bob.run("gateway", "call", "health").status == 0)
        #expect(try bob.run("gateway", "call", "sessions.list").status == 0)
        let acknowledged = try ana.states(of: "bob").count { $0 != "pending" && $0 != "failed" }
        #expect(acknowledged < 61)
        site.server.stop()
        try site.restart()
        for _ in 0..<4 where try ana.states(of: "bob").contains("pending") {
            sleep(2)
            _ = try ana.run("sync")
        }
        try HelixHome.sync(bob)
        let arrived = try bob.words(of: "ana").map { $0.split(separator: " ").first.map(String.init) ?? "" }
        #expect(arrived == (0...60).map(String.init))
        #expect(try ana.run("doctor").status == 0)
    }

    @Test func whatIsRefusedOfAConversationDoesNotKeepWordsFromIt() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob")
        try HelixHome.sync(ana, bob)
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        try HelixHome.sync(ana, bob)
        // He names it while he may no longer.
        try ana.run("chat", "members", "House", "--role", "bob=member")
        try HelixHome.sync(ana)
        #expect(try bob.run("chat", "rename", "House", "Mine").status == 0)
        #expect(try bob.run("chat", "send", "Mine", "still here").status == 0)
        _ = try bob.run("sync")
        try HelixHome.sync(ana)
        #expect(try ana.words(of: "House").last == "still here")
        #expect(try bob.run("chat", "show", "House").status == 0, "it has its name again")
        // What is taken back and deleted with its conversation goes for the others, too.
        try ana.run("chat", "new", "--with", "bob")
        try ana.run("chat", "send", "bob", "taken back", "--wait")
        try ana.run("undo")
        try ana.run("chat", "delete", "bob", "--yes")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana") == [""])
    }
}
