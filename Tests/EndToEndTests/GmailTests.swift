import Foundation
import TestSupport
import Testing

/// Gmail by its own extension of IMAP: each message lies here once, and its labels are labels. A server in memory stands in for it.
@Suite struct GmailTests {
    /// A server with a heap of messages, a home whose account is on it, and a client that is no helix.
    final class Site {
        let server: TestServer
        let home: HelixHome

        init(_ habits: String = "") throws {
            server = try TestServer("gmail.py", ports: 1, habits.split(separator: " ").map(String.init))
            home = try HelixHome()
            try client(
                """
                m.create('Work'); m.create('"Muy Importante"'); m.create('Gr&APYA3w-e'); m.create('Work/Clients')
                for n in range(4): put('INBOX', f'M{n}')
                label('M0', 'Work', '"Muy Importante"'); label('M1', '\\\\Important', 'Work/Clients')
                put(ALL, 'A1'); label('A1', 'Gr&APYA3w-e'); put(ALL, 'A2', '(\\\\Seen)')
                put(SENT, 'S1', '(\\\\Seen)'); put(SENT, 'S2'); label('S2', '\\\\Inbox'); put(DRAFTS, 'D1', '(\\\\Draft)')
                put(TRASH, 'T1'); put(SPAM, 'J1')
                """)
            let added = try home.run(
                "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
                "127.0.0.1", "--imap-port", String(server.ports[0]), "--imap-security", "none", "--password-command",
                "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        /// Runs lines of Python with a client signed in as `m`.
        @discardableResult
        func client(_ lines: String) throws -> String {
            let head = """
                import imaplib, re
                m = imaplib.IMAP4('127.0.0.1', \(server.ports[0])); m.login('ana', 'secret')
                special = {}
                for line in m.list()[1]:
                    for mark in ('All', 'Trash', 'Junk', 'Sent', 'Drafts'):
                        if '\\\\' + mark + ')' in line.decode(): special[mark] = line.decode().split(' "/" ')[1]
                ALL, TRASH, SPAM = special.get('All'), special['Trash'], special['Junk']
                SENT, DRAFTS = special['Sent'], special['Drafts']
                def put(box, subject, flags=None):
                    text = f'From: Ben <ben@example.org>\\r\\nTo: ana@example.org\\r\\nSubject: {subject}\\r\\n'
                    text += f'Message-ID: <{subject}@example.org>\\r\\n\\r\\nText of {subject}\\r\\n'
                    assert m.append(box, flags, imaplib.Time2Internaldate(1760000000), text.encode())[0] == 'OK'
                def uid(box, subject):
                    assert m.select(box)[0] == 'OK', box
                    return m.uid('SEARCH', None, 'HEADER', 'Message-ID', f'<{subject}@example.org>')[1][0].decode()
                def label(subject, *names, sign='+'):
                    answer = m.uid('STORE', uid(ALL, subject), sign + 'X-GM-LABELS', '(' + ' '.join(names) + ')')
                    assert answer[0] == 'OK', answer
                def all(box):
                    assert m.select(box, readonly=True)[0] == 'OK', box
                    found = []
                    for item in m.uid('FETCH', '1:*', '(FLAGS X-GM-LABELS BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1] or []:
                        if isinstance(item, tuple):
                            words = item[0].decode()
                            flags = re.search(r'FLAGS \\(([^)]*)\\)', words)[1].split()
                            labels = re.findall(r'"[^"]*"|[^ ]+', re.search(r'X-GM-LABELS \\(([^)]*)\\)', words)[1])
                            labels = [name.strip('"').replace('\\\\\\\\', '\\\\') for name in labels]
                            found.append(' '.join([item[1].decode().strip()[9:]] + sorted(flags) + sorted(labels)))
                    return sorted(found)

                """
            let result = try home.run(program: "/usr/bin/python3", ["-c", head + lines])
            guard result.status == 0 else { throw OracleFailure(message: result.errors) }
            return result.output
        }

        func id(_ subject: String) throws -> String {
            let found = try home.run("mail", "search", "subject:\(subject)", "--ids").output
            return found.split(separator: "\n").first.map(String.init) ?? "none"
        }

        /// The messages of a mailbox: subject and labels.
        func messages(_ mailbox: String) throws -> [String] {
            try home.run("mail", "list", "--mailbox", mailbox, "--limit", "100", "--json").items().map { item in
                let labels = (item["labels"] as? [String] ?? []).sorted()
                return ([item["subject"] as? String ?? ""] + labels).joined(separator: " ")
            }.sorted()
        }

        /// Syncs until nothing is new, which is soon.
        func settles(_ comment: String = "") throws {
            for _ in 0..<2 {
                let result = try home.run("sync")
                #expect(result.status == 0, "\(comment): \(result.output)\(result.errors)")
            }
            let last = try home.run("sync", "--full")
            #expect(last.output.contains("nothing new"), "\(comment): \(last.output)\(last.errors)")
            let check = try home.run("account", "check", "work")
            #expect(check.status == 0, "\(comment): \(check.output)\(check.errors)")
            #expect(try home.run("doctor").status == 0)
        }
    }

    @Test(arguments: ["", "german", "quoted", "no-condstore"])
    func eachMessageLiesOnceAndLabelsAreLabels(_ habits: String) throws {
        let site = try Site(habits)
        let first = try site.home.run("sync")
        #expect(first.status == 0, "\(first.output)\(first.errors)")
        #expect(
            try site.messages("INBOX") == ["M0 Muy_Importante Work", "M1 Work/Clients important", "M2", "M3", "S2"])
        #expect(try site.messages("Archive") == ["A1 Größe", "A2"])
        #expect(try site.messages("Sent") == ["S1"])
        #expect(try site.messages("Drafts") == ["D1"])
        #expect(try site.messages("Trash") == ["T1"])
        #expect(try site.messages("Spam") == ["J1"])
        #expect(try site.home.run("mail", "mailboxes", "--json").items().count == 6)
        let again = try site.home.run("sync")
        #expect(again.output.contains("nothing new"), "\(again.output)")
        try site.settles(habits)
    }

