import Foundation
import TestSupport
import Testing

/// What goes wrong around a sync, on every mail server: another client at the same time, a server that dies, one that is full.
@Suite struct ForeignServerHazardTests {
    typealias Kind = ForeignServer
    typealias Site = ForeignServerSite

    /// mbsync, which people run beside helix, with a folder of its own.
    private struct OtherClient {
        let site: Site
        let folder: String

        init(_ site: Site) throws {
            (self.site, folder) = (site, site.home.folder.path + "/mbsync")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let settings = """
                IMAPAccount it
                Host 127.0.0.1
                Port \(site.server.ports[0])
                User ana
                Pass secret
                SSLType None
                AuthMechs LOGIN

                IMAPStore far
                Account it
                \(site.kind == .courier ? "Path INBOX." : "")

                MaildirStore near
                Path \(folder)/
                Inbox \(folder)/INBOX
                SubFolders Verbatim

                Channel all
                Far :far:
                Near :near:
                Patterns INBOX Target
                Create Near
                Expunge Both
                SyncState *

                """
            try settings.write(toFile: folder + ".rc", atomically: true, encoding: .utf8)
        }

        /// Runs it, with helix beside it where that is asked for.
        func sync(besideHelix: Bool = false) throws {
            let run = "mbsync -q -c '\(folder).rc' all"
            let beside = "\(run) & '\(HelixHome.binary.path)' sync; code=$?; wait; exit $code"
            let result = try site.home.run(program: "/bin/sh", ["-c", besideHelix ? beside : run])
            #expect(result.status == 0, "\(site.kind): \(result.output)\(result.errors)")
        }

        /// Gives files flags, as a mail program would that reads the folder.
        func mark(_ subject: String, _ flags: String) throws {
            let script = """
                import glob, os
                for path in glob.glob('\(folder)/INBOX/*/*'):
                    if 'Subject: \(subject)' in open(path).read():
                        os.rename(path, path.split(':')[0].replace('/new/', '/cur/') + ':2,\(flags)')
                """
            let result = try site.home.run(program: "/usr/bin/python3", ["-c", script])
            #expect(result.status == 0, "\(result.errors)")
        }
    }

