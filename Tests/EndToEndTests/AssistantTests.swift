import Foundation
import TestSupport
import Testing

/// Assistants: one that this machine asks, one at a gateway of helix, and agents of other gateways.
@Suite final class AssistantTests {
    /// They run until the test ends.
    private var servers: [TestServer] = []

    private func assistant(_ kind: String) throws -> TestServer {
        let server = try TestServer("fake_completions.py", ports: 1, [kind])
        servers.append(server)
        return server
    }

    private func url(_ server: TestServer) -> String { "http://127.0.0.1:\(server.ports[0])/v1" }

    private func home(_ kind: String) throws -> (HelixHome, TestServer) {
        let server = try assistant(kind)
        let home = try HelixHome()
        try home.run("config", "set", "assistant.url", url(server))
        return (home, server)
    }

    private func requests(_ server: TestServer) throws -> [[String: Any]] {
        let path = server.folder.appendingPathComponent("requests.jsonl")
        guard let text = try? String(contentsOf: path, encoding: .utf8) else { return [] }
        return try text.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    private func words(_ home: HelixHome, _ id: String) throws -> [String] {
        try home.run("chat", "show", id, "--json").items().map { $0["content"] as? String ?? "?" }
    }

    /// Presses Ctrl-C some time after the answer has begun.
    private func askAndBreakOff(_ question: String, _ home: HelixHome) throws -> HelixHome.Result {
        let helix = HelixHome.binary.path
        let script = """
            \(helix) chat ask '\(question)' < /dev/null > answer & p=$!
            until [ -s answer ]; do sleep 0.1; kill -0 $p || break; done
            sleep 0.7; kill -INT $p; wait $p; s=$?; cat answer; exit $s
            """
        return try home.run(program: "/bin/sh", ["-c", "cd '\(home.folder.path)' && " + script])
    }

    private func conversation(_ home: HelixHome) throws -> [String: Any] {
        try #require(try home.run("chat", "list", "--all", "--json").items().first)
    }

    @Test(arguments: ["echo", "whole"]) func aQuestionIsAnsweredAndKept(kind: String) throws {
        let (home, server) = try home(kind)
        let asked = try home.run("chat", "ask", "What is 東京?", input: "a diff\n")
        #expect(asked.output == "You said: What is 東京?\n\na diff\n", "\(asked.errors)")
        let kept = try conversation(home)
        #expect(
            kept["archived"] as? Bool == true && kept["type"] as? String == "assistant" && kept["unread"] as? Int == 0)
        let id = try #require(kept["id"] as? String)
        #expect(try words(home, id) == ["What is 東京?\n\na diff", "You said: What is 東京?\n\na diff"])
        // It goes on with all that was said, and with nothing else.
        try home.run("config", "set", "assistant.prompt", "Be short.")
        let json = try home.run("chat", "ask", "--in", id, "And?", "--json", input: "").items().first
        #expect(json?["role"] as? String == "assistant" && json?["content"] as? String == "You said: And?")
        let last = try #require(try requests(server).last?["messages"] as? [[String: String]])
        #expect(last.map { $0["role"] } == ["system", "user", "assistant", "user"])
        #expect(try requests(server).first?["model"] as? String == "first-model")
        try home.run("config", "set", "assistant.history", "1")
        try home.run("chat", "ask", "--in", id, "Only this", input: "")
        #expect((try requests(server).last?["messages"] as? [Any])?.count == 2)
    }

    @Test(arguments: [("locked", 77), ("broken", 76), ("cut", 76), ("leaks", 76)])
    func whatGoesWrongIsSaidAndTheQuestionIsKept(
        kind: String, status: Int32
    ) throws {
        let (home, _) = try home(kind)
        if kind == "leaks" { try home.run("config", "set", "assistant.key-command", "echo sesame") }
        let asked = try home.run("chat", "ask", "Open", input: "")
        #expect(asked.status == status, "\(asked.errors)")
        #expect(!asked.errors.contains("sesame"))
        let id = try #require(try conversation(home)["id"] as? String)
        #expect(try words(home, id) == ["Open"])
        if kind == "locked" {
            try home.run("config", "set", "assistant.key-command", "echo sesame")
            #expect(try home.run("chat", "ask", "Open", input: "").output == "You said: Open\n")
        }
    }

