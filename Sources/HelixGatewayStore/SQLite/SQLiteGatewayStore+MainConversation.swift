import FoundationEssentials
import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func mainConversation(of user: EntityID) throws -> GatewayConversation? {
        try read { db in
            guard let id = try mainConversation(db, of: user) else { return nil }
            return try conversation(db, id, user)
        }
    }

    func makeMainConversation(of user: EntityID, former: EntityID, now: Instant) throws -> GatewayConversation {
        try write { db in
            if let known = try mainConversation(db, of: user) {
                try show(db, known.text, user)
                return try conversation(db, known, user)
            }
            let isOwn = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM conversation WHERE id = ?1 AND created_by = ?2 AND kind = 'assistant')
                        AND NOT EXISTS (SELECT 1 FROM member WHERE conversation = ?1 AND user <> ?2)
                    """, arguments: [former.text, user.text])
            let id = isOwn == true ? former : EntityID()
            let made = try beginConversation(db, id, .assistant, name: "Assistant", others: [], by: user, now: now)
            try db.execute(
                sql: "INSERT INTO main_conversation (user, conversation) VALUES (?, ?)",
                arguments: [user.text, id.text])
            return made
        }
    }

    func setSessionKey(_ key: String, of conversation: EntityID, by user: EntityID) throws {
        try write { db in
            try db.execute(
                sql: "UPDATE conversation SET session_key = ? WHERE id = ? AND created_by = ? AND session_key IS NULL",
                arguments: [key, conversation.text, user.text])
        }
    }

    private func mainConversation(_ db: Database, of user: EntityID) throws -> EntityID? {
        try String.fetchOne(
            db, sql: "SELECT conversation FROM main_conversation WHERE user = ?", arguments: [user.text]
        )
        .map { EntityID(stored: $0) }
    }

    func secret() throws -> [UInt8] {
        try read { db in Array(try Data.fetchOne(db, sql: "SELECT value FROM secret") ?? Data()) }
    }
}
