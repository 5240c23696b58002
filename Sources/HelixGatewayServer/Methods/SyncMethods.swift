import HelixGateway
import HelixModel
import HelixStore

/// `sync.pull` and `sync.push`: sync a user's devices (docs/gateway.md, "Several devices").
enum SyncMethods {
    static let all: [GatewayMethod] = [
        .user("sync.pull", .read) { call, store in
            let cursor = try call.params.text("cursor", most: 128)
            let seen = try call.params.text("seen", most: 128)
            try call.params.end()
            let page = try store.replicaPage(since: cursor, seen: seen)
            return [
                "changes": .array(page.records.map(json)), "cursor": .string(page.cursor),
                "has_more": .bool(page.hasMore), "snapshot": page.isSnapshot ? true : nil,
                "reset": page.isReset ? true : nil, "total": page.total.map { .integer($0) },
            ]
        },
        .user("sync.push", .write) { call, store in
            guard let changes = call.params.take("changes")?.elements else {
                throw call.params.wrong("changes", "must be an array")
            }
            try call.params.end()
            guard changes.count <= 1000 else { throw call.params.wrong("changes", "has more than 1000") }
            let pushed = try changes.map { try Pushed($0) }
            let (results, count) = try store.change("sync from \(call.session.deviceName)", from: .sync) { change in
                let results = try pushed.map { try apply($0, change) }
                return (results, change.count)
            }
            if count > 0 { call.events.append(("sync.changed", ["ts": .integer(call.server.milliseconds)])) }
            return ["results": .array(results), "cursor": .string(try store.replicaHead())]
        },
    ]

    private static func json(_ record: ReplicaRecord) -> JSONText {
        [
            "kind": .string(record.kind.rawValue), "id": .string(record.id.text), "fields": record.fields ?? .null,
            "version": record.version.map { .string($0) }, "changed_at": record.changedAt.map { .integer($0.seconds) },
        ]
    }

    /// A change as a device sends it.
    private struct Pushed: Sendable {
        var record: ReplicaRecord
        /// The version that the change is based on; nil for a new record.
        var base: String?

        init(_ json: JSONText) throws {
            var params = try Params(json, of: "sync.push change")
            let kind = try params.needed("kind", most: 32)
            guard let known = EntityKind(rawValue: kind), ReplicaRecord.kinds.contains(known) else {
                throw params.wrong("kind", "cannot be synced")
            }
            let id = try params.neededIdentity("id")
            base = try params.text("base", most: 64)
            let moment = try params.integer("changed_at", in: 0...253_402_300_799)
            let fields = params.take("fields")
            if let fields, fields.fields == nil { throw params.wrong("fields", "must be an object or null") }
            try params.end()
            record = ReplicaRecord(
                kind: known, id: id, fields: fields, changedAt: moment.map { Instant(Int64($0)) })
        }
    }

    /// Applies a change; the result is `applied`, `already`, `conflict`, or `refused` with the reason.
    private static func apply(_ pushed: Pushed, _ change: Change) throws -> JSONText {
        let record = pushed.record
        let present = try change.replica(record.kind, record.id)
        let wanted = record.fields.map { fields in
            JSONText.object((fields.fields ?? []).filter { !$0.value.isNull }.sorted { $0.name < $1.name })
        }
        if present == wanted { return ["status": "already", "version": record.version.map { .string($0) }] }
        guard present.map({ ReplicaRecord.version($0) }) == pushed.base else {
            return [
                "status": "conflict", "fields": present ?? .null,
                "version": present.map { .string(ReplicaRecord.version($0)) },
                "changed_at": try change.changedAt(record.id).map { .integer($0.seconds) },
            ]
        }
        if record.fields == nil, try change.hasContents(record) {
            return [
                "status": "conflict", "reason": "not_empty", "fields": present ?? .null,
                "version": present.map { .string(ReplicaRecord.version($0)) },
            ]
        }
        do {
            try change.put(record)
            if let moment = record.changedAt { try change.note(record.id, changedAt: moment) }
            return ["status": "applied", "version": record.version.map { .string($0) }]
        } catch let error as HelixError where [.badInput, .conflict, .notFound].contains(error.code) {
            return ["status": "refused", "message": .string(error.message)]
        }
    }
}
