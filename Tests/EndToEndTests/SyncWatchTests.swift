import Foundation
import TestSupport
import Testing

/// What stays and follows, and what tells how things stand.
@Suite(.enabled(if: TestServer.has("/usr/sbin/dovecot"), "needs the server dovecot"))
struct SyncWatchTests {
    private static func eventually(_ body: () throws -> Bool) throws -> Bool {
        for _ in 0..<200 {
            if try body() { return true }
            usleep(100_000)
        }
        return false
    }

    @Test func newMailComesByItselfAndChangesLeaveByThemselves() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        let process = Process()
        process.executableURL = HelixHome.binary
        // More accounts than most machines have cores, the one that has news among them.
        for number in 0..<6 {
            let folder = home.folder.appendingPathComponent("calendars\(number)/own")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try home.run("account", "add", "a\(number)", "vdir", folder.deletingLastPathComponent().path)
        }
        try home.run("account", "remove", "work", "--yes")
        _ = try site.home(in: home)
        process.arguments = ["sync", "--watch", "--every", "1h"]
        process.environment = home.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        #expect(try Self.eventually { try home.run("mail", "mailboxes", "--json").items().count > 3 })
        usleep(1_000_000)
        try site.client("put('INBOX', 'News')")
        #expect(try Self.eventually { try home.run("mail", "list", "--mailbox", "INBOX", "--json").items().count == 1 })
        usleep(1_000_000)
        // In another mailbox, too: the server tells of all of them (NOTIFY).
        try site.client("m.create('Lists'); put('Lists', 'Elsewhere')")
        #expect(
            try Self.eventually { (try? home.run("mail", "list", "--mailbox", "Lists", "--json").items().count) == 1 })
        usleep(1_000_000)
        try site.client("put('Lists', 'Again')")
        #expect(try Self.eventually { try home.run("mail", "list", "--mailbox", "Lists", "--json").items().count == 2 })
        usleep(1_000_000)
        let id = try home.run("mail", "list", "--mailbox", "INBOX", "--json").items().first?["id"] as? String ?? ""
        try home.run("mail", "mark", "starred", id)
        #expect(try Self.eventually { try site.client("print(all('INBOX'))") == "['News \\\\Flagged']\n" })
        usleep(1_000_000)
        try home.run("mail", "new", "--to", "ben@example.org", "-s", "Out", "--body", "x", "--send")
        #expect(try Self.eventually { try home.run("outbox", "list", "--json").items().isEmpty })
        // An account that is added now is followed, too.
        let folder = home.folder.appendingPathComponent("later/own")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try home.run("account", "add", "later", "vdir", folder.deletingLastPathComponent().path)
        #expect(
            try Self.eventually { try home.run("cal", "calendars", "list", "--json").items().count == 7 })
        #expect(process.isRunning)
    }

    /// Each change wakes the watch: one whose wake-up was lost would wait for an hour.
    @Test func noChangeIsMissed() throws {
        let home = try HelixHome()
        let folder = home.folder.appendingPathComponent("calendars/own")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try home.run("account", "add", "dav", "vdir", folder.deletingLastPathComponent().path)
        try home.run("sync")
        let process = Process()
        process.executableURL = HelixHome.binary
        process.arguments = ["sync", "--watch", "--every", "1h"]
        process.environment = home.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        usleep(1_000_000)
        for number in 1...12 {
            try home.run(
                "cal", "add", "2026-12-01 9:00", "--title", "Event \(number)", "--calendar", "own", "--on-conflict",
                "allow")
            let isThere = try Self.eventually {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".ics") }.count
                    == number
            }
            #expect(isThere, "\(number)")
            if !isThere { break }
            usleep(UInt32(number) * 50_000)
        }
    }

    @Test func whatWaitsForItsTimeLeavesThen() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        // The real clock: time must pass.
        home.environment["HELIX_NOW"] = nil
        try home.run("sync")
        try home.run("mail", "new", "--to", "ben@example.org", "-s", "Later", "--body", "x", "--at", "in 1 minute")
        #expect(try home.run("outbox", "list", "--json").items().count == 1)
        let process = Process()
        process.executableURL = HelixHome.binary
        process.arguments = ["sync", "--watch", "--every", "1h"]
        process.environment = home.environment
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer { kill(process.processIdentifier, SIGKILL) }
        for _ in 0..<90 {
            if try home.run("outbox", "list", "--json").items().isEmpty { break }
            usleep(1_000_000)
        }
        #expect(try home.run("outbox", "list", "--json").items().isEmpty)
    }

    @Test func howOldEverythingIsIsTold() throws {
        let site = try MailSite(sends: true)
        let home = try site.home()
        #expect(try home.run("status", "--format", "{synced}").output == "never\n")
        #expect(try home.run("doctor").output.contains("'work' was never synced"))
        try home.run("sync")
        home.environment["HELIX_NOW"] = "2026-11-18T12:50:00"
        #expect(try home.run("status", "--format", "{synced}").output == "2h 30m\n")
        site.imap.stop()
        try home.run("mail", "new", "--to", "nosuch@example.org", "-s", "Out", "--body", "x", "--send")
        #expect(try home.run("sync").status == 69)
        #expect(try home.run("status", "--format", "{synced} {outbox}").output == "2h 30m! 1!\n")
        let doctor = try home.run("doctor")
        #expect(doctor.status == 0)
        let words = doctor.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains(
                "'work' was synced 2h 30m ago; 1 queued for sending, 1 of them refused; the last sync failed"))
    }
}