    @Test(arguments: ["", "german quoted", "no-condstore"])
    func changesOfBothSidesMeanWhatGmailMeans(_ habits: String) throws {
        let site = try Site(habits)
        let home = site.home
        try home.run("sync")
        // Here: archive, label, star, trash, out of the trash, out of spam, into the inbox.
        try home.run("mail", "archive", try site.id("M0"))
        try home.run("mail", "label", "+Größe", "+Muy_Importante", "+new", "-important", try site.id("M1"))
        try home.run("mail", "mark", "starred", try site.id("M2"))
        try home.run("mail", "delete", "--yes", try site.id("A2"))
        try home.run("mail", "move", "--to", "INBOX", try site.id("T1"))
        try home.run("mail", "move", "--to", "Archive", try site.id("J1"))
        try home.run("mail", "move", "--to", "INBOX", try site.id("A1"))
        // There: archived, labelled, new mail, put into the trash, read, one gone for good.
        try site.client(
            """
            label('S2', '\\\\Inbox', sign='-'); label('M3', 'Work'); put('INBOX', 'M9'); put(ALL, 'A9')
            m.uid('STORE', uid(ALL, 'M0'), '+FLAGS', '(\\\\Seen)')
            m.uid('MOVE', uid(ALL, 'S1'), TRASH)
            """)
        try site.settles(habits)
        #expect(
            try site.messages("INBOX") == [
                "A1 Größe", "M1 Größe Muy_Importante Work/Clients new", "M2", "M3 Work", "M9", "T1",
            ])
        #expect(try site.messages("Archive") == ["A9", "J1", "M0 Muy_Importante Work"])
        #expect(try site.messages("Sent") == ["S2"])
        #expect(try site.messages("Trash") == ["A2", "S1"])
        let there = try site.client("print(all('INBOX')); print(all(TRASH)); print(all(SPAM)); print(all(ALL))")
            .replacingOccurrences(of: "\\\\", with: "\\").split(separator: "\n").map(String.init)
        #expect(
            there[0]
                == "['A1 Gr&APYA3w-e', 'M1 Gr&APYA3w-e Muy Importante Work/Clients new', 'M2 \\Flagged \\Starred', 'M3 Work', 'M9', 'T1']"
        )
        #expect(there[1] == "['A2 \\Seen', 'S1 \\Seen \\Sent']")
        #expect(there[2] == "[]")
        #expect(there[3].contains("'M0 \\Seen Muy Importante Work'"), "\(there[3])")
        #expect(there[3].contains("'J1'"), "\(there[3])")
        // What is taken back here comes back there.
        try home.run("mail", "move", "--to", "Sent", try site.id("S1"))
        try home.run("mail", "move", "--to", "INBOX", try site.id("M0"))
        try site.settles(habits)
        #expect(try site.messages("Sent") == ["S1", "S2"])
        #expect(try site.client("print([s for s in all('INBOX') if s[:2] == 'M0'])").contains("Work"))
    }

    @Test func mailThatGmailMovesElsewhereIsFetchedAndReported() throws {
        let site = try Site()
        try site.home.run("sync")
        try site.home.run("mail", "move", "--to", "Sent", try site.id("A2"))
        try site.home.run("mail", "archive", try site.id("S1"))
        let result = try site.home.run("sync")
        #expect((result.output + result.errors).contains("Gmail itself decides what is sent mail"), "\(result.output)")
        try site.settles()
        #expect(try site.messages("Archive") == ["A1 Größe", "A2"])
        #expect(try site.messages("Sent") == ["S1"])
    }

    @Test func eachDraftIsStoredOnce() throws {
        let site = try Site()
        try site.home.run("sync")
        try site.home.run("mail", "edit", try site.id("D1"), "--subject", "D2")
        try site.home.run("mail", "new", "--to", "ben@example.org", "--subject", "D3", "--body", "text", "--draft")
        try site.settles()
        #expect(try site.messages("Drafts") == ["D2", "D3"])
        let there = try site.client("print([s[:2] for s in all(DRAFTS)], all(TRASH))")
        #expect(there == "['D2', 'D3'] ['T1']\n", "\(there)")
    }

    @Test func permanentlyDeletedMailPassesThroughTheTrash() throws {
        let site = try Site()
        try site.home.run("sync")
        try site.client("m.uid('STORE', uid(TRASH, 'T1'), '+FLAGS', '(\\\\Deleted)'); m.expunge()")
        try site.home.run("sync")
        #expect(try site.messages("Trash") == [])
        try site.home.run("mail", "delete", "--yes", try site.id("M3"))
        for _ in 0..<2 { try site.home.run("sync") }
        #expect(try site.messages("Trash") == ["M3"])
        try site.home.run("mail", "delete", "--yes", try site.id("M3"))
        try site.settles()
        let left = try site.client("print(all(TRASH), [s for s in all(ALL) if s[:2] == 'M3'])")
        #expect(left == "[] []\n", "\(left)")
    }

    @Test func labelsReplaceMailboxes() throws {
        let site = try Site()
        try site.home.run("sync")
        for words in [
            ["mail", "mailboxes", "add", "Taxes 2026"],
            ["mail", "move", "--to", "Taxes 2026", "--create", try site.id("M0")],
        ] {
            let result = try site.home.run(words)
            #expect(result.status == 77, "\(words): \(result.status) \(result.output)")
            #expect(result.errors.contains("helix mail label ID +Taxes_2026"), "\(result.errors)")
        }
        #expect(try site.home.run("mail", "mailboxes", "rename", "Archive", "Old").status == 77)
        try site.settles()
    }

    @Test func aHiddenAllMailIsReportedAndEachLabelIsKeptAsAMailbox() throws {
        let site = try Site("")
        try site.server.setHabits("hidden")
        let result = try site.home.run("sync")
        #expect(
            result.output.components(separatedBy: "hides 'All Mail'").count == 2, "\(result.output)\(result.errors)")
        #expect(try site.messages("Muy Importante") == ["M0"])
    }

    @Test func anAccountWithMailboxesForLabelsKeepsThem() throws {
        let site = try Site("")
        try site.server.setHabits("hidden")
        try site.home.run("sync")
        try site.server.setHabits("")
        let result = try site.home.run("sync")
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.contains("its messages are stored once per label"), "\(result.output)")
        #expect(try site.messages("Muy Importante") == ["M0"])
    }
}
