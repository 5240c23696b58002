import Foundation
import TestSupport
import Testing

/// Tasks and projects that are assigned to another user of a gateway: both have them, and what they have in common is equal.
@Suite struct GatewayShareTests {
    /// Syncs until a condition holds: the gateway shares behind the requests.
    private func until(_ homes: HelixHome..., holds condition: () throws -> Bool) throws -> Bool {
        for _ in 0..<60 {
            for home in homes { try HelixHome.sync(home) }
            if try condition() { return true }
            usleep(100_000)
        }
        return false
    }

    private func tasks(_ home: HelixHome, _ filter: String...) throws -> [[String: Any]] {
        try home.run(["tasks", "list"] + filter + ["--json"]).items()
    }

    private func titles(_ home: HelixHome, _ filter: String...) throws -> [String] {
        try home.run(["tasks", "list"] + filter + ["--json"]).items().compactMap { $0["title"] as? String }.sorted()
    }

    @Test func anAssignedTaskIsWithWhomItIsAssignedTo() throws {
        let site = try GatewaySite(users: ["ana", "bob", "carl"])
        let (ana, bob, carl) = (
            try site.device(of: "ana"), try site.device(of: "bob"), try site.device(of: "carl")
        )
        try ana.run("tasks", "boards", "add", "secret")
        try ana.run("tasks", "add", "Fix the roof due:2027-01-10 priority:high +house assignee:bob board:secret")
        try ana.run("tasks", "add", "Mine alone")
        #expect(try until(ana, bob) { try titles(bob) == ["Fix the roof"] })
        let copy = try #require(try tasks(bob, "assignee:me").first)
        #expect((copy["due"] as? String)?.hasPrefix("2027-01-10") == true && copy["priority"] as? String == "high")
        #expect(copy["tags"] as? [String] == ["house"] && copy["board"] as? String != "secret")
        #expect(try titles(carl).isEmpty)
        let (here, there) = (
            try #require(try tasks(ana, "assignee:bob").first?["id"] as? String),
            try #require(copy["id"] as? String)
        )
        // Each may not guess the other's.
        #expect(here != there)
        // Changes of both go both ways.
        try ana.run("tasks", "edit", here, "--title", "Fix the whole roof")
        try bob.run("tasks", "edit", there, "--notes", "Tiles are ordered")
        #expect(
            try until(ana, bob) {
                try titles(bob) == ["Fix the whole roof"]
                    && ana.run("tasks", "show", here, "--json").json()["notes"] as? String == "Tiles are ordered"
            })
        let done = try bob.run("tasks", "done", there)
        #expect(done.status == 0, "\(done.errors)")
        #expect(try until(bob, ana) { try titles(ana, "assignee:bob").isEmpty })
        #expect(try ana.run("tasks", "show", here, "--json").json()["status"] as? String == "done")
        try ana.run("tasks", "reopen", here)
        #expect(try until(ana, bob) { try titles(bob, "assignee:me") == ["Fix the whole roof"] })
        // Assigned to somebody else, it is with them.
        try ana.run("tasks", "edit", here, "--assignee", "carl")
        #expect(try until(ana, bob, carl) { try titles(bob).isEmpty && titles(carl) == ["Fix the whole roof"] })
        // It is deleted with the owner's; a copy that is deleted does not come back.
        try ana.run("tasks", "add", "Second assignee:carl")
        #expect(try until(ana, carl) { try titles(carl).count == 2 })
        try carl.run("tasks", "rm", try #require(try tasks(carl, "Second").first?["id"] as? String), "--yes")
        try HelixHome.sync(carl)
        try ana.run(
            "tasks", "edit", try #require(try tasks(ana, "Second").first?["id"] as? String), "--priority", "low")
        try ana.run("tasks", "rm", here, "--yes")
        #expect(try until(ana, carl) { try titles(carl).isEmpty })
        #expect(try titles(ana) == ["Mine alone", "Second"])
        for home in [ana, bob, carl] {
            #expect(try home.run("doctor").status == 0)
            #expect(try home.run("sync").output.contains("nothing new"))
        }
    }

    @Test func aProjectComesWithItsTasksAndWithoutItsMoney() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try bob.run("projects", "add", "Hall")
        try ana.run(
            "projects", "add", "Hall", "--assignee", "bob", "--customer", "Rossi", "--rate", "50", "--notes", "Blue")
        try ana.run("tasks", "add", "Paint project:Hall")
        try ana.run("tasks", "add", "Invoice project:Hall assignee:ana")
        #expect(try until(ana, bob) { try titles(bob) == ["Paint"] })
        let project = try #require(try bob.run("projects", "list", "assignee:me", "--json").items().first)
        // The name was taken there.
        #expect(project["name"] as? String == "Hall (ana)" && project["customer"] as? String == "Rossi")
        #expect(project["hourly_rate"] == nil)
        #expect(try tasks(bob).first?["project"] as? String == "Hall (ana)")
        try bob.run("projects", "edit", "Hall (ana)", "--status", "active")
        #expect(
            try until(bob, ana) {
                try ana.run("projects", "list", "status:active", "--json").items().first?["name"] as? String == "Hall"
            })
        let kept = try #require(try ana.run("projects", "show", "Hall", "--json").json()["hourly_rate"])
        #expect("\(kept)".hasPrefix("50"))
        // A new task of the project is there, too.
        try ana.run("tasks", "add", "Clean up project:Hall")
        #expect(try until(ana, bob) { try titles(bob) == ["Clean up", "Paint"] })
        // Blocks and projects of his own stay his own.
        let paint = try #require(try tasks(bob, "Paint").first?["id"] as? String)
        try bob.run("projects", "add", "secret-client")
        try bob.run("tasks", "edit", paint, "--project", "secret-client", "--block", "salaries")
        try HelixHome.sync(bob)
        try ana.run(
            "tasks", "edit", try #require(try tasks(ana, "Paint").first?["id"] as? String), "--priority", "high")
        #expect(try until(ana, bob) { try tasks(bob, "Paint").first?["priority"] as? String == "high" })
        #expect(try tasks(bob, "Paint").first?["project"] as? String == "secret-client")
        #expect(try tasks(ana, "Paint").first?["block"] == nil)
        // Without its assignee the project and its tasks are gone there.
        try bob.run("tasks", "edit", paint, "--project", "Hall (ana)")
        try HelixHome.sync(bob)
        let ended = try ana.run("projects", "edit", "Hall", "--assignee", "")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(
            try until(ana, bob) {
                try titles(bob).isEmpty
                    && bob.run("projects", "list", "--json").items().compactMap { $0["name"] as? String }.sorted()
                        == ["Hall", "secret-client"]
            })
        #expect(try bob.run("doctor").status == 0 && ana.run("sync").output.contains("nothing new"))
    }

