import HelixGateway
import HelixModel
import HelixStore

/// Syncs this store with the user's data at a gateway: first the remote changes are imported, then the local ones are sent.
/// Conflicts are merged column by column.
struct GatewaySync {
    let store: Store
    let account: Account
    let client: GatewayClient
    let options: SyncOptions
    let progress: (String) -> Void
    private(set) var outcome: SyncOutcome

    /// - Parameter progress: receives a description of each step.
    init(
        _ store: Store, _ account: Account, _ client: GatewayClient, _ options: SyncOptions, _ outcome: SyncOutcome,
        progress: @escaping (String) -> Void
    ) {
        self.store = store
        self.account = account
        self.client = client
        self.options = options
        self.outcome = outcome
        self.progress = progress
    }

    /// Runs the sync.
    /// - Throws: ``HelixError``.
    mutating func run() throws {
        if client.hello.isHelix {
            try pull()
            if account.settings.isReadOnly != true { try push() }
            try sayChoices()
            var files = FileSync(store, account, client, options, progress)
            defer { outcome.merge(files) }
            try files.run()
        } else {
            outcome.notes.append("\(client.label) is a gateway for chat only; it has no calendars or tasks to sync")
        }
        if options.isDryRun { return try planChat() }
        let chat = ChatConnection(store, account, client)
        defer {
            outcome.add(.there, "send", chat.counts.sent, "chat")
            outcome.add(.here, "fetch", chat.counts.arrived, "chat")
            outcome.problems += chat.problems
            outcome.notes += chat.notes
        }
        try chat.exchange()
        // Refusals that an earlier command or the background received would be told to nobody.
        let told = chat.problems
        outcome.notes += try store.chatRefusals(of: account.id).filter { refusal in
            !told.contains { refusal.hasSuffix($0) }
        }
    }

    /// Plans the messages to send; those to receive are unknown before they are read.
    private mutating func planChat() throws {
        for operation in try store.chatErrands(of: account.id) {
            if case .send = operation { outcome.add(.there, "send", 1, "chat") }
        }
    }

    // Pull

