import HelixCalendar
import HelixModel
import HelixStore

/// Conflicts with gateways.
extension SyncChoices {
    func gatewayChoices() throws -> [SyncChoice] {
        try store.accounts().filter { $0.kind == .gateway }.flatMap { account in
            try store.replicas(of: account) { try $0.heldReplicas() }.compactMap { held in
                guard let ours = try store.replica(held.kind, held.id) else { return nil }
                let merge = ReplicaMerge(
                    kind: held.kind, base: held.base, ours: ours, theirs: held.theirs, prefersOurs: false)
                return SyncChoice(
                    source: .gateway(account, held), kind: held.kind, id: held.id, account: account.name,
                    foundAt: held.foundAt, title: ReplicaIntake.title(held.kind, ours) ?? held.kind.name,
                    differences: try differences(merge.clashes, held, ours))
            }
        }
    }

    /// The values that both sides changed, with the columns that belong together in one value.
    private func differences(
        _ clashes: [String], _ held: HeldReplica, _ ours: JSONText
    ) throws -> [SyncChoice.Difference] {
        let sides = [held.base, ours, held.theirs]
        let shown = try sides.map { try store.shownValues(held.kind, $0) }
        let units = ReplicaRecord.units[held.kind] ?? []
        let columns = Set(shown.flatMap(\.keys)).union(ours.fields?.map(\.name) ?? [])
        return clashes.map { name in
            // The properties of an event are named in its text, not by columns.
            if held.kind == .event || held.kind == .contact, !columns.contains(name) {
                let property = name.uppercased()
                let values = sides.map { PropertyWords.value(property, in: $0["text"]?.text ?? "") }
                return SyncChoice.Difference(
                    name: PropertyWords.word(property), before: values[0], here: values[1], there: values[2])
            }
            let unit = (units.first { $0.first == name } ?? [name]).filter { !$0.hasSuffix("_day") && $0 != "rank" }
            let values = shown.map { side in
                let parts = unit.compactMap { side[$0] }
                return parts.isEmpty ? nil : parts.joined(separator: " – ")
            }
            return SyncChoice.Difference(
                name: name == "column_id" ? "column" : name.replacing("_", with: " "), before: values[0],
                here: values[1], there: values[2])
        }
    }

    func resolve(_ held: HeldReplica, of account: Account, _ choice: SyncChoice, _ decision: SyncDecision) throws {
        guard decision != .both || choice.canKeepBoth else {
            throw HelixError(
                .usage, "two versions of a \(held.kind.name) cannot stand beside each other",
                hint: "Keep one of '\(choice.title)' (\(choice.id.text.prefix(6))): --keep local or --keep server.")
        }
        try store.change("resolve the conflict of '\(choice.title)'", from: .sync) { change in
            guard let ours = try change.replica(held.kind, held.id) else {
                throw HelixError(.notFound, "'\(choice.title)' no longer exists")
            }
            let book = change.replicas(of: account)
            let merge = ReplicaMerge(
                kind: held.kind, base: held.base, ours: ours, theirs: held.theirs, prefersOurs: decision == .local)
            // The rejected version is in the history, too.
            if decision == .local { try change.put(held.record) }
            var intake = ReplicaIntake(account: account, strategy: .merge, zone: zone)
            try intake.put(
                ReplicaRecord(kind: held.kind, id: held.id, fields: merge.fields, changedAt: held.changedAt),
                synced: held.theirs, change, book)
            if decision == .both { try change.put(Self.copy(held.kind, ours)) }
            if let problem = intake.problems.first { throw HelixError(.conflict, problem) }
            guard intake.waiting.isEmpty else {
                throw HelixError(
                    .notFound, "the \(held.kind.name) '\(choice.title)' refers to an entity that is missing locally",
                    hint: "Run 'helix sync' first.")
            }
            try book.markResolved(held.id)
        }
    }

    /// The same entity with a new identity.
    private static func copy(_ kind: EntityKind, _ fields: JSONText) -> ReplicaRecord {
        var copied = fields
        if kind == .event || kind == .contact, let text = fields["text"]?.text {
            let renamed = copy(text, suffix: "")
            copied = copied.setting("text", .string(renamed))
            if let uid = ICalendarComponent.list(renamed).first?.first("UID")?.text {
                copied = copied.setting("uid", .string(uid))
            }
        }
        return ReplicaRecord(kind: kind, id: EntityID(), fields: copied)
    }
}
