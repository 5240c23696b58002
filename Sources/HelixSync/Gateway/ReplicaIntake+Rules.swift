import HelixModel
import HelixStore

/// Rules that the changes of two devices may break together.
extension ReplicaIntake {
    /// Adds a note if a received time entry stopped a clock, or was stopped itself by a clock that was started later.
    /// - Parameter clock: the clock that ran before.
    mutating func noteClock(_ record: ReplicaRecord, _ clock: TimeEntryDetails?, _ change: Change) throws {
        guard let clock, clock.entry.id != record.id else { return }
        var place = "another device"
        var stopped = try HelixError.ifFound { try change.timeEntry(clock.entry.id) }
        if stopped?.entry.end == nil, record.fields?["end"] == nil {
            (place, stopped) = ("this device", try HelixError.ifFound { try change.timeEntry(record.id) })
        }
        guard let stopped, let end = stopped.entry.end else { return }
        notes.append(
            "the clock for '\(stopped.title)' was stopped at \(ISO8601.text(end, in: zone)): \(place) started a later one"
        )
    }

    /// Removes what would close a cycle with a received record: two devices made tasks parts of each other, or blocked each by
    /// the other.
    mutating func breakCycle(
        with record: ReplicaRecord, _ change: Change, _ book: ReplicaBook
    ) throws {
        guard let fields = record.fields else { return }
        if record.kind == .link {
            let path = try change.dependencyPath(closedBy: fields)
            guard let own = try path.last(where: { try book.base(of: $0.id) == nil }) ?? path.last else { return }
            try change.put(ReplicaRecord(kind: .link, id: own.id, fields: nil))
            let names = try [own.b, own.a].map { label(.task, try change.replica(.task, $0)) }
            notes.append(
                "\(names[0]) no longer depends on \(names[1]): another device made it depend on it the other way round")
            return
        }
        guard record.kind == .task else { return }
        var chain: [(id: EntityID, fields: JSONText)] = []
        var above = fields["parent"]?.text.flatMap { EntityID($0) }
        while let id = above, id != record.id, chain.count < 1_000 {
            guard let next = try change.replica(.task, id) else { return }
            chain.append((id, next))
            above = next["parent"]?.text.flatMap { EntityID($0) }
        }
        guard above == record.id else { return }
        let own = try chain.last { try $0.fields["parent"] != book.base(of: $0.id)?["parent"] } ?? chain.last
        guard let own else { return }
        try change.put(ReplicaRecord(kind: .task, id: own.id, fields: own.fields.setting("parent", nil)))
        notes.append("\(label(.task, own.fields)) is part of no task: another device made its parent a part of it")
    }
}
