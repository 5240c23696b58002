import Foundation
import HelixModel
import Testing

@testable import HelixCommands

/// The tools of the MCP server are those of their commands.
@Suite struct MCPToolTests {
    @Test func toolsAreFewAndTheirOptionsExist() throws {
        #expect(MCPTool.all.count <= 30)
        #expect(Set(MCPTool.all.map(\.name)).count == MCPTool.all.count)
        for tool in MCPTool.all {
            let (type, rest) = try #require(HelixProgram.leafType(tool.command), "\(tool.name)")
            #expect(rest.isEmpty && type.configuration.subcommands.isEmpty, "\(tool.name)")
            let names = DeclaredOption.all(of: type).flatMap(\.names)
            for option in tool.options + tool.fixed.map({ String($0.dropFirst(2)) }) {
                #expect(names.contains("--" + option), "\(tool.name) has no --\(option)")
            }
            let changes = type is any ChangingCommand.Type || type is any DryRunCommand.Type
            #expect(changes == (tool.effect != .reads), "\(tool.name)")
        }
    }

    @Test func schemasAreThoseOfTheCommands() throws {
        let now = MCPTool.all.map { ($0.name, $0.input().compact) }
        if ProcessInfo.processInfo.environment["HELIX_WRITE_TOOLS"] != nil {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../Sources/HelixCommands/MCP/MCPToolSchemas.swift").standardized
            let text = try String(contentsOf: file, encoding: .utf8)
            let head = try #require(text.range(of: "    static let texts: [String: String] = [")).upperBound
            let lines = now.map { "        \"\($0.0)\": #\"\($0.1)\"#,\n" }.joined()
            try Data((text[..<head] + "\n" + lines + "    ]\n}\n").utf8).write(to: file)
            return
        }
        for (name, schema) in now { #expect(MCPToolSchemas.texts[name] == schema, "\(name)") }
        #expect(MCPToolSchemas.texts.count == now.count)
    }

    /// A query is a line of words, as at the prompt; a text is one word.
    @Test func queriesAreSplitIntoWords() throws {
        func words(_ name: String, _ argument: String, _ text: String) throws -> [String] {
            let tool = try #require(MCPTool.all.first { $0.name == name })
            return Array(
                try tool.words(of: .object([.init(name: argument, value: .string(text))])).drop { $0 != "--json" }
                    .dropFirst())
        }
        #expect(try words("list_mail", "query", "from:ana  boiler -draft") == ["from:ana", "boiler", " -draft"])
        #expect(try words("list_tasks", "filter", "project:\"my house\" +x") == ["project:\"my house\"", "+x"])
        #expect(try words("search", "query", "\"a b\" c") == ["\"a b\"", "c"])
        #expect(try words("search", "query", "open \"a b") == ["open", "\"a b"])
        #expect(try words("add_task", "text", "Buy milk due:fri") == ["Buy milk due:fri"])
    }

    /// No value becomes an option.
    @Test func valuesStayValues() throws {
        let tool = try #require(MCPTool.all.first { $0.name == "add_task" })
        let words = try tool.words(of: ["text": "--yes", "title": "--json", "tag": ["-a", "--b"], "dry_run": true])
        #expect(words == ["tasks", "add", "--json", "--title=--json", "--tag=-a", "--tag=--b", "--dry-run", " --yes"])
        for arguments: JSONText in [["nope": 1], ["text": 5], ["tag": [["a": 1]]], "x", ["dry-run": true]] {
            #expect(throws: HelixError.self) { try tool.words(of: arguments) }
        }
    }
}
