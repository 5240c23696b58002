import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import HelixCommands

/// Whatever is done in whatever order can be undone to the first state and made again to the last, exactly.
@Suite struct RandomWalkTests {
    static func commands(of type: any ParsableCommand.Type = Helix.self, _ path: [String] = []) -> [String] {
        let below = type.configuration.subcommands
        if below.isEmpty {
            let changes = type is any ChangingCommand.Type || type is any DryRunCommand.Type
            return changes ? [path.joined(separator: " ")] : []
        }
        return below.flatMap { commands(of: $0, path + [$0.configuration.commandName ?? ""]) }
    }

    @Test func theWalkKnowsEveryCommandThatChangesSomething() throws {
        var walk = try RandomWalk(seed: 1)
        for command in Self.commands() where RandomWalk.outside[command] == nil {
            #expect(try walk.words(command) != nil, "\(command)")
        }
        #expect(Set(RandomWalk.outside.keys).subtracting(Self.commands()) == [])
    }

    private static func doctor(_ walk: RandomWalk) throws {
        let result = try walk.home.perform("doctor")
        #expect(result.status == 0, "\(result.output)\(result.errors)")
    }

    @Test(arguments: Corpora.isThorough ? Array(1...10) : [1])
    func everythingIsUndoneAndMadeAgain(_ seed: UInt64) throws {
        var walk = try RandomWalk(seed: seed)
        let commands = Self.commands().filter { RandomWalk.outside[$0] == nil }
        var random = SeededGenerator(seed: seed &* 31)
        // Commands that create things come more often, so that there is something to change.
        let creating = ["cal add", "tasks add", "time add", "mail new", "chat send", "projects attach", "tasks move"]
        var states = [try walk.state()]
        var used: Set<String> = []
        var refusals: [String: String] = [:]
        let steps = Corpora.samples(2000)
        for number in 0..<steps {
            // Those that had nothing to change until then are tried again, in the second half.
            let missed = number > steps / 2 ? commands.filter { !used.contains($0) } : []
            let choices = [creating, commands, missed.isEmpty ? commands : missed].randomElement(using: &random)
            let command = choices?.randomElement(using: &random) ?? ""
            let words = try walk.words(command) ?? []
            let result = try walk.home.perform(words)
            #expect(
                [0, 64, 65, 66, 78, 80, 73, 75].contains(result.status), "\(words): \(result.status) \(result.errors)")
            if result.status == 0 { used.insert(command) } else { refusals[command] = "\(words): \(result.errors)" }
            let state = try walk.state()
            if state != states.last { states.append(state) }
            // A few steps back and forth in between.
            if Int.random(in: 0..<40, using: &random) == 0 {
                for _ in 0..<3 { try walk.home.perform("undo") }
                while try walk.home.perform("redo").status == 0 {}
                #expect(try walk.state() == states.last, "after \(words)")
            }
        }
        // Identities are random, so that a rare command may find nothing to change; one that never works is among many.
        let missed = commands.filter { !used.contains($0) }.map { "\($0): \(refusals[$0] ?? "")" }
        #expect(missed.count <= 3 || Corpora.isBrief, "never succeeded: \(missed.joined(separator: "\n"))")
        try Self.doctor(walk)
        try Self.step("undo", through: states.reversed(), walk)
        try Self.doctor(walk)
        try Self.step("redo", through: states, walk)
        try Self.doctor(walk)
    }

    /// Goes through all states. A change may leave no trace in them, and a command may make up to three changes: to send a message
    /// is to keep it as a draft first.
    private static func step(_ command: String, through states: [[String: String]], _ walk: RandomWalk) throws {
        func rows(_ state: [String: String], _ table: String) -> Set<Substring> {
            Set((state[table] ?? "").split(separator: "\n"))
        }
        var place = 0
        var between = 0
        while place < states.count - 1 {
            let result = try walk.home.perform(command)
            try #require(result.status == 0, "\(command) at \(place) of \(states.count): \(result.errors)")
            let now = try walk.state()
            if now == states[place] { continue }
            let wanted = states[place + 1]
            between = now == wanted ? 0 : between + 1
            if now == wanted { place += 1 }
            if between < 3 { continue }
            let different = now.keys.sorted().filter { now[$0] != wanted[$0] }.map { name in
                let (a, b) = (rows(now, name), rows(wanted, name))
                return "\(name): is \(a.subtracting(b).sorted().prefix(2)), was \(b.subtracting(a).sorted().prefix(2))"
            }
            throw OracleFailure(
                message: "\(command) at \(place) of \(states.count): \(result.output) \(different)")
        }
    }
}
