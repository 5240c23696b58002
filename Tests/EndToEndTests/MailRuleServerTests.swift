import Foundation
import TestSupport
import Testing

/// Rules that a server runs: a real Dovecot with Pigeonhole.
@Suite(.enabled(if: TestServer.has("/usr/lib/dovecot/managesieve"), "needs the server dovecot with ManageSieve"))
struct MailRuleServerTests {
    private let server: TestServer
    private let home: HelixHome

    init() throws {
        server = try TestServer("sieve.sh", ports: 4)
        home = try HelixHome()
        try home.run("config", "set", "user.email", "ana@example.org")
        let added = try home.run(
            "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "127.0.0.1", "--imap-port", "\(server.ports[0])", "--imap-security", "starttls", "--ca",
            server.folder.appendingPathComponent("cert.pem").path, "--sieve-port", "\(server.ports[2])",
            "--password-command", "echo secret")
        guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        _ = try home.run("sync")
    }

    /// Delivers messages to the server.
    private func deliver(_ messages: [Data], from sender: String = "bo@example.org") throws {
        let file = home.folder.appendingPathComponent("messages")
        try JSONSerialization.data(withJSONObject: messages.map { $0.base64EncodedString() }).write(to: file)
        let program = """
            import base64, json, smtplib
            with smtplib.LMTP('127.0.0.1', \(server.ports[3])) as line:
                for text in json.load(open(\(String(reflecting: file.path)))):
                    line.sendmail('\(sender)', ['ana@example.org'], base64.b64decode(text))
            """
        let result = try home.run(program: "/usr/bin/python3", ["-c", program])
        guard result.status == 0 else { throw OracleFailure(message: result.errors) }
    }

    private func script(_ name: String) throws -> String {
        let path = server.folder.appendingPathComponent("mail/ana/sieve/\(name).sieve")
        return try String(contentsOf: path, encoding: .utf8)
    }

