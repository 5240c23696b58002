import Foundation
import HelixModel
import TestSupport
import Testing

@testable import HelixCommands
@testable import HelixStore

/// Two devices of a user that do whatever they like, and sync now and then, are equal in the end: no change is lost or made
/// twice, whoever made it, and nothing is inconsistent.
@Suite struct ReplicaWalkTests {
    /// The rows that devices share.
    private static func state(_ walk: RandomWalk) throws -> [String: [String]] {
        let shared = ReplicaRecord.kinds.map { EntityDescriptor.of($0).table.name } + ["link", "occurrence"]
        let all = try walk.state().mapValues { $0.split(separator: "\n").map(String.init) }
        var state = all.filter { shared.contains($0.key) }
        // Mail is synced through its own servers, and with it the links to messages.
        let mail = Set(all["message"]?.compactMap { $0.split(separator: "'").first.map(String.init) } ?? [])
        state["link"]?.removeAll { $0.split(separator: " ").contains { mail.contains(String($0)) } }
        return state
    }

    @Test(arguments: Corpora.isThorough ? Array(1...30) : [1, 2])
    func devicesConverge(_ seed: UInt64) throws {
        let gateway = try InProcessGateway()
        var walks = [try RandomWalk(seed: seed), try RandomWalk(seed: seed &+ 1_000)]
        var random = SeededGenerator(seed: seed &* 31)
        for walk in walks { try gateway.add(to: walk.home) }
        let nouns: Set = ["cal", "tasks", "time", "projects", "link", "unlink"]
        let commands = RandomWalkTests.commands().filter {
            RandomWalk.outside[$0] == nil && nouns.contains(String($0.prefix { $0 != " " }))
        }
        let creating = ["cal add", "tasks add", "time add", "projects attach", "tasks move"]
        var canUndo = [false, false]
        func sync(_ walk: RandomWalk) throws {
            let result = try walk.home.perform("sync")
            let lines = result.output.split(separator: "\n").filter { !$0.contains("change ") }
            #expect(result.status == 0, "\(lines.joined(separator: " | ")) \(result.errors)")
        }
        for _ in 0..<Corpora.samples(800) {
            let place = Int.random(in: 0..<2, using: &random)
            switch Int.random(in: 0..<40, using: &random) {
            case 0: try sync(walks[place])
            // Not the account itself.
            case 1 where canUndo[place]: try walks[place].home.perform("undo")
            case 2: try walks[place].home.perform("redo")
            default:
                let command = [creating, commands].randomElement(using: &random)?.randomElement(using: &random) ?? ""
                let words = try walks[place].words(command) ?? []
                let result = try walks[place].home.perform(words)
                canUndo[place] = result.status == 0
                #expect(
                    [0, 64, 65, 66, 78, 80, 73, 75].contains(result.status),
                    "\(words): \(result.status) \(result.errors)")
            }
        }
        // What one device merges, the other receives.
        for _ in 0..<2 { for walk in walks { try sync(walk) } }
        let (first, second) = (try Self.state(walks[0]), try Self.state(walks[1]))
        for name in first.keys.sorted() {
            let (a, b) = (Set(first[name] ?? []), Set(second[name] ?? []))
            #expect(a.subtracting(b).sorted().prefix(3) == [], "\(name) on the first device alone")
            #expect(b.subtracting(a).sorted().prefix(3) == [], "\(name) on the second device alone")
        }
        #expect(Corpora.isBrief || first["task"]?.count ?? 0 > 20)
        for walk in walks {
            let result = try walk.home.perform("doctor")
            #expect(result.status == 0, "\(result.output)\(result.errors)")
            // Nothing is left to sync.
            let again = try walk.home.perform("sync")
            #expect(!again.output.contains("change "), "\(again.output)")
        }
    }
}
