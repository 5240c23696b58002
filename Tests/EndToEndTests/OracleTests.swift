import Foundation
import TestSupport
import Testing

/// Answers of helix agree with those of independent programs over the same data.
@Suite struct OracleTests {
    /// Runs a program of `Tests/Oracles`, which ends with 0 if it agrees.
    private func run(
        _ program: String, with python: String = "/usr/bin/python3", seed: Int, count: Int
    ) throws -> HelixHome.Result {
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/\(program)").path
        let folder = home.folder.appendingPathComponent("model").path
        let result = try home.run(
            program: python, [script, HelixHome.binary.path, folder, "\(seed)", "\(count)"])
        #expect(result.status == 0, "\(result.output.suffix(3000))\(result.errors.suffix(2000))")
        return result
    }

    /// Python with recurring-ical-events, which `make test-packages` sets up.
    private static let withOracles = Corpora.packageDirectory.appendingPathComponent(".build/oracles/bin/python").path

    @Test(arguments: Corpora.isThorough ? Array(1...20) : [1])
    func calendarsAreListedAsRecurringICalEventsFindsThem(_ seed: Int) throws {
        try #require(FileManager.default.isExecutableFile(atPath: Self.withOracles), "run: make test-packages")
        _ = try run("agenda_model.py", with: Self.withOracles, seed: seed, count: Corpora.isThorough ? 100 : 15)
    }

    @Test(arguments: Corpora.isThorough ? Array(1...10) : [1])
    func wordsAreFoundAsIfAllTextsWereRead(_ seed: Int) throws {
        _ = try run("search_model.py", seed: seed, count: Corpora.isThorough ? 300 : 30)
    }
}

/// All that is done can be undone and made again, exactly.
@Suite struct UndoModelTests {
    @Test(arguments: Corpora.isThorough ? Array(1...20) : [1]) func undoAndRedoAreExact(_ seed: Int) throws {
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/undo_model.py").path
        let result = try home.run(
            program: "/usr/bin/python3",
            [
                script, HelixHome.binary.path, home.folder.appendingPathComponent("model").path, "\(seed)",
                Corpora.isThorough ? "150" : "40",
            ])
        #expect(result.status == 0, "\(result.output.suffix(3000))\(result.errors.suffix(2000))")
    }
}

/// Commands that are killed, and disks that are full or broken, at the system calls of all that changes anything.
@Suite struct FaultSweepTests {
    /// Those that are tried each time; `make test-faults` tries all that there are.
    private static let usual = ["tasks add", "mail send", "mail delete", "cal edit", "projects attach", "chat new"]

    @Test func whateverBreaksTheStoreIsWholeAndTheAnswerTrue() throws {
        let home = try HelixHome()
        let script = Corpora.packageDirectory.appendingPathComponent("Tests/Oracles/fault_sweep.py").path
        let result = try home.run(
            program: "/usr/bin/python3",
            [
                script, HelixHome.binary.path, home.folder.appendingPathComponent("sweep").path,
                Corpora.isThorough ? "0.5" : "0.08",
            ] + (Corpora.isThorough ? [] : Self.usual))
        #expect(result.status == 0, "\(result.errors.suffix(2000))")
        let lines = result.output.split(separator: "\n")
        let sums = try JSONSerialization.jsonObject(with: Data((lines.last ?? "").utf8)) as? [String: Any] ?? [:]
        #expect(
            sums["harm"] as? Int == 0, "\(lines.filter { $0.hasPrefix("HARM") }.prefix(20).joined(separator: "\n"))")
        // Commands that change something and have no example that runs are not tried: their help needs one.
        #expect(sums["commands"] as? Int ?? 0 >= (Corpora.isThorough ? 60 : Self.usual.count))
    }
}
