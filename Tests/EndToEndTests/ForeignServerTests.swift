import Foundation
import TestSupport
import Testing

/// The same steps on every mail server: what helix does is looked at by a client of its own (imaplib).
///
/// Cyrus and Courier cannot be installed beside Dovecot; `Tools/foreign-servers.sh` unpacks them into a folder.
@Suite struct ForeignServerTests {
    typealias Kind = ForeignServer
    typealias Site = ForeignServerSite

    @Test(arguments: Kind.installed) func mailIsEqualOnBothSidesOfEveryServer(_ kind: Kind) throws {
        let site = try Site(kind)
        let home = site.home
        try site.client(
            """
            m.select('INBOX')
            for name in ('Größe', 'Projekte', 'Projekte/Haus', '会議', 'A & B'): assert m.create(box(name))[0] == 'OK', name
            for n in range(12): put('INBOX', f'M{n:02}')
            put('Größe', 'G1'); put('Projekte/Haus', 'H1', '(\\\\Seen)'); put('会議', 'K1'); put('A & B', 'B1', '(\\\\Flagged)')
            """)
        // The first sync, one that has nothing to do, one that asks for all, and the count.
        try site.sync("--dry-run")
        try site.sync()
        try site.settles()
        #expect(try home.run("sync", "--full").output.contains("nothing new"), "\(kind)")
        let check = try home.run("account", "check", "work")
        #expect(
            check.status == 0 && check.output.contains("16 messages on the server, all of them stored locally"),
            "\(check.output)"
        )
        // Flags, labels, moves, deletions, mailboxes: here.
        try home.run("mail", "mark", "starred", try site.id("M00"))
        try home.run("mail", "mark", "read", try site.id("M01"))
        try home.run("mail", "label", "+billing", try site.id("M02"))
        try home.run("mail", "archive", try site.id("M03"))
        try home.run("mail", "trash", try site.id("M04"))
        try home.run("mail", "delete", "--yes", try site.id("M05"))
        try home.run("mail", "move", "--to", "Neu/Straße", "--create", try site.id("M06"))
        try home.run("mail", "mailboxes", "rename", "Projekte", "Vorhaben")
        try home.run("mail", "mailboxes", "add", "Leer")
        try site.sync()
        try site.settles()
        #expect(
            try site.client("print([x for x in all('INBOX') if x[:3] in ('M00', 'M01', 'M02')])")
                == "['M00 \\\\Flagged', 'M01 \\\\Seen', 'M02 billing']", "\(kind)")
        #expect(
            try site.client("print(all('Archive'), all('Trash'), len(all('INBOX')))") == "['M03'] ['M04'] 8", "\(kind)")
        #expect(
            try site.client("print(all('Neu/Straße'), all('Vorhaben/Haus'), all('Leer'))")
                == "['M06'] ['H1 \\\\Seen'] []", "\(kind)")
        // And there.
        try site.client(
            """
            m.select('INBOX'); m.uid('STORE', uid('INBOX', 'M07'), '+FLAGS', '(\\\\Answered urgent)')
            m.uid('COPY', uid('INBOX', 'M08'), box('Größe')); m.uid('STORE', uid('INBOX', 'M08'), '+FLAGS', '(\\\\Deleted)')
            m.uid('STORE', uid('INBOX', 'M09'), '+FLAGS', '(\\\\Deleted)'); m.expunge(); put('INBOX', 'M12')
            m.rename(box('会議'), box('Besprechung'))
            """)
        try site.sync()
        try site.settles()
        #expect(try home.run("mail", "search", "label:urgent", "--ids").output != "", "\(kind)")
        #expect(try home.run("mail", "list", "--mailbox", "Größe", "--json").items().count == 2, "\(kind)")
        #expect(try home.run("mail", "list", "--mailbox", "Besprechung", "--json").items().count == 1, "\(kind)")
        // Both sides at once.
        try home.run("mail", "mark", "starred", try site.id("M10"))
        try home.run("mail", "move", "--to", "Leer", try site.id("M11"))
        try site.client(
            """
            m.select('INBOX'); m.uid('STORE', uid('INBOX', 'M10'), '+FLAGS', '(\\\\Seen)')
            m.uid('STORE', uid('INBOX', 'M11'), '+FLAGS', '(\\\\Seen)')
            """)
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(
            try site.client("print(all('Leer'), [x for x in all('INBOX') if x[:3] == 'M10'])")
                == "['M11 \\\\Seen'] ['M10 \\\\Flagged \\\\Seen']", "\(kind)")
        // An undo here is one there.
        try home.run("undo")
        try site.sync()
        try site.settles()
        #expect(try site.client("print(all('Leer'), 'M11 \\\\Seen' in all('INBOX'))") == "[] True", "\(kind)")
        #expect(try home.run("account", "check", "work").status == 0)
        #expect(try home.run("doctor").status == 0)
    }

    @Test(arguments: Kind.installed) func aDraftIsStoredOnceOnEveryServer(_ kind: Kind) throws {
        let site = try Site(kind)
        try site.sync()
        try site.home.run("mail", "new", "--to", "bo@example.org", "--subject", "Plan", "--body", "One", "--draft")
        try site.sync()
        try site.settles()
        #expect(try site.client("print(all('Drafts'))").contains("Plan"), "\(kind)")
        try site.home.run("mail", "edit", try site.id("Plan"), "--body", "Two")
        try site.sync()
        try site.settles()
        #expect(try site.client("print(len(all('Drafts')))") == "1", "\(kind)")
    }

    @Test(arguments: Kind.installed) func aKilledSyncCausesNoLossAndNoDuplicatesOnAnyServer(_ kind: Kind) throws {
        let site = try Site(kind)
        try site.client("for n in range(60): put('INBOX', f'M{n:02}')")
        for milliseconds in [30, 80, 150] {
            _ = try site.home.run(
                program: "/usr/bin/timeout",
                ["-s", "KILL", String(Double(milliseconds) / 1000), HelixHome.binary.path, "sync"])
        }
        try site.sync()
        try site.settles()
        #expect(try site.home.run("mail", "list", "--limit", "500", "--json").items().count == 60, "\(kind)")
        #expect(try site.client("print(len(all('INBOX')))") == "60", "\(kind)")
    }

    @Test(.enabled(if: Kind.cyrus.isInstalled, "needs the server cyrus"))
    func thePermissionsOfASharedMailboxAreRespectedOnCyrus() throws {
        let site = try Site(.cyrus)
        try site.client(
            """
            b = imaplib.IMAP4('127.0.0.1', m.port); b.login('ben', 'secret'); b.create('Team')
            b.append('Team', None, imaplib.Time2Internaldate(1760000000), b'Subject: T1\\r\\nMessage-ID: <T1@x>\\r\\n\\r\\nText\\r\\n')
            assert b.setacl('Team', 'ana', 'lr')[0] == 'OK'
            """)
        #expect(try site.home.run("sync").output.contains("1 mailbox of other users is left out"))
        try site.home.run("account", "edit", "work", "--mailboxes", "*,Other Users/*")
        try site.sync()
        #expect(try site.home.run("mail", "archive", try site.id("T1")).status == 77)
        try site.home.run("mail", "read", try site.id("T1"))
        try site.settles()
    }

    @Test func serversThatAreNotHereAreNamed() {
        let missing = Kind.allCases.filter { !$0.isInstalled }.map(\.rawValue)
        // In the suite's own log, so that nobody takes it for a proof of these servers.
        if !missing.isEmpty { print("not tried, because they are not installed: \(missing.joined(separator: ", "))") }
        // A machine with all packages of the project has all of them.
        if ProcessInfo.processInfo.environment["CI"] == "true" { #expect(missing.isEmpty) }
    }
}
