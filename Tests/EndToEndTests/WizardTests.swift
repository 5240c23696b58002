import Foundation
import TestSupport
import Testing

/// An account of each kind is set up by answering questions, as somebody new does it, or by flags alone.
@Suite(
    .enabled(
        if: TestServer.has("/usr/sbin/dovecot") && TestServer.has("/usr/bin/radicale"),
        "needs the server dovecot and radicale"))
struct WizardTests {
    /// A home that asks our own name server, and our own web server for what domains publish.
    private static func home(records: [String: [String]] = [:], autoconfig: String? = nil) throws -> (
        home: HelixHome, servers: [TestServer]
    ) {
        let names = FileManager.default.temporaryDirectory.appendingPathComponent("helix-dns-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: names, withIntermediateDirectories: true)
        try JSONSerialization.data(withJSONObject: records).write(to: names.appendingPathComponent("records.json"))
        let dns = try TestServer("dns.py", in: names, ports: 1)
        let web = try TestServer("web.py", ports: 1)
        if let autoconfig {
            try Data(autoconfig.utf8).write(to: web.folder.appendingPathComponent("house.invalid.xml"))
        }
        let home = try HelixHome()
        home.environment["HELIX_NAMESERVER"] = "127.0.0.1:\(dns.ports[0])"
        home.environment["HELIX_AUTOCONFIG"] = "http://127.0.0.1:\(web.ports[0])/{domain}.xml"
        return (home, [dns, web])
    }

    /// Runs helix on a terminal: what it must say, and what is typed then.
    private static func wizard(_ home: HelixHome, _ arguments: [String], _ talk: [(String, String)]) throws
        -> HelixHome.Result
    {
        let script = try home.write(talk.map { "\($0.0)\n\($0.1)\n" }.joined(), to: "talk.txt")
        let answers = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/answers.py").path
        home.environment["TERM"] = "xterm"
        home.environment["NO_COLOR"] = "1"
        return try home.run(program: "/usr/bin/python3", [answers, script, HelixHome.binary.path] + arguments)
    }

    private static func accounts(_ home: HelixHome) throws -> [String] {
        try home.run("account", "list", "--json").items().map { "\($0["name"] ?? "") \($0["type"] ?? "")" }
    }

    private static func services(_ site: MailSite) -> [String: [String]] {
        [
            "_imaps._tcp.house.invalid SRV": ["0 1 \(site.imap.ports[1]) localhost"],
            "_submissions._tcp.house.invalid SRV": ["0 1 \(site.smtp?.ports[1] ?? 465) localhost"],
        ]
    }

    @Test func anAddressIsEnoughForMail() throws {
        let site = try MailSite(sends: true)
        try site.client("put('INBOX', 'Welcome')")
        let (home, servers) = try Self.home(records: Self.services(site))
        let result = try Self.wizard(
            home, ["account", "add", "--ca", site.imap.certificate, "--user", "ana"],
            [
                ("Number [1]:", ""), ("Your mail address:", "nonsense"),
                ("Enter a mail address", "ana@house.invalid"), ("Is this correct? [Y/n]:", "y"),
                ("Name of the account [house]:", ""), ("Number [", "2"),
                ("Command that prints the password:", "echo secret"),
            ])
        #expect(result.status == 0, "\(result.output)")
        #expect(result.output.contains("localhost:\(site.imap.ports[1]) (tls)"))
        #expect(result.output.contains("✓ IMAP"))
        #expect(result.output.contains("✓ SMTP"))
        #expect(try Self.accounts(home) == ["house imap"])
        #expect(try home.run("sync").status == 0)
        #expect(try home.run("mail", "list").output.contains("Welcome"))
        withExtendedLifetime(servers) {}
    }

    @Test func anAddressIsEnoughForJMAP() throws {
        let server = try TestServer("jmap.py", ports: 1)
        let (home, servers) = try Self.home(
            records: [
                "_jmap._tcp.localhost SRV": ["0 1 \(server.ports[0]) localhost"],
                "_jmap._tcp.house.invalid SRV": ["0 1 \(server.ports[0]) localhost"],
            ])
        let added = try home.run(
            "account", "add", "work", "jmap", "ana@localhost", "--user", "ana", "--password-command", "echo secret")
        #expect(added.status == 0, "\(added.errors)")
        let check = try home.run("account", "check", "work")
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        // A server of another domain is named, and asked about.
        let other = try home.run(
            "account", "add", "other", "jmap", "ana@house.invalid", "--password-command", "echo secret")
        #expect(other.status == 64 && other.errors.contains("http://localhost:\(server.ports[0])/"), "\(other.errors)")
        let none = try home.run(
            "account", "add", "none", "jmap", "ana@nowhere.invalid", "--password-command", "echo secret")
        #expect(none.status == 66 && none.errors.contains("publishes no JMAP server"), "\(none.errors)")
        withExtendedLifetime(servers) {}
    }

    @Test func whatIsNotFoundIsTypedAndWhatFailsIsSaid() throws {
        let site = try MailSite()
        let (home, servers) = try Self.home()
        let talk = [
            ("Looking for the servers", ""), ("IMAP server:", "localhost"),
            ("port [993]:", "\(site.imap.ports[1])"), ("machine [tls]:", ""),
            ("Send mail from this account?", "y"), ("SMTP server:", "localhost"), ("port [465]:", "1"),
            ("machine [tls]:", ""),
            ("User name [ana@house.invalid]:", "ana"), ("Name of the account [house]:", "home"), ("Number [", "2"),
            ("Command that prints the password:", "echo secret"),
        ]
        var answers = talk
        answers[0] = ("Your mail address:", "ana@house.invalid")
        answers.insert(("Number [1]:", "1"), at: 0)
        let refused = try Self.wizard(
            home, ["account", "add", "--ca", site.imap.certificate], answers + [("Number [2]:", "5")])
        #expect(refused.status != 0 && refused.status != 99, "\(refused.output)")
        #expect(refused.output.contains("None found"))
        #expect(refused.output.contains("✓ IMAP"))
        #expect(refused.output.contains("✗ SMTP"))
        #expect(try Self.accounts(home).isEmpty)
        let added = try Self.wizard(
            home, ["account", "add", "--ca", site.imap.certificate], answers + [("Number [2]:", "4")])
        #expect(added.status == 0, "\(added.output)")
        #expect(try Self.accounts(home) == ["home imap"])
        withExtendedLifetime(servers) {}
    }

    @Test func whatDoesNotWorkIsMendedWithoutBeginningAnew() throws {
        let site = try MailSite()
        let (home, servers) = try Self.home(records: Self.services(site))
        let mended = try Self.wizard(
            home, ["account", "add", "house", "imap", "--address", "ana@house.invalid", "--user", "ana"],
            [
                ("Is this correct? [Y/n]:", "n"), ("IMAP server [localhost]:", ""),
                ("port [", ""), ("machine [tls]:", ""), ("Send mail from this account?", "n"),
                ("User name [ana]:", ""), ("Number [", "2"), ("Command that prints the password:", "echo wrong"),
                // The certificate is strange, then the password wrong, and both can be mended.
                ("Number [4]:", ""), ("File of certificates (PEM):", site.imap.certificate),
                ("✗ IMAP sign-in", ""), ("Number [2]:", "2"), ("Command that prints the password:", "echo secret"),
            ])
        #expect(mended.status == 0, "\(mended.output)")
        #expect(mended.output.contains("✓ IMAP mailboxes"))
        #expect(try Self.accounts(home) == ["house imap"])
        #expect(try home.run("sync").status == 0)
        withExtendedLifetime(servers) {}
    }

    @Test func flagsAloneFindWhatADomainPublishes() throws {
        let site = try MailSite()
        let (home, servers) = try Self.home(
            autoconfig: """
                <?xml version="1.0"?><clientConfig version="1.1"><emailProvider id="house.invalid">
                <incomingServer type="pop3"><hostname>localhost</hostname><port>1</port><socketType>SSL</socketType></incomingServer>
                <incomingServer type="imap"><hostname>localhost</hostname><port>\(site.imap.ports[1])</port>
                <socketType>SSL</socketType><username>%EMAILLOCALPART%</username></incomingServer>
                <outgoingServer type="smtp"><hostname>smtp.%EMAILDOMAIN%</hostname><port>587</port><socketType>STARTTLS</socketType>
                </outgoingServer></emailProvider></clientConfig>
                """)
        let flags = [
            "--address", "ana@house.invalid", "--password-command", "echo secret", "--ca", site.imap.certificate,
        ]
        let result = try home.run(["account", "add", "--no-input"] + flags)
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.errors.contains("localhost:\(site.imap.ports[1]) and smtp.house.invalid:587"))
        #expect(try Self.accounts(home) == ["house imap"])
        #expect(try home.run("sync").status == 0)
        // Without flags nobody can be asked here.
        #expect(try home.run("account", "add").status == 64)
        #expect(
            try home.run(
                "account", "add", "--no-input", "x", "imap", "--address", "ana@nowhere.invalid", "--password-command",
                "x"
            ).status == 66)
        withExtendedLifetime(servers) {}
    }

    @Test func whatOnlyTheNameServerSaysIsNotBelievedUnasked() throws {
        let site = try MailSite()
        let (home, servers) = try Self.home(records: Self.services(site))
        let result = try home.run(
            "account", "add", "--no-input", "--address", "ana@house.invalid", "--password-command", "echo secret")
        #expect(result.status == 77)
        #expect(result.errors.contains("--imap-host localhost --imap-port \(site.imap.ports[1])"))
        #expect(try Self.accounts(home).isEmpty)
        withExtendedLifetime(servers) {}
    }

    @Test func calendarsAndFoldersAreSetUpByAnswers() throws {
        let site = try CalendarSite(.radicale)
        let port = site.server?.ports[0] ?? 0
        let (home, servers) = try Self.home(records: [
            "_caldav._tcp.house.invalid SRV": ["0 1 \(port) localhost"],
            "_caldav._tcp.house.invalid TXT": ["path=/ana/"],
        ])
        let calendars = try Self.wizard(
            home, ["account", "add"],
            [
                ("Number [1]:", "2"), ("or your mail address:", "ana@house.invalid"),
                ("Address of the server [http://localhost:\(port)/ana/]:", ""), ("User name", "ana"),
                ("account [localhost]:", "cal"), ("Number [", "2"),
                ("Command that prints the password:", "echo secret"),
            ])
        #expect(calendars.status == 0, "\(calendars.output)")
        #expect(calendars.output.contains("✓ CalDAV"))
        let folder = try CalendarSite(.folder)
        let vdir = try Self.wizard(
            home, ["account", "add"],
            [
                ("Number [1]:", "4"), ("Folder of your calendars", "/nowhere"), ("No such folder", folder.folder.path),
                ("Name of the account", "khal"),
            ])
        #expect(vdir.status == 0, "\(vdir.output)")
        let box = try TestMaildir(home)
        try box.deliver(mail("Here", id: "h@example.org"))
        let maildir = try Self.wizard(
            home, ["account", "add"],
            [("Number [1]:", "3"), ("Folder of your mail [~/Mail]:", ""), ("account [mail]:", "")])
        #expect(maildir.status == 0, "\(maildir.output)")
        let web = servers[1]
        try Data("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n".utf8).write(
            to: web.folder.appendingPathComponent("days.ics"))
        let days = try Self.wizard(
            home, ["account", "add", "days"],
            [("Number [1]:", "5"), ("Address of the calendar:", "http://127.0.0.1:\(web.ports[0])/days.ics")])
        #expect(days.status == 0, "\(days.output)")
        #expect(try Self.accounts(home).sorted() == ["cal caldav", "days webcal", "khal vdir", "mail maildir"])
        let synced = try home.run("sync")
        #expect(synced.status == 0, "\(synced.output)\(synced.errors)")
        #expect(try home.run("mail", "list").output.contains("Here"))
    }
}
