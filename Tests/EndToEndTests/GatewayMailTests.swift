import Foundation
import TestSupport
import Testing

/// Mail of an account that a gateway keeps is read, changed and sent on each device of its user.
@Suite struct GatewayMailTests {
    /// A gateway that keeps an account at a real mail server, and two devices of its user.
    private struct Site {
        let mail: MailSite
        let gateway: GatewaySite
        let one: HelixHome
        let two: HelixHome

        init(sends: Bool = false) throws {
            mail = try MailSite(sends: sends)
            gateway = try GatewaySite(users: ["ana"])
            let keeper = try HelixHome()
            let stored = gateway.host.folder.appendingPathComponent("home/gateway/users")
            // The user's store is made with the first request.
            one = try gateway.device(of: "ana")
            two = try gateway.device(of: "ana")
            try HelixHome.sync(one)
            let user = try #require(try FileManager.default.contentsOfDirectory(atPath: stored.path).first)
            keeper.environment["HELIX_HOME"] = stored.appendingPathComponent(user).path
            kept = keeper
            _ = try mail.home(in: keeper)
        }

        /// The store of the user at the gateway.
        let kept: HelixHome

        /// The gateway syncs its account, as it does every five minutes.
        func sync() throws {
            // The gateway may be syncing just now.
            for _ in 0..<50 {
                let result = try kept.run("sync", "--allow-mass-delete")
                if result.status == 0 { return }
                guard result.errors.contains("another process") else {
                    throw OracleFailure(message: result.output + result.errors)
                }
                usleep(100_000)
            }
        }

        func put(_ lines: String) throws { try mail.client(lines) }
    }

    private static func subjects(_ home: HelixHome, _ mailbox: String = "INBOX") throws -> Set<String> {
        let items = try home.run("mail", "list", "--mailbox", mailbox, "--limit", "all", "--json").items()
        return Set(items.compactMap { $0["subject"] as? String })
    }

    private static func id(_ home: HelixHome, _ subject: String) throws -> String {
        let found = try home.run("mail", "search", "subject:\"\(subject)\"", "--ids").output
        return found.split(separator: "\n").first.map(String.init) ?? "none"
    }

    @Test func itReachesEachDeviceAndChangesGoBackToTheServer() throws {
        let site = try Site()
        try site.put(
            "for n in range(30): put('INBOX', f'letter {n}')\nm.create('Work')\nput('Work', 'plan', r'\\Seen')")
        try site.sync()
        try HelixHome.sync(site.one, site.two)
        let wanted = Set((0..<30).map { "letter \($0)" })
        for home in [site.one, site.two] {
            #expect(try Self.subjects(home) == wanted)
            #expect(try Self.subjects(home, "Work") == ["plan"])
        }
        let account = try #require(try site.one.run("account", "list", "--json").items().last)
        #expect(account["name"] as? String == "work" && account["address"] as? String == "ana@example.org")
        // The text is there without a network.
        let read = try site.one.run("mail", "read", try Self.id(site.one, "letter 7"))
        #expect(read.output.contains("Text of letter 7"), "\(read.errors)")
        // A change on one device reaches the other, and the mail server.
        for words in [
            ["mail", "move", try Self.id(site.one, "letter 7"), "--to", "Work"],
            ["mail", "mark", "starred", try Self.id(site.one, "letter 8")],
            ["mail", "label", try Self.id(site.one, "letter 9"), "+bills"],
            ["mail", "delete", "--yes", try Self.id(site.one, "letter 10")],
        ] {
            let done = try site.one.run(words)
            #expect(done.status == 0, "\(words): \(done.errors)")
        }
        try HelixHome.sync(site.one)
        try site.sync()
        try HelixHome.sync(site.two)
        #expect(try Self.subjects(site.two, "Work") == ["plan", "letter 7"])
        #expect(try site.two.run("mail", "search", "is:starred", "--count").output == "1\n")
        #expect(try site.two.run("mail", "search", "label:bills", "--count").output == "1\n")
        #expect(try !Self.subjects(site.two).contains("letter 10"))
        let server = try site.mail.client("print(all('Work')); print(all('INBOX'))")
        #expect(server.contains("letter 7") && server.contains("letter 8 \\\\Flagged") && server.contains("bills"))
        // A second sync finds nothing, in few round trips.
        for home in [site.one, site.two] {
            let again = try home.run("sync", "--json").items()
            #expect(again.allSatisfy { ($0["steps"] as? [Any])?.isEmpty == true }, "\(again)")
            #expect(again.count == 2 && again.last?["round_trips"] as? Int ?? 99 <= 2, "\(again)")
            #expect(try home.run("doctor").status == 0)
        }
        let check = try site.one.run("account", "check", "work")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
    }

