import HelixModel
import HelixStore

/// Imports a gateway's changes into this store, and merges conflicts.
struct ReplicaIntake {
    let account: Account
    let strategy: AccountSettings.Strategy
    let zone: Zone
    /// The number of locally changed entities of each kind.
    private(set) var taken: [EntityKind: Int] = [:]
    /// The failures.
    var problems: [String] = []
    /// Notes for the user.
    private(set) var notes: [String] = []
    /// Whether the gateway has lost data: the state as of the last sync is invalid then.
    var isReset = false
    /// Records whose parents have not arrived yet.
    private var waiting: [ReplicaRecord] = []
    /// Entities of one name that were created on two machines: the local one, and its replacement.
    private var adoptions: [(kind: EntityKind, here: EntityID, there: EntityID)] = []

    /// The starts of received time entries that overlap others.
    private var overlaps: Set<Instant> = []

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
        for record in all.filter({ $0.fields == nil }).reversed() { try take(record, change, book) }
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
        if let first = overlaps.min() {
            notes.append(
                "time entries of two devices overlap: \(overlaps.count); all are kept, and count twice:"
                    + " helix time log \(ISO8601.text(zone.date(first)))")
        }
        overlaps = []
    }

    private mutating func take(_ record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        let (base, ours) = (
            isReset ? nil : try book.base(of: record.id), try change.replica(record.kind, record.id)
        )
        let theirs = record.fields
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
                notes.append("a \(record.kind.name) that was deleted locally and changed elsewhere is restored")
            }
        case (.some, nil):
            // Deleted on the gateway, changed locally: it is sent again.
            try book.markUnsent(record.kind, record.id)
            notes.append("a \(record.kind.name) that was deleted elsewhere and changed locally is kept")
        case (nil, nil): try book.markSynced(record.kind, record.id, on: nil)
        }
    }

    /// Restores what a record belongs to if that was deleted locally: somebody has added to it since.
    /// - Returns: whether something was restored.
    private mutating func restoreParents(
        of record: ReplicaRecord, _ change: Change, _ book: ReplicaBook
    ) throws -> Bool {
        var isRestored = false
        for relation in ReplicaRelation.above(record.kind) {
            let kind = relation.parent
            guard let id = record.fields?[relation.column]?.text.flatMap({ EntityID($0) }),
                try change.replica(kind, id) == nil, let base = try book.base(of: id)
            else { continue }
            let parent = ReplicaRecord(kind: kind, id: id, fields: base)
            _ = try restoreParents(of: parent, change, book)
            try put(parent, synced: base, change, book)
            guard try change.replica(kind, id) != nil else { continue }
            isRestored = true
            notes.append("a \(kind.name) that was deleted locally and changed elsewhere is restored")
        }
        return isRestored
    }

    /// Imports an entity that was deleted here and is kept on the gateway.
    /// - Throws: ``HelixError``.
    mutating func restore(_ record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        try put(record, synced: record.fields, change, book)
    }

    /// Whether a calendar, board or column contains local changes that were not sent.
    private func holdsUnsaid(
        _ kind: EntityKind, _ id: EntityID, _ change: Change, _ book: ReplicaBook
    ) throws -> Bool {
        for relation in ReplicaRelation.below(kind) where relation.effect == .deletesKnown {
            for child in try book.ids(relation.kind, where: relation.column, is: id) {
                if try change.replica(relation.kind, child) != book.base(of: child) { return true }
                if try holdsUnsaid(relation.kind, child, change, book) { return true }
            }
        }
        return false
    }

    private mutating func merge(
        _ record: ReplicaRecord, _ base: JSONText?, _ ours: JSONText, _ theirs: JSONText, _ change: Change,
        _ book: ReplicaBook
    ) throws {
        let isOursLater =
            try (book.changedHere(record.id, orCame: isReset)?.seconds ?? 0) > (record.changedAt?.seconds ?? 0)
        let prefersOurs =
            switch strategy {
            case .local: true
            case .server: false
            case .merge, .ask: isOursLater
            }
        let merge = ReplicaMerge(
            base: base, ours: ours, theirs: theirs, units: ReplicaRecord.units[record.kind] ?? [],
            prefersOurs: prefersOurs)
        if !merge.clashes.isEmpty, base != nil {
            notes.append(
                "a \(record.kind.name) was changed on both sides (\(merge.clashes.joined(separator: ", "))): "
                    + "the \(prefersOurs ? "local" : "remote") change wins, the other one is in the history")
        }
        try put(
            ReplicaRecord(kind: record.kind, id: record.id, fields: merge.fields, changedAt: record.changedAt),
            synced: theirs, change, book)
    }

    /// Writes an entity, and records `synced` as its state of the last sync.
    private mutating func put(
        _ record: ReplicaRecord, synced: JSONText?, _ change: Change, _ book: ReplicaBook
    ) throws {
        do {
            try give(way: record, change, book)
            let former = try double(of: record, change, book)
            try replace(former, by: record, change, book)
            taken[record.kind, default: 0] += 1
            try book.markSynced(record.kind, record.id, on: synced)
            if record.kind == .timeEntry, let start = try change.overlappingStart(record.id) { overlaps.insert(start) }
        } catch let error as HelixError where error.code == .notFound {
            waiting.append(record)
        } catch let error as HelixError where [.conflict, .badInput].contains(error.code) {
            problems.append(error.message)
        }
    }

    /// The local event or link that is the same as a received one, made by two devices; nil if there is none.
    private func double(
        of record: ReplicaRecord, _ change: Change, _ book: ReplicaBook
    ) throws -> ReplicaRecord? {
        guard let fields = record.fields, let other = try book.same(as: fields, record.kind), other != record.id,
            try book.base(of: other) == nil
        else { return nil }
        return ReplicaRecord(
            kind: record.kind, id: other, fields: try change.replica(record.kind, other),
            changedAt: try book.changedHere(other))
    }

    /// Writes a received record. Its double is removed: the received identity is kept, with the later state of both, and what
    /// refers to the double refers to it.
    private func replace(
        _ double: ReplicaRecord?, by record: ReplicaRecord, _ change: Change, _ book: ReplicaBook
    ) throws {
        guard let double else { return try change.put(record) }
        try change.put(ReplicaRecord(kind: double.kind, id: double.id, fields: nil))
        var result = record
        if double.changedAt ?? Instant(0) > record.changedAt ?? Instant(0) { result.fields = double.fields }
        do { try change.put(result) } catch {
            try change.put(double)
            throw error
        }
        for (kind, column) in [(EntityKind.link, "a"), (.link, "b"), (.timeEntry, "origin")] {
            try move(kind, column, from: double.id, to: record.id, change, book)
        }
    }

    /// Moves what refers to an entity to another one. A second link or event of the same kind is removed; it is in the history.
    private func move(
        _ kind: EntityKind, _ column: String, from: EntityID, to: EntityID, _ change: Change, _ book: ReplicaBook
    ) throws {
        for id in try book.ids(kind, where: column, is: from) {
            guard let fields = try change.replica(kind, id) else { continue }
            do {
                try change.put(ReplicaRecord(kind: kind, id: id, fields: fields.setting(column, .string(to.text))))
            } catch let error as HelixError where error.code == .conflict {
                try change.put(ReplicaRecord(kind: kind, id: id, fields: nil))
            }
        }
    }

    /// Renames another entity that has the name of a received one.
    private mutating func give(way record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        guard let fields = record.fields, let name = fields["name"]?.text,
            [.calendar, .board, .column, .project, .view, .search].contains(record.kind),
            let other = try book.named(name, record.kind, board: fields["board"]?.text), other != record.id,
            let present = try change.replica(record.kind, other)
        else { return }
        let isNew = try book.base(of: other) == nil
        let canAdopt = isNew && [.calendar, .board, .project].contains(record.kind)
        if isNew, [.view, .search].contains(record.kind),
            present.setting("name", nil) == fields.setting("name", nil)
        {
            return try change.put(ReplicaRecord(kind: record.kind, id: other, fields: nil))
        }
        var number = 2
        var free = canAdopt ? "\(name) (here)" : "\(name) (\(number))"
        while try book.named(free, record.kind, board: fields["board"]?.text) != nil {
            free = "\(name) (\(number))"
            number += 1
        }
        try change.put(
            ReplicaRecord(kind: record.kind, id: other, fields: present.setting("name", .string(free))))
        if canAdopt {
            adoptions.append((record.kind, other, record.id))
        } else {
            notes.append("two entries have the name '\(name)'; one was renamed to '\(free)'")
        }
    }

    /// Moves the children of an entity to its replacement, and deletes the empty entity.
    private func adopt(
        _ adoption: (kind: EntityKind, here: EntityID, there: EntityID), _ change: Change, _ book: ReplicaBook
    ) throws {
        switch adoption.kind {
        case .calendar: try move(.event, "calendar", from: adoption.here, to: adoption.there, change, book)
        case .board:
            for column in try book.ids(.column, where: "board", is: adoption.here) {
                guard let fields = try change.replica(.column, column), let name = fields["name"]?.text else {
                    continue
                }
                if let same = try book.named(name, .column, board: adoption.there.text) {
                    try move(.task, "column_id", from: column, to: same, change, book)
                } else {
                    try change.put(
                        ReplicaRecord(
                            kind: .column, id: column, fields: fields.setting("board", .string(adoption.there.text))))
                }
            }
        case .project:
            for kind in [EntityKind.task, .timeEntry, .material] {
                try move(kind, "project", from: adoption.here, to: adoption.there, change, book)
            }
        default: break
        }
        try change.put(ReplicaRecord(kind: adoption.kind, id: adoption.here, fields: nil))
    }
}
