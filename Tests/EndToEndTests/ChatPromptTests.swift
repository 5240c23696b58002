import Foundation
import TestSupport
import Testing

/// The prompt of a conversation, on a terminal.
@Suite struct ChatPromptTests {
    private enum Step {
        case see(String)
        case type(String)
        case run(HelixHome, [String], input: String = "")

        var json: [String: Any] {
            switch self {
            case .see(let text): ["see": text]
            case .type(let text): ["type": text]
            case .run(let home, let arguments, let input):
                ["run": [HelixHome.binary.path] + arguments, "env": home.environment, "input": input]
            }
        }
    }

    /// Opens the prompt, takes the steps, and ends with what the terminal got.
    private func prompt(_ home: HelixHome, _ conversation: String, _ steps: [Step]) throws -> String {
        let file = try home.write(
            String(decoding: try JSONSerialization.data(withJSONObject: steps.map(\.json)), as: UTF8.self),
            to: "steps.json")
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/keys.py").path
        home.environment["TERM"] = "xterm-256color"
        let run = try home.run(
            program: "/usr/bin/python3", [script, file, HelixHome.binary.path, "chat", conversation])
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        return run.output
    }

    @Test func peopleTalkAndTabKnowsWhatIsMeant() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "hello")
        try HelixHome.sync(ana, bob)
        let id = try #require(try bob.run("chat", "show", "House", "--json").items().last?["id"] as? String)
        let folder = ana.folder.appendingPathComponent("papers of today")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("a plan".utf8).write(to: folder.appendingPathComponent("plan.txt"))
        _ = try prompt(
            ana, "House",
            [
                .see("hello"), .see("> "), .run(bob, ["chat", "send", "House", "good morning", "--wait"]),
                .see("good morning"),
                // A word that is begun, and a line with a second one in it.
                .type("and to you, @b\t!\r"), .see("@bob !"),
                .type("/rep\t"), .see("/reply"), .type("\(id.prefix(8)) yes, hello\r"), .see("yes, hello"),
                .type("/attach papers\tpl\t"), .see("'papers of today/plan.txt'"), .type("here\r"), .see("plan.txt"),
                .type("one line\u{1B}\rand another\r"), .see("and another"),
                .type("/nonsense\r"), .see("unknown command"), .type("\u{4}"),
            ])
        try HelixHome.sync(ana, bob)
        let words = try bob.words(of: "House")
        #expect(
            words == [
                "hello", "good morning", "and to you, @bob !", "yes, hello", "here", "one line\nand another",
            ])
        let shown = try bob.run("chat", "show", "House", "--json").items()
        try #require(shown.count == 6)
        #expect(shown[3]["reply_to"] as? String == id)
        #expect((shown[4]["attachments"] as? [[String: Any]])?.first?["name"] as? String == "plan.txt")
    }

    @Test func whoWasShutOutAndIsLetInAgainGoesOnTalking() throws {
        let site = try GatewaySite()
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        _ = try ana.run("chat", "new", "House", "--with", "bob", "--group", "-m", "hello")
        try HelixHome.sync(ana, bob)
        _ = try prompt(
            ana, "House",
            [
                .see("hello"), .see("> "), .run(bob, ["chat", "send", "House", "are you there?", "--wait"]),
                .see("are you there?"), .run(site.host, ["gateway", "user", "disable", "ana"]), .see("user disabled"),
                .type("I was out\r"), .see("I was out"),
                .run(site.host, ["gateway", "user", "enable", "ana"]),
                .type("and am in again\r"), .see("and am in again"),
                .run(bob, ["chat", "send", "House", "welcome", "--wait"]), .see("welcome"), .type("\u{4}"),
            ])
        // On a busy machine her last words wait for the next sync.
        try HelixHome.sync(ana, bob)
        let words = try bob.words(of: "House")
        // She came back within seconds; what was said meanwhile went before.
        #expect(words == ["hello", "are you there?", "welcome", "I was out", "and am in again"])
        #expect(try ana.words(of: "House") == words)
    }
}