    @Test func withoutAnAssistantItIsSaidWhatToDo() throws {
        let home = try HelixHome()
        try home.run("config", "set", "assistant.url", "http://127.0.0.1:9/v1")
        #expect(try home.run("chat", "ask", "Hello", input: "").status == 69)
        #expect(try home.run("chat", "ask", input: "").status == 64)
    }

    @Test func anAssistantIsAMemberOfAGroupAndAnswersWhereItIsNamed() throws {
        let server = try assistant("echo")
        let site = try GatewaySite(["--assistant-url", url(server)])
        let (ana, bob) = (try site.device(of: "ana"), try site.device(of: "bob"))
        try bob.run("sync")
        func say(_ text: String, by home: HelixHome) throws {
            let sent = try home.run("chat", "send", "House", text)
            #expect(sent.status == 0, "\(sent.errors)")
            try HelixHome.sync(home)
        }
        func contents(_ home: HelixHome, count: Int) throws -> [String] {
            var found: [String] = []
            for _ in 0..<50 {
                try HelixHome.sync(home)
                found = try home.run("chat", "show", "House", "--json").items().filter {
                    $0["role"] as? String != "system"
                }.map { "\($0["role"] as? String ?? ""): \($0["content"] as? String ?? "")" }
                if found.count >= count { break }
                usleep(100_000)
            }
            return found
        }
        #expect(try ana.run("chat", "new", "House", "--with", "bob", "-m", "Secret of before").status == 0)
        try say("@assistant are you there?", by: ana)
        let invited = try ana.run("chat", "invite", "House", "assistant")
        #expect(invited.status == 0, "\(invited.errors)")
        try HelixHome.sync(ana, bob)
        // Only a message that names it is answered, and an address does not.
        try say("Hello everybody, ask me@assistant.example", by: bob)
        try say("Is it raining, @Assistant?", by: bob)
        let wanted = [
            "user: Secret of before", "user: @assistant are you there?",
            "user: Hello everybody, ask me@assistant.example", "user: Is it raining, @Assistant?",
        ]
        for home in [ana, bob] {
            let all = try contents(home, count: 5)
            #expect(Array(all.prefix(4)) == wanted, "\(all)")
            #expect(all.count == 5 && all.last == "assistant: You said: bob: Is it raining, @Assistant?", "\(all)")
        }
        // It was shown what was said since it is a member, with the names of the authors.
        let asked = try requests(server)
        #expect(asked.count == 1)
        let turns = (asked.first?["messages"] as? [[String: Any]] ?? []).map { $0["content"] as? String ?? "" }
        #expect(turns.first?.contains("group 'House'") == true && !turns.contains { $0.contains("Secret") }, "\(turns)")
        #expect(
            Array(turns.dropFirst()) == [
                "bob: Hello everybody, ask me@assistant.example", "bob: Is it raining, @Assistant?",
            ])
        // In a conversation of two it need not be named, and it is no admin.
        #expect(try bob.run("chat", "new", "--with", "assistant", "-m", "Hello").status == 0)
        var direct: [String] = []
        for _ in 0..<50 where direct.count < 2 {
            try HelixHome.sync(bob)
            direct = try bob.run("chat", "show", "assistant", "--json").items().map { $0["content"] as? String ?? "" }
            usleep(100_000)
        }
        #expect(direct == ["Hello", "You said: bob: Hello"], "\(direct)")
        // Nobody can sign in as it, and without it nobody answers.
        #expect(try site.host.run("gateway", "user", "list").output.contains("assistant"))
        #expect(try ana.run("chat", "leave", "House", "assistant").status == 64)
        #expect(try site.host.run("gateway", "user", "disable", "assistant").status == 0)
        sleep(2)
        try say("@assistant and now?", by: ana)
        usleep(500_000)
        #expect(try contents(bob, count: 6).count == 6 && (try requests(server)).count == 2)
    }

    @Test func aGatewayAnswersItsUsersAndKeepsWhatWasSaid() throws {
        let server = try assistant("echo")
        let site = try GatewaySite(
            ["--assistant-url", url(server), "--assistant-model", "second-model", "--assistant-prompt", "Be kind."])
        let (a, b) = (try site.device(of: "ana"), try site.device(of: "ana"))
        let asked = try a.run("chat", "ask", "Is it raining?", input: "")
        #expect(asked.output == "You said: Is it raining?\n", "\(asked.errors)")
        #expect(try requests(server).first?["model"] as? String == "second-model")
        try a.run("sync")
        #expect(try a.run("chat", "list", "--json").items().isEmpty, "it is out of sight")
        try b.run("sync")
        let id = try #require(try conversation(b)["id"] as? String)
        #expect(try words(b, id) == ["Is it raining?", "You said: Is it raining?"])
        // From the other device it goes on; bob sees nothing of it.
        #expect(try b.run("chat", "ask", "--in", id, "And now?", input: "").output == "You said: And now?\n")
        try a.run("sync")
        #expect(try words(a, id).count == 4)
        let bob = try site.device(of: "bob")
        try bob.run("sync")
        #expect(try bob.run("chat", "list", "--all", "--json").items().isEmpty)
        // As programs of other makers talk with it.
        try site.scenario("assistant", "ana:ana's password")
    }

    @Test func anAnswerIsBrokenOffAndWhatWasSaidStays() throws {
        let server = try assistant("slow")
        let site = try GatewaySite(["--assistant-url", url(server)])
        let local = try HelixHome()
        try local.run("config", "set", "assistant.url", url(server))
        for home in [try site.device(of: "ana"), local] {
            let asked = try askAndBreakOff("Tell me", home)
            #expect(asked.output.hasPrefix("You said: Tell me and so on"), "\(asked.output) \(asked.errors)")
            let id = try #require(try conversation(home)["id"] as? String)
            let kept = try words(home, id)
            #expect(kept.count == 2 && kept[1].hasPrefix("You said: Tell me") && kept[1].count < 500)
        }
        #expect(FileManager.default.fileExists(atPath: server.folder.appendingPathComponent("broken-off").path))
    }

    @Test(arguments: ["agent3", "agent4"]) func anAgentOfAnotherGatewayIsTalkedWith(kind: String) throws {
        let server = try TestServer("fake_gateway.py", ports: 1, [kind])
        servers.append(server)
        let home = try HelixHome()
        try home.run(
            "account", "add", "claw", "gateway", "ws://127.0.0.1:\(server.ports[0])", "--token-command", "echo tok-123")
        let asked = try home.run("chat", "ask", "one two three", input: "")
        #expect(asked.output == "one two three\n", "\(asked.errors)")
        #expect(try home.run("chat", "ask", "silent end", input: "").output == "silent end\n")
        #expect(try home.run("chat", "ask", "only history", input: "").output == "only history\n")
        // What was said there before comes here, once.
        #expect(try home.run("sync").status == 0)
        #expect(try home.run("sync").status == 0)
        #expect(try words(home, "About main") == ["old question", "old answer"])
        let list = try home.run("chat", "list", "--all", "--json").items()
        #expect(list.count == 4)
        let id = try #require(list.first { ($0["name"] as? String) == "one two three" }?["id"] as? String)
        #expect(try words(home, id) == ["one two three", "one two three"])
        // It goes on in the same session, and is sent once.
        #expect(try home.run("chat", "ask", "--in", id, "four", input: "").output == "four\n")
        #expect(try home.run("chat", "send", id, "five", "--wait").status == 0)
        #expect(try home.run("sync").status == 0)
        #expect(try words(home, id).prefix(5) == ["one two three", "one two three", "four", "four", "five"])
        let sent = try String(contentsOf: server.folder.appendingPathComponent("sent.jsonl"), encoding: .utf8)
        #expect(sent.split(separator: "\n").count == 5)
        // There is nobody else.
        #expect(try home.run("chat", "new", "--with", "bob", "-m", "hello").status == 0)
        _ = try home.run("sync")
        #expect(
            try home.run("chat", "list", "--json").items().contains {
                ($0["problem"] as? String)?.contains("no other users") == true
            })
        let broken = try askAndBreakOff("go on", home)
        #expect(broken.output.hasPrefix("on on"), "\(broken.errors)")
    }
}
