import Foundation
import TestSupport
import Testing

/// People talk over a gateway: at once, offline, from several devices, and nobody else listens.
@Suite struct GatewayChatTests {
    private func words(_ home: HelixHome, _ name: String) throws -> [String] {
        try home.run("chat", "show", name, "--limit", "1000", "--json").items().map { $0["content"] as? String ?? "?" }
    }

    private func states(_ home: HelixHome, _ name: String) throws -> [String] {
        try home.run("chat", "show", name, "--json").items().map { $0["state"] as? String ?? "?" }
    }

    private func sync(_ homes: HelixHome...) throws {
        for home in homes {
            let run = try home.run("sync")
            #expect(run.status == 0, "\(run.output)\(run.errors)")
        }
    }

    @Test(arguments: ["chat", "files"]) func aClientInAnotherLanguageFindsChatAsItIsWritten(scenario: String) throws {
        try GatewaySite(users: ["ana", "bob", "carl"]).scenario(scenario, "ana:ana's password")
    }

    @Test func twoPeopleTalkAndSeeHowFarItCame() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "Hello Bob").status == 0)
        #expect(try states(ana, "bob") == ["pending"])
        #expect(try ana.run("outbox", "--json").items().first?["kind"] as? String == "chat_message")
        try sync(ana)
        #expect(try states(ana, "bob") == ["sent"])
        #expect(try ana.run("outbox", "--json").items().isEmpty)
        try sync(bob, ana)
        #expect(try states(ana, "bob") == ["delivered"])
        let list = try #require(try bob.run("chat", "list", "--json").items().first)
        #expect(list["name"] as? String == "ana" && list["unread"] as? Int == 1 && list["type"] as? String == "direct")
        #expect(
            try bob.run("today").output.contains("Hello Bob") && bob.run("status", "--format", "{chat}").output == "1\n"
        )
        #expect(try bob.run("chat", "read").output.contains("Hello Bob"))
        #expect(try bob.run("chat", "list", "--json").items().first?["unread"] as? Int == 0)
        try sync(bob, ana)
        #expect(try states(ana, "bob") == ["read"])
        #expect(try bob.run("chat", "send", "ana", "Hi @ana, all well?", "--wait").status == 0)
        try sync(ana)
        let reply = try #require(try ana.run("chat", "show", "bob", "--json").items().last)
        #expect(
            reply["mention"] as? Bool == true && reply["sender"] as? String == "bob" && reply["mine"] as? Bool == false)
        // Typing is told to who listens.
        let helix = HelixHome.binary.path
        let watched = try ana.run(
            program: "/bin/sh",
            [
                "-c",
                "\(helix) chat typing bob --watch 6 & p=$!; sleep 1.5; HELIX_HOME='\(bob.environment["HELIX_HOME"] ?? "")' \(helix) chat typing ana; wait $p",
            ])
        #expect(watched.output == "bob\n", "\(watched.errors)")
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func whatWasSaidOfflineArrivesOnceAndInOrder() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "0")
        try sync(ana, phone, bob)
        site.server.stop()
        for number in 1...5 {
            #expect(try ana.run("chat", "send", "bob", "a\(number)").status == 0)
            #expect(try phone.run("chat", "send", "bob", "p\(number)").status == 0)
        }
        #expect(try ana.run("chat", "send", "bob", "a6", "--wait").status == 69)
        #expect(try states(ana, "bob").suffix(6).allSatisfy { $0 == "pending" })
        #expect(try ana.run("sync").status == 69)
        try site.restart()
        try sync(ana, phone, ana, bob)
        let all = try words(bob, "ana")
        #expect(all == ["0", "a1", "a2", "a3", "a4", "a5", "a6", "p1", "p2", "p3", "p4", "p5"])
        #expect(try words(ana, "bob") == all && words(phone, "bob") == all)
        // The gateway took it, and the answer was lost: sent again, it is there once.
        let id = try #require(try ana.run("chat", "show", "bob", "--json").items().last?["id"] as? String)
        try forget(id, ana)
        try sync(ana, bob)
        #expect(try words(bob, "ana") == all)
        for home in [ana, phone, bob] { #expect(try home.run("doctor").status == 0) }
    }

    /// As if nobody knew that a message has left.
    private func forget(_ id: String, _ home: HelixHome) throws {
        let script = """
            import sqlite3, sys
            db = sqlite3.connect(sys.argv[1])
            db.execute("UPDATE chat_message SET state = 'pending', seq = NULL, agreed = NULL WHERE id = ?", (sys.argv[2],))
            db.commit()
            """
        #expect(try home.run(program: "/usr/bin/python3", ["-c", script, home.store, id]).status == 0)
    }

    @Test func aGatewayKilledInBetweenLosesNothingItAcknowledged() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob")
        try sync(ana)
        for round in 0..<4 {
            for number in 0..<10 { try ana.run("chat", "send", "bob", "\(round)-\(number)") }
            // Killed while it is told of them.
            try site.server.kill(afterMilliseconds: 100 + round * 60)
            _ = try ana.run("sync")
            site.server.waitUntilGone()
            try site.restart()
        }
        try sync(ana, bob, ana)
        let wanted = (0..<4).flatMap { round in (0..<10).map { "\(round)-\($0)" } }
        #expect(try words(bob, "ana") == wanted && words(ana, "bob") == wanted)
    }

    @Test func changesDeletionsAndUndoReachTheOthers() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try ana.run("chat", "send", "bob", "two")
        try sync(ana, bob)
        let id = try #require(try ana.run("chat", "show", "bob", "--json").items().last?["id"] as? String)
        #expect(try bob.run("chat", "message", id, "--edit", "mine").status == 77)
        #expect(try bob.run("chat", "message", id, "--delete", "--yes").status == 77)
        func after(_ command: String...) throws -> [String] {
            #expect(try ana.run(command).status == 0)
            try sync(ana, bob)
            #expect(try words(ana, "bob") == words(bob, "ana"))
            return try words(bob, "ana")
        }
        #expect(try after("chat", "message", id, "--edit", "second") == ["one", "second"])
        #expect(try bob.run("chat", "search", "second", "--count").output == "1\n")
        #expect(try after("undo") == ["one", "two"])
        #expect(try after("redo") == ["one", "second"])
        #expect(try after("chat", "message", id, "--delete", "--yes") == ["one", ""])
        #expect(try bob.run("chat", "search", "second", "--count").output == "0\n")
        #expect(try after("undo") == ["one", "second"])
        // To undo having said something takes it back.
        try ana.run("chat", "send", "bob", "three")
        try sync(ana, bob)
        #expect(try after("undo") == ["one", "second", ""])
        // And what has not left yet never leaves.
        try ana.run("chat", "send", "bob", "four")
        try ana.run("undo")
        try sync(ana, bob)
        #expect(try words(bob, "ana") == ["one", "second", ""])
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func groupsHaveMembersWithRolesWhoComeAndGo() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob, carl) = (try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "carl"))
        try ana.run("chat", "new", "House", "--with", "bob", "-m", "Welcome")
        try sync(ana, bob)
        #expect(try bob.run("chat", "invite", "House", "carl").status == 77)
        #expect(try bob.run("chat", "rename", "House", "Mine").status == 77)
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        try sync(ana, bob)
        #expect(try bob.run("chat", "invite", "House", "carl", "dora").status == 0)
        // Nobody is called so: that is said, and does not stand in the way.
        #expect(try bob.run("sync").status == 80)
        let members = try bob.run("chat", "members", "House", "--json").items()
        #expect(members.first { $0["name"] as? String == "dora" }?["problem"] as? String != nil)
        try ana.run("chat", "send", "House", "After")
        try sync(ana, carl)
        #expect(try words(carl, "House").last == "After" && !words(carl, "House").contains("Welcome"))
        #expect(try carl.run("chat", "leave", "House").status == 64, "nobody said yes")
        try carl.run("chat", "leave", "House", "--yes")
        try sync(carl, ana)
        #expect(try words(ana, "House").last == "carl left")
        try ana.run("chat", "send", "House", "Carl does not read this")
        try sync(ana, carl)
        #expect(try !words(carl, "House").contains("Carl does not read this"))
        #expect(try carl.run("chat", "send", "House", "hm").status == 77)
        #expect(try carl.run("chat", "delete", "House", "--yes").status == 0)
        #expect(try ana.run("chat", "delete", "House", "--yes").status == 77, "it must be left first")
        try ana.run("chat", "rename", "House", "Home")
        try sync(ana, bob)
        #expect(try bob.run("chat", "show", "Home").status == 0)
    }

    @Test func twoWhoBeginAtTheSameTimeHaveOneConversation() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "from ana")
        try bob.run("chat", "new", "--with", "ana", "-m", "from bob")
        try sync(ana, bob, ana, bob)
        for home in [ana, bob] {
            #expect(try home.run("chat", "list", "--json").items().count == 1)
            #expect(try home.run("doctor").status == 0)
        }
        #expect(try words(ana, "bob") == ["from ana", "from bob"] && words(bob, "ana") == ["from ana", "from bob"])
    }

    @Test func filesTravelInPiecesAndAreWhole() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        let file = ana.folder.appendingPathComponent("film.mp4")
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ ($0 >> 9)) })
        try bytes.write(to: file)
        try ana.run("chat", "new", "--with", "bob")
        try ana.run("chat", "send", "bob", "look", "--attach", file.path)
        // What the user does with the file meanwhile is nothing to it.
        try FileManager.default.removeItem(at: file)
        try sync(ana, bob)
        let id = try #require(try bob.run("chat", "search", "has:attachment", "--json").items().first?["id"] as? String)
        site.server.stop()
        #expect(try bob.run("chat", "message", id, "--save", bob.folder.path).status == 69)
        try site.restart()
        #expect(try bob.run("chat", "message", id, "--save", bob.folder.path).status == 0)
        #expect(try Data(contentsOf: bob.folder.appendingPathComponent("film.mp4")) == bytes)
        // From then on it is here.
        site.server.stop()
        #expect(try bob.run("chat", "message", id, "--save", bob.folder.path, "--force").status == 0)
    }

    @Test func eventsAndTasksAreSharedAndTakenOver() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob")
        try ana.run("cal", "add", "Site visit fri 14:00 at Old Mill")
        let event = try #require(HelixHome.ids(ana.run("cal", "search", "visit", "--json")).first)
        #expect(try ana.run("chat", "share", "bob", event, "-m", "Can you come?").status == 0)
        try sync(ana, bob)
        let message = try #require(try bob.run("chat", "show", "ana", "--json").items().last)
        let text = try #require(message["content"] as? String)
        #expect(
            text.contains("Can you come?") && text.contains("Site visit") && text.contains("14:00")
                && text.contains("Old Mill"))
        #expect(try bob.run("chat", "message", message["id"] as? String ?? "", "--to-event").status == 0)
        #expect(try bob.run("cal", "search", "visit", "--json").items().first?["location"] as? String == "Old Mill")
    }

    @Test func whatIsArchivedMutedAndReadIsSoOnAllDevices() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        try bob.run("chat", "new", "--with", "ana", "-m", "one")
        try sync(bob, ana, phone)
        try ana.run("chat", "read")
        try ana.run("chat", "mute", "bob")
        try ana.run("chat", "archive", "bob")
        try ana.run("chat", "rename", "bob", "My Bob")
        try sync(ana, phone)
        let there = try #require(try phone.run("chat", "list", "--all", "--json").items().first)
        #expect(there["unread"] as? Int == 0 && there["muted"] as? Bool == true && there["archived"] as? Bool == true)
        #expect(there["name"] as? String == "My Bob")
        // Deleted, it is gone on both; what bob says next brings it back.
        try phone.run("chat", "delete", "My Bob", "--yes")
        try sync(phone, ana)
        try bob.run("chat", "send", "ana", "two")
        try sync(bob, phone)
        #expect(try words(phone, "My Bob") == ["two"])
    }

    @Test func whoLooksOnSeesItAtOnce() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "zero")
        try sync(ana, bob)
        let helix = HelixHome.binary.path
        let send = "HELIX_HOME='\(ana.environment["HELIX_HOME"] ?? "")' \(helix) chat send bob"
        let followed = try bob.run(
            program: "/bin/sh",
            [
                "-c",
                "\(helix) chat follow --jsonl --count 3 & p=$!; sleep 1.5; for w in one two three; do \(send) $w --wait > /dev/null; done; wait $p",
            ])
        let said = try followed.output.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }.filter { $0["mine"] as? Bool == false }.compactMap { $0["content"] as? String }
        #expect(said == ["one", "two", "three"], "\(followed.output)\(followed.errors)")
    }

    @Test func whatLeavesInTheBackgroundNeedsNobodyToWait() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        ana.environment["HELIX_BACKGROUND"] = nil
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "by itself").status == 0)
        for _ in 0..<100 where try states(ana, "bob") == ["pending"] { usleep(100_000) }
        #expect(try states(ana, "bob") == ["sent"])
        try sync(bob)
        #expect(try words(bob, "ana") == ["by itself"])
    }

    @Test func whatWasDeletedComesBackWithAllThatWasSaid() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        // Begun by both: it has another identity here than there.
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try bob.run("chat", "new", "--with", "ana", "-m", "two")
        try sync(ana, bob, ana, bob)
        for home in [ana, bob] {
            let name = home === ana ? "bob" : "ana"
            try home.run("chat", "delete", name, "--yes")
            try sync(home)
            #expect(try home.run("undo").status == 0)
            try sync(home)
            #expect(try words(home, name) == ["one", "two"])
        }
        // Also after something was said in between.
        try bob.run("chat", "delete", "ana", "--yes")
        try sync(bob)
        try ana.run("chat", "send", "bob", "three")
        try sync(ana, bob)
        #expect(try words(bob, "ana") == ["three"])
        let undone = try bob.run("undo")
        #expect(undone.status == 0, "\(undone.errors)")
        try sync(bob)
        #expect(try words(bob, "ana") == ["one", "two", "three"])
        // What was taken back and is said again is there again.
        try ana.run("chat", "send", "bob", "four", "--wait")
        try ana.run("undo")
        try sync(ana, bob)
        #expect(try words(bob, "ana").last == "")
        #expect(try ana.run("redo").status == 0)
        try sync(ana, bob)
        #expect(try words(bob, "ana").last == "four")
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func aGroupThatWasBegunAndTakenBackIsAsItWasMeant() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob,carl", "-m", "hello")
        try ana.run("chat", "delete", "House", "--yes")
        try ana.run("undo")
        try sync(ana, bob)
        #expect(try words(bob, "House") == ["hello"])
        #expect(try bob.run("chat", "members", "House", "--json").items().count == 3)
        // To undo its beginning is to leave it.
        try ana.run("chat", "new", "Trip", "--with", "bob")
        try sync(ana, bob)
        try ana.run("undo")
        try sync(ana, bob)
        #expect(try bob.run("chat", "members", "Trip", "--json").items().map { $0["name"] as? String } == ["bob"])
        // What cannot be undone says so, and undoes nothing else.
        try ana.run("chat", "send", "House", "precious", "--wait")
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        #expect(try ana.run("undo").status == 80)
        try sync(ana, bob)
        #expect(try words(bob, "House").last == "precious")
        #expect(try ana.run("chat", "invite", "House", "bob").status == 80, "he is in it")
        #expect(try bob.run("chat", "members", "House", "--role", "carl=owner").status == 77)
        #expect(
            try ana.run("chat", "new", "--with", "ana").status == 64
                && ana.run("chat", "new", "--with", "").status == 64)
        // Nobody is called so: what was said there says why it does not leave.
        try ana.run("chat", "new", "--with", "nobody", "-m", "lost")
        _ = try ana.run("sync")
        #expect(try states(ana, "nobody") == ["failed"])
        #expect(try ana.run("chat", "list").output.contains("!1"))
    }

    @Test func aQuestionThatNobodyHeardIsNotAskedLater() throws {
        let site = try GatewaySite()
        let ana = try site.device(of: "ana")
        try sync(ana)
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
        try sync(ana, bob)
        let long = String(repeating: "x", count: 8000)
        for number in 1...60 { try ana.run("chat", "send", "bob", "\(number) \(long)") }
        site.server.stop()
        try site.restart(fileLimit: 500)
        let full = try ana.run("sync")
        #expect(full.status != 0, "\(full.output)")
        // It lives, and what was said before can be read; what it took is a beginning of what was sent.
        #expect(try bob.run("gateway", "call", "health").status == 0)
        #expect(try bob.run("gateway", "call", "sessions.list").status == 0)
        let acknowledged = try states(ana, "bob").count { $0 != "pending" && $0 != "failed" }
        #expect(acknowledged < 61)
        site.server.stop()
        try site.restart()
        for _ in 0..<4 where try states(ana, "bob").contains("pending") {
            sleep(2)
            _ = try ana.run("sync")
        }
        try sync(bob)
        let arrived = try words(bob, "ana").map { $0.split(separator: " ").first.map(String.init) ?? "" }
        #expect(arrived == (0...60).map(String.init))
        #expect(try ana.run("doctor").status == 0)
    }

    @Test func whatIsRefusedOfAConversationDoesNotKeepWordsFromIt() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob")
        try sync(ana, bob)
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        try sync(ana, bob)
        // He names it while he may no longer.
        try ana.run("chat", "members", "House", "--role", "bob=member")
        try sync(ana)
        #expect(try bob.run("chat", "rename", "House", "Mine").status == 0)
        #expect(try bob.run("chat", "send", "Mine", "still here").status == 0)
        _ = try bob.run("sync")
        try sync(ana)
        #expect(try words(ana, "House").last == "still here")
        #expect(try bob.run("chat", "show", "House").status == 0, "it has its name again")
        // What is taken back and deleted with its conversation goes for the others, too.
        try ana.run("chat", "new", "--with", "bob")
        try ana.run("chat", "send", "bob", "taken back", "--wait")
        try ana.run("undo")
        try ana.run("chat", "delete", "bob", "--yes")
        try sync(ana, bob)
        #expect(try words(bob, "ana") == [""])
    }
}
