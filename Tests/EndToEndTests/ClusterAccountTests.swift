import Foundation
import TestSupport
import Testing

/// Accounts that several gateways keep for a user: any of them may sync and send, one at a time, and another one goes on when it
/// dies.
@Suite(
    .enabled(
        if: PostgresSite.isInstalled && TestServer.has("/usr/bin/radicale"), "needs the servers postgresql and radicale"
    ))
struct ClusterAccountTests {
    private let cluster: GatewayCluster

    init() throws { cluster = try GatewayCluster(2, users: ["ana"]) }

    private func run(_ home: HelixHome, _ words: [String]) throws -> String {
        let result = try home.run(words)
        #expect(result.status == 0, "\(words): \(result.errors)")
        return result.output
    }

    private func account(_ words: [String]) throws {
        _ = try run(cluster.hosts[0], ["gateway", "as", "ana", "account", "add"] + words)
    }

    private func subjects(_ smtp: TestServer) throws -> [String] {
        try FileManager.default.contentsOfDirectory(at: smtp.folder, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "eml" }.compactMap { file in
                try String(contentsOf: file, encoding: .utf8).split(separator: "\r\n").first {
                    $0.hasPrefix("Subject: ")
                }
                .map { String($0.dropFirst(9)) }
            }.sorted()
    }

    /// Waits until a condition holds.
    private func wait(_ what: String, seconds: Int = 240, _ isTrue: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: TimeInterval(seconds))
        while Date() < end {
            if try isTrue() { return }
            usleep(200_000)
        }
        Issue.record("\(what): not after \(seconds) seconds")
    }

    @Test func aMessageLeavesOnceWhicheverGatewayDies() throws {
        let mail = try MailSite(sends: true)
        let smtp = try #require(mail.smtp)
        try mail.client("put('INBOX', 'welcome')")
        try account([
            "work", "imap", "--address", "ana@example.org", "--user", "ana", "--imap-host", "localhost", "--imap-port",
            String(mail.imap.ports[1]), "--imap-security", "tls", "--ca", mail.imap.certificate, "--password-command",
            "echo secret", "--smtp-host", "localhost", "--smtp-port", String(smtp.ports[1]), "--smtp-security", "tls",
        ])
        // Both gateways have the account, and mail of their own.
        let read = try cluster.run("mail", ["welcome"])
        #expect(read.status == 0, "\(read.errors)")
        // Messages of clients of both, while the gateway that sends dies in the middle.
        let both = try cluster.run("send", ["20", "first"])
        #expect(both.status == 0, "\(both.errors)")
        try wait("20 messages") { try subjects(smtp).count >= 20 }
        let doomed = cluster.servers[0]
        try doomed.kill(afterMilliseconds: 300)
        let more = try cluster.run("send", ["20", "second", "only"])
        #expect(more.status == 0, "\(more.errors)")
        // One that was being sent when the gateway died may be parked, and say so.
        func parked() throws -> [String] {
            try cluster.hosts[1].run("gateway", "as", "ana", "outbox", "list", "--json").items()
                .filter { $0["state"] as? String == "parked" }.compactMap { $0["subject"] as? String }
        }
        try wait("40 messages") {
            let count = try subjects(smtp).count
            return try count >= 40 || count == 39 && parked().count == 1
        }
        let sent = try subjects(smtp)
        #expect(Set(sent).count == sent.count, "\(sent)")
        let missing = Set((0..<20).flatMap { ["first \($0)", "second \($0)"] }).subtracting(sent)
        let kept = try parked()
        #expect(missing.count <= 1 && missing.isSubset(of: kept), "\(missing)")
    }

    @Test func theNextGatewayContinuesTheSyncOfCalendars() throws {
        let site = try CalendarSite(.radicale)
        let other = try site.home()
        _ = try run(other, ["sync"])
        _ = try run(other, ["cal", "add", "Yoga 2026-12-01 18:00 for 1h", "--calendar", "calendar"])
        _ = try run(other, ["sync"])
        try account([
            "cal", "caldav", "http://127.0.0.1:\(site.server?.ports[0] ?? 0)/", "--user", "ana", "--password-command",
            "echo secret",
        ])
        let (laptop, phone) = (try cluster.device(of: "ana", at: 0), try cluster.device(of: "ana", at: 1))
        func titles(_ home: HelixHome) throws -> [String] {
            _ = try run(home, ["sync"])
            return try home.run("cal", "agenda", "--from", "2026-12-01", "--days", "3", "--json").items()
                .compactMap { $0["title"] as? String }.sorted()
        }
        let asked = try cluster.run("calendars")
        #expect(asked.status == 0, "\(asked.errors)")
        try wait("the event at both gateways") { try titles(laptop) == ["Yoga"] && titles(phone) == ["Yoga"] }
        // The first gateway dies. What was deleted stays deleted, and what is there is not there twice.
        cluster.servers[0].stop()
        let id = try run(phone, ["cal", "search", "Yoga", "--ids"]).split(separator: "\n").first.map(String.init) ?? ""
        _ = try run(phone, ["cal", "delete", id, "--yes"])
        _ = try run(phone, ["cal", "add", "Swimming 2026-12-02 10:00 for 1h"])
        _ = try run(phone, ["sync"])
        try wait("the other gateway has the right") {
            _ = try cluster.run("calendars", ["second"])
            return try titles(other) == ["Swimming"]
        }
        #expect(try titles(phone) == ["Swimming"])
    }
}
