import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// What agents are told about the commands is what the commands are.
@Suite struct CommandDescriptionTests {
    @Test func everyCommandIsDescribed() throws {
        let home = try HelixHome(zone: "UTC")
        let items = try home.perform("schema", "--commands", "--json").items()
        let commands = items.filter { $0["kind"] as? String == "command" }
        let names = commands.compactMap { $0["command"] as? String }
        #expect(names.count > 150 && Set(names).count == names.count)
        for command in commands {
            let name = command["command"] as? String ?? ""
            let words = name.split(separator: " ").map(String.init)
            #expect(HelixProgram.leafType(words) != nil, "\(name)")
            #expect((command["summary"] as? String)?.isEmpty == false, "\(name)")
            // Whatever changes something can be tried, but for what a person does with it, or what serves others.
            let isServed = [
                "mail read", "chat open", "config edit", "gateway serve", "mcp serve", "watch run", "ui",
            ].contains(name)
            #expect(isServed ? command["effect"] as? String == "changes" : true, "\(name)")
            if command["effect"] as? String == "changes", !isServed {
                #expect(command["dry_run"] as? Bool == true, "\(name)")
            }
        }
        let statuses = items.filter { $0["kind"] as? String == "status" }.compactMap { $0["status"] as? Int }
        #expect(statuses == [0, 1, 64, 65, 66, 69, 73, 74, 75, 76, 77, 78, 80, 81])
        let one = try home.perform("schema", "--commands", "tasks", "add", "--json").items()
        let add = try #require(one.last)
        #expect((add["options"] as? [String])?.contains { $0.hasPrefix("--priority <") } == true)
        #expect((add["arguments"] as? [String])?.first?.hasPrefix("[text …]") == true)
        #expect(try home.perform("schema", "--commands", "tasks", "fly").status == 66)
    }

    /// Each command of the pages for agents runs as it stands there.
    @Test(arguments: ["docs/skills/helix/SKILL.md"])
    func thePagesForAgentsAreRight(_ page: String) throws {
        let home = try HelixHome(zone: "UTC")
        try home.perform("tasks", "add", "Paint project:home")
        let text = try String(contentsOf: Corpora.packageDirectory.appendingPathComponent(page), encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("helix ") }
        #expect(lines.count > 10)
        for line in lines {
            let result = try home.run(
                program: "/bin/sh",
                ["-c", "PATH='\(HelixHome.binary.deletingLastPathComponent().path)':$PATH; \(line)"])
            #expect(result.status == 0, "\(line): \(result.errors)")
        }
    }
}