    @Test func mailIsSentThroughTheGatewayOnce() throws {
        let site = try Site(sends: true)
        try site.put("m.create('Sent')")
        try site.sync()
        try HelixHome.sync(site.one)
        let sent = try site.one.run(
            "mail", "new", "--from", "ana@example.org", "--to", "bo@example.org", "-s", "By way of the hub", "--body",
            "Hello", "--send")
        #expect(sent.status == 0, "\(sent.errors)")
        try HelixHome.sync(site.one)
        #expect(try site.one.run("outbox", "list", "--json").items().isEmpty)
        try site.sync()
        let smtp = try #require(site.mail.smtp)
        let arrived = try FileManager.default.contentsOfDirectory(atPath: smtp.folder.path)
        #expect(arrived.filter { $0.hasSuffix(".eml") }.count == 1, "\(arrived)")
        try HelixHome.sync(site.one, site.two)
        for home in [site.one, site.two] {
            #expect(try Self.subjects(home, "Sent") == ["By way of the hub"])
            #expect(try Self.subjects(home, "Drafts").isEmpty)
        }
    }

    @Test func aRemovedAccountStaysRemovedAndAnOwnOneIsNotDoubled() throws {
        let site = try Site()
        try site.put("put('INBOX', 'hello')")
        try site.sync()
        try HelixHome.sync(site.one)
        #expect(try site.one.run("account", "remove", "work", "--yes").status == 0)
        try HelixHome.sync(site.one)
        #expect(try site.one.run("account", "list", "--json").items().count == 1)
        #expect(try site.one.run("account", "edit", "hub", "--mail-accounts", "*").status == 0)
        try HelixHome.sync(site.one)
        #expect(try Self.subjects(site.one) == ["hello"])
        // A device that syncs the same address with the mail server itself has each message once.
        _ = try site.mail.home(in: site.two)
        try HelixHome.sync(site.two)
        #expect(try site.two.run("mail", "search", "hello", "--count").output == "1\n")
        // Without the gateway there is nothing to sync its mail with.
        let removed = try site.one.run("account", "remove", "hub", "--yes")
        #expect(removed.status == 0, "\(removed.errors)")
        #expect(try site.one.run("account", "list", "--json").items().isEmpty)
    }

    @Test func aLargeMessageTravelsInPieces() throws {
        let site = try Site()
        try site.put(
            """
            text = 'From: b@example.org\\r\\nSubject: large\\r\\nMessage-ID: <large@x>\\r\\n\\r\\n' + ('0123456789' * 7 + '\\r\\n') * 30000
            assert m.append('INBOX', None, imaplib.Time2Internaldate(1760000000), text.encode())[0] == 'OK'
            """)
        try site.sync()
        try HelixHome.sync(site.one)
        let item = try #require(try site.one.run("mail", "list", "--json").items().first)
        #expect(item["size"] as? Int ?? 0 >= 30000 * 71)
        // A draft that is made here is uploaded in pieces.
        let body = String(repeating: "A long line of a long draft.\n", count: 30_000)
        let draft = try site.one.run(
            [
                "mail", "new", "--from", "ana@example.org", "--to", "bo@example.org", "-s", "long", "--draft", "--body",
                "-",
            ],
            input: body)
        #expect(draft.status == 0, "\(draft.errors)")
        try HelixHome.sync(site.one, site.two)
        #expect(try Self.subjects(site.two, "Drafts") == ["long"])
    }

    /// All messages with their mailbox, flags and labels.
    private static func state(_ home: HelixHome) throws -> [String] {
        try home.run("mail", "search", "letter", "--limit", "all", "--json").items().map { item in
            let words = (item["flags"] as? [String] ?? []) + (item["labels"] as? [String] ?? [])
            return "\(item["subject"] ?? "") in \(item["mailbox"] ?? ""): \(words.sorted().joined(separator: " "))"
        }.sorted()
    }

    @Test(arguments: [1, 2]) func devicesThatChangeMailAtRandomAgreeInTheEnd(seed: UInt64) throws {
        let site = try Site()
        try site.put("m.create('Work'); m.create('Old')\nfor n in range(40): put('INBOX', f'letter {n}')")
        try site.sync()
        try HelixHome.sync(site.one, site.two)
        var random = SeededGenerator(seed: seed)
        for round in 0..<4 {
            if round == 1 { try site.gateway.keepBackup() }
            for home in [site.one, site.two] {
                for _ in 0..<6 {
                    let found = try home.run("mail", "search", "letter", "--ids", "--limit", "all").output
                    let ids = found.split(separator: "\n").map(String.init)
                    guard let id = ids.randomElement(using: &random) else { continue }
                    let changes = [
                        ["move", id, "--to", "Work"], ["move", id, "--to", "INBOX"], ["move", id, "--to", "Old"],
                        ["mark", "read", id], ["mark", "starred", id], ["mark", "unread", id], ["label", id, "+bills"],
                        ["delete", "--yes", id],
                    ]
                    let done = try home.run(["mail"] + (changes.randomElement(using: &random) ?? []))
                    #expect(done.status == 0, "\(done.errors)")
                }
            }
            try HelixHome.sync(site.one, site.two)
            try site.sync()
        }
        // A gateway that was restored from a backup has other states: nothing is mistaken for unchanged.
        try site.gateway.restoreBackup()
        try site.sync()
        for home in [site.one, site.two, site.one] { _ = try home.run("sync", "--allow-mass-delete") }
        try site.sync()
        try HelixHome.sync(site.one, site.two)
        let wanted = try Self.state(site.kept)
        #expect(wanted.count > 20)
        for home in [site.one, site.two] {
            #expect(try Self.state(home) == wanted)
            #expect(try home.run("doctor").status == 0)
        }
    }
}
