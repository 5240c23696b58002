import Foundation
import TestSupport
import Testing

/// Profiles, the directory, blocking, invitations by link and the end of an account, from the command line.
@Suite struct GatewayPeopleTests {
    @Test func aProfileIsShownToTheOthers() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        let picture = ana.folder.appendingPathComponent("me.png")
        try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]).write(to: picture)
        let changed = try ana.run(
            "chat", "profile", "--name", "Ana Rossi", "--email", "ana@example.org", "--status", "on holiday",
            "--avatar",
            picture.path, "--json")
        #expect(changed.status == 0, "\(changed.errors)")
        let profile = try changed.json()
        #expect(profile["display_name"] as? String == "Ana Rossi" && profile["email"] as? String == "ana@example.org")
        let seen = try bob.run("chat", "people", "--json").items().first { $0["name"] as? String == "ana" }
        #expect(seen?["display_name"] as? String == "Ana Rossi" && seen?["status"] as? String == "on holiday")
        // Addresses are shown to their owners and administrators only.
        #expect(seen?["avatar"] as? String == profile["avatar"] as? String && seen?["email"] == nil)
        #expect(try bob.run("chat", "people").output.contains("Ana Rossi"))
        // The members of a conversation are listed with both names.
        try ana.run("chat", "new", "--with", "bob", "-m", "Hello")
        try HelixHome.sync(ana, bob)
        let member = try bob.run("chat", "members", "ana", "--json").items().first { $0["name"] as? String == "ana" }
        #expect(member?["display_name"] as? String == "Ana Rossi")
        #expect(try bob.run("chat", "members", "ana").output.contains("Ana Rossi"))
        // Nobody can pretend to be somebody else.
        let copy = try bob.run("chat", "profile", "--name", "Ana R\u{43E}ssi")
        #expect(copy.status != 0 && copy.errors.contains("looks like"), "\(copy.errors)")
        #expect(try ana.run("chat", "profile", "--status", "none", "--avatar", "none").status == 0)
        #expect(try !ana.run("chat", "profile").output.contains("holiday"))
    }

    @Test func whoIsBlockedIsRefusedAndToldSo() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try bob.run("chat", "new", "--with", "ana", "-m", "Hello")
        try HelixHome.sync(bob, ana)
        #expect(try ana.run("chat", "block", "bob").status == 0)
        #expect(try ana.run("chat", "people").output.contains("blocked"))
        let refused = try bob.run("chat", "send", "ana", "Are you there?", "--wait")
        #expect(refused.status != 0 && refused.errors.contains("does not accept messages"), "\(refused.errors)")
        try ana.run("sync")
        #expect(try !ana.run("chat", "show", "bob").output.contains("Are you there?"))
        #expect(try ana.run("chat", "unblock", "bob").status == 0)
        let id = try #require(try bob.run("chat", "show", "ana", "--json").items().last?["id"] as? String)
        #expect(try bob.run("chat", "message", id, "--retry").status == 0)
        try HelixHome.sync(bob, ana)
        #expect(try ana.run("chat", "show", "bob").output.contains("Are you there?"))
        #expect(try ana.run("chat", "block", "nobody").status == 66)
    }

    @Test func aGroupIsJoinedByItsLink() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob, carl) = (
            try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "carl")
        )
        try ana.run("chat", "new", "House", "--group", "--with", "bob")
        try ana.run("chat", "send", "House", "before")
        try ana.run("sync")
        let made = try ana.run("chat", "invite", "House", "--link", "--expires", "2h", "--json")
        #expect(made.status == 0, "\(made.errors)")
        let link = try #require(try made.items().first?["link"] as? String)
        #expect(link.hasPrefix("helix://join/") && link.contains("gateway="))
        #expect(try ana.run("chat", "links", "House", "--json").items().count == 1)
        // In a script nothing is joined without being asked for.
        #expect(try carl.run("open", link).status == 64)
        let joined = try carl.run("open", link, "--yes")
        #expect(joined.status == 0 && joined.output.contains("House"), "\(joined.errors)")
        try ana.run("sync")
        #expect(try ana.run("chat", "members", "House").output.contains("carl"))
        // It was for one person.
        let late = try bob.run("chat", "join", link, "--yes")
        #expect(late.status != 0 || late.output.contains("House"))
        #expect(try ana.run("chat", "links", "House").output.contains("No invitation links"))
        let wrong = try bob.run("chat", "join", "helix://join/0000?gateway=ws%3A%2F%2F127.0.0.1%3A1", "--yes")
        #expect(wrong.status == 66 && wrong.errors.contains("no account at"))
        // A link that is revoked is of no use.
        let second = try #require(
            try ana.run("chat", "invite", "House", "--link", "--uses", "5", "--json").items().first)
        let id = try #require(second["id"] as? String)
        #expect(try ana.run("chat", "links", "House", "--revoke", String(id.prefix(6))).status == 0)
        #expect(try ana.run("chat", "links", "House", "--json").items().isEmpty)
    }

    @Test func theDirectoryShowsOnlyWhatItsOwnerAllows() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"], ["--directory", "members"])
        let (bob, carl) = (try site.device(of: "bob"), try site.device(of: "carl"))
        func names(_ home: HelixHome) throws -> [String] {
            try home.run("chat", "people", "--json").items().compactMap { $0["name"] as? String }
        }
        #expect(try names(bob) == ["bob"])
        // Who knows the name can write, although the directory does not show it.
        #expect(try bob.run("chat", "new", "--with", "carl", "-m", "Hello").status == 0)
        try HelixHome.sync(bob, carl)
        #expect(try carl.run("chat", "show", "bob").output.contains("Hello"))
        #expect(try names(bob) == ["bob", "carl"])
        #expect(try bob.run("chat", "people").output.contains("members of your conversations"))
    }

    @Test func signingUpByAddressGivesAnAccountThatCanBeEnded() throws {
        let site = try GatewaySite(users: ["ana"], ["--sign-up"])
        let home = try HelixHome()
        let add = try home.run(
            "account", "add", "hub", "gateway", site.url, "--user", "dora@example.org", "--password-command",
            "echo 'a long password'")
        #expect(add.status == 0, "\(add.errors)")
        let paired = try home.run("gateway", "pair", "hub", "--sign-up", "--display-name", "Dora Lind")
        #expect(paired.status == 0, "\(paired.errors)")
        let me = try home.run("chat", "profile", "--json").json()
        #expect(me["name"] as? String == "dora" && me["email"] as? String == "dora@example.org")
        #expect(me["display_name"] as? String == "Dora Lind")
        // The address signs in on another device, too, which is then approved or not.
        let other = try HelixHome()
        let second = try other.run(
            "account", "add", "hub", "gateway", site.url, "--user", "dora@example.org", "--password-command",
            "echo 'a long password'")
        #expect(second.status == 0, "\(second.errors)")
        #expect(try home.run("gateway", "end", "hub", "--yes", input: "wrong password\n").status != 0)
        let ended = try home.run("gateway", "end", "hub", "--yes", input: "a long password\n")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try home.run("chat", "people").status != 0)
        let again = try HelixHome()
        try again.run(
            "account", "add", "hub", "gateway", site.url, "--user", "dora@example.org", "--password-command",
            "echo 'a long password'")
        #expect(try again.run("chat", "people").status != 0)
    }

    @Test func linksOfOtherProgramsOpenWhatTheyName() throws {
        let home = try HelixHome()
        let event = try #require(
            try home.run("cal", "add", "Lunch tomorrow 12:30", "--json").items().first?["id"] as? String)
        #expect(try home.run("open", "helix://event/\(event)").output.contains("Lunch"))
        #expect(try home.run("open", "helix://event/\(event)", "--json").json()["title"] as? String == "Lunch")
        #expect(try home.run("open", "helix://show/\(event.prefix(6))").output.contains("Lunch"))
        #expect(try home.run("open", "helix://task/\(event)").status == 66)
        for link in [
            "https://example.org", "helix:event/1", "helix://", "helix://event/", "helix://wipe/\(event)",
            "helix://event/a/b", "helix://event/%0A", "helix://join/x", "helix://join/x?gateway=file:///etc/passwd",
            "--yes",
        ] {
            let refused = try home.run("open", link)
            #expect(refused.status == 64, "\(link): \(refused.output)\(refused.errors)")
        }
    }

    @Test func messagesKeepWhatProgramsAndMembersAdd() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("chat", "new", "House", "--group", "--with", "bob")
        #expect(try ana.run("chat", "rename", "House", "--description", "Repairs and bills").status == 0)
        let sent = try ana.run(
            "chat", "send", "House", "The roof leaks", "--metadata", "place=attic", "--metadata", "n=1")
        #expect(sent.status == 0, "\(sent.errors)")
        try HelixHome.sync(ana, bob)
        #expect(try bob.run("chat", "show", "House").output.contains("Repairs and bills"))
        #expect(try bob.run("chat", "list", "--json").items().first?["description"] as? String == "Repairs and bills")
        let message = try #require(
            try bob.run("chat", "show", "House", "--json").items().last { $0["role"] as? String == "user" })
        let id = try #require(message["id"] as? String)
        let texts = message["metadata"] as? [[String: Any]]
        #expect(texts?.map { $0["name"] as? String } == ["n", "place"])
        #expect(message["synced_at"] != nil && message["device_id"] == nil)
        #expect(try bob.run("chat", "react", id, "👍").status == 0)
        #expect(try bob.run("chat", "react", id, "ok").status == 64)
        #expect(try bob.run("chat", "pin", id).status == 77)
        try ana.run("sync")
        #expect(try ana.run("chat", "pin", id).status == 0)
        let shown = try ana.run("chat", "show", "House", "--pinned").output
        #expect(shown.contains("The roof leaks") && shown.contains("👍 bob") && shown.contains("(pinned)"))
        try bob.run("sync")
        try bob.run("chat", "send", "House", "rude words", "--wait")
        try ana.run("sync")
        let rude = try #require(try ana.run("chat", "show", "House", "--json").items().last?["id"] as? String)
        #expect(try ana.run("chat", "message", rude, "--delete", "--yes").status == 0)
        try bob.run("sync")
        #expect(try bob.run("chat", "show", "House").output.contains("(removed by ana)"))
        #expect(try bob.run("chat", "search", "rude", "--count").output == "0\n")
        let notes = try ana.run("chat", "new", "Notes", "--local", "-m", "milk", "--json")
        let own = try #require(try ana.run("chat", "show", "Notes", "--json").items().last?["id"] as? String)
        #expect(try notes.status == 0 && ana.run("chat", "react", own, "👍").status == 64)
        for home in [ana, bob] { #expect(try home.run("doctor").status == 0) }
    }

    @Test func waitingChangesAreListedWithTheirTries() throws {
        let site = try GatewaySite(users: ["ana"])
        let ana = try site.device(of: "ana")
        try ana.run("sync")
        #expect(try ana.run("outbox", "changes", "--json").items().isEmpty)
        let id = try #require(try ana.run("tasks", "add", "Paint", "--json").items().first?["id"] as? String)
        func change() throws -> [String: Any]? {
            try ana.run("outbox", "changes", "--json").items().first { $0["id"] as? String == id }
        }
        let first = try #require(try change())
        #expect(first["operation"] as? String == "create" && first["sync_status"] as? String == "pending")
        #expect(
            first["tries"] as? Int == 0 && first["title"] as? String == "Paint" && first["entity"] as? String == "task")
        site.server.stop()
        #expect(try ana.run("sync").status != 0)
        #expect(try ana.run("sync").status != 0)
        let second = try #require(try change())
        #expect(
            second["tries"] as? Int == 2 && second["sync_status"] as? String == "failed" && second["problem"] != nil)
        #expect(try ana.run("outbox", "changes").output.contains("2 failed"))
        try site.restart()
        #expect(try ana.run("sync").status == 0)
        #expect(try change() == nil && ana.run("outbox", "changes").output == "Everything is synced.\n")
        try ana.run("tasks", "edit", id, "priority:high")
        #expect(try change()?["operation"] as? String == "update")
        try ana.run("tasks", "delete", id, "--yes")
        #expect(try change()?["operation"] as? String == "delete")
        let count = try ana.run("outbox").output
        #expect(count.contains("Not synced yet") && count.contains("outbox changes"))
    }
}