    private func put(_ text: String, as name: String, isActive: Bool) throws {
        let folder = server.folder.appendingPathComponent("mail/ana/sieve")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).sieve"))
        let link = server.folder.appendingPathComponent("mail/ana/active.sieve").path
        if isActive {
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "sieve/\(name).sieve")
        }
        _ = try home.run(program: "/bin/chown", ["-R", "nobody:nogroup", folder.path])
    }

    private func state(_ home: HelixHome) throws -> [String: String] {
        var states: [String: String] = [:]
        for item in try home.run("mail", "list", "--limit", "all", "--json").items() {
            let words = [
                item["mailbox"] as? String ?? "", (item["labels"] as? [String] ?? []).sorted().joined(separator: "+"),
                (item["flags"] as? [String] ?? []).sorted().joined(separator: "+"),
            ]
            states[item["message_id"] as? String ?? "?"] = words.joined(separator: " | ")
        }
        return states
    }

    @Test func theServerRunsTheRules() throws {
        try home.run(
            "mail", "rules", "add", "invoices", "subject:invoice from:@water.example", "--label", "bills", "--move",
            "Bills/2026")
        try home.run("mail", "rules", "add", "tasks", "subject:todo", "--task", "", "--stop")
        try home.run("mail", "rules", "add", "late", "subject:late", "--archive")
        let dry = try home.run("mail", "rules", "upload", "--dry-run")
        #expect(dry.status == 0 && dry.output.contains("would run"), "\(dry)")
        #expect(try home.run("mail", "rules", "server").output.contains("runs no script"))
        let uploaded = try home.run("mail", "rules", "upload")
        #expect(uploaded.output.contains("In the script: invoices, late."), "\(uploaded)")
        #expect(uploaded.output.contains("'tasks': it adds a task"))
        #expect(try home.run("mail", "rules", "server").output.contains("runs the rules as they are"))
        try deliver([
            Data(mail("Invoice 7", id: "a@x", from: "Water <bills@water.example>").utf8),
            Data(mail("My invoice", id: "b@x").utf8), Data(mail("todo", id: "c@x").utf8),
        ])
        // Before helix looks.
        let folder = server.folder.appendingPathComponent("mail/ana/Bills/2026/cur").path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
        let synced = try home.run("sync")
        #expect(synced.status == 0 && synced.output.contains("rule 'tasks': 1 message, 1 task"), "\(synced)")
        let found = try state(home)
        #expect(found["a@x"] == "Bills/2026 | bills | ")
        #expect(found["b@x"] == "INBOX |  | ")
        try home.run("mail", "rules", "edit", "invoices", "--off")
        #expect(try home.run("mail", "rules", "server").output.contains("helix mail rules upload"))
        #expect(try home.run("mail", "rules", "remove").status == 0)
        #expect(try home.run("mail", "rules", "remove").status == 66)
        #expect(try home.run("mail", "rules", "server").output.contains("runs no script"))
    }

    @Test func scriptsOfOthersAreLeftAlone() throws {
        let foreign = "require \"imap4flags\";\r\naddflag \"theirs\";\r\n"
        try put(foreign, as: "roundcube", isActive: true)
        try home.run("mail", "rules", "add", "all", "in:inbox", "--label", "ours")
        let refused = try home.run("mail", "rules", "upload")
        #expect(refused.status == 80 && refused.errors.contains("'roundcube'"), "\(refused)")
        #expect(try home.run("mail", "rules", "server").output.contains("runs the script 'roundcube'"))
        let included = try home.run("mail", "rules", "upload", "--include")
        #expect(included.status == 0, "\(included)")
        try deliver([Data(mail("Both", id: "a@x").utf8)])
        _ = try home.run("sync")
        #expect(try state(home)["a@x"] == "INBOX | ours+theirs | ")
        // It stays included.
        try home.run("mail", "rules", "edit", "all", "--label", "changed")
        #expect(try home.run("mail", "rules", "upload").status == 0)
        #expect(try script("helix").contains("include :personal \"roundcube\""))
        let removed = try home.run("mail", "rules", "remove")
        #expect(removed.output.contains("runs the script 'roundcube'"), "\(removed)")
        #expect(try script("roundcube") == foreign)
        #expect(try home.run("mail", "rules", "upload", "--replace").status == 0)
        #expect(try !script("helix").contains("include"))
        #expect(try script("roundcube") == foreign)
        // One of that name that somebody else wrote.
        try home.run("mail", "rules", "remove")
        try put(foreign, as: "helix", isActive: false)
        let taken = try home.run("mail", "rules", "upload", "--replace")
        #expect(taken.status == 80 && taken.errors.contains("has not written"), "\(taken)")
        #expect(try home.run("mail", "rules", "remove").status == 80)
        #expect(try script("helix") == foreign)
    }

    @Test func theServerAnswersWhileTheUserIsAway() throws {
        let bad: [[String]] = [
            [""], ["x", "--until", "yesterday"], ["x", "--days", "0"], ["x", "--subject", "a\nb"],
        ]
        for words in bad {
            #expect(try home.run(["mail", "vacation", "set"] + words).status == 64, "\(words)")
        }
        let set = try home.run(
            "mail", "vacation", "set", "Back on \"Monday\" ${x} \\ end.\nAna", "--subject", "Away ü", "--until",
            "2099-12-31")
        #expect(set.status == 0, "\(set)")
        #expect(try script("helix").contains("vacation :days 7"))
        #expect(try home.run("mail", "vacation").output.contains("Back on \"Monday\" ${x} \\ end."))
        // As the server reads it: its own program tells what it would send.
        let message = server.folder.appendingPathComponent("one.eml")
        try Data(mail("Hello", id: "a@x", from: "Bo <bo@example.org>", to: "Ana <ana@example.org>").utf8).write(
            to: message)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: message.path)
        func answer() throws -> String {
            let folder = server.folder.path
            let result = try home.run(
                program: "/usr/bin/sieve-test",
                [
                    "-c", "\(folder)/dovecot.conf", "-u", "ana", "-a", "ana@example.org", "-r", "ana@example.org", "-f",
                    "bo@example.org", "\(folder)/mail/ana/sieve/helix.sieve", message.path,
                ])
            return result.output + result.errors
        }
        let shown = try answer()
        #expect(shown.contains("vacation") && shown.contains("Back on \"Monday\" ${x} \\ end."), "\(shown)")
        try home.run("mail", "vacation", "set", "Later", "--from", "2099-12-01", "--until", "2099-12-31")
        let early = try answer()
        #expect(!early.contains("vacation"), "\(early)")
        // A server has no undo.
        try home.run("tasks", "add", "Something")
        try home.run("undo")
        #expect(try home.run("mail", "vacation").output.contains("Later"))
        #expect(try home.run("mail", "vacation", "off").status == 0)
        #expect(try home.run("mail", "vacation").output.contains("No answer was set"))
        #expect(try home.run("mail", "vacation", "off").status == 66)
        #expect(try home.run("mail", "rules", "server").output.contains("runs no script"))
    }

    @Test func devicesDoNotReplaceEachOther() throws {
        let other = try HelixHome()
        _ = try other.run(
            "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "127.0.0.1", "--imap-port", "\(server.ports[0])", "--imap-security", "starttls", "--ca",
            server.folder.appendingPathComponent("cert.pem").path, "--sieve-port", "\(server.ports[2])",
            "--password-command", "echo secret")
        _ = try other.run("sync")
        try home.run("mail", "rules", "add", "all", "subject:all", "--label", "ours")
        #expect(try home.run("mail", "rules", "upload").status == 0)
        #expect(try home.run("mail", "vacation", "set", "Away").errors.contains("With the rules"))
        try other.run("mail", "rules", "add", "mine", "subject:mine", "--label", "mine")
        for words in [["rules", "upload"], ["vacation", "set", "Here"]] {
            let refused = try other.run(["mail"] + words)
            #expect(refused.status == 80 && refused.errors.contains("another device, with 1 rule"), "\(refused)")
        }
        let off = try other.run("mail", "vacation", "off")
        #expect(off.status == 80 && off.errors.contains("uploaded by another device"), "\(off)")
        let shown = try other.run("mail", "rules", "server").output
        #expect(
            shown.contains("another device has uploaded") && shown.contains("answers while you are away"), "\(shown)")
        #expect(try other.run("mail", "rules", "upload", "--replace").status == 0)
        #expect(try home.run("mail", "rules", "upload").status == 80)
    }

    @Test func changesThatTheServerDoesNotHaveAreTold() throws {
        try put("keep;\r\n", as: "roundcube", isActive: true)
        try home.run("mail", "rules", "add", "all", "subject:all", "--label", "ours")
        #expect(try home.run("mail", "rules", "upload", "--replace").status == 0)
        let words = "The server of 'work' runs the rules as they were"
        #expect(try !home.run("mail", "rules").errors.contains(words))
        for change in [["edit", "all", "--label", "x"], ["add", "b", "subject:b", "--archive"], ["delete", "b"], []] {
            let changed = try home.run(["mail", "rules"] + change)
            #expect(changed.errors.contains(words), "\(change): \(changed)")
        }
        #expect(try home.run("sync").output.contains("runs the rules as they were"))
        #expect(try home.run("mail", "rules", "upload").status == 0)
        #expect(try !home.run("mail", "rules").errors.contains(words))
        // The script that was active before is active again.
        #expect(try home.run("mail", "rules", "remove").output.contains("runs the script 'roundcube'"))
    }

    @Test func mistakesAreTold() throws {
        try home.run("mail", "rules", "add", "all", "in:inbox", "--label", "ours")
        try home.run("account", "edit", "work", "--password-command", "echo wrong")
        let refused = try home.run("mail", "rules", "upload")
        #expect(refused.status == 77, "\(refused)")
        try home.run("account", "edit", "work", "--password-command", "echo secret", "--sieve-port", "1")
        #expect(try home.run("mail", "rules", "upload").status == 69)
        // No certificate that is trusted, and nothing is said.
        try home.run(
            "account", "add", "other", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "127.0.0.1", "--imap-port", "\(server.ports[0])", "--imap-security", "none", "--sieve-port",
            "\(server.ports[2])", "--password-command", "echo secret")
        let untrusted = try home.run("mail", "rules", "upload", "--account", "other")
        #expect(untrusted.status == 77 && untrusted.errors.contains("certificate"), "\(untrusted)")
        #expect(try home.run("mail", "rules", "upload").status == 64)
    }

    /// Whatever the server has done, the end is the same as if helix had run the rules alone.
    @Test(arguments: 1...4) func theServerNeverDoesWhatARuleWouldNot(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        func one<Value>(_ list: [Value]) -> Value { list[Int.random(in: 0..<list.count, using: &generator)] }
        func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }
        let words = ["invoice", "Café", "cafe", "über", "naïve", "e", "100", "Straße", "o'neil", "ana"]
        func condition(_ depth: Int) -> String {
            if depth > 0, chance(0.4) {
                return "(\(condition(depth - 1)) \(one(["", "or "]))\(condition(depth - 1)))"
            }
            let not = chance(0.25) ? "-" : ""
            switch Int.random(in: 0..<7, using: &generator) {
            case 0, 1, 2: return not + "subject:\(one(words))" + (chance(0.2) ? "*" : "")
            case 3: return not + "from:\(one(["ana", "bo", "@water.example", "bills@water.example", "müller"]))"
            case 4: return not + "to:\(one(["ana", "me", "list", "@x.example"]))"
            case 5: return not + one(["label:l1", "is:list", "is:unread", "list:announce", "in:inbox", "account:work"])
            default: return not + "subject:\"\(one(words)) \(one(words))\""
            }
        }
        let twin = try HelixHome()
        try twin.run("config", "set", "user.email", "ana@example.org")
        let maildir = try TestMaildir(twin)
        try twin.run("account", "add", "work", "maildir", maildir.path)
        try maildir.deliver(mail("First", id: "first@x"))
        _ = try twin.run("mail", "list")
        var texts: [String] = []
        for number in 0..<Int.random(in: 3...7, using: &generator) {
            var actions: [String] = chance(0.3) ? ["--stop"] : []
            if chance(0.6) { actions += ["--label", one(["l1", "l2", "über"])] }
            if chance(0.5) { actions += one([["--move", "Box"], ["--archive"], ["--trash"], ["--move", "Box/In"]]) }
            if chance(0.3) { actions += ["--mark", one(["read", "starred"])] }
            if chance(0.15) { actions += ["--task", "Look"] }
            if actions.isEmpty || actions == ["--stop"] { actions += ["--label", "l3"] }
            let text = condition(2)
            texts.append("\(text) \(actions)")
            for home in [home, twin] {
                let added = try home.run(["mail", "rules", "add", "r\(number)"] + actions + ["--", text])
                try #require(added.status == 0, "\(text): \(added)")
            }
        }
        let uploaded = try home.run("mail", "rules", "upload", "--json")
        try #require(uploaded.status == 0, "\(uploaded)")
        let subjects =
            words + ["INVOICE", "invoices", "Cafe\u{301}", "ÜBER", "uber", "naive", "strasse", "oneil", "ananas"]
        var messages: [Data] = []
        for number in 0..<40 {
            let parts = (0..<Int.random(in: 1...4, using: &generator)).map { _ in one(subjects) }
            var subject = parts.joined(separator: one([" ", " - ", ", ", "\u{2014}", "\u{a0}", "_"]))
            if !subject.allSatisfy(\.isASCII) || chance(0.2) {
                subject = "=?utf-8?B?\(Data(subject.utf8).base64EncodedString())?="
            }
            var headers: [String] = []
            if chance(0.3) { headers.append("List-Id: News <announce.x.example>") }
            if chance(0.1) { headers.append("Cc: Ana <ana@example.org>") }
            let text = mail(
                subject, id: "m\(number)@x",
                from: one([
                    "Ana <ana@example.org>", "bo@x.example", "Bills <bills@water.example>",
                    "\"M. M=C3\" <mueller@x.example>", "=?utf-8?Q?M=C3=BCller?= <m@x.example>",
                ]),
                to: one(["me@example.org", "Ana <ana@example.org>", "list@x.example"]), headers: headers)
            messages.append(Data(text.replacingOccurrences(of: "\n", with: "\r\n").utf8))
        }
        for message in messages { try maildir.deliver(bytes: message) }
        _ = try twin.run("mail", "list")
        try deliver(messages)
        for _ in 0..<2 {
            let synced = try home.run("sync")
            #expect(synced.status == 0, "\(synced)")
        }
        var (there, here) = (try state(home), try state(twin))
        here["first@x"] = nil
        there["first@x"] = nil
        #expect(here.count == 40 && there.count == 40)
        for (id, wanted) in here where there[id] != wanted {
            let number = Int(id.dropFirst().prefix { $0 != "@" }) ?? 0
            Issue.record(
                "\(id): \(there[id] ?? "none") instead of \(wanted)\n\(texts.joined(separator: "\n"))\n\(String(decoding: messages[number], as: UTF8.self))"
            )
        }
    }
}
