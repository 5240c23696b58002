import Foundation
import TestSupport
import Testing

/// Options that contradict each other are refused, in every command that has them.
@Suite struct OptionPairTests {
    /// Options of which a command takes one at most, wherever they stand together.
    private static let pairs: [(String, String)] = [
        ("json", "jsonl"), ("ids", "json"), ("ids", "jsonl"), ("ids", "count"), ("count", "json"), ("csv", "json"),
        ("csv", "markdown"), ("end", "duration"), ("repeat", "rrule"), ("this", "future"), ("this", "all"),
        ("future", "all"), ("local", "account"), ("raw", "part"), ("raw", "html"), ("limit-to", "no-limit"),
        ("next", "prev"), ("send", "draft"), ("watch", "dry-run"), ("free", "no-free"), ("billable", "no-billable"),
        ("before", "first"), ("after", "first"), ("ids", "format"), ("format", "json"),
    ]

    private struct Leaf {
        var path: [String]
        /// Options by name; whether they take a value.
        var options: [String: Bool]
        var positionals: Int
    }

    private func leaves(_ home: HelixHome) throws -> [Leaf] {
        let dump = try home.run("--experimental-dump-help").output
        let root = try #require(try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any])
        func walk(_ command: [String: Any], _ path: [String]) -> [Leaf] {
            let below = (command["subcommands"] as? [[String: Any]] ?? []).filter {
                $0["commandName"] as? String != "help"
            }
            guard below.isEmpty else { return below.flatMap { walk($0, path + [$0["commandName"] as? String ?? ""]) } }
            var leaf = Leaf(path: path, options: [:], positionals: 0)
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                let kind = argument["kind"] as? String
                if kind == "positional", argument["isOptional"] as? Bool == false { leaf.positionals += 1 }
                for name in argument["names"] as? [[String: Any]] ?? [] where name["kind"] as? String == "long" {
                    leaf.options[name["name"] as? String ?? ""] = kind == "option"
                }
            }
            return [leaf]
        }
        return walk(try #require(root["command"] as? [String: Any]), [])
    }

    @Test func pairsThatExcludeEachOtherAreRefused() throws {
        let home = try HelixHome()
        var tried: Set<String> = []
        // `gateway as` hands its options on to another command.
        for leaf in try leaves(home) where leaf.path != ["gateway", "as"] {
            for (one, other) in OptionPairTests.pairs {
                guard let first = leaf.options[one], let second = leaf.options[other] else { continue }
                tried.insert("\(one) \(other)")
                let words =
                    leaf.path + Array(repeating: "2026", count: leaf.positionals) + ["--\(one)"] + (first ? ["1h"] : [])
                    + ["--\(other)"] + (second ? ["1h"] : [])
                let result = try home.run(words)
                #expect(result.status == 64, "\(words): \(result.status) \(result.output.prefix(200)) \(result.errors)")
            }
        }
        #expect(tried.count > 15)
    }
}
