import Foundation
import TestSupport
import Testing

/// A Maildir and a real IMAP server are kept the same, whatever happens on either side.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot"))
struct MailSyncTests {
    private static func subjects(_ home: HelixHome, _ mailbox: String = "INBOX") throws -> [String] {
        try home.run("mail", "list", "--mailbox", mailbox, "--limit", "500", "--json").items().map { item in
            let flags = (item["flags"] as? [String] ?? []).sorted()
            let labels = (item["labels"] as? [String] ?? []).sorted()
            return ([item["subject"] as? String ?? ""] + flags + labels).joined(separator: " ")
        }.sorted()
    }

    private static func id(_ home: HelixHome, _ subject: String) throws -> String {
        let found = try home.run("mail", "search", "subject:\"\(subject)\"", "--ids").output
        return found.split(separator: "\n").first.map(String.init) ?? "none-\(subject)"
    }

    private static func sync(_ home: HelixHome, _ more: String...) throws -> HelixHome.Result {
        try home.run(["sync"] + more)
    }

    @Test(arguments: ["tls", "starttls"]) func mailComesWithItsFlagsAndKeywords(_ security: String) throws {
        let site = try MailSite()
        try site.client(
            """
            put('INBOX', 'One'); put('INBOX', 'Two', '(\\\\Seen \\\\Flagged)'); put('INBOX', 'Three', '(billing)')
            m.create('Projects'); put('Projects', 'Four'); m.create('Entw&APw-rfe'); put('Entw&APw-rfe', 'Five')
            m.create('with.dot'); put('with.dot', 'Six')
            """)
        let home = try site.home(security: security)
        #expect(try Self.sync(home).status == 0)
        #expect(try Self.subjects(home) == ["One", "Three billing", "Two read starred"])
        #expect(try Self.subjects(home, "Projects") == ["Four"])
        #expect(try Self.subjects(home, "Entwürfe") == ["Five"])
        #expect(try Self.subjects(home, "with.dot") == ["Six"])
        // Nothing more is to be done, here or there.
        let again = try Self.sync(home, "--json")
        let item = try again.items().first
        #expect((item?["steps"] as? [Any])?.isEmpty == true)
        #expect((item?["round_trips"] as? Int ?? 99) <= 3)
    }

