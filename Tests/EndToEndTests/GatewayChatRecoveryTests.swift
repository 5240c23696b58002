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
        #expect((told.output + told.errors).contains("sent again"), "\(told.output)\(told.errors)")
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
        #expect((run.output + run.errors).contains("no longer has"), "\(run.output)\(run.errors)")
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

    /// The identities of what was said in a conversation.
    private func ids(_ home: HelixHome, _ name: String) throws -> [String: String] {
        Dictionary(
            try home.run("chat", "show", name, "--json").items().map {
                ($0["content"] as? String ?? "", $0["id"] as? String ?? "")
            }, uniquingKeysWith: { $1 })
    }

    @Test func whatAGatewayAcknowledgedAndLostIsSaidAgainWithoutALookBetween() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "first")
        try sync(ana, bob, ana)
        try site.keepBackup()
        for number in 1...3 { #expect(try ana.run("chat", "send", "House", "\(number)", "--wait").status == 0) }
        // An answer to something that the gateway will not have when it comes.
        try sync(bob)
        let answered = try #require(try ids(bob, "House")["2"])
        #expect(try bob.run("chat", "send", "House", "--reply", answered, "to 2", "--wait").status == 0)
        try site.restoreBackup()
        // What waits goes after what was lost.
        _ = try ana.run("chat", "send", "House", "4")
        try sync(bob, ana, bob)
        #expect(try said(bob, "House").sorted() == ["1", "2", "3", "4", "first", "to 2"])
        #expect(try said(ana, "House").filter { $0.count == 1 } == ["1", "2", "3", "4"])
        #expect(try said(ana, "House") == said(bob, "House"))
        for home in [ana, bob] { #expect(try home.run("outbox", "--json").items().isEmpty) }
    }

    @Test func nothingIsSaidAgainToPeopleWhoWereNotThere() throws {
        let site = try GatewaySite(users: ["ana", "bob", "cyd"])
        let (ana, bob, cyd) = (try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "cyd"))
        _ = try ana.run("chat", "new", "Board", "--with", "bob,cyd", "--group", "-m", "first")
        try sync(ana, bob, cyd, ana)
        try site.keepBackup()
        #expect(try ana.run("chat", "members", "Board", "--remove", "cyd").status == 0)
        try sync(ana)
        #expect(try ana.run("chat", "send", "Board", "a secret", "--wait").status == 0)
        try sync(bob)
        #expect(try bob.run("chat", "send", "Board", "agreed", "--wait").status == 0)
        try sync(ana)
        _ = try ana.run("chat", "send", "Board", "another secret")
        try site.restoreBackup()
        for home in [ana, bob, cyd, ana, bob, cyd] { _ = try home.run("sync") }
        #expect(try said(cyd, "Board") == ["first"])
        // They wait for somebody to decide.
        let parked = try ana.run("outbox", "--json").items()
        #expect(parked.count == 2 && parked.allSatisfy { $0["state"] as? String == "parked" })
        #expect(try said(ana, "Board").contains("agreed"))
        #expect(try ana.run("chat", "members", "Board", "--remove", "cyd").status == 0)
        try sync(ana)
        for item in parked { #expect(try ana.run("outbox", "retry", #require(item["id"] as? String)).status == 0) }
        try sync(ana, bob)
        #expect(try said(bob, "Board").contains("a secret") && said(bob, "Board").contains("another secret"))
        _ = try cyd.run("sync")
        #expect(try !said(cyd, "Board").contains { $0.contains("secret") })
    }

    @Test func whatWasChangedOrDeletedSinceABackupStaysSo() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        for home in [ana, phone, bob] { home.environment["HELIX_NOW"] = nil }
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "one")
        _ = try ana.run("chat", "send", "House", "two")
        try sync(ana, bob, phone)
        _ = try bob.run("chat", "send", "House", "three")
        try sync(bob, ana, phone)
        try site.keepBackup()
        sleep(1)
        let known = try ids(ana, "House")
        #expect(try ana.run("chat", "message", #require(known["one"]), "--edit", "one, changed").status == 0)
        #expect(try ana.run("chat", "message", #require(known["two"]), "--delete", "--yes").status == 0)
        #expect(try bob.run("chat", "message", #require(known["three"]), "--delete", "--yes").status == 0)
        _ = try ana.run("chat", "archive", "House")
        try sync(ana, bob, phone, ana)
        try site.restoreBackup()
        try sync(phone, bob, ana, phone, bob, ana)
        for home in [ana, phone, bob] {
            let words = try home.run("chat", "show", "House", "--json").items().filter {
                $0["deleted"] as? Bool != true
            }.compactMap { $0["content"] as? String }.filter { !$0.isEmpty }
            #expect(words == ["one, changed"])
        }
        #expect(try phone.run("chat", "list", "--json").items().isEmpty, "it was put away")
    }

    @Test func nobodyPutsTheirWordsInTheMouthOfAnother() throws {
        let site = try GatewaySite(users: ["ana", "bob", "cyd"])
        let (ana, bob, cyd) = (try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "cyd"))
        _ = try ana.run("chat", "new", "Vote", "--with", "bob,cyd", "--group", "-m", "first")
        try sync(ana, bob, cyd)
        try site.keepBackup()
        #expect(try ana.run("chat", "send", "Vote", "I vote NO", "--wait").status == 0)
        try sync(bob, cyd)
        let id = try #require(try ids(cyd, "Vote")["I vote NO"])
        let room = try #require(try cyd.run("chat", "list", "--json").items().first?["id"] as? String)
        try site.restoreBackup()
        let forged = try cyd.run(
            "gateway", "call", "chat.send",
            "{\"sessionKey\": \"\(room)\", \"message\": \"I vote YES\", \"idempotencyKey\": \"\(id)\"}")
        #expect(forged.status == 0, "\(forged.errors)")
        for home in [ana, bob, ana] { _ = try home.run("sync") }
        #expect(try said(ana, "Vote") == ["first", "I vote NO"])
        #expect(try ana.run("outbox", "--json").items().first?["state"] as? String == "parked")
    }

    @Test func aConversationOfTheSameNameAtAGatewayMadeAnewIsAnotherOne() throws {
        let site = try GatewaySite(users: ["ana", "bob", "mal"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "Board", "--with", "bob", "--group", "-m", "a secret")
        try sync(ana, bob)
        let room = try #require(try bob.run("chat", "list", "--json").items().first?["id"] as? String)
        _ = try ana.run("chat", "new", "Later", "--with", "bob", "--group", "-m", "for bob alone")
        try site.lose()
        let made = try bob.run(
            "gateway", "call", "chat.create",
            "{\"id\": \"\(room)\", \"kind\": \"group\", \"name\": \"Board\", \"members\": [\"ana\", \"mal\"]}")
        #expect(made.status == 0, "\(made.errors)")
        try sync(ana)
        let mal = try site.device(of: "mal")
        try sync(mal)
        #expect(try mal.run("chat", "search", "secret", "--json").items().isEmpty)
        #expect(try mal.run("chat", "search", "alone", "--json").items().isEmpty)
        #expect(try ana.run("chat", "search", "secret", "--json").items().count == 1)
        let boards = try ana.run("chat", "list", "--json").items().filter { $0["name"] as? String == "Board" }
        #expect(boards.count == 2)
        #expect(try ana.run("doctor").status == 0)
    }

    @Test func whoWasAwayWhileItWasSaidIsNotToldOfItAndWhoLeftStaysAway() throws {
        let site = try GatewaySite(users: ["ana", "bob", "cyd"])
        let (ana, bob, cyd) = (try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "cyd"))
        _ = try ana.run("chat", "new", "Board", "--with", "bob,cyd", "--group", "-m", "first")
        _ = try ana.run("chat", "new", "Garden", "--with", "bob,cyd", "--group", "-m", "plants")
        try sync(ana, bob, cyd, ana)
        try site.keepBackup()
        _ = try ana.run("chat", "members", "Board", "--remove", "cyd")
        _ = try ana.run("sync")
        _ = try ana.run("chat", "send", "Board", "a secret", "--wait")
        _ = try ana.run("chat", "invite", "Board", "cyd")
        #expect(try cyd.run("chat", "leave", "Garden", "--yes").status == 0)
        for home in [ana, bob, cyd, ana] { _ = try home.run("sync") }
        try site.restoreBackup()
        let told = try ana.run("sync")
        #expect(
            told.output.contains("kept in the outbox") && told.output.contains("'Garden' has former members again: cyd")
        )
        for home in [cyd, bob, ana, cyd] { _ = try home.run("sync") }
        _ = try ana.run("chat", "send", "Garden", "among us", "--wait")
        _ = try cyd.run("sync")
        #expect(try cyd.run("chat", "search", "secret", "--json").items().isEmpty)
        #expect(try cyd.run("chat", "search", "among", "--json").items().isEmpty)
        #expect(try ana.run("outbox", "--json").items().map { $0["state"] as? String } == ["parked"])
    }

    @Test func whatOneDeviceDeletedTheOtherDoesNotBringBack() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "first")
        try sync(ana, bob, phone)
        try site.keepBackup()
        #expect(try ana.run("chat", "send", "House", "regretted", "--wait").status == 0)
        try sync(phone, bob)
        let id = try #require(try ids(phone, "House")["regretted"])
        #expect(try phone.run("chat", "message", id, "--delete", "--yes").status == 0)
        try sync(phone, bob)
        try site.restoreBackup()
        for home in [phone, ana, bob, phone, bob, ana] { _ = try home.run("sync") }
        for home in [ana, phone, bob] { #expect(try !said(home, "House").contains("regretted")) }
    }

    @Test func whenTheRightStoreIsThereAgainAllIsAsItWas() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "first")
        try sync(ana, bob)
        _ = try bob.run("chat", "send", "House", "second")
        try sync(bob, ana)
        try site.keepBackup()
        // For a while it runs on an empty folder.
        try site.lose()
        for home in [ana, bob] { _ = try home.run("sync") }
        #expect(try ana.run("chat", "send", "House", "x").status == 77)
        try site.restoreBackup()
        try sync(ana, bob)
        for home in [ana, bob] {
            #expect(try home.run("chat", "list", "--json").items().count == 1)
            #expect(try said(home, "House") == ["first", "second"])
        }
        #expect(try ana.run("chat", "send", "House", "third", "--wait").status == 0)
        try sync(bob)
        #expect(try said(bob, "House") == ["first", "second", "third"])
    }
}
