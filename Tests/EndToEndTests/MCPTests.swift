import Foundation
import TestSupport
import Testing

/// The MCP server, with the official SDK as its client, and with messages that no client should send.
@Suite struct MCPTests {
    private static let python = Corpora.packageDirectory.appendingPathComponent(".build/oracles/bin/python").path

    private func home() throws -> HelixHome {
        let home = try HelixHome()
        for line in ["add task 1", "plan the week", "plan the month"] {
            _ = try home.run("tasks", "add", "--title", line)
        }
        let many = (0..<400).map { "- [ ] Task number \($0) with a title that takes some room in an answer" }
        try home.write(many.joined(separator: "\n"), to: "many.md")
        #expect(try home.run("tasks", "import", home.folder.path + "/many.md").status == 0)
        _ = try home.run("cal", "add", "Plan review 2026-11-19 9:00 for 1h")
        _ = try home.run("config", "set", "agent.planner.change", "tasks", "calendar")
        return home
    }

    @Test(.enabled(if: TestServer.has(python), "needs the program python with the SDK of MCP"))
    func theOfficialClientUsesBothRevisions() throws {
        let home = try home()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Servers/mcp_check.py").path
        let result = try home.run(program: Self.python, [script, HelixHome.binary.path])
        #expect(result.status == 0, "\(result.output)\(result.errors)")
        // What the agents did is undone, and known as theirs.
        #expect(try home.run("history", "--by", "planner", "--json").items().count >= 6)
        #expect(try home.run("tasks", "list", "+agent", "--ids").output.isEmpty)
    }

    @Test func strangeMessagesAreAnsweredOrIgnored() throws {
        let home = try home()
        let lines = [
            "nonsense", "[]", "{}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nope\"}", "",
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"today\",\"arguments\":[]}}",
            "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/list\",\"params\":{\"cursor\":\"x\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"1999-01-01\"}}}",
            "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2031-01-01\"}}",
            "{\"jsonrpc\":\"2.0\",\"id\":\"7\",\"method\":\"resources/read\",\"params\":{\"uri\":\"file:///etc/passwd\"}}",
        ]
        let result = try home.run(["mcp"], input: lines.joined(separator: "\n"))
        #expect(result.status == 0)
        let answers = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let codes = answers.map { ($0["error"] as? [String: Any])?["code"] as? Int ?? 0 }
        #expect(codes == [-32700, -32600, -32600, -32601, -32600, 0, 0, -32602, -32022, 0, -32602])
        let agreed = (answers[9]["result"] as? [String: Any])?["protocolVersion"] as? String
        #expect(agreed == "2025-11-25")
    }

    /// A request that is cancelled while it waits is not begun.
    @Test func requestsAreCancelledAndTellTheirProgress() throws {
        let home = try home()
        func call(_ id: String, _ title: String) -> String {
            "{\"jsonrpc\":\"2.0\",\"id\":\(id),\"method\":\"tools/call\",\"params\":{\"name\":\"add_task\",\"arguments\":{\"title\":\"\(title)\"},"
                + "\"_meta\":{\"progressToken\":\"t\(title)\"}}}"
        }
        func cancel(_ id: String) -> String {
            "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":\(id)}}"
        }
        // Long lines keep the server busy while the cancellation arrives; one of a request that was never made is ignored.
        let lines = [
            cancel("99"), call("1", "one"), cancel("2"), cancel("\"3\""), call("2", "two"), call("\"3\"", "three"),
            call("3", "four"),
        ]
        let result = try home.run(["--as", "planner", "mcp"], input: lines.joined(separator: "\n") + "\n")
        let answers = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(answers.compactMap { $0["id"] as? Int } == [1, 3] && !answers.contains { $0["id"] as? String == "3" })
        let progress = answers.compactMap { $0["params"] as? [String: Any] }
        #expect(progress.map { $0["progressToken"] as? String } == ["tone", "tone", "tfour", "tfour"])
        #expect(progress.map { $0["progress"] as? Int } == [0, 1, 0, 1])
        let titles = try home.run("tasks", "list", "--json", "--limit", "all").items().compactMap {
            $0["title"] as? String
        }
        #expect(
            titles.contains("one") && titles.contains("four") && !titles.contains("two") && !titles.contains("three"))
    }

    @Test func installationIsPrinted() throws {
        let home = try home()
        for client in ["claude-code", "claude-desktop", "codex", "cursor", "gemini", "vscode"] {
            let result = try home.run("--as", "planner", "mcp", "install", client)
            #expect(
                result.status == 0 && result.output.contains("--as") && result.output.contains("planner"), "\(client)")
        }
        #expect(try home.run("mcp", "install", "nobody").status == 64)
    }
}
