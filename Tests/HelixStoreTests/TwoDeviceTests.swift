import HelixModel
import HelixSQLite
import HelixTasks
import TestSupport
import Testing

@testable import HelixStore

/// Data that two devices made independently of each other, in one store.
@Suite struct TwoDeviceTests {
    private func entry(_ start: Int64, _ end: Int64?, id: EntityID = EntityID()) -> ReplicaRecord {
        ReplicaRecord(
            kind: .timeEntry, id: id,
            fields: [
                "start": .integer(start), "end": end.map { .integer($0) }, "title": "x", "is_billable": 0,
            ])
    }

    /// Random entries, some of them days long, against a plain scan.
    @Test(arguments: [1, 2, 3, 4]) func rangesFindOverlappingEntries(_ seed: UInt64) throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: seed)
        let first = test.now.seconds - 30 * 86_400
        var all: [(start: Int64, end: Int64)] = []
        for _ in 0..<200 {
            let start = first + .random(in: 0..<30 * 86_400, using: &random)
            let length = [600, 7_200, 30_000, 86_400, 90_000, 10 * 86_400].randomElement(using: &random) ?? 60
            all.append((start, start + .random(in: 1...Int64(length), using: &random)))
        }
        // A clock that was forgotten.
        let running = first + 86_400
        try test.store.change("", command: "test") { change in
            for item in all { try change.put(entry(item.start, item.end)) }
            try change.put(entry(running, nil))
        }
        for _ in 0..<100 {
            let start = first - 86_400 + .random(in: 0..<32 * 86_400, using: &random)
            let range = TimeRange(
                start: Instant(start), end: Instant(start + .random(in: 1..<3 * 86_400, using: &random)))
            let found = try test.store.timeEntries(in: range, zone: .utc).map(\.entry.start.seconds)
            let expected =
                all.filter { $0.start < range.end.seconds && $0.end > range.start.seconds }.map(\.start)
                + (running < range.end.seconds ? [running] : [])
            #expect(found == expected.sorted())
        }
        #expect(
            try test.store.timeEntries(in: TimeRange(start: Instant(0), end: Instant(4_000_000_000)), zone: .utc).count
                == 201)
        // Overlaps are no damage, and are told.
        let health = try test.store.health()
        #expect(health.problems.isEmpty && health.overlaps.count > 50)
    }

    @Test func anOverlapIsFoundWhenItArrives() throws {
        let test = try TestStore()
        let (a, b, c) = (EntityID(), EntityID(), EntityID())
        let start = test.now.seconds - 86_400
        try test.store.change("", command: "test") { change in
            try change.put(entry(start, start + 3_600, id: a))
            #expect(try change.overlappingStart(a) == nil)
            try change.put(entry(start + 3_600, start + 7_200, id: b))
            #expect(try change.overlappingStart(b) == nil)
            // At the very same time, too.
            try change.put(entry(start, start + 3_600, id: c))
            #expect(try change.overlappingStart(c) == Instant(start))
        }
    }

    @Test func theColumnsOfUnitsAndRelationsExist() {
        func columns(_ kind: EntityKind) -> Set<String> { Set(EntityDescriptor.of(kind).table.columns) }
        for (kind, units) in ReplicaRecord.units {
            #expect(Set(units.joined()).subtracting(columns(kind)).isEmpty, "\(kind)")
        }
        for relation in ReplicaRelation.all {
            #expect(columns(relation.kind).contains(relation.column), "\(relation)")
        }
    }

    /// Links arrive before their tasks, and stay when these are gone.
    @Test(arguments: [1, 2, 3, 4, 5]) func dependenciesAreCountedInAnyOrder(_ seed: UInt64) throws {
        let test = try TestStore()
        var random = SeededGenerator(seed: seed)
        let column = try test.store.read {
            try String.fetchOne($0, sql: "SELECT id FROM board_column ORDER BY position") ?? ""
        }
        let column2 =
            column.isEmpty
            ? try test.store.change("", command: "test") { try $0.addBoard("b", columns: ["todo", "done"]) }.columns[0]
                .id.text : column
        let ids = (0..<8).map { _ in EntityID() }
        func task(_ id: EntityID, isOpen: Bool) -> ReplicaRecord {
            ReplicaRecord(
                kind: .task, id: id,
                fields: [
                    "title": .string(id.text), "kind": "task", "column_id": .string(column2), "rank": .string(id.text),
                    "state": isOpen ? "open" : "done", "created_at": 1, "due_day": 0, "scheduled_day": 0,
                    "hidden_day": 0,
                ])
        }
        var links: [(id: EntityID, a: EntityID, b: EntityID)] = []
        for _ in 0..<120 {
            try test.store.change("", command: "test") { change in
                let (a, b) = (ids.randomElement(using: &random) ?? ids[0], ids.randomElement(using: &random) ?? ids[1])
                switch Int.random(in: 0..<6, using: &random) {
                case 0, 1: try change.put(task(a, isOpen: .random(using: &random)))
                case 2:
                    if try change.replica(.task, a) != nil {
                        try change.put(ReplicaRecord(kind: .task, id: a, fields: nil))
                    }
                case 3, 4:
                    guard a != b, !links.contains(where: { $0.a == a && $0.b == b }) else { return }
                    let id = EntityID()
                    links.append((id, a, b))
                    try change.put(
                        ReplicaRecord(
                            kind: .link, id: id,
                            fields: ["a": .string(a.text), "b": .string(b.text), "kind": "blocks"]))
                default:
                    guard let place = links.indices.randomElement(using: &random) else { return }
                    let gone = links.remove(at: place)
                    if try change.replica(.link, gone.id) != nil {
                        try change.put(ReplicaRecord(kind: .link, id: gone.id, fields: nil))
                    }
                }
            }
            let wrong = try test.store.read {
                try Int.fetchOne(
                    $0,
                    sql: """
                        SELECT COUNT(*) FROM task t WHERE
                            blockers <> (SELECT COUNT(*) FROM link l, task o
                                WHERE l.b = t.id AND o.id = l.a AND l.kind = 'blocks' AND o.state = 'open')
                            OR blocking <> (SELECT COUNT(*) FROM link l, task o
                                WHERE l.a = t.id AND o.id = l.b AND l.kind = 'blocks' AND o.state = 'open')
                        """)
            }
            try #require(wrong == 0)
        }
    }
}
