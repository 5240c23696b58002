import HelixModel
import HelixSQLite

extension SQLAccountStore {
    func share(of entity: EntityID, owner: EntityID) throws -> GatewayShare? {
        try reading { try share($0, entity.text, owner.text) }
    }

    func share(ofCopy copy: EntityID, member: EntityID) throws -> GatewayShare? {
        try reading { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT owner, entity FROM share_copy WHERE member = ? AND copy = ?",
                arguments: [member.text, copy.text])
            return try row.flatMap { try share(db, $0["entity"], $0["owner"]) }
        }
    }

    func sharedEntities(of user: EntityID) throws -> Set<EntityID> {
        try reading { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT entity FROM share WHERE owner = ?1 UNION ALL SELECT copy FROM share_copy WHERE member = ?1
                    """, arguments: [user.text])
            return Set(ids.map { EntityID(stored: $0) })
        }
    }

    private func share(_ db: any GatewayDatabase, _ entity: String, _ owner: String) throws -> GatewayShare? {
        let row = try Row.fetchOne(
            db, sql: "SELECT kind, member, copy, base FROM share WHERE owner = ? AND entity = ?",
            arguments: [owner, entity])
        guard let row, let kind = EntityKind(rawValue: try row["kind"]) else { return nil }
        let base: String? = try row["base"]
        return try GatewayShare(
            owner: EntityID(stored: owner), kind: kind, entity: EntityID(stored: entity),
            member: EntityID(stored: row["member"]), copy: EntityID(stored: row["copy"]),
            base: base.map { try JSONText(Array($0.utf8)) })
    }

    func saveShare(_ share: GatewayShare) throws {
        try writing { db in
            try removeCopy(db, of: share.entity, owner: share.owner)
            try db.execute(
                sql: "INSERT INTO share_copy (member, copy, owner, entity) VALUES (?, ?, ?, ?)",
                arguments: [share.member.text, share.copy.text, share.owner.text, share.entity.text])
            try db.execute(
                sql: """
                    INSERT INTO share (owner, entity, kind, member, copy, base) VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (owner, entity) DO UPDATE SET kind = excluded.kind, member = excluded.member,
                        copy = excluded.copy, base = excluded.base
                    """,
                arguments: [
                    share.owner.text, share.entity.text, share.kind.rawValue, share.member.text, share.copy.text,
                    share.base?.compact,
                ])
        }
    }

    /// Removes the reference of a member's copy to its share.
    private func removeCopy(_ db: any GatewayDatabase, of entity: EntityID, owner: EntityID) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT member, copy FROM share WHERE owner = ? AND entity = ?",
            arguments: [owner.text, entity.text])
        guard let row else { return }
        try db.execute(
            sql: "DELETE FROM share_copy WHERE member = ? AND copy = ?",
            arguments: [row["member"] as String, row["copy"] as String])
    }

    func removeShare(of entity: EntityID, owner: EntityID) throws {
        try writing { db in
            try removeCopy(db, of: entity, owner: owner)
            try db.execute(
                sql: "DELETE FROM share WHERE owner = ? AND entity = ?", arguments: [owner.text, entity.text])
        }
    }

    func assignee(named name: String, of owner: EntityID, in scope: DirectoryScope) throws -> GatewayUser? {
        let word = name.trimmingBlanks().lowercased()
        guard !word.isEmpty else { return nil }
        let found = try reading { db -> EntityID? in
            guard
                let other = try EntityID(word).flatMap({ try exists(db, $0) ? $0 : nil })
                    ?? holder(db, .name, of: word),
                other != owner
            else { return nil }
            let condition =
                scope == .all
                ? ""
                : """
                 AND EXISTS (SELECT 1 FROM user_conversation c
                     JOIN member a ON a.conversation = c.conversation AND a."user" = c."user"
                     JOIN member o ON o.conversation = c.conversation AND o."user" = ?2
                     WHERE c."user" = ?1 AND a.left_version IS NULL AND o.left_version IS NULL)
                """
            return try Int.fetchOne(
                db,
                sql: """
                    SELECT 1 FROM "user" u WHERE u.id = ?2 AND u.is_disabled = 0 AND u.ended_at IS NULL
                      AND NOT EXISTS (SELECT 1 FROM block b WHERE b."user" = ?2 AND b.other = ?1)
                      AND NOT EXISTS (SELECT 1 FROM block b WHERE b."user" = ?1 AND b.other = ?2)
                    """ + condition, arguments: [owner.text, other.text]) == nil ? nil : other
        }
        return try found.flatMap { try user($0) }
    }
}
