import HelixModel
import HelixStore

/// Entities that two devices made, each for itself.
extension ReplicaIntake {
    /// The local event or link that is the same as a received one, made by two devices; nil if there is none.
    func double(
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
    mutating func replace(
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
        guard [.event, .contact].contains(record.kind), double.fields?["text"] != record.fields?["text"] else { return }
        let isOurs = result.fields == double.fields
        notes.append(
            "\(label(record.kind, result.fields)), made on two devices, is one now: the \(isOurs ? "local" : "remote") one is the later"
        )
    }

    /// Moves what refers to an entity to another one. A second link or event of the same kind becomes one with the first.
    mutating func move(
        _ kind: EntityKind, _ column: String, from: EntityID, to: EntityID, _ change: Change, _ book: ReplicaBook
    ) throws {
        for id in try book.ids(kind, where: column, is: from) {
            guard let fields = try change.replica(kind, id) else { continue }
            do {
                try change.put(ReplicaRecord(kind: kind, id: id, fields: fields.setting(column, .string(to.text))))
            } catch let error as HelixError where error.code == .conflict {
                let moved = fields.setting(column, .string(to.text))
                guard let other = try book.same(as: moved, kind) else {
                    try change.put(ReplicaRecord(kind: kind, id: id, fields: nil))
                    continue
                }
                let double = ReplicaRecord(kind: kind, id: id, fields: moved, changedAt: try book.changedHere(id))
                let record = ReplicaRecord(
                    kind: kind, id: other, fields: try change.replica(kind, other), changedAt: received[other] ?? nil)
                try replace(double, by: record, change, book)
            }
        }
    }

    /// Renames another entity that has the name of a received one.
    mutating func give(way record: ReplicaRecord, _ change: Change, _ book: ReplicaBook) throws {
        guard let fields = record.fields, let name = fields["name"]?.text,
            [.calendar, .board, .column, .project, .view, .search, .rule, .addressBook].contains(record.kind),
            let other = try book.named(name, record.kind, board: fields["board"]?.text), other != record.id,
            let present = try change.replica(record.kind, other)
        else { return }
        let isNew = try book.base(of: other) == nil
        let canAdopt = isNew && [.calendar, .board, .project, .addressBook].contains(record.kind)
        if isNew, [.view, .search, .rule].contains(record.kind),
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
            notes.append(
                "two devices made \(label(record.kind, fields)); the local one is '\(free)' now")
        }
    }

    /// Moves the children of an entity to its replacement, and deletes the empty entity.
    mutating func adopt(
        _ adoption: (kind: EntityKind, here: EntityID, there: EntityID), _ change: Change, _ book: ReplicaBook
    ) throws {
        switch adoption.kind {
        case .calendar: try move(.event, "calendar", from: adoption.here, to: adoption.there, change, book)
        case .addressBook: try move(.contact, "book", from: adoption.here, to: adoption.there, change, book)
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
            for relation in ReplicaRelation.below(.project) {
                try move(relation.kind, relation.column, from: adoption.here, to: adoption.there, change, book)
            }
        default: break
        }
        try change.put(ReplicaRecord(kind: adoption.kind, id: adoption.here, fields: nil))
    }
}