    @Test func aMailboxThatNoFolderCanHaveKeepsNoOtherFromComing() throws {
        let site = try MailSite()
        try site.client(
            "m.create('Work'); m.create('work'); put('Work', 'A'); put('work', 'B'); m.create('cur'); m.create('Last'); put('Last', 'C')"
        )
        let home = try site.home()
        let result = try Self.sync(home)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("is not synced"))
        #expect(try Self.subjects(home, "Work").count == 1)
        #expect(try Self.subjects(home, "Last") == ["C"])
        _ = try Self.sync(home)
        #expect(try site.client("print(all('Work'), all('work'), all('Last'))") == "['A'] ['B'] ['C']\n")
    }

    @Test(arguments: [false, true]) func whatChangesOnBothSidesIsBroughtTogether(_ isPlain: Bool) throws {
        let site = try MailSite(isPlain: isPlain)
        try site.client("for n in range(1, 31): put('INBOX', f'M{n:02}', None, None, 1760000000 + n)")
        let (home, other) = (try site.home(), try site.home())
        #expect(try Self.sync(home).status == 0)
        #expect(try Self.sync(other).status == 0)
        // Here: flags, a label, a move, a deletion, a new mailbox.
        try home.run("mail", "mark", "starred", try Self.id(home, "M01"))
        try home.run("mail", "label", "+billing", try Self.id(home, "M02"))
        try home.run("mail", "archive", try Self.id(home, "M03"))
        try home.run("mail", "delete", "--yes", try Self.id(home, "M04"))
        try home.run("mail", "move", "--to", "Projects/House", "--create", try Self.id(home, "M05"))
        // There: flags of the same message, a move, a deletion, a new one.
        try site.client(
            """
            m.select('INBOX')
            def uid(s): return m.uid('SEARCH', None, 'SUBJECT', s)[1][0].decode()
            m.uid('STORE', uid('M01'), '+FLAGS', '(\\\\Seen)')
            m.uid('COPY', uid('M06'), 'Archive'); m.uid('STORE', uid('M06'), '+FLAGS', '(\\\\Deleted)')
            m.uid('STORE', uid('M07'), '+FLAGS', '(\\\\Deleted)'); m.expunge()
            put('INBOX', 'M99')
            """)
        #expect(try Self.sync(home).status == 0)
        #expect(try Self.sync(other).status == 0)
        #expect(try Self.sync(home).status == 0)
        let inbox = try Self.subjects(home)
        #expect(inbox.count == 30 - 5 + 1)
        #expect(inbox.contains("M01 read starred"))
        #expect(inbox.contains("M02 billing"))
        #expect(inbox.contains("M99"))
        #expect(try Self.subjects(home, "Archive") == ["M03", "M06"])
        #expect(try Self.subjects(home, "Projects/House") == ["M05"])
        for box in ["INBOX", "Archive", "Projects/House"] {
            #expect(try Self.subjects(other, box) == Self.subjects(home, box), "\(box)")
        }
        let there = try site.client("print(all('Archive'), all('Projects/House'), len(all('INBOX')))")
        #expect(there == "['M03', 'M06'] ['M05'] 26\n")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func whatIsUndoneHereIsUndoneThere() throws {
        let site = try MailSite()
        try site.client("for n in range(8): put('INBOX', f'M{n}')")
        let home = try site.home()
        _ = try Self.sync(home)
        try home.run("mail", "archive", try Self.id(home, "M1"))
        try home.run("mail", "delete", "--yes", try Self.id(home, "M2"))
        _ = try Self.sync(home)
        #expect(try site.client("print(len(all('INBOX')), all('Archive'))") == "6 ['M1']\n")
        try home.run("undo")
        try home.run("undo")
        _ = try Self.sync(home)
        #expect(try site.client("print(len(all('INBOX')), all('Archive'))") == "8 []\n")
        #expect(try Self.subjects(home).count == 8)
    }

    @Test func aMailboxThatIsRenamedOrMadeAnewDoublesNothing() throws {
        let site = try MailSite()
        try site.client("m.create('Old'); [put('Old', f'M{n}') for n in range(6)]; put('INBOX', 'In')")
        let home = try site.home()
        _ = try Self.sync(home)
        try home.run("mail", "label", "+mine", try Self.id(home, "M1"))
        let task = try home.run("tasks", "add", "Look at it", "--json").items().first?["id"] as? String ?? ""
        try home.run("link", try Self.id(home, "M1"), task)
        let identity = try Self.id(home, "M1")
        try site.client("m.rename('Old', 'New')")
        #expect(try Self.sync(home).output.contains("renamed New"))
        #expect(try Self.subjects(home, "New").count == 6)
        #expect(try home.run("mail", "list", "--mailbox", "Old").status == 66)
        // The server loses its numbers: the mailbox is made anew with the same messages.
        try site.client(
            """
            m.select('New'); texts = [x[1] for x in m.uid('FETCH', '1:*', '(BODY.PEEK[])')[1] if isinstance(x, tuple)]
            m.select('INBOX'); m.delete('New'); time.sleep(1.1); m.create('New')
            for text in reversed(texts): m.append('New', None, imaplib.Time2Internaldate(1760000000), text)
            """)
        let result = try Self.sync(home)
        #expect(result.status == 0)
        #expect(!result.output.contains("fetched"))
        #expect(!result.output.contains("filed"))
        #expect(try Self.subjects(home, "New") == ["M0", "M1 mine", "M2", "M3", "M4", "M5"])
        #expect(try Self.id(home, "M1") == identity)
        #expect(try home.run("show", task).output.contains("M1"))
        #expect(try site.client("print(len(all('New')))") == "6\n")
    }

    @Test func eachVersionOfADraftReachesTheOtherSide() throws {
        let site = try MailSite(sends: true)
        let (one, two) = (try site.home(), try site.home())
        _ = try Self.sync(one)
        _ = try Self.sync(two)
        try one.run("mail", "new", "--to", "ben@example.org", "-s", "Plan", "--body", "v1 secret", "--draft")
        _ = try Self.sync(one)
        _ = try Self.sync(two)
        try one.run("mail", "edit", try Self.id(one, "Plan"), "--body", "v2 public")
        _ = try Self.sync(one)
        _ = try Self.sync(two)
        let text =
            "m.select('Drafts'); print([x[1].split(b'\\r\\n\\r\\n')[1] for x in m.uid('FETCH', '1:*', '(BODY.PEEK[])')[1] if isinstance(x, tuple)])"
        #expect(try site.client(text) == "[b'v2 public\\r\\n']\n")
        #expect(try two.run("mail", "read", try Self.id(two, "Plan")).output.contains("v2 public"))
        try one.run("mail", "edit", try Self.id(one, "Plan"), "--body", "v3 public")
        try one.run("mail", "send", try Self.id(one, "Plan"))
        _ = try Self.sync(one)
        _ = try Self.sync(two)
        #expect(try site.client("print(all('Drafts'), all('\"Sent items\"'))") == "[] ['Plan \\\\Seen']\n")
        #expect(try site.client(text.replacing("'Drafts'", with: "'\"Sent items\"'")) == "[b'v3 public\\r\\n']\n")
        let read = try two.run("mail", "read", try Self.id(two, "Plan"))
        #expect(read.output.contains("v3 public"), "\(read.output) \(read.errors)")
    }

    @Test func anAccountThatIsTakenAwayAndAddedAgainDoublesNothing() throws {
        let site = try MailSite()
        try site.client(
            """
            [put('INBOX', f'M{n}') for n in range(4)]
            for n in range(4): m.append('INBOX', None, imaplib.Time2Internaldate(1760000000 + n), f'Subject: bare{n}\\r\\n\\r\\ntext {n}'.encode())
            """)
        let home = try site.home()
        _ = try Self.sync(home)
        for subject in ["M1", "bare1", "bare2"] { try home.run("mail", "archive", try Self.id(home, subject)) }
        _ = try Self.sync(home)
        try home.run("account", "remove", "work", "--yes")
        let again = try site.home(in: home)
        _ = try Self.sync(again)
        #expect(try site.client("print(len(all('INBOX')), all('Archive'))") == "5 ['M1', 'bare1', 'bare2']\n")
        #expect(try Self.subjects(again).count == 5)
        #expect(try Self.subjects(again, "Archive") == ["M1", "bare1", "bare2"])
    }

    @Test func aSideThatLostAlmostEverythingIsNotFollowed() throws {
        let site = try MailSite()
        try site.client("[put('INBOX', f'M{n}') for n in range(20)]")
        let home = try site.home()
        _ = try Self.sync(home)
        try site.client("m.select('INBOX'); m.store('1:15', '+FLAGS', '(\\\\Deleted)'); m.expunge()")
        let braked = try Self.sync(home)
        #expect(braked.output.contains("15 of 20 messages are gone from the server"))
        #expect(try Self.subjects(home).count == 20)
        #expect(try Self.sync(home, "--dry-run", "--allow-mass-delete").output.contains("would remove 15"))
        #expect(try Self.subjects(home).count == 20)
        #expect(try Self.sync(home, "--allow-mass-delete").status == 0)
        #expect(try Self.subjects(home).count == 5)
        // And the other way round: the folder here is emptied by accident.
        for n in 15..<20 { try home.run("mail", "delete", "--yes", try Self.id(home, "M\(n)")) }
        #expect(try Self.sync(home).output.contains("5 of 5 messages are gone from this machine"))
        #expect(try site.client("print(len(all('INBOX')))") == "5\n")
    }

    @Test func aSyncThatIsKilledAnywhereGoesOnWhereItStopped() throws {
        let site = try MailSite()
        try site.client("[put('INBOX', f'M{n:03}', None, None, 1760000000 + n) for n in range(300)]")
        let home = try site.home()
        for round in 0..<8 {
            let process = Process()
            process.executableURL = HelixHome.binary
            process.arguments = ["sync"]
            process.environment = home.environment
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            usleep(UInt32(30_000 + round * 40_000))
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            // Somebody writes meanwhile.
            if round == 4 { try site.client("put('INBOX', 'between')") }
        }
        #expect(try Self.sync(home).status == 0)
        let found = try Self.subjects(home)
        #expect(found.count == 301)
        #expect(Set(found).count == 301)
        #expect(try site.client("print(len(all('INBOX')))") == "301\n")
        #expect(try home.run("doctor").status == 0)
    }

    @Test func withoutANetworkEverythingElseWorks() throws {
        let site = try MailSite()
        try site.client("put('INBOX', 'One')")
        let home = try site.home()
        _ = try Self.sync(home)
        site.imap.stop()
        let result = try Self.sync(home)
        #expect(result.status == 69)
        #expect(result.errors.contains("cannot be reached"))
        #expect(try Self.subjects(home) == ["One"])
        #expect(try home.run("mail", "mark", "read", try Self.id(home, "One")).status == 0)
    }

    @Test func aPasswordCanLieInTheKeyring() throws {
        let site = try MailSite()
        try site.client("put('INBOX', 'One')")
        let home = try site.home()
        // The keyring's own program needs a session with a desktop; this one has its way of being called.
        let folder = home.folder.path + "/bin"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = try home.write(
            "#!/bin/sh\ncase $1 in store) cat > \(home.folder.path)/kept;; lookup) cat \(home.folder.path)/kept;; esac\n",
            to: "bin/secret-tool")
        chmod(program, 0o755)
        home.environment["PATH"] = folder + ":" + (home.environment["PATH"] ?? "")
        #expect(try home.run(["account", "edit", "work", "--keyring"], input: "").status == 64)
        #expect(try home.run(["account", "edit", "work", "--keyring"], input: "secret\n").status == 0)
        #expect(try Self.sync(home).status == 0)
        #expect(try Self.subjects(home) == ["One"])
        let store = try Data(contentsOf: URL(fileURLWithPath: home.store))
        #expect(store.range(of: Data("secret\n".utf8)) == nil)
    }

    @Test func aTokenOfOAuthSignsIn() throws {
        let tokens = try TestServer("tokens.py", ports: 1)
        let server = try TestServer("dovecot.sh", ["", "", "\(tokens.ports[0])"])
        let home = try HelixHome()
        let arguments = [
            "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
            "localhost", "--imap-port", "\(server.ports[1])", "--imap-security", "tls", "--ca", server.certificate,
        ]
        #expect(try home.run(arguments + ["--token-command", "echo good-token"]).status == 0)
        let check = try home.run("account", "check", "work")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        #expect(try Self.sync(home).status == 0)
        try home.run("account", "edit", "work", "--token-command", "echo old-token")
        #expect(try Self.sync(home).status == 77)
    }

    @Test func aWrongPasswordAndAStrangeCertificateAreErrors() throws {
        let site = try MailSite()
        let home = try site.home()
        try home.run("account", "edit", "work", "--password-command", "echo wrong")
        let denied = try Self.sync(home)
        #expect(denied.status == 77)
        #expect(!denied.errors.contains("wrong"))
        try home.run("account", "edit", "work", "--password-command", "exit 3")
        #expect(try Self.sync(home).errors.contains("failed with status 3"))
        try home.run(
            "account", "edit", "work", "--password-command", "echo secret", "--ca", "/etc/ssl/certs/ca-certificates.crt"
        )
        let strange = try Self.sync(home)
        #expect(strange.status == 77)
        #expect(strange.errors.contains("certificate"))
        #expect(try home.run("account", "check", "work").status == 77)
    }

    @Test func whatIsNotWantedWholeIsFetchedWhenSomebodyReadsIt() throws {
        let site = try MailSite()
        // Now is November 2026.
        try site.client(
            """
            put('INBOX', 'Recent', None, None, 1794000000); put('INBOX', 'Old', '(billing)', None, 1700000000)
            put('INBOX', 'Older', None, None, 1690000000); put('INBOX', 'Oldest', None, None, 1680000000)
            """)
        let home = try site.home()
        #expect(try home.run("account", "edit", "work", "--bodies", "some").status == 64)
        #expect(try home.run("account", "edit", "work", "--bodies", "recent 90 days").status == 0)
        _ = try Self.sync(home)
        func partial() throws -> [String] {
            try home.run("mail", "list", "--json").items().filter { $0["partial"] as? Bool == true }.compactMap {
                $0["subject"] as? String
            }.sorted()
        }
        #expect(try partial() == ["Old", "Older", "Oldest"])
        #expect(
            try home.run("mail", "read", try Self.id(home, "Recent"), "--no-index").output.contains("Text of Recent"))
        let identity = try Self.id(home, "Old")
        let task = try home.run("tasks", "add", "Look", "--json").items().first?["id"] as? String ?? ""
        try home.run("link", identity, task)
        // Its head is moved and marked as any other.
        try home.run("mail", "archive", try Self.id(home, "Older"))
        _ = try Self.sync(home)
        #expect(try site.client("print(all('Archive'))") == "['Older']\n")
        #expect(try home.run("mail", "read", try Self.id(home, "Older")).output.contains("Text of Older"))
        #expect(try home.run("mail", "read", identity).output.contains("Text of Old"))
        #expect(try partial() == ["Oldest"])
        // It is the same message, with what hangs on it, and its words are found.
        #expect(try Self.id(home, "Old") == identity)
        #expect(try Self.subjects(home) == ["Old read billing", "Oldest", "Recent read"])
        #expect(try home.run("show", task).output.contains("Old"))
        #expect(try home.run("mail", "search", "body:old", "--ids").output.contains(identity.prefix(4)))
        #expect(try !home.run("mail", "read", identity, "--raw").output.contains("X-Helix"))
        // Without the server there is the head, and the reason.
        _ = try Self.sync(home)
        site.imap.stop()
        let offline = try home.run("mail", "read", try Self.id(home, "Oldest"))
        #expect(offline.status == 69)
        #expect(offline.errors.contains("only the headers of the message are stored"))
        #expect(try home.run("mail", "list").output.contains("Oldest"))
    }

    @Test func whatIsWantedWholeLaterIsFetchedThen() throws {
        let site = try MailSite()
        try site.client("for n in range(50): put('INBOX', f'M{n:02}', None, None, 1700000000 + n)")
        let home = try site.home()
        try home.run("account", "edit", "work", "--bodies", "on-demand")
        _ = try Self.sync(home)
        #expect(try home.run("mail", "search", "body:m07", "--count").output == "0\n")
        try home.run("account", "edit", "work", "--bodies", "all")
        #expect(try Self.sync(home, "--full").output.contains("fetched the rest of 50 messages"))
        #expect(try home.run("mail", "search", "body:m07", "--count").output == "1\n")
        #expect(try home.run("doctor").status == 0)
        let again = try Self.sync(home, "--json").json()["items"] as? [[String: Any]]
        #expect((again?.first?["steps"] as? [Any])?.isEmpty == true)
    }
}
