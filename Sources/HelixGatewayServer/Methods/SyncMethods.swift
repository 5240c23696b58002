import HelixGateway
import HelixModel
import HelixStore

/// `sync.pull` and `sync.push`: sync a user's devices (docs/gateway.md, "Several devices").
enum SyncMethods {
    static let all: [GatewayMethod] = [
        .replica("sync.pull", .read) { call, store in
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
        .replica("sync.push", .write) { call, store in
            guard let changes = call.params.take("changes")?.elements else {
                throw call.params.wrong("changes", "must be an array")
            }
            try call.params.end()
            guard changes.count <= 1000 else { throw call.params.wrong("changes", "has more than 1000") }
            let pushed = try changes.map { try change($0) }
            let receipt = try store.push(pushed, from: call.session.deviceName)
            if receipt.hasChanges {
                call.events.append(("sync.changed", ["ts": .integer(call.services.clock.milliseconds)]))
            }
            return [
                "results": .array(zip(pushed, receipt.outcomes).map { json($1, of: $0.record) }),
                "cursor": .string(receipt.cursor),
            ]
        },
    ]

    private static func json(_ record: ReplicaRecord) -> JSONText {
        [
            "kind": .string(record.kind.rawValue), "id": .string(record.id.text), "fields": record.fields ?? .null,
            "version": record.version.map { .string($0) }, "changed_at": record.changedAt.map { .integer($0.seconds) },
        ]
    }

    /// A change as a device sends it.
    private static func change(_ json: JSONText) throws -> ReplicaChange {
        var params = try Params(json, of: "sync.push change")
        let kind = try params.needed("kind", most: 32)
        guard let known = EntityKind(rawValue: kind), ReplicaRecord.kinds.contains(known) else {
            throw params.wrong("kind", "cannot be synced")
        }
        let id = try params.neededIdentity("id")
        let base = try params.text("base", most: 64)
        let moment = try params.integer("changed_at", in: 0...253_402_300_799)
        let fields = params.take("fields")
        if let fields, fields.fields == nil { throw params.wrong("fields", "must be an object or null") }
        try params.end()
        return ReplicaChange(
            ReplicaRecord(kind: known, id: id, fields: fields, changedAt: moment.map { Instant(Int64($0)) }),
            base: base)
    }

    /// The result of a change: `applied`, `already`, `conflict`, or `refused` with the reason.
    private static func json(_ outcome: ReplicaOutcome, of record: ReplicaRecord) -> JSONText {
        func version(_ fields: JSONText?) -> JSONText? { fields.map { .string(ReplicaRecord.version($0)) } }
        return switch outcome {
        case .applied: ["status": "applied", "version": version(record.fields)]
        case .already: ["status": "already", "version": version(record.fields)]
        case .conflict(let fields, let changedAt):
            [
                "status": "conflict", "fields": fields ?? .null, "version": version(fields),
                "changed_at": changedAt.map { .integer($0.seconds) },
            ]
        case .notEmpty(let fields):
            ["status": "conflict", "reason": "not_empty", "fields": fields ?? .null, "version": version(fields)]
        case .refused(let reason): ["status": "refused", "message": .string(reason)]
        }
    }
}
