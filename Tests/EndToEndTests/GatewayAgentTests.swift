import Foundation
import TestSupport
import Testing

/// Agents at a gateway's `/mcp`, with the official SDK as their client.
@Suite struct GatewayAgentTests {
    private static let python = Corpora.packageDirectory.appendingPathComponent(".build/oracles/bin/python").path

    @Test(.enabled(if: TestServer.has(python), "needs the program python with the SDK of MCP"))
    func anAgentDoesWhatItsTokenAllows() throws {
        let mail = try MailSite()
        let site = try GatewaySite(users: ["ana", "bob"])
        let home = try site.device(of: "ana")
        for number in 1...5 { _ = try home.run("tasks", "add", "--title", "Errand \(number)") }
        _ = try home.run("cal", "add", "Dentist 2026-11-19 9:00 for 1h")
        let project = [
            "projects", "add", "House", "--customer", "Bo", "--budget-hours", "120", "--budget", "900", "--rate", "50",
            "--start", "2026-11-01", "--due", "2026-12-01", "--assignee", "ana", "--currency", "EUR", "--notes", "x",
        ]
        #expect(try home.run(project).status == 0)
        _ = try home.run("tasks", "add", "--title", "POISON in a task")
        _ = try home.run("cal", "add", "POISON walk 2026-11-20 12:00 for 1h")
        try home.write(
            """
            BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//x//EN\r\nBEGIN:VEVENT\r\nUID:together@x.example\r\n\
            DTSTAMP:20261101T000000Z\r\nDTSTART:20261203T100000Z\r\nDTEND:20261203T110000Z\r\nSUMMARY:Together\r\n\
            ORGANIZER:mailto:bo@x.example\r\nATTENDEE:mailto:ana@example.org\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
            """, to: "together.ics")
        #expect(try home.run("cal", "import", home.folder.path + "/together.ics").status == 0)
        try HelixHome.sync(home)
        let bob = try site.device(of: "bob")
        #expect(try bob.run("chat", "new", "POISON club", "--with", "ana", "-m", "POISON says bob").status == 0)
        try HelixHome.sync(bob)
        let reader = try home.run("gateway", "token", "Reader", "--json").json()
        // A token begins with its user.
        let user = try #require((reader["token"] as? String)?.split(separator: ".").first.map(String.init))
        let users = site.host.folder.appendingPathComponent("home/gateway/users")
        // The gateway keeps the user's mail account.
        let kept = try HelixHome()
        kept.environment["HELIX_HOME"] = users.appendingPathComponent(user).path
        _ = try mail.home(in: kept)
        try mail.client("put('INBOX', 'invoice 7 POISON', id='POISON')")
        // The gateway may be syncing just now.
        for _ in 0..<50 {
            if try kept.run("sync").status == 0 { break }
            usleep(100_000)
        }

        let changer = try home.run("gateway", "token", "Changer", "--change", "tasks", "--json").json()
        let url = try #require(reader["url"] as? String)
        let planner = try home.run("gateway", "token", "Planner", "--change", "calendar", "--json").json()
        let writer = try home.run("gateway", "token", "Writer", "--change", "mail", "--json").json()
        let tokens = try [reader, changer, planner, writer].map { try #require($0["token"] as? String) }
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/mcp_gateway_check.py").path
        let result = try home.run(program: Self.python, [script, url] + tokens)
        #expect(result.status == 0, "\(result.output)\(result.errors)")

        // What it did is on the person's device, by its name, and is undone there.
        try HelixHome.sync(home)
        #expect(try home.run("tasks", "list", "+agent", "--ids").output.split(separator: "\n").count == 2)
        // It is a device among the others, and a revoked one is turned away.
        let devices = try home.run("gateway", "devices", "--json").items()
        let agent = try #require(devices.first { $0["name"] as? String == "Reader" })
        #expect(agent["platform"] as? String == "mcp" && (agent["scopes"] as? [String])?.contains("read.mail") == true)
        #expect(try home.run("gateway", "revoke", try #require(agent["id"] as? String), "--yes").status == 0)
        let again = try home.run(program: Self.python, [script, url] + tokens)
        #expect(again.status != 0 && again.errors.contains("a good request"), "\(again.output)\(again.errors)")
    }

    @Test func aTokenNamesWhatItAllows() throws {
        let site = try GatewaySite(users: ["ana"])
        let home = try site.device(of: "ana")
        let all = try home.run("gateway", "token", "All", "--json").json()
        #expect((all["read"] as? [String])?.count == 4 && (all["change"] as? [String])?.isEmpty == true)
        let text = try home.run("gateway", "token", "Some", "--read", "mail", "--change", "tasks")
        #expect(text.output.contains("may read mail, tasks, and change tasks") && text.output.contains("Bearer "))
        #expect(try home.run("gateway", "token", "Some", "--read", "secrets").status == 64)
        #expect(try home.run("gateway", "token", "Some", "--change", "chat").status == 64)
        #expect(try home.run("gateway", "token", " ").status == 64)
        let plan = try home.run("gateway", "token", "Dry", "--dry-run")
        #expect(plan.status == 0 && !plan.output.contains("Bearer"))
        let names = try home.run("gateway", "devices", "--json").items().compactMap { $0["name"] as? String }
        #expect(names.contains("All") && names.contains("Some") && !names.contains("Dry"))
    }
}