    @Test(.enabled(if: TestServer.has("/usr/bin/mbsync"), "needs the program mbsync"), arguments: Kind.installed)
    func aSecondClientAtTheSameTimeCausesNoLossAndNoDuplicates(_ kind: Kind) throws {
        let site = try Site(kind)
        try site.client("m.select('INBOX'); m.create(box('Target'))\nfor n in range(40): put('INBOX', f'M{n:02}')")
        let other = try OtherClient(site)
        try site.sync()
        try other.sync()
        for round in 0..<4 {
            try site.home.run("mail", "move", "--to", "Target", try site.id("M0\(round)"))
            try site.home.run("mail", "mark", "starred", try site.id("M1\(round)"))
            try other.mark("M2\(round)", "S")
            try other.mark("M3\(round)", "T")
            try other.sync(besideHelix: true)
            try site.client("put('INBOX', 'N\(round)')")
        }
        for _ in 0..<2 {
            try site.sync()
            try other.sync()
        }
        try site.settles()
        // Four were moved, four removed, four are new.
        #expect(try site.client("print(len(all('INBOX')), len(all('Target')))") == "36 4", "\(kind)")
        for (mailbox, count) in [("INBOX", 36), ("Target", 4)] {
            let list = try site.home.run("mail", "list", "--mailbox", mailbox, "--limit", "500", "--json")
            #expect(try list.items().count == count, "\(kind): \(mailbox)")
            let files = try site.home.run(
                program: "/bin/sh",
                ["-c", "ls '\(other.folder)/\(mailbox)/cur' '\(other.folder)/\(mailbox)/new' | grep -c U="])
            #expect(files.output == "\(count)\n", "\(kind): \(mailbox)")
        }
        #expect(
            try site.client(
                """
                print(sorted(x[:3] for x in all('INBOX') if 'Flagged' in x))
                print(len([x for x in all('INBOX') if x[:2] == 'M2' and 'Seen' in x]))
                """) == "['M10', 'M11', 'M12', 'M13']\n4", "\(kind)")
        #expect(try site.home.run("account", "check", "work").status == 0, "\(kind)")
    }

    @Test(arguments: Kind.installed) func aServerCrashDuringASyncCausesNoLossAndNoDuplicates(_ kind: Kind) throws {
        let site = try Site(kind)
        try site.client("m.select('INBOX'); m.create(box('Target'))\nfor n in range(60): put('INBOX', f'M{n:02}')")
        try site.sync()
        for round in 0..<3 {
            let ids = try (0..<10).map { try site.id("M\(round)\($0)") }
            try site.home.run(["mail", "move", "--to", "Target"] + ids)
            try site.home.run("mail", "mark", "starred", try site.id("M5\(round)"))
            try site.server.kill(afterMilliseconds: 20 + 30 * round)
            _ = try site.home.run("sync")
            try site.restart()
        }
        try site.sync()
        try site.sync()
        try site.settles()
        #expect(try site.client("print(len(all('INBOX')), len(all('Target')))") == "30 30", "\(kind)")
        #expect(try site.home.run("mail", "list", "--limit", "500", "--json").items().count == 60, "\(kind)")
        #expect(
            try site.client("print(len([x for x in all('INBOX') if 'Flagged' in x]))") == "3", "\(kind)")
        #expect(try site.home.run("account", "check", "work").status == 0, "\(kind)")
    }

    @Test(arguments: Kind.installed.filter { $0 == .dovecot || $0 == .cyrus })
    func aFullServerIsReportedAndSyncRecoversWhenSpaceIsAvailable(_ kind: Kind) throws {
        let limit = { (kilobytes: Int) in
            """
            mail_plugins = quota
            protocol imap {
              mail_plugins = quota zlib imap_zlib
            }
            plugin {
              quota = count:User quota
              quota_vsizes = yes
              quota_rule = *:storage=\(kilobytes)K
              quota_grace = 0
            }

            """
        }
        let site = try Site(kind, settings: kind == .dovecot ? limit(20) : nil)
        func setQuota(_ kilobytes: Int) throws {
            if kind == .cyrus {
                try site.client(
                    "a = imaplib.IMAP4('127.0.0.1', m.port); a.login('cyrus', 'secret'); assert a.setquota('user/ana', '(STORAGE \(kilobytes))')[0] == 'OK'"
                )
                return
            }
            try site.change(settings: limit(kilobytes))
        }
        try setQuota(20)
        try site.client("put('INBOX', 'M0')")
        try site.sync()
        let body = String(repeating: "All work and no play. ", count: 1000)
        for name in ["Long", "Short"] {
            try site.home.run(
                "mail", "new", "--to", "bo@example.org", "--subject", name, "--body", name == "Long" ? body : "x",
                "--draft")
        }
        try site.home.run("mail", "mark", "starred", try site.id("M0"))
        let full = try site.home.run("sync")
        #expect(full.status == 80, "\(kind): \(full.output)")
        #expect(full.output.lowercased().contains("quota"), "\(kind): \(full.output)")
        // The rest is done all the same.
        #expect(try site.client("print(all('INBOX'), len(all('Drafts')))") == "['M0 \\\\Flagged'] 1", "\(kind)")
        try setQuota(5000)
        try site.sync()
        try site.settles()
        #expect(try site.client("print(len(all('Drafts')))") == "2", "\(kind)")
    }

    /// Dovecot's virtual plugin: a mailbox that shows what lies in the others.
    @Test(.enabled(if: Kind.dovecot.isInstalled, "needs the server dovecot"))
    func aMailboxOfAllMessagesIsLeftOutOnDovecot() throws {
        let site = try Site(
            .dovecot,
            settings: """
                protocol imap {
                  mail_plugins = virtual zlib imap_zlib
                }
                namespace virtual {
                  prefix = Virtual/
                  separator = /
                  location = virtual:%h/../../virtual
                  mailbox All {
                    special_use = \\All
                    auto = no
                  }
                }

                """)
        let folder = site.server.folder.path + "/virtual/All"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("*\n  all\n".utf8).write(to: URL(fileURLWithPath: folder + "/dovecot-virtual"))
        _ = try site.home.run(program: "/bin/sh", ["-c", "chmod -R a+rwX '\(site.server.folder.path)/virtual'"])
        try site.client("put('INBOX', 'M0'); put('INBOX', 'M1')")
        #expect(try site.client("print(all('Virtual/All'))") == "['M0', 'M1']")
        let first = try site.home.run("sync")
        #expect(
            first.output.contains("'Virtual/All' shows messages of other mailboxes"), "\(first.output)\(first.errors)")
        try site.settles()
        #expect(try site.home.run("mail", "list", "--json").items().count == 2)
    }
}