    private mutating func pull() throws {
        let start = try store.replicas(of: account) { try $0.cursors() }
        // A complete list is read from its beginning: entities that it lacks were deleted.
        var cursor = options.isFull ? nil : start.theirs.flatMap { $0.hasPrefix("s.") ? nil : $0 }
        var intake = ReplicaIntake(account: account, strategy: account.settings.strategy ?? .merge, zone: options.zone)
        intake.held = try store.replicas(of: account) { try $0.heldIDs() }
        var seen: Set<EntityID> = []
        var (isSnapshot, isReset) = (false, false)
        var (count, total) = (0, 0)
        while true {
            outcome.roundTrips += 1
            // A gateway that does not know the last seen cursor has lost data, and reports that.
            let answer = try client.call(
                "sync.pull",
                [
                    "cursor": cursor.map { .string($0) },
                    "seen": cursor?.hasPrefix("r.") == true ? nil : start.seen.map { .string($0) },
                ], milliseconds: 120_000)
            guard let next = answer["cursor"]?.text, let elements = answer["changes"]?.elements else {
                throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'sync.pull'")
            }
            let records = try elements.map { try GatewaySync.record($0, client.label) }
            isSnapshot = isSnapshot || answer["snapshot"]?.bool == true
            if answer["reset"]?.bool == true, !isReset {
                isReset = true
                intake.isReset = true
                outcome.notes.append(
                    "\(client.label) has lost data, as after a restore from a backup; the local data is sent again"
                )
            }
            if isSnapshot { seen.formUnion(records.map(\.id)) }
            if let all = answer["total"]?.integer { total = Int(all) }
            count += records.count
            if count > 1000 { progress("\(account.name): \(count)\(total > 0 ? " of \(total)" : "") from the gateway") }
            let isLast = answer["has_more"]?.bool != true
            try take(
                records, &intake, cursor: isSnapshot && !isLast ? nil : next, isLast: isLast,
                all: isLast && isSnapshot ? seen : nil)
            cursor = next
            if isLast { break }
        }
        for (kind, number) in intake.taken.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            outcome.add(.here, "change", number, kind.name)
        }
        outcome.problems += intake.problems
        outcome.notes += intake.notes
    }

    /// Imports a page with its cursor: all of it, or nothing.
    private func take(
        _ records: [ReplicaRecord], _ intake: inout ReplicaIntake, cursor: String?, isLast: Bool,
        all seen: Set<EntityID>?
    ) throws {
        if options.isDryRun { return intake.count(records) }
        var next = intake
        try store.change("sync with '\(account.name)'", from: .sync) { change in
            let book = change.replicas(of: account)
            if let seen, intake.isReset {
                try book.startOver(with: seen)
            } else if let seen {
                // A complete list: an entity as of the last sync that it lacks was deleted.
                let synced = try book.synced()
                let missing = synced.filter { !seen.contains($0.key) }
                if !options.allowsMassDelete, MassDeletion.isSuspicious(missing.count, of: synced.count) {
                    next.problems.append(
                        MassDeletion.message(missing.count, synced.count, isServer: true, what: "entities"))
                } else {
                    try next.take(missing.map { ReplicaRecord(kind: $0.value, id: $0.key, fields: nil) }, change, book)
                }
            }
            try next.take(records, change, book)
            if isLast { try next.takeHeld(change, book) }
            if isLast { try next.finish(change, book) }
            // Records that could not be imported are requested again by the next sync.
            if let cursor, !next.isIncomplete {
                try book.setCursors(theirs: cursor, ours: nil)
                try book.setSeen(cursor)
            }
        }
        intake = next
    }

    private static func record(_ json: JSONText, _ label: String) throws -> ReplicaRecord {
        guard let kind = json["kind"]?.text.flatMap(EntityKind.init), ReplicaRecord.kinds.contains(kind),
            let id = json["id"]?.text.flatMap({ EntityID($0) })
        else { throw HelixError(.protocol, "\(label) sends a change of an unknown kind", hint: "Update helix.") }
        return ReplicaRecord(
            kind: kind, id: id, fields: json["fields"].flatMap { $0.isNull ? nil : $0 },
            changedAt: json["changed_at"]?.integer.map { Instant($0) })
    }

    // Push

    private mutating func push() throws {
        for _ in 0..<3 {
            let (waiting, head) = try waitingRecords()
            if waiting.isEmpty {
                if !options.isDryRun { try finishPush(head) }
                return
            }
            if options.isDryRun {
                for item in waiting { outcome.add(.there, "change", 1, item.record.kind.name) }
                return
            }
            var isDone = true
            var index = waiting.startIndex
            while index < waiting.endIndex {
                let batch = GatewaySync.batch(waiting[index...], most: client.hello.largestFrame / 2)
                index += batch.count
                if waiting.count > 1000 { progress("\(account.name): \(index) of \(waiting.count) to the gateway") }
                if try !send(Array(batch)) { isDone = false }
            }
            // Conflicts were merged: the results are sent, too.
            if isDone {
                // Refused records are sent again by the next sync.
                if outcome.problems.isEmpty { try finishPush(head) }
                return
            }
        }
        outcome.notes.append("other devices are changing the same data; the rest follows with the next sync")
    }

    /// Records that all local changes up to a number were sent.
    private func finishPush(_ head: Int64) throws {
        try store.writeReplicas(of: account) { book in
            try book.setCursors(theirs: nil, ours: head)
            try book.forgetResolved()
        }
    }

    /// Reports the conflicts that the user must resolve.
    private mutating func sayChoices() throws {
        for held in try store.replicas(of: account, { try $0.heldReplicas() }) {
            outcome.needsChoice = true
            outcome.problems.append(
                "\(ReplicaIntake.label(held.kind, held.theirs)) was changed on both sides; resolve the conflict:"
                    + " helix sync resolve \(held.id.text.prefix(6)) --keep local|server"
                    + ([.event, .task].contains(held.kind) ? "|both" : ""))
        }
    }

    /// An entity that differs locally from the last sync.
    private struct Waiting {
        var record: ReplicaRecord
        var base: JSONText?
    }

    private func waitingRecords() throws -> ([Waiting], head: Int64) {
        try store.replicas(of: account) { book in
            let ours = options.isFull ? nil : try book.cursors().ours
            var (changed, deleted): ([Waiting], [Waiting]) = ([], [])
            let head = try book.head()
            let held = try book.heldIDs()
            for (kind, id) in try book.candidates(since: ours) where !held.contains(id) {
                let (now, base) = (try store.replica(kind, id), try book.base(of: id))
                if now == base { continue }
                // A new entity needs no time for a merge, unless another device may have made the same one.
                let moment = base == nil && kind != .event ? nil : try book.changedHere(id)
                let waiting = Waiting(
                    record: ReplicaRecord(kind: kind, id: id, fields: now, changedAt: moment), base: base)
                if now == nil { deleted.append(waiting) } else { changed.append(waiting) }
            }
            // Parents are created before their children, and deleted after them.
            return (GatewaySync.inTreeOrder(changed) + deleted.reversed(), head)
        }
    }

    private static func inTreeOrder(_ list: [Waiting]) -> [Waiting] {
        let tasks = list.filter { $0.record.kind == .task }
        guard tasks.contains(where: { $0.record.fields?["parent"] != nil }) else { return list }
        var left = Dictionary(uniqueKeysWithValues: tasks.map { ($0.record.id.text, $0) })
        var ordered: [Waiting] = []
        for task in tasks {
            var chain: [Waiting] = []
            var next = left.removeValue(forKey: task.record.id.text)
            while let found = next {
                chain.append(found)
                next = (found.record.fields?["parent"]?.text).flatMap { left.removeValue(forKey: $0) }
            }
            ordered += chain.reversed()
        }
        let first = list.firstIndex { $0.record.kind == .task } ?? 0
        return Array(list[..<first]) + ordered + list[first...].filter { $0.record.kind != .task }
    }

    private static func batch(_ list: ArraySlice<Waiting>, most: Int) -> ArraySlice<Waiting> {
        var bytes = 1024
        var count = 0
        for item in list {
            bytes += 256 + (item.record.fields?.compact.utf8.count ?? 0)
            if count > 0, bytes > most || count >= 500 { break }
            count += 1
        }
        return list.prefix(count)
    }

    /// - Returns: whether the gateway accepted all of it, or refused the rest permanently.
    private mutating func send(_ batch: [Waiting]) throws -> Bool {
        let most = client.hello.largestFrame - 4096
        if let item = batch.first, batch.count == 1, item.record.fields?.compact.utf8.count ?? 0 > most {
            outcome.problems.append(
                "the \(item.record.kind.name) \(item.record.id.text) exceeds the size limit of the gateway")
            return true
        }
        let changes = batch.map { item -> JSONText in
            [
                "kind": .string(item.record.kind.rawValue), "id": .string(item.record.id.text),
                "base": item.base.map { .string(ReplicaRecord.version($0)) }, "fields": item.record.fields ?? .null,
                "changed_at": item.record.changedAt.map { .integer($0.seconds) },
            ]
        }
        outcome.roundTrips += 1
        let answer = try client.call("sync.push", ["changes": .array(changes)], milliseconds: 120_000)
        guard let results = answer["results"]?.elements, results.count == batch.count else {
            throw HelixError(.protocol, "\(client.label) returned an invalid answer to 'sync.push'")
        }
        var (conflicts, kept): ([ReplicaRecord], [ReplicaRecord]) = ([], [])
        var intake = ReplicaIntake(account: account, strategy: account.settings.strategy ?? .merge, zone: options.zone)
        intake.held = try store.replicas(of: account) { try $0.heldIDs() }
        try store.writeReplicas(of: account) { book in
            if let place = answer["cursor"]?.text { try book.setSeen(place) }
            for (item, result) in zip(batch, results) {
                let (kind, id) = (item.record.kind, item.record.id)
                switch result["status"]?.text {
                case "applied", "already": try book.markSynced(kind, id, on: item.record.fields)
                case "conflict":
                    let isKept = item.record.fields == nil && result["reason"]?.text == "not_empty"
                    (isKept ? { kept.append($0) } : { conflicts.append($0) })(
                        ReplicaRecord(
                            kind: kind, id: id, fields: result["fields"].flatMap { $0.isNull ? nil : $0 },
                            changedAt: result["changed_at"]?.integer.map { Instant($0) }))
                default: intake.problems.append(result["message"]?.text ?? "a \(kind.name) was refused")
                }
            }
        }
        for (item, result) in zip(batch, results) where result["status"]?.text == "applied" {
            outcome.add(.there, "change", 1, item.record.kind.name)
        }
        if !conflicts.isEmpty || !kept.isEmpty {
            try store.change("sync with '\(account.name)'", from: .sync) { change in
                let book = change.replicas(of: account)
                // It has new children on the gateway: then it is not deleted.
                for record in kept { try intake.restore(record, change, book) }
                try intake.take(conflicts, change, book)
                try intake.finish(change, book)
            }
        }
        outcome.problems += intake.problems
        outcome.notes += intake.notes
        return conflicts.isEmpty && kept.isEmpty
    }
}
