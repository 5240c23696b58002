import TestSupport
import Testing

/// A word where a command is expected.
@Suite struct CommandNameTests {
    @Test(arguments: [
        (["cal", "wek"], "helix cal week"), (["task", "list"], "helix tasks"), (["tasks", "lst"], "helix tasks list"),
        (["calendar"], "helix cal"), (["tiem", "start"], "helix time"), (["help", "foo"], "There are"),
        (["mial", "list"], "helix mail"), (["week"], "helix cal week"),
        (["tasks", "boards", "lsit"], "helix tasks boards list"),
    ])
    func aMistypedCommandNamesTheOneThatWasMeant(words: [String], meant: String) throws {
        let result = try HelixHome().run(words)
        #expect(result.status == 64 && result.output.isEmpty)
        #expect(result.errors.contains("there is no command") && result.errors.contains(meant), "\(result.errors)")
    }

    @Test func helpOfACommandIsShown() throws {
        let home = try HelixHome()
        for words in [["help"], ["help", "cal", "week"], ["cal", "help"], ["cal", "--help"], ["--help"]] {
            let result = try home.run(words)
            #expect(result.status == 0 && result.output.contains("USAGE"), "\(words) \(result.errors)")
        }
    }
}
