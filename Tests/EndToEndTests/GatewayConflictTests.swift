import Foundation
import TestSupport
import Testing

/// Changes on two devices to the same thing, with `--strategy ask`: both versions stay until the user decides.
@Suite struct GatewayConflictTests {
    /// Two devices of a user; the first one asks.
    private func devices() throws -> (site: GatewaySite, asking: HelixHome, other: HelixHome) {
        let site = try GatewaySite()
        let (asking, other) = (try site.device(of: "ana"), try site.device(of: "ana"))
        let edited = try asking.run("account", "edit", "hub", "--strategy", "ask")
        if edited.status != 0 { throw OracleFailure(message: edited.errors) }
        return (site, asking, other)
    }

    private func task(_ home: HelixHome, _ id: String) throws -> [String: Any] {
        try home.run("tasks", "show", id, "--json").json()
    }

    @Test(arguments: ["local", "server"])
    func bothVersionsStayUntilOneIsChosen(_ keep: String) throws {
        let (site, asking, other) = try devices()
        defer { withExtendedLifetime(site) {} }
        try asking.run("tasks", "add", "Paint the hall due:2027-01-10")
        try HelixHome.sync(asking, other)
        let id = try #require(try asking.run("tasks", "list", "--json").items().first?["id"] as? String)
        try asking.run("tasks", "edit", id, "--title", "Paint the hall blue", "--priority", "high")
        try other.run("tasks", "edit", id, "--title", "Paint the hall green", "--due", "2027-02-20")
        try other.run("sync")
        let first = try asking.run("sync")
        #expect(first.status == 81, "\(first.status)")
        #expect(first.errors.contains("helix sync resolve") || first.output.contains("helix sync resolve"), "\(first)")
        // Nothing changed on either side, whatever is synced meanwhile.
        try asking.run("tasks", "add", "Buy paint")
        for _ in 1...2 { try asking.run("sync") }
        try other.run("sync")
        #expect(try task(asking, id)["title"] as? String == "Paint the hall blue")
        #expect(try task(other, id)["title"] as? String == "Paint the hall green")
        #expect(try other.run("tasks", "list", "--json").items().count == 2)
        let conflict = try #require(try asking.run("sync", "conflicts", "--json").items().first)
        #expect(conflict["id"] as? String == id && conflict["type"] as? String == "task")
        let differences = try #require(conflict["differences"] as? [[String: Any]])
        #expect(differences.map { $0["name"] as? String } == ["title"])
        #expect(differences[0]["here"] as? String == "Paint the hall blue")
        #expect(differences[0]["there"] as? String == "Paint the hall green")
        #expect(differences[0]["before"] as? String == "Paint the hall")
        let shown = try asking.run("sync", "conflicts").output
        #expect(shown.contains("blue") && shown.contains("green"), "\(shown)")
        // Chosen, it is the same on both, with what only one side changed.
        #expect(try asking.run("sync", "resolve", String(id.prefix(6)), "--keep", keep).status == 0)
        #expect(try asking.run("sync", "conflicts", "--json").items().isEmpty)
        // The version that lost is not lost.
        #expect(
            try asking.run("history", id).output.contains(keep == "local" ? "hall green" : "hall blue"))
        #expect(try asking.run("sync").status == 0)
        try other.run("sync")
        for home in [asking, other] {
            let now = try task(home, id)
            #expect(now["title"] as? String == "Paint the hall \(keep == "local" ? "blue" : "green")")
            #expect(now["priority"] as? String == "high" && (now["due"] as? String)?.hasPrefix("2027-02-20") == true)
        }
        #expect(try asking.run("sync").output.contains("nothing new"))
        #expect(try asking.run("doctor").status == 0)
    }

    @Test func bothKeepsACopyOfAnEventAndOfATask() throws {
        let (site, asking, other) = try devices()
        defer { withExtendedLifetime(site) {} }
        try asking.run("cal", "add", "Dinner 2027-03-01 19:00 for 2h")
        try asking.run("tasks", "add", "Call Bo")
        try HelixHome.sync(asking, other)
        let event = try #require(try asking.run("cal", "list", "2027-03-01", "--json").items().first?["id"] as? String)
        let task = try #require(try asking.run("tasks", "list", "--json").items().first?["id"] as? String)
        for (home, place) in [(asking, "Rome"), (other, "Oslo")] {
            try home.run("cal", "edit", event, "--location", place)
            try home.run("tasks", "edit", task, "--title", "Call Bo in \(place)")
        }
        try other.run("sync")
        try asking.run("sync")
        let conflicts = try asking.run("sync", "conflicts", "--json").items()
        #expect(Set(conflicts.compactMap { $0["type"] as? String }) == ["event", "task"])
        let differences = conflicts.compactMap { $0["differences"] as? [[String: Any]] }.flatMap { $0 }
        #expect(Set(differences.compactMap { $0["here"] as? String }) == ["Rome", "Call Bo in Rome"])
        #expect(try asking.run("sync", "resolve", event, task, "--keep", "both").status == 0)
        try asking.run("sync")
        try other.run("sync")
        for home in [asking, other] {
            let places = try home.run("cal", "list", "2027-03-01", "--json").items().compactMap {
                $0["location"] as? String
            }
            #expect(places.sorted() == ["Oslo", "Rome"])
            let titles = try home.run("tasks", "list", "--json").items().compactMap { $0["title"] as? String }
            #expect(titles.sorted() == ["Call Bo in Oslo", "Call Bo in Rome"])
            #expect(try home.run("doctor").status == 0)
        }
    }

    @Test func aConflictEndsWithItsReason() throws {
        let (site, asking, other) = try devices()
        defer { withExtendedLifetime(site) {} }
        for title in ["one", "two", "three"] { try asking.run("tasks", "add", title) }
        try HelixHome.sync(asking, other)
        let tasks = try asking.run("tasks", "list", "--json").items()
        let ids = tasks.compactMap { $0["id"] as? String }
        let former = try #require(tasks.first?["title"] as? String)
        for id in ids {
            try asking.run("tasks", "edit", id, "--title", "here")
            try other.run("tasks", "edit", id, "--title", "there")
        }
        try other.run("sync")
        try asking.run("sync")
        #expect(try asking.run("sync", "conflicts", "--json").items().count == 3)
        // The local change is taken back; the other device's change is what was here; another strategy decides the rest.
        try asking.run("tasks", "edit", ids[0], "--title", former)
        try other.run("tasks", "edit", ids[1], "--title", "here")
        try other.run("sync")
        try asking.run("sync")
        let left = try asking.run("sync", "conflicts", "--json").items().compactMap { $0["id"] as? String }
        #expect(left == [ids[2]])
        #expect(try task(asking, ids[0])["title"] as? String == "there")
        try asking.run("account", "edit", "hub", "--strategy", "server")
        #expect(try asking.run("sync").status == 0)
        #expect(try asking.run("sync", "conflicts", "--json").items().isEmpty)
        try other.run("sync")
        for id in ids {
            #expect(try task(asking, id)["title"] as? String == task(other, id)["title"] as? String)
        }
        #expect(try asking.run("sync").output.contains("nothing new"))
    }

    @Test func anAccountThatIsAddedAgainStillAsks() throws {
        let (site, asking, other) = try devices()
        defer { withExtendedLifetime(site) {} }
        try asking.run("tasks", "add", "Water")
        try HelixHome.sync(asking, other)
        let id = try #require(try asking.run("tasks", "list", "--json").items().first?["id"] as? String)
        try asking.run("tasks", "edit", id, "--title", "here")
        try other.run("tasks", "edit", id, "--title", "there")
        try other.run("sync")
        #expect(try asking.run("sync").status == 81)
        #expect(try asking.run("account", "remove", "hub", "--yes").status == 0)
        #expect(try asking.run("undo").status == 0)
        #expect(try asking.run("sync").status == 81)
        #expect(try task(asking, id)["title"] as? String == "here")
        #expect(try asking.run("sync", "resolve", id, "--keep", "server").status == 0)
        try HelixHome.sync(asking, other)
        for home in [asking, other] { #expect(try task(home, id)["title"] as? String == "there") }
        #expect(try asking.run("sync").output.contains("nothing new"))
    }

    /// Tasks that are deleted before their project: the other device deletes all of them.
    @Test func whatIsDeletedTogetherIsGoneTogether() throws {
        let (site, one, two) = try devices()
        defer { withExtendedLifetime(site) {} }
        try one.run("projects", "add", "Hall")
        for title in ["Paint", "Clean"] { try one.run("tasks", "add", "\(title) project:Hall") }
        try HelixHome.sync(one, two)
        let ids = try one.run("tasks", "list", "--json").items().compactMap { $0["id"] as? String }
        #expect(try one.run(["tasks", "rm"] + ids + ["--yes"]).status == 0)
        #expect(try one.run("projects", "delete", "Hall").status == 0)
        try HelixHome.sync(one)
        let second = try two.run("sync")
        #expect(second.status == 0 && !second.output.contains("kept"), "\(second.output)")
        #expect(try two.run("tasks", "list", "--json").items().isEmpty)
        #expect(try two.run("projects", "list", "--json").items().isEmpty)
    }
}
