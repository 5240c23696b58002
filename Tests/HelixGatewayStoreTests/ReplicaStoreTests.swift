import Glibc
import HelixModel
import HelixPostgres
import HelixStore
import TestSupport
import Testing

@testable import HelixGatewayLogs
@testable import HelixGatewayStore

/// A store that devices sync with. Each test runs with every implementation.
struct ReplicaImplementation: Sendable, CustomTestStringConvertible {
    /// The name of the implementation.
    let name: String
    /// Opens the store in a folder.
    let open: @Sendable (_ folder: String) throws -> any ReplicaStore

    var testDescription: String { name }

    /// 2026-11-18 10:00 UTC.
    static let now = Instant(1_795_255_200)
    /// All implementations; a new one is a line here. PostgreSQL is left out where it is not installed.
    static let all =
        [ReplicaImplementation(name: "SQLite") { try Store(path: $0 + "/helix.db", now: now) }]
        + (PostgresSite.isInstalled
            ? [
                ReplicaImplementation(name: "PostgreSQL") { try TwoGateways(folder: $0) }
            ] : [])
}

/// Two gateways with one database, which take turns; now and then the disk of one of them is lost.
final class TwoGateways: ReplicaStore {
    private let (folder, user): (String, EntityID)
    private let logs: PostgresUserLogs
    private var gateways: [LoggedStore?] = [nil, nil]
    private var turn = 0

    init(folder: String) throws {
        self.folder = folder
        let target = try PostgresTarget(try PostgresSite.uri(try PostgresDatabases.name(folder)))
        logs = PostgresUserLogs(PostgresPool(target, size: 4))
        user = EntityID(digest: folder.utf8.reversed())
    }

    /// The gateway whose turn it is, with a store of its own.
    func next() throws -> LoggedStore {
        turn += 1
        let number = turn % 2
        let path = "\(folder)/gateway\(number)/helix.db"
        if turn % 61 == 0 {
            gateways[number] = nil
            for end in ["", "-wal", "-shm"] { unlink(path + end) }
        }
        if let known = gateways[number] { return known }
        let store = try Store(path: path, now: ReplicaImplementation.now)
        let made = LoggedStore(store: store, log: UserLog(user, logs))
        gateways[number] = made
        return made
    }

    func replicaPage(since cursor: String?, seen: String?) throws -> ReplicaPage {
        try next().replica.replicaPage(since: cursor, seen: seen)
    }

    func push(_ changes: [ReplicaChange], from device: String) throws -> ReplicaReceipt {
        try next().replica.push(changes, from: device)
    }
}

@Suite struct ReplicaStoreTests {
    private func project(_ name: String, _ id: EntityID = EntityID()) -> ReplicaRecord {
        ReplicaRecord(
            kind: .project, id: id,
            fields: [
                "name": .string(name), "status": "active", "blocks": "[]",
                "created_at": .integer(ReplicaImplementation.now.seconds),
            ])
    }

    @Test(arguments: ReplicaImplementation.all)
    func aChangeIsAppliedOnceAndOnItsVersionAlone(_ kind: ReplicaImplementation) throws {
        let home = try HelixHome()
        let store = try kind.open(home.folder.path)
        let id = EntityID()
        let first = project("house", id)
        func push(_ record: ReplicaRecord, base: ReplicaRecord? = nil) throws -> ReplicaOutcome? {
            try store.push([ReplicaChange(record, base: base?.version)], from: "laptop").outcomes.first
        }
        #expect(try push(first) == .applied)
        // The answer was lost, and the device sends it again.
        #expect(try push(first) == .already)
        let second = project("garden", id)
        #expect(try push(second, base: first) == .applied)
        // Another device changed what it had before.
        guard case .conflict(let fields, _) = try push(project("roof", id), base: first) else {
            Issue.record("a change of an old version is applied")
            return
        }
        #expect(fields.map { ReplicaRecord.version($0) } == second.version)
        // Deleted here, changed there.
        #expect(try push(ReplicaRecord(kind: .project, id: id, fields: nil), base: second) == .applied)
        guard case .conflict(nil, let moment?) = try push(project("roof", id), base: second) else {
            Issue.record("a change of a deleted entity is applied")
            return
        }
        #expect(moment == ReplicaImplementation.now)
        #expect(try push(project("roof", id)) == .applied)
    }

