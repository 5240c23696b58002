import HelixModel
import HelixSQLite

extension SQLAccountStore {
    private static var pushColumns: String {
        """
        t.id, t."user", t.device, t.kind, t.address, t.condition, t.topic, t.is_sandbox, t.key, t.authentication, \
        t.secret, t.created_at, t.failures, t.problem
        """
    }

    func pushTargets(of user: EntityID) throws -> [PushTarget] {
        try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT \(Self.pushColumns) FROM push_target t WHERE \"user\" = ? ORDER BY created_at, id",
                arguments: [user.text]
            ).map(Self.pushTarget)
        }
    }

    func savePushTarget(_ given: PushTarget) throws -> PushTarget {
        try writing { db in
            let isApproved = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM device WHERE \"user\" = ? AND id = ?",
                arguments: [given.user.text, given.device])
            guard isApproved == true else { throw HelixError(.notFound, "this device is not approved any more") }
            if given.kind == .apns {
                try db.execute(
                    sql: "DELETE FROM push_target WHERE kind = ? AND address = ? AND \"user\" <> ?",
                    arguments: [given.kind.rawValue, given.address, given.user.text])
            }
            var target = given
            let known = try Row.fetchOne(
                db, sql: "SELECT id, created_at FROM push_target WHERE \"user\" = ? AND kind = ? AND address = ?",
                arguments: [given.user.text, given.kind.rawValue, given.address])
            if let known {
                (target.id, target.createdAt) = try (EntityID(stored: known["id"]), Instant(known["created_at"]))
            } else {
                let count = try Int.fetchOne(
                    db, sql: "SELECT COUNT(*) FROM push_target WHERE \"user\" = ?", arguments: [given.user.text])
                guard count ?? 0 < GatewayLimits.pushTargets else {
                    throw HelixError(
                        .conflict, "you have \(GatewayLimits.pushTargets) push targets already",
                        hint: "Remove some: helix gateway push remove.")
                }
            }
            let settings = target.settings
            try db.execute(
                sql: "DELETE FROM push_target WHERE \"user\" = ? AND id = ?",
                arguments: [target.user.text, target.id.text])
            try db.execute(
                sql: """
                    INSERT INTO push_target (id, "user", device, kind, address, condition, topic, is_sandbox,
                        key, authentication, secret, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    target.id.text, target.user.text, target.device, target.kind.rawValue, target.address,
                    target.condition.rawValue, settings.topic, settings.isSandbox, settings.key,
                    settings.authentication,
                    settings.secret, target.createdAt.seconds,
                ])
            return target
        }
    }

    func removePushTarget(_ id: EntityID, of user: EntityID) throws -> Bool {
        try writing { db in
            try db.execute(
                sql: "DELETE FROM push_target WHERE id = ? AND \"user\" = ?", arguments: [id.text, user.text])
            return db.changedRows > 0
        }
    }

    func pushTargets(in conversation: EntityID, from sender: EntityID?) throws -> [PushTarget] {
        try readingOnce { db in
            // Most gateways have few targets: the search begins with them.
            try Row.fetchAll(
                db,
                sql: """
                    SELECT \(Self.pushColumns) FROM push_target t
                    JOIN member m ON m.conversation = ?1 AND m."user" = t."user"
                    JOIN "user" u ON u.id = t."user"
                    WHERE m.left_version IS NULL AND m.is_muted = 0 AND u.is_disabled = 0 AND t."user" <> ?2
                      AND NOT EXISTS (SELECT 1 FROM block b WHERE b."user" = t."user" AND b.other = ?2)
                    """, arguments: [conversation.text, sender?.text ?? ""]
            ).map(Self.pushTarget)
        }
    }

    func pushTarget(
        _ id: EntityID, for message: EntityID?, in conversation: EntityID, from sender: EntityID?
    ) throws -> PushTarget? {
        let isGone = try reading { db in
            try message.flatMap { try isDeleted(db, message: $0, in: conversation) }
        }
        if isGone == true { return nil }
        return try pushTargets(in: conversation, from: sender).first { $0.id == id }
    }

    func notePush(_ id: EntityID, problem: String?) throws {
        try writing { db in
            guard let problem else {
                // A success is written only if it ends failures.
                return try db.execute(
                    sql: "UPDATE push_target SET failures = 0, problem = '' WHERE id = ? AND failures > 0",
                    arguments: [id.text])
            }
            try db.execute(
                sql: "UPDATE push_target SET failures = failures + 1, problem = ? WHERE id = ?",
                arguments: [String(problem.prefix(200)), id.text])
        }
    }

    private static func pushTarget(_ row: Row) throws -> PushTarget {
        guard let kind = PushTarget.Kind(rawValue: try row["kind"]),
            let condition = PushTarget.Condition(rawValue: try row["condition"])
        else {
            throw HelixError(.configuration, "the gateway's store was written by a newer helix", hint: "Update helix.")
        }
        var target = try PushTarget(
            id: EntityID(stored: row["id"]), user: EntityID(stored: row["user"]), device: row["device"], kind: kind,
            address: row["address"], condition: condition, createdAt: Instant(row["created_at"]))
        var settings = PushTarget.Settings()
        (settings.topic, settings.isSandbox) = try (row["topic"], row["is_sandbox"])
        (settings.key, settings.authentication) = try (row["key"], row["authentication"])
        settings.secret = try row["secret"]
        target.settings = settings
        (target.failures, target.problem) = try (row["failures"], row["problem"])
        return target
    }
}
