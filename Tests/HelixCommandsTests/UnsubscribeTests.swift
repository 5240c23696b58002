import Foundation
import HelixMail
import TestSupport
import Testing

/// Lists that are left, and senders that are counted.
@Suite struct UnsubscribeTests {
    var home: HelixHome
    let maildir: TestMaildir

    init() throws {
        home = try HelixHome(zone: "UTC")
        maildir = try TestMaildir(home)
        try home.perform("config", "set", "user.email", "me@example.org")
        try home.perform("account", "add", "home", "maildir", maildir.path)
    }

    private func deliver(_ headers: String..., from: String = "News <news@shop.example>") throws -> String {
        try maildir.deliver(mail("News", id: "\(UUID().uuidString)@x", from: from, headers: headers))
        return try #require(try home.perform("mail", "list", "--json").items().first?["id"] as? String)
    }

    @Test func aListIsLeftByMailOrInABrowser() throws {
        var id = try deliver(
            "List-Unsubscribe: <mailto:leave@shop.example?subject=bye%20now%0ABcc:x@y.z>, <http://shop.example/x>")
        let shown = try home.perform("mail", "unsubscribe", id, "--dry-run")
        #expect(shown.output.contains("a message to leave@shop.example"), "\(shown.output)")
        #expect(shown.output.contains("nothing proves the sender"))
        #expect(try home.perform("outbox", "list", "--json").items().isEmpty)
        #expect(try home.perform("mail", "unsubscribe", id, "--yes").status == 0)
        let queued = try #require(try home.perform("outbox", "list", "--json").items().first)
        #expect(queued["subject"] as? String == "bye now Bcc:x@y.z")
        #expect((queued["to"] as? [String] ?? queued["recipients"] as? [String])?.count == 1, "\(queued)")
        id = try deliver("List-Unsubscribe: <https://shop.example/leave?who=me>")
        let page = try home.perform("mail", "unsubscribe", id, "--yes")
        #expect(page.status == 77 && page.output.contains("https://shop.example/leave?who=me"))
        #expect(try home.perform("mail", "unsubscribe", try deliver(), "--yes").status == 66)
    }

    /// A message must not make requests to the machines of one's own network.
    @Test func oneClickDoesNotReachThisMachine() throws {
        let id = try deliver(
            "List-Unsubscribe: <https://127.0.0.1:1/admin>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
        let shown = try home.perform("mail", "unsubscribe", id, "--dry-run", "--json").items()
        #expect(shown.first?["way"] as? String == "one-click")
        let refused = try home.perform("mail", "unsubscribe", id, "--yes")
        #expect(refused.status != 0 && refused.errors.contains("private"), "\(refused.errors)")
    }

    @Test mutating func oneClickIsOneRequest() throws {
        let sink = try TestServer("notice_sink.py", ports: 1, ["tls"])
        home.environment["HELIX_CA_FILE"] = sink.folder.appendingPathComponent("cert.pem").path
        let id = try deliver(
            "List-Unsubscribe: <mailto:x@y.example>, <https://localhost:\(sink.ports[0])/leave?who=me>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
        let left = try home.perform("mail", "unsubscribe", id, "--yes")
        #expect(left.status == 0 && left.output.contains("took the request"), "\(left.errors)")
        let requests = try String(contentsOf: sink.folder.appendingPathComponent("requests.jsonl"), encoding: .utf8)
        #expect(requests.split(separator: "\n").count == 1)
        #expect(requests.contains("\"body\": \"List-Unsubscribe=One-Click\"") && requests.contains("/leave?who=me"))
        let failing = try deliver(
            "List-Unsubscribe: <https://localhost:\(sink.ports[0])/refuse>",
            "List-Unsubscribe-Post: List-Unsubscribe=One-Click")
        let refused = try home.perform("mail", "unsubscribe", failing, "--yes")
        #expect(refused.status != 0 && refused.errors.contains("HTTP 500"))
        #expect(refused.errors.contains("still on the list"))
    }

    @Test func oneClickNeedsEncryption() throws {
        let offer = UnsubscribeOffer(
            try MIMEMessage(
                Array(
                    "From: a@b.c\nList-Unsubscribe: <http://b.c/x>\nList-Unsubscribe-Post: List-Unsubscribe=One-Click\n\n"
                        .utf8)))
        #expect(offer?.oneClick == nil && offer?.page == "http://b.c/x")
    }

    @Test func sendersAreCounted() throws {
        for number in 0..<3 { _ = try deliver(from: "News \(number) <NEWS@shop.example>") }
        _ = try deliver(from: "Bo <bo@example.org>")
        let items = try home.perform("mail", "list", "--senders", "--json").items()
        let addresses = items.compactMap { ($0["address"] as? String)?.lowercased() }
        #expect(addresses == ["news@shop.example", "bo@example.org"])
        #expect(items.compactMap { $0["count"] as? Int } == [3, 1])
        #expect(try home.perform("mail", "list", "--senders", "subject:nothing", "--json").items().isEmpty)
        #expect(try home.perform("mail", "list", "--senders", "news", "--json").items().count == 2)
    }
}
