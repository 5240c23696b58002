import Foundation
import TestSupport
import Testing

/// The same steps on every mail server: what helix does is looked at by a client of its own (imaplib).
///
/// Cyrus and Courier cannot be installed beside Dovecot; `Tools/foreign-servers.sh` unpacks them into a folder.
@Suite struct ForeignServerTests {
    /// A server that the steps run on.
    enum Kind: String, CaseIterable, Sendable {
        case dovecot
        case cyrus
        case courier
        /// Cyrus once more, by JMAP.
        case jmap

        /// Whether its programs are there.
        var isInstalled: Bool {
            let root = Corpora.packageDirectory.appendingPathComponent(".build/servers").path
            switch self {
            case .dovecot: return TestServer.has("/usr/sbin/dovecot")
            case .cyrus, .jmap: return TestServer.has(root + "/usr/lib/cyrus/bin/master")
            // It needs folders of the system of its own.
            case .courier: return TestServer.has(root + "/usr/sbin/couriertcpd") && getuid() == 0
            }
        }

        static var installed: [Kind] { allCases.filter(\.isInstalled) }
        /// The beginning of all names of mailboxes for other programs.
        var prefix: String { self == .courier ? "INBOX." : "" }
        var delimiter: String { self == .courier ? "." : "/" }
        var ports: Int {
            switch self {
            case .dovecot: 2
            case .cyrus, .jmap: 3
            case .courier: 1
            }
        }
    }

    /// A server with a home whose account is on it.
    final class Site {
        let kind: Kind
        let server: TestServer
        let home: HelixHome

        init(_ kind: Kind) throws {
            self.kind = kind
            server = try TestServer((kind == .jmap ? "cyrus" : kind.rawValue) + ".sh", ports: kind.ports)
            home = try HelixHome()
            if kind == .jmap {
                // A user is there from the first sign-in by IMAP on.
                try client("m.select('INBOX')")
                let added = try home.run(
                    "account", "add", "work", "jmap", "http://127.0.0.1:\(server.ports[1])/jmap/", "--address",
                    "ana@example.org", "--user", "ana", "--password-command", "echo secret")
                guard added.status == 0 else { throw OracleFailure(message: added.errors) }
                return
            }
            let added = try home.run(
                "account", "add", "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host",
                "127.0.0.1", "--imap-port", String(server.ports[0]), "--imap-security", "none", "--password-command",
                "echo secret")
            guard added.status == 0 else { throw OracleFailure(message: added.errors) }
        }

        /// Runs lines of Python with a client signed in as `m`; `box()` gives the server's name of a mailbox.
        @discardableResult
        func client(_ lines: String) throws -> String {
            let head = """
                import imaplib, base64, re, time
                for _ in range(50):
                    try:
                        m = imaplib.IMAP4('127.0.0.1', \(server.ports[0])); m.login('ana', 'secret'); break
                    except Exception: time.sleep(0.1)
                def box(name):
                    if name == 'INBOX': return 'INBOX'
                    def coded(match): return '&' + base64.b64encode(match[0].encode('utf-16-be')).decode().rstrip('=').replace('/', ',') + '-'
                    name = re.sub(r'[^ -~]+', coded, name.replace('&', '&-'))
                    return '"\(kind.prefix)' + name.replace('/', '\(kind.delimiter)') + '"'
                def put(where, subject, flags=None):
                    text = f'From: Ben <ben@example.org>\\r\\nTo: ana@example.org\\r\\nSubject: {subject}\\r\\n'
                    text += f'Message-ID: <{subject}@example.org>\\r\\n\\r\\nText of {subject}\\r\\n'
                    assert m.append(box(where), flags, imaplib.Time2Internaldate(1760000000), text.encode())[0] == 'OK'
                def all(where):
                    if m.select(box(where), readonly=True)[0] != 'OK': return None
                    found = []
                    for item in m.uid('FETCH', '1:*', '(FLAGS BODY.PEEK[HEADER.FIELDS (SUBJECT)])')[1] or []:
                        if isinstance(item, tuple):
                            flags = item[0].split(b'FLAGS (')[1].split(b')')[0].decode().replace('\\\\Recent', '').split()
                            found.append(' '.join([item[1].decode().strip()[9:]] + sorted(flags)))
                    return sorted(found)
                def uid(where, subject):
                    m.select(box(where))
                    return m.uid('SEARCH', None, 'HEADER', 'Message-ID', f'<{subject}@example.org>')[1][0].decode()

                """
            let result = try home.run(program: "/usr/bin/python3", ["-c", head + lines])
            guard result.status == 0 else { throw OracleFailure(message: result.errors) }
            return result.output.trimmingCharacters(in: .newlines)
        }

        func id(_ subject: String) throws -> String {
            let found = try home.run("mail", "search", "subject:\(subject)", "--ids").output
            return found.split(separator: "\n").first.map(String.init) ?? "none"
        }

        /// Syncs, which must go well.
        func sync(_ more: String..., line: SourceLocation = #_sourceLocation) throws {
            let result = try home.run(["sync"] + more)
            #expect(result.status == 0, "\(kind): \(result.output)\(result.errors)", sourceLocation: line)
        }

        /// Syncs, and nothing may be left to do.
        func settles(line: SourceLocation = #_sourceLocation) throws {
            let result = try home.run("sync")
            #expect(
                result.output.contains("nothing new"), "\(kind): \(result.output)\(result.errors)", sourceLocation: line
            )
        }
    }

    @Test(arguments: Kind.installed) func mailIsTheSameOnBothSidesOfEveryServer(_ kind: Kind) throws {
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
            check.status == 0 && check.output.contains("16 messages on the server, all of them here"), "\(check.output)"
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

    @Test(arguments: Kind.installed) func aDraftIsOneDraftOnEveryServer(_ kind: Kind) throws {
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

    @Test(arguments: Kind.installed) func aSyncThatIsKilledLosesAndDoublesNothingOnAnyServer(_ kind: Kind) throws {
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

    @Test(.enabled(if: Kind.cyrus.isInstalled)) func aSharedMailboxIsObeyedOnCyrus() throws {
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
