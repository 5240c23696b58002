import TestSupport
import Testing

/// A word where a command is expected.
@Suite struct CommandNameTests {
    @Test(arguments: [
        (["cal", "wek"], "helix cal week"), (["taskss", "list"], "helix tasks"),
        (["tasks", "lst"], "helix tasks list"),
        (["calendr"], "helix cal"), (["tiem", "start"], "helix time"), (["help", "foo"], "Use one of"),
        (["mial", "list"], "helix mail"), (["week"], "helix cal week"),
        (["tasks", "boards", "lsit"], "helix tasks boards list"),
    ])
    func aMistypedCommandNamesTheOneThatWasMeant(words: [String], meant: String) throws {
        let result = try HelixHome().run(words)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("unknown command") && result.errors.contains(meant), "\(result.errors)")
    }

    @Test func helpOfACommandIsShown() throws {
        let home = try HelixHome()
        for words in [["help"], ["help", "cal", "week"], ["cal", "help"], ["cal", "--help"], ["--help"]] {
            let result = try home.run(words)
            #expect(result.status == 0 && result.output.contains("USAGE"), "\(words) \(result.errors)")
        }
    }

    /// An example that is wider than a terminal would be broken in the middle.
    @Test func examplesOfTheHelpFitATerminal() throws {
        let home = try HelixHome()
        let help = try home.run("--experimental-dump-help").json()
        func examples(_ command: [String: Any]) -> [String] {
            let own = (command["discussion"] as? String ?? "").split(separator: "\n").map(String.init)
            let below = command["subcommands"] as? [[String: Any]] ?? []
            return own.filter { $0.hasPrefix("  ") } + below.flatMap(examples)
        }
        let lines = examples(try #require(help["command"] as? [String: Any]))
        let wide = lines.filter { $0.count > 78 }
        #expect(lines.count > 100 && wide.isEmpty, "\(wide)")
    }
}
