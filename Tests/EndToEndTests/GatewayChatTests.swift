import Foundation
import TestSupport
import Testing

/// People talk over a gateway: at once, from several devices, and nobody else listens.
@Suite struct GatewayChatTests {
    @Test(arguments: ["chat", "files", "pages"]) func aClientInAnotherLanguageFindsChatAsItIsWritten(scenario: String)
        throws
    {
        try GatewaySite(users: ["ana", "bob", "carl"]).scenario(scenario, "ana:ana's password")
    }

    @Test func twoPeopleTalkAndSeeHowFarItCame() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        #expect(try ana.run("chat", "new", "--with", "bob", "-m", "Hello Bob").status == 0)
        #expect(try ana.states(of: "bob") == ["pending"])
        #expect(try ana.run("outbox", "--json").items().first?["kind"] as? String == "chat_message")
        try HelixHome.sync(ana)
        #expect(try ana.states(of: "bob") == ["sent"])
        #expect(try ana.run("outbox", "--json").items().isEmpty)
        try HelixHome.sync(bob, ana)
        #expect(try ana.states(of: "bob") == ["delivered"])
        let list = try #require(try bob.run("chat", "list", "--json").items().first)
        #expect(list["name"] as? String == "ana" && list["unread"] as? Int == 1 && list["type"] as? String == "direct")
        #expect(
            try bob.run("today").output.contains("Hello Bob") && bob.run("status", "--format", "{chat}").output == "1\n"
        )
        #expect(try bob.run("chat", "read").output.contains("Hello Bob"))
        #expect(try bob.run("chat", "list", "--json").items().first?["unread"] as? Int == 0)
        try HelixHome.sync(bob, ana)
        #expect(try ana.states(of: "bob") == ["read"])
        #expect(try bob.run("chat", "send", "ana", "Hi @ana, all well?", "--wait").status == 0)
        try HelixHome.sync(ana)
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

    @Test func changesDeletionsAndUndoReachTheOthers() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try ana.run("chat", "send", "bob", "two")
        try HelixHome.sync(ana, bob)
        let id = try #require(try ana.run("chat", "show", "bob", "--json").items().last?["id"] as? String)
        #expect(try bob.run("chat", "message", id, "--edit", "mine").status == 77)
        #expect(try bob.run("chat", "message", id, "--delete", "--yes").status == 77)
        func after(_ command: String...) throws -> [String] {
            #expect(try ana.run(command).status == 0)
            try HelixHome.sync(ana, bob)
            #expect(try ana.words(of: "bob") == bob.words(of: "ana"))
            return try bob.words(of: "ana")
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
        try HelixHome.sync(ana, bob)
        #expect(try after("undo") == ["one", "second", ""])
        // And what has not left yet never leaves.
        try ana.run("chat", "send", "bob", "four")
        try ana.run("undo")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana") == ["one", "second", ""])
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func groupsHaveMembersWithRolesWhoComeAndGo() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob, carl) = (try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "carl"))
        try ana.run("chat", "new", "House", "--with", "bob", "-m", "Welcome")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "invite", "House", "carl").status == 77)
        #expect(try bob.run("chat", "rename", "House", "Mine").status == 77)
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "invite", "House", "carl", "dora").status == 66)
        // Without the gateway the invitation is queued; the gateway rejects it later, and the other one is sent.
        site.server.stop()
        #expect(try bob.run("chat", "invite", "House", "carl", "dora").status == 0)
        try site.restart()
        #expect(try bob.run("sync").status == 80)
        let members = try bob.run("chat", "members", "House", "--json").items()
        #expect(members.first { $0["name"] as? String == "dora" }?["problem"] as? String != nil)
        try ana.run("chat", "send", "House", "After")
        try HelixHome.sync(ana, carl)
        #expect(try carl.words(of: "House").last == "After" && !carl.words(of: "House").contains("Welcome"))
        #expect(try carl.run("chat", "leave", "House").status == 64, "nobody said yes")
        try carl.run("chat", "leave", "House", "--yes")
        try HelixHome.sync(carl, ana)
        #expect(try ana.words(of: "House").last == "carl left")
        try ana.run("chat", "send", "House", "Carl does not read this")
        try HelixHome.sync(ana, carl)
        #expect(try !carl.words(of: "House").contains("Carl does not read this"))
        #expect(try carl.run("chat", "send", "House", "hm").status == 77)
        #expect(try carl.run("chat", "delete", "House", "--yes").status == 0)
        #expect(try ana.run("chat", "delete", "House", "--yes").status == 77, "it must be left first")
        try ana.run("chat", "rename", "House", "Home")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "show", "Home").status == 0)
    }

    @Test func whoComesBackToAGroupSeesOfTheTimeBetweenWhatTheyMay() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob", "-m", "Before")
        try HelixHome.sync(ana, bob)
        try bob.run("chat", "leave", "House", "--yes")
        try HelixHome.sync(bob, ana)
        for number in 1...3 { try ana.run("chat", "send", "House", "Between \(number)") }
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "House").suffix(2) == ["Before", "bob left"])
        for format in ["text", "markdown"] {
            let export = try bob.run("chat", "export", "House", "--format", format).output
            #expect(export.contains("bob left") && !export.contains("****") && !export.contains(" : "), "\(export)")
        }
        #expect(try ana.run("chat", "invite", "House", "bob", "--history").status == 0)
        try ana.run("chat", "send", "House", "After")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "House") == ana.words(of: "House"))
        #expect(try bob.words(of: "House").contains("Between 2"))
        // Without it, what was said in between is not for them.
        try bob.run("chat", "leave", "House", "--yes")
        try HelixHome.sync(bob, ana)
        try ana.run("chat", "send", "House", "Behind")
        try ana.run("chat", "invite", "House", "bob")
        try ana.run("chat", "send", "House", "Again")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "House").last == "Again" && !bob.words(of: "House").contains("Behind"))
    }

    @Test func whoeverSaysSomethingHasNotReadWhatCameMeanwhile() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "Hello")
        try HelixHome.sync(ana, bob)
        try bob.run("chat", "read")
        for text in ["Important", "For @bob"] { try ana.run("chat", "send", "bob", text) }
        try bob.run("chat", "send", "ana", "By the way")
        try HelixHome.sync(ana, bob, ana, bob)
        let summary = try bob.run("chat", "list", "--json").items()[0]
        #expect(summary["unread"] as? Int == 2 && summary["mentions"] as? Int == 1, "\(summary)")
        #expect(try ana.states(of: "bob").suffix(3).dropLast() == ["delivered", "delivered"])
        try bob.run("chat", "read")
        try HelixHome.sync(bob, ana)
        #expect(try ana.states(of: "bob").suffix(3).dropLast() == ["read", "read"])
    }

    @Test func whatOneDeviceDeletesIsGoneFromTheOthers() throws {
        let site = try GatewaySite()
        let (ana, phone, bob) = (try site.device(of: "ana"), try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "Notes", "-m", "private words xyzzy")
        try ana.run("chat", "new", "--with", "bob", "-m", "Hello")
        try HelixHome.sync(ana, phone, bob)
        #expect(try phone.run("chat", "search", "xyzzy").status == 0)
        try ana.run("chat", "delete", "Notes", "--yes")
        try ana.run("chat", "delete", "bob", "--yes")
        // What waits to be said there stays, and brings it back.
        try phone.run("chat", "send", "bob", "One thing more")
        try HelixHome.sync(ana, phone)
        #expect(try phone.run("chat", "search", "xyzzy", "--json").items().isEmpty)
        #expect(try phone.run("chat", "show", "Notes").status == 66)
        #expect(try phone.run("doctor").status == 0)
        try HelixHome.sync(phone, bob, ana)
        #expect(try bob.words(of: "ana").last == "One thing more" && ana.words(of: "bob").last == "One thing more")
    }

    @Test func aRoleThatIsRefusedIsNotShownAsGiven() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob,carl", "-m", "Welcome")
        try HelixHome.sync(ana, bob)
        let alone = try ana.run("chat", "members", "House", "--role", "ana=member")
        #expect(alone.status == 80 && alone.errors.contains("the last owner"), "\(alone.errors)")
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "members", "House", "--remove", "ana").status == 77)
        // What the gateway refuses, since it was taken back meanwhile, is here as it is there.
        try ana.run("chat", "members", "House", "--role", "bob=member")
        try ana.run("sync")
        try bob.run("chat", "members", "House", "--role", "carl=admin")
        #expect(try bob.run("sync").status == 80)
        let carl = try bob.run("chat", "members", "House", "--json").items().first { $0["name"] as? String == "carl" }
        #expect(carl?["role"] as? String == "member", "\(carl ?? [:])")
    }

    @Test func twoWhoBeginAtTheSameTimeHaveOneConversation() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "from ana")
        try bob.run("chat", "new", "--with", "ana", "-m", "from bob")
        try HelixHome.sync(ana, bob, ana, bob)
        for home in [ana, bob] {
            #expect(try home.run("chat", "list", "--json").items().count == 1)
            #expect(try home.run("doctor").status == 0)
        }
        #expect(
            try ana.words(of: "bob") == ["from ana", "from bob"] && bob.words(of: "ana") == ["from ana", "from bob"])
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
        try HelixHome.sync(ana, bob)
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
        try HelixHome.sync(ana, bob)
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
        try HelixHome.sync(bob, ana, phone)
        try ana.run("chat", "read")
        try ana.run("chat", "mute", "bob")
        try ana.run("chat", "archive", "bob")
        try ana.run("chat", "rename", "bob", "My Bob")
        try HelixHome.sync(ana, phone)
        let there = try #require(try phone.run("chat", "list", "--all", "--json").items().first)
        #expect(there["unread"] as? Int == 0 && there["muted"] as? Bool == true && there["archived"] as? Bool == true)
        #expect(there["name"] as? String == "My Bob")
        // Deleted, it is gone on both; what bob says next brings it back.
        try phone.run("chat", "delete", "My Bob", "--yes")
        try HelixHome.sync(phone, ana)
        try bob.run("chat", "send", "ana", "two")
        try HelixHome.sync(bob, phone)
        #expect(try phone.words(of: "My Bob") == ["two"])
    }

    @Test func whoLooksOnSeesItAtOnce() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "--with", "bob", "-m", "zero")
        try HelixHome.sync(ana, bob)
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
        for _ in 0..<100 where try ana.states(of: "bob") == ["pending"] { usleep(100_000) }
        #expect(try ana.states(of: "bob") == ["sent"])
        try HelixHome.sync(bob)
        #expect(try bob.words(of: "ana") == ["by itself"])
    }

    @Test func whatBecameOneConversationKeepsItsSettingsAndStopsNoUndo() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try bob.run("tasks", "add", "Before")
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try bob.run("chat", "new", "--with", "ana", "-m", "two")
        #expect(try bob.run("chat", "mute", "ana").status == 0)
        try HelixHome.sync(ana, bob, ana)
        #expect(try bob.words(of: "ana") == ["one", "two"])
        #expect(try bob.run("chat", "list", "--json").items().first?["muted"] as? Bool == true)
        // The muting was of what is gone as such, and what came before can be reached.
        for _ in 0..<3 {
            let undone = try bob.run("undo")
            #expect(undone.status == 0, "\(undone.errors)")
        }
        #expect(try bob.run("tasks", "list", "--json").items().isEmpty)
    }

    @Test func whatWasDeletedComesBackWithAllThatWasSaid() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        // Begun by both: it has another identity here than there.
        try ana.run("chat", "new", "--with", "bob", "-m", "one")
        try bob.run("chat", "new", "--with", "ana", "-m", "two")
        try HelixHome.sync(ana, bob, ana, bob)
        for home in [ana, bob] {
            let name = home === ana ? "bob" : "ana"
            try home.run("chat", "delete", name, "--yes")
            try HelixHome.sync(home)
            #expect(try home.run("undo").status == 0)
            try HelixHome.sync(home)
            #expect(try home.words(of: name) == ["one", "two"])
        }
        // Also after something was said in between.
        try bob.run("chat", "delete", "ana", "--yes")
        try HelixHome.sync(bob)
        try ana.run("chat", "send", "bob", "three")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana") == ["three"])
        let undone = try bob.run("undo")
        #expect(undone.status == 0, "\(undone.errors)")
        try HelixHome.sync(bob)
        let again = try bob.words(of: "ana")
        #expect(again == ["one", "two", "three"])
        // What was taken back and is said again is there again.
        try ana.run("chat", "send", "bob", "four", "--wait")
        try ana.run("undo")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana").last == "")
        #expect(try ana.run("redo").status == 0)
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "ana").last == "four")
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func aGroupThatWasBegunAndTakenBackIsAsItWasMeant() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--with", "bob,carl", "-m", "hello")
        try ana.run("chat", "delete", "House", "--yes")
        try ana.run("undo")
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "House") == ["hello"])
        #expect(try bob.run("chat", "members", "House", "--json").items().count == 3)
        // To undo its beginning is to leave it.
        try ana.run("chat", "new", "Trip", "--with", "bob")
        try HelixHome.sync(ana, bob)
        try ana.run("undo")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "members", "Trip", "--json").items().map { $0["name"] as? String } == ["bob"])
        // What cannot be undone says so, and undoes nothing else.
        try ana.run("chat", "send", "House", "precious", "--wait")
        try ana.run("chat", "members", "House", "--role", "bob=admin")
        #expect(try ana.run("undo").status == 80)
        try HelixHome.sync(ana, bob)
        #expect(try bob.words(of: "House").last == "precious")
        #expect(try ana.run("chat", "invite", "House", "bob").status == 80, "he is in it")
        #expect(try bob.run("chat", "members", "House", "--role", "carl=owner").status == 77)
        #expect(
            try ana.run("chat", "new", "--with", "ana").status == 64
                && ana.run("chat", "new", "--with", "").status == 64)
        // Nobody is called so: what was said there says why it does not leave.
        #expect(try ana.run("chat", "new", "--with", "nobody", "-m", "lost").status == 66)
        site.server.stop()
        try ana.run("chat", "new", "--with", "nobody", "-m", "lost")
        try site.restart()
        _ = try ana.run("sync")
        #expect(try ana.states(of: "nobody") == ["failed"])
        #expect(try ana.run("chat", "list").output.contains("!1"))
    }
}
