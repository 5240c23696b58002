import Foundation
import TestSupport
import Testing

/// A line that is cut, slow or corrupt at any point of a sync loses nothing and doubles nothing.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot"))
struct BrokenLineTests {
    private static func set(_ fault: String, _ proxy: TestServer) throws {
        try fault.write(to: proxy.folder.appendingPathComponent("fault"), atomically: true, encoding: .utf8)
    }

    private static func subjects(_ home: HelixHome, _ mailbox: String) throws -> [String] {
        try home.run("mail", "list", "--mailbox", mailbox, "--limit", "500", "--json").items().map {
            $0["subject"] as? String ?? ""
        }.sorted()
    }

    private static func changeBoth(_ site: MailSite, _ home: HelixHome, _ round: Int) throws {
        try site.client("put('INBOX', 'there\(round)'); put('INBOX', 'tomove\(round)x')")
        try home.write(
            "From: a@b.c\nSubject: here\(round)\nMessage-ID: <here\(round)@x>\n\nbody\n",
            to: "home/mail/work/new/\(1_700_000_000 + round).here\(round).x")
        let found = try home.run("mail", "search", "in:inbox subject:tomove\(round - 1)x", "--ids").output
        if let id = found.split(separator: "\n").first { try home.run("mail", "archive", String(id)) }
    }

    @Test(arguments: ["cut", "send", "flip"]) func atEveryPointNothingIsLostAndNothingDoubled(_ kind: String) throws {
        let site = try MailSite()
        // Corruption is for TLS to find; cuts come where the words themselves can be counted.
        let isCorrupt = kind == "flip"
        let home = try site.home()
        let proxy = try TestServer(
            "proxy.py", ports: 1, [String(site.imap.ports[isCorrupt ? 1 : 0])])
        try home.run(
            "account", "edit", "work", "--imap-port", String(proxy.ports[0]), "--imap-security",
            isCorrupt ? "tls" : "none")
        try Self.set("none", proxy)
        let first = try home.run("sync")
        #expect(first.status == 0, "\(first.errors)")
        var failed = 0
        for round in 1...16 {
            if round % 3 == 0 {
                // So that there is something to be moved.
                try Self.set("none", proxy)
                try home.run("sync")
            }
            try Self.changeBoth(site, home, round)
            let place = kind == "send" ? 20 + round * 65 : isCorrupt ? 1200 + round * 390 : 60 + round * 220
            try Self.set("\(kind) \(place)", proxy)
            let result = try home.run("sync")
            if result.status != 0 { failed += 1 }
            #expect([0, 69, 76, 77].contains(result.status), "\(kind) \(place): \(result.errors)")
        }
        #expect(failed > 6)
        try Self.set("slow", proxy)
        #expect(try home.run("sync").status == 0)
        try Self.set("none", proxy)
        #expect(try home.run("sync").status == 0)
        // Everything is there once, and lies in the same place on both sides.
        let expected = (1...16).flatMap { ["here\($0)", "there\($0)", "tomove\($0)x"] }.sorted()
        let (inbox, archive) = (try Self.subjects(home, "INBOX"), try Self.subjects(home, "Archive"))
        #expect((inbox + archive).sorted() == expected)
        #expect(archive.count > 2)
        let there = try site.client("print('\\n'.join(all('INBOX')) + '\\n=\\n' + '\\n'.join(all('Archive')))")
        let parts = there.split(separator: "\n").map(String.init).split(separator: "=").map(Array.init)
        #expect(parts.map { $0.sorted() } == [inbox, archive])
        #expect(try home.run("doctor").status == 0)
    }
}
