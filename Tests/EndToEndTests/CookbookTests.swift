import Foundation
import TestSupport
import Testing

/// What docs/cookbook.md tells people to type does what it says.
@Suite struct CookbookTests {
    @Test func everyScriptRunsAsItStands() throws {
        let home = try HelixHome()
        home.environment["PATH"] =
            HelixHome.binary.deletingLastPathComponent().path + ":" + (home.environment["PATH"] ?? "")
        let text = try String(
            contentsOf: Corpora.packageDirectory.appendingPathComponent("docs/cookbook.md"), encoding: .utf8)
        let scripts = text.components(separatedBy: "```sh\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(scripts.count > 10)
        for script in scripts {
            let run = try home.run(program: "/bin/bash", ["-e", "-o", "pipefail", "-c", script])
            #expect(run.status == 0, "\(script)\n\(run.errors)")
            #expect(!run.output.isEmpty, "\(script)")
        }
        #expect(try home.run("doctor").status == 0)
    }

    /// A gateway and three devices of two people talk, share, go offline and agree again.
    @Test func theTourOfAGatewayRunsAsItStands() throws {
        let home = try HelixHome()
        home.environment["PATH"] =
            HelixHome.binary.deletingLastPathComponent().path + ":" + (home.environment["PATH"] ?? "")
        home.environment["HELIX_NOW"] = nil
        let text = try String(
            contentsOf: Corpora.packageDirectory.appendingPathComponent("README.md"), encoding: .utf8)
        let script = try #require(
            text.components(separatedBy: "```sh\n").first { $0.hasPrefix("home=$(mktemp -d)") }?
                .components(separatedBy: "```").first)
        let run = try home.run(program: "/bin/bash", ["-e", "-o", "pipefail", "-c", script])
        #expect(run.status == 0, "\(run.output)\n\(run.errors)")
        #expect(run.output.contains("All three devices have the same messages."))
    }
}