    @Test(arguments: ReplicaImplementation.all)
    func whatCannotBeStoredDoesNotPreventTheRest(_ kind: ReplicaImplementation) throws {
        let home = try HelixHome()
        let store = try kind.open(home.folder.path)
        let bad = ReplicaRecord(kind: .project, id: EntityID(), fields: ["name": "x", "colour": "red"])
        let board = ReplicaRecord(
            kind: .column, id: EntityID(), fields: ["name": "todo", "board": .string(EntityID().text)])
        let receipt = try store.push(
            [bad, board, project("house")].map { ReplicaChange($0, base: nil) }, from: "laptop")
        #expect(receipt.outcomes.count == 3 && receipt.hasChanges)
        for outcome in receipt.outcomes.prefix(2) {
            guard case .refused(let reason) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(receipt.outcomes.last == .applied)
        #expect(try !store.push([ReplicaChange(bad, base: nil)], from: "laptop").hasChanges)
    }

    @Test(arguments: ReplicaImplementation.all)
    func namesMayBeExchangedAndUsedAgain(_ kind: ReplicaImplementation) throws {
        let home = try HelixHome()
        let store = try kind.open(home.folder.path)
        let (a, b, c) = (project("a"), project("b"), project("c"))
        func push(_ changes: [(ReplicaRecord, base: ReplicaRecord?)]) throws -> [ReplicaOutcome] {
            try store.push(changes.map { ReplicaChange($0.0, base: $0.base?.version) }, from: "laptop").outcomes
        }
        #expect(try push([(a, nil), (b, nil), (c, nil)]) == [.applied, .applied, .applied])
        let (a2, b2, c2) = (project("b", a.id), project("c", b.id), project("a", c.id))
        #expect(try push([(a2, a), (b2, b), (c2, c)]) == [.applied, .applied, .applied])
        // The new one comes before the deletion of the old one.
        let d = project("a")
        let gone = ReplicaRecord(kind: .project, id: c.id, fields: nil)
        #expect(try push([(d, nil), (gone, c2)]) == [.applied, .applied])
        // A name that stays taken is refused, and nothing else changes.
        let outcomes = try push([(project("b", d.id), d), (project("c", a.id), a2)])
        for outcome in outcomes {
            if case .refused = outcome { continue }
            Issue.record("\(outcome)")
        }
        let page = try store.replicaPage(since: nil, seen: nil)
        let names = page.records.filter { $0.kind == .project }.compactMap { $0.fields?["name"]?.text }
        #expect(names.sorted() == ["a", "b", "c"])
    }

    /// 1,200 random changes by two devices; one fetches often, one seldom, and both have what a new device gets.
    @Test(arguments: ReplicaImplementation.all, [1, 2, 3])
    func devicesConverge(_ kind: ReplicaImplementation, seed: Int) throws {
        let home = try HelixHome()
        let store = try kind.open(home.folder.path)
        var random = SeededGenerator(seed: UInt64(seed))
        struct Device {
            var cursor: String?
            var seen: String?
            var records: [EntityID: ReplicaRecord] = [:]

            mutating func fetch(_ store: any ReplicaStore) throws {
                var listed: Set<EntityID>?
                while true {
                    let page = try store.replicaPage(since: cursor, seen: seen)
                    #expect(!page.isReset)
                    if page.isSnapshot, listed == nil { listed = [] }
                    for record in page.records {
                        records[record.id] = record.fields == nil ? nil : record
                        listed?.insert(record.id)
                    }
                    cursor = page.cursor
                    if !page.hasMore { break }
                }
                seen = cursor
                if let listed { records = records.filter { listed.contains($0.key) } }
            }

            var versions: [EntityID: String?] { records.mapValues(\.version) }
        }
        var devices = [Device(), Device()]
        var applied = 0
        for step in 0..<400 {
            let place = Int.random(in: 0..<2, using: &random)
            if Int.random(in: 0..<(place == 0 ? 10 : 120), using: &random) == 0 { try devices[place].fetch(store) }
            let changes = (0..<3).map { number -> ReplicaChange in
                let known = devices[place].records.values.sorted { $0.id.text < $1.id.text }.randomElement(
                    using: &random)
                guard let known, Int.random(in: 0..<4, using: &random) > 0 else {
                    return ReplicaChange(project("p\(step) \(number)"), base: nil)
                }
                let isDeleted = Int.random(in: 0..<5, using: &random) == 0
                return ReplicaChange(
                    isDeleted
                        ? ReplicaRecord(kind: .project, id: known.id, fields: nil)
                        : project("q\(step) \(number)", known.id), base: known.version)
            }
            let receipt = try store.push(changes, from: "device \(place)")
            for (change, outcome) in zip(changes, receipt.outcomes) where outcome == .applied {
                applied += 1
                devices[place].records[change.record.id] = change.record.fields == nil ? nil : change.record
            }
        }
        #expect(applied > 300)
        var new = Device()
        try new.fetch(store)
        for place in devices.indices {
            try devices[place].fetch(store)
            #expect(devices[place].versions == new.versions)
        }
        #expect(new.records.count > 50)
    }
}
