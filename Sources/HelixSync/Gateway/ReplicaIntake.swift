import HelixCalendar
import HelixModel
import HelixStore

/// Imports a gateway's changes into this store, and merges conflicts.
struct ReplicaIntake {
    let account: Account
    let strategy: AccountSettings.Strategy
    let zone: Zone
    /// The number of locally changed entities of each kind.
    var taken: [EntityKind: Int] = [:]
    /// The failures.
    var problems: [String] = []
    /// Notes for the user.
    var notes: [String] = []
    /// Whether the gateway has lost data: the state as of the last sync is invalid then.
    var isReset = false
    /// Records whose parents have not arrived yet.
    var waiting: [ReplicaRecord] = []
    /// Entities of one name that were created on two machines: the local one, and its replacement.
    var adoptions: [(kind: EntityKind, here: EntityID, there: EntityID)] = []
    /// The entities with an unresolved conflict.
    var held: Set<EntityID> = []
    /// The received events and time entries, and the times of their changes.
    var received: [EntityID: Instant?] = [:]

    init(account: Account, strategy: AccountSettings.Strategy, zone: Zone) {
        self.account = account
        self.zone = zone
        self.strategy = strategy
    }

    /// Whether some received records are not imported yet.
    var isIncomplete: Bool { !waiting.isEmpty || !problems.isEmpty }

    /// Counts the records to import, for a dry run.
    mutating func count(_ records: [ReplicaRecord]) { for record in records { taken[record.kind, default: 0] += 1 } }

    /// Imports records; those whose parents are missing wait.
    /// - Throws: ``HelixError``.
    mutating func take(_ records: [ReplicaRecord], _ change: Change, _ book: ReplicaBook) throws {
        let rank = Dictionary(uniqueKeysWithValues: ReplicaRecord.kinds.enumerated().map { ($1, $0) })
        let all = waiting + records
        waiting = []
        // New records come parents first, deleted ones children first.
        let changed = all.filter { $0.fields != nil }.enumerated()
            .sorted { (rank[$0.element.kind] ?? 0, $0.offset) < (rank[$1.element.kind] ?? 0, $1.offset) }.map(\.element)
        for record in changed { try take(record, change, book) }
        // In whatever order the other side deleted them: a project that goes first would change its tasks.
        let deleted = all.filter { $0.fields == nil }.enumerated()
            .sorted { (rank[$0.element.kind] ?? 0, $1.offset) < (rank[$1.element.kind] ?? 0, $0.offset) }.map(\.element)
        let kept = try keptWithContainers(deleted, change, book)
        for record in deleted.reversed() {
            if kept.contains(record.id) {
                try book.markUnsent(record.kind, record.id)
            } else {
                try take(record, change, book)
            }
        }
    }

    /// Imports the waiting records, and merges entities of one name.
    /// - Throws: ``HelixError``.
    mutating func finish(_ change: Change, _ book: ReplicaBook) throws {
        while !waiting.isEmpty {
            let left = waiting
            var isRestored = false
            for record in left { if try restoreParents(of: record, change, book) { isRestored = true } }
            try take([], change, book)
            if waiting.count == left.count, !isRestored { break }
        }
        for record in waiting {
            problems.append("the \(record.kind.name) \(record.id.text) refers to an entity that is missing locally")
        }
        waiting = []
        for adoption in adoptions { try adopt(adoption, change, book) }
        adoptions = []
        try change.addMissingColumns()
        let overlaps = try received.keys.compactMap { try change.overlappingStart($0) }
        if let first = overlaps.min() {
            notes.append(
                "time entries of two devices overlap: \(overlaps.count); all are kept, and count twice:"
                    + " helix time log \(ISO8601.text(zone.date(first)))")
        }
        received = [:]
    }

    private mutating func take(_ record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        let (base, ours) = (
            isReset ? nil : try book.base(of: record.id), try change.replica(record.kind, record.id)
        )
        let theirs = record.fields
        // A conflict is found anew, if it still exists.
        if held.remove(record.id) != nil { try book.markResolved(record.id) }
        if ours == theirs { return try book.markSynced(record.kind, record.id, on: theirs) }
        // Only the local entity has changed: it is sent.
        if theirs == base, base != nil { return }
        if isReset, ours == nil, let theirs,
            let gone = try book.changedHere(record.id, orCame: true), gone > record.changedAt ?? Instant(0)
        {
            // It was deleted locally after the gateway's last change: the deletion is sent again.
            return try book.markSynced(record.kind, record.id, on: theirs)
        }
        if ours == base {
            if theirs == nil, try holdsUnsaid(record.kind, record.id, change, book) {
                // Deleted on the gateway, but it has local children that were not sent: it is sent again.
                notes.append("\(label(record.kind, ours)), deleted elsewhere, is kept: something was added to it here")
                return try book.markUnsent(record.kind, record.id)
            }
            return try put(record, synced: theirs, change, book)
        }
        switch (ours, theirs) {
        case (let ours?, let theirs?): try merge(record, base, ours, theirs, change, book)
        case (nil, .some):
            // Deleted locally, changed on the gateway: the change is kept.
            try put(record, synced: theirs, change, book)
            if base != nil {
                notes.append("\(label(record.kind, theirs)), deleted here, is restored: it was changed elsewhere")
                try restoreContents(of: record, change, book)
            }
        case (.some, nil):
            // Deleted on the gateway, changed locally: it is sent again.
            try book.markUnsent(record.kind, record.id)
            notes.append("\(label(record.kind, ours)), deleted elsewhere, is kept: it was changed here")
        case (nil, nil): try book.markSynced(record.kind, record.id, on: nil)
        }
    }

