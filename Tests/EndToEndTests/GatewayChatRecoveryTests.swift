import Foundation
import TestSupport
import Testing

/// What becomes of conversations when a gateway loses what it had.
@Suite struct GatewayChatRecoveryTests {
    private func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let run = try home.run("sync")
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    private func said(_ home: HelixHome, _ name: String) throws -> [String] {
        try home.run("chat", "show", name, "--json").items().compactMap { $0["content"] as? String }
    }

    @Test func whatWasSaidSinceAGatewaysBackupIsSaidAgain() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "first").status == 0)
        try sync(ana, bob)
        try site.keepBackup()
        _ = try ana.run("chat", "send", "House", "after the backup, of ana")
        try sync(ana, bob)
        let answered = try #require(try bob.run("chat", "show", "House", "--json").items().last?["id"] as? String)
        _ = try bob.run("chat", "send", "House", "--reply", answered, "after the backup, of bob")
        try sync(bob, ana)
        _ = try ana.run("chat", "read", "House")
        _ = try bob.run("chat", "read", "House")
        try sync(ana, bob, ana)
        try site.restoreBackup()
        // The gateway counts on, further than before: only chance tells that it is not the same.
        let phone = try site.device(of: "bob")
        try sync(phone)
        for number in 1...6 { _ = try phone.run("chat", "send", "House", "new \(number)", "--wait") }
        let told = try ana.run("sync")
        #expect((told.output + told.errors).contains("said again"), "\(told.output)\(told.errors)")
        #expect(try said(ana, "House").contains("new 1"))
        // Nobody has read what is new, though other messages had its numbers once.
        let unread = try ana.run("chat", "list", "--json").items()[0]["unread"] as? Int
        #expect(unread == 6, "\(unread ?? -1)")
        try sync(bob, ana, bob, phone, ana)
        let all = try said(phone, "House")
        #expect(
            all.sorted()
                == (["first", "after the backup, of ana", "after the backup, of bob"] + (1...6).map { "new \($0)" })
                .sorted())
        for home in [ana, bob, try site.device(of: "ana")] {
            try sync(home)
            #expect(try said(home, "House") == all)
            #expect(try home.run("doctor").status == 0)
        }
        #expect(try ana.run("outbox", "--json").items().isEmpty)
    }

    @Test func whatAGatewayThatLostEverythingDoesNotKnowCanBeReadAndBegunAnew() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "hello bob").status == 0)
        #expect(try ana.run("chat", "new", "Notes", "-m", "remember").status == 0)
        try sync(ana, bob, ana)
        try site.lose()
        _ = try ana.run("chat", "send", "bob", "are you there?")
        let run = try ana.run("sync")
        #expect((run.output + run.errors).contains("does not know"), "\(run.output)\(run.errors)")
        try sync(bob)
        #expect(try said(ana, "bob").first == "hello bob")
        #expect(try said(bob, "ana") == ["hello bob"])
        let refused = try ana.run("chat", "send", "bob", "hello?")
        #expect(refused.status == 77, "\(refused.errors)")
        // A new one is another one, and what is called the same means that.
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "once more").status == 0)
        try sync(ana, bob)
        #expect(try said(bob, "ana") == ["once more"])
        #expect(try ana.run("chat", "send", "bob", "and again", "--wait").status == 0)
        try sync(bob)
        #expect(try said(bob, "ana") == ["once more", "and again"])
        #expect(try ana.run("chat", "search", "hello", "--json").items().count == 1)
        #expect(try ana.run("chat", "new", "Notes", "-m", "remember this, too").status == 0)
        try sync(ana)
        #expect(try ana.run("outbox", "--json").items().allSatisfy { $0["state"] as? String == "parked" })
    }
}
