import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func share(of entity: EntityID, owner: EntityID) throws -> GatewayShare? {
        try share("owner = ? AND entity = ?", owner, entity)
    }

    func share(ofCopy copy: EntityID, member: EntityID) throws -> GatewayShare? {
        try share("member = ? AND copy = ?", member, copy)
    }

    private func share(_ condition: String, _ user: EntityID, _ entity: EntityID) throws -> GatewayShare? {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT owner, kind, entity, member, copy, base FROM share WHERE \(condition)",
                arguments: [user.text, entity.text])
            guard let row, let kind = EntityKind(rawValue: try row["kind"]) else { return nil }
            let base: String? = try row["base"]
            return try GatewayShare(
                owner: EntityID(stored: row["owner"]), kind: kind, entity: EntityID(stored: row["entity"]),
                member: EntityID(stored: row["member"]), copy: EntityID(stored: row["copy"]),
                base: base.map { try JSONText(Array($0.utf8)) })
        }
    }

    func saveShare(_ share: GatewayShare) throws {
        try write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO share (owner, entity, kind, member, copy, base) VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    share.owner.text, share.entity.text, share.kind.rawValue, share.member.text, share.copy.text,
                    share.base?.compact,
                ])
        }
    }

    func removeShare(of entity: EntityID, owner: EntityID) throws {
        try write { db in
            try db.execute(
                sql: "DELETE FROM share WHERE owner = ? AND entity = ?", arguments: [owner.text, entity.text])
        }
    }

    func shareCursor(of user: EntityID) throws -> Int64? {
        try read { db in
            try Int64.fetchOne(db, sql: "SELECT n FROM share_cursor WHERE user = ?", arguments: [user.text])
        }
    }

    func setShareCursor(_ number: Int64, of user: EntityID) throws {
        try write { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO share_cursor (user, n) VALUES (?, ?)", arguments: [user.text, number])
        }
    }

    func assignee(named name: String, of owner: EntityID, in scope: DirectoryScope) throws -> GatewayUser? {
        let word = name.trimmingBlanks().lowercased()
        guard !word.isEmpty else { return nil }
        let id = try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT u.id FROM user u
                    WHERE (u.name = ?2 OR u.id = ?2) AND u.id <> ?1 AND NOT u.is_disabled AND u.ended_at IS NULL
                      AND NOT EXISTS (SELECT 1 FROM block b
                          WHERE b.user = u.id AND b.other = ?1 OR b.user = ?1 AND b.other = u.id)
                      AND (?3 OR EXISTS (SELECT 1 FROM member a JOIN member o ON o.conversation = a.conversation
                          WHERE a.user = ?1 AND o.user = u.id AND a.left_version IS NULL AND o.left_version IS NULL))
                    """, arguments: [owner.text, word, scope == .all])
        }
        return try id.flatMap { try user(EntityID(stored: $0)) }
    }
}