    @Test func sharingGoesOnAfterTheGatewayWasKilled() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        for number in 1...60 { try ana.run("tasks", "add", "Task \(number) assignee:bob") }
        try HelixHome.sync(ana)
        try site.server.kill(afterMilliseconds: 30)
        site.server.waitUntilGone()
        try site.restart()
        #expect(try until(bob) { try titles(bob).count == 60 })
        // A copy that was deleted and restored is one again.
        let id = try #require(try tasks(bob, "title:'Task 7'").first?["id"] as? String)
        try bob.run("tasks", "rm", id, "--yes")
        try HelixHome.sync(bob)
        try bob.run("undo")
        try HelixHome.sync(bob)
        sleep(1)
        try HelixHome.sync(bob)
        try bob.run("tasks", "done", id)
        #expect(try until(bob, ana) { try tasks(ana).count == 59 })
        // Who else it is assigned to is the owner's decision.
        let other = try #require(try tasks(bob, "title:'Task 8'").first?["id"] as? String)
        try bob.run("tasks", "edit", other, "--assignee", "carl")
        #expect(try until(bob) { try tasks(bob, "title:'Task 8'").first?["assignee"] as? String == "bob" })
    }

    @Test func strangersAndTheBlockedAssignNothing() throws {
        let site = try GatewaySite(users: ["ana", "bob"], ["--directory", "members"])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try ana.run("tasks", "add", "Unwanted assignee:bob")
        for _ in 1...3 { try HelixHome.sync(ana, bob) }
        sleep(1)
        try HelixHome.sync(bob)
        #expect(try titles(bob).isEmpty)
        // They talk, and bob blocks her.
        try bob.run("chat", "new", "--with", "ana", "-m", "Hello")
        try HelixHome.sync(bob, ana)
        try bob.run("chat", "block", "ana")
        try ana.run("tasks", "add", "Unwanted, too assignee:bob")
        try HelixHome.sync(ana)
        sleep(1)
        try HelixHome.sync(bob)
        #expect(try titles(bob).isEmpty)
        try bob.run("chat", "unblock", "ana")
        try ana.run("tasks", "add", "Agreed assignee:BOB")
        // From now on she may, and what she assigned before comes, too.
        #expect(try until(ana, bob) { try titles(bob) == ["Agreed", "Unwanted", "Unwanted, too"] })
    }
}