    private mutating func merge(
        _ record: ReplicaRecord, _ base: JSONText?, _ ours: JSONText, _ theirs: JSONText, _ change: Change,
        _ book: ReplicaBook
    ) throws {
        let isOursLater =
            try (book.changedHere(record.id, orCame: isReset)?.seconds ?? 0) >= (record.changedAt?.seconds ?? 0)
        let prefersOurs =
            switch strategy {
            case .local: true
            case .server: false
            case .merge, .ask: isOursLater
            }
        let merge = ReplicaMerge(
            kind: record.kind, base: base, ours: ours, theirs: theirs, prefersOurs: prefersOurs)
        if !merge.clashes.isEmpty, !isReset, strategy == .ask {
            // Both versions stay as they are until the user decides. After an account was removed and added again, nothing is known
            // about the last sync.
            if base == nil { try book.markSynced(record.kind, record.id, on: .object([])) }
            held.insert(record.id)
            return try book.hold(record, at: change.time)
        }
        if !merge.clashes.isEmpty, !isReset {
            // The value that loses is in the history, too, unless it refers to something that is not here any more.
            do { if prefersOurs { try change.put(record) } } catch let error as HelixError
                where [.notFound, .conflict, .badInput].contains(error.code)
            {}
            notes.append(
                "\(label(record.kind, merge.fields)) was changed on both sides (\(merge.clashes.joined(separator: ", "))): "
                    + "the \(prefersOurs ? "local" : "remote") change wins, the other one is in the history")
        }
        try put(
            ReplicaRecord(kind: record.kind, id: record.id, fields: merge.fields, changedAt: record.changedAt),
            synced: theirs, change, book)
    }

    /// Writes an entity, and records `synced` as its state of the last sync.
    mutating func put(
        _ record: ReplicaRecord, synced: JSONText?, _ change: Change, _ book: ReplicaBook
    ) throws {
        do {
            try give(way: record, change, book)
            try breakCycle(with: record, change, book)
            let clock = record.kind == .timeEntry ? try change.runningEntry() : nil
            let former = try double(of: record, change, book)
            try replace(former, by: record, change, book)
            taken[record.kind, default: 0] += 1
            try book.markSynced(record.kind, record.id, on: synced)
            if [.event, .timeEntry].contains(record.kind) { received[record.id] = .some(record.changedAt) }
            if record.kind == .timeEntry { try noteClock(record, clock, change) }
        } catch let error as HelixError where error.code == .notFound {
            // As the gateway has it: what was merged here would be taken for sent.
            waiting.append(
                ReplicaRecord(
                    kind: record.kind, id: record.id, fields: synced ?? record.fields, changedAt: record.changedAt))
        } catch let error as HelixError where [.conflict, .badInput].contains(error.code) {
            problems.append(error.message)
        }
    }

    /// Looks at the conflicts that no received record concerned: a local change may have ended them, or another strategy.
    /// - Throws: ``HelixError``.
    mutating func takeHeld(_ change: Change, _ book: ReplicaBook) throws {
        if held.isEmpty { return }
        for conflict in try book.heldReplicas() where held.contains(conflict.id) {
            try take([conflict.record], change, book)
        }
    }

    /// The kind and the name of an entity: `the project 'house'`.
    func label(_ kind: EntityKind, _ fields: JSONText?) -> String { Self.label(kind, fields) }

    /// The kind and the name of an entity.
    static func label(_ kind: EntityKind, _ fields: JSONText?) -> String {
        title(kind, fields).map { "the \(kind.name) '\($0)'" } ?? "the \(kind.name)"
    }

    /// The name of an entity; nil if it has none.
    static func title(_ kind: EntityKind, _ fields: JSONText?) -> String? {
        var name = fields?["name"]?.text ?? fields?["title"]?.text
        if kind == .event, let text = fields?["text"]?.text {
            name = ICalendarComponent.list(text).lazy.compactMap { $0.first("SUMMARY")?.text }.first
        }
        if kind == .contact, let text = fields?["text"]?.text { name = CalendarSync.title(text) }
        return name.flatMap { $0.isEmpty ? nil : $0 }
    }
}
