import Foundation
import HelixModel
import HelixSQLite

extension GatewayStore {
    /// The conversation with the assistant that a user has without beginning it; nil if nothing was ever said in it.
    /// - Throws: ``HelixError``.
    public func mainRoom(of user: EntityID) throws -> ChatRoom? {
        try read { db in
            guard let id = try mainRoom(db, of: user) else { return nil }
            return try room(db, id, user)
        }
    }

    /// The same, begun if there is none. Which conversation it is stands in the gateway's store: no other user can have
    /// made it before.
    /// - Parameter former: its identity at gateways of earlier versions, where it followed from the user's; it counts only
    ///   if it is this user's own.
    /// - Throws: ``HelixError``.
    public func makeMainRoom(of user: EntityID, former: EntityID, now: Instant) throws -> ChatRoom {
        try write { db in
            if let known = try mainRoom(db, of: user) {
                try show(db, known.text, user)
                return try room(db, known, user)
            }
            let isOwn = try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM conversation WHERE id = ?1 AND created_by = ?2 AND kind = 'assistant')
                        AND NOT EXISTS (SELECT 1 FROM member WHERE conversation = ?1 AND user <> ?2)
                    """, arguments: [former.text, user.text])
            let id = isOwn == true ? former : EntityID()
            let made = try beginRoom(db, id, .assistant, name: "Assistant", others: [], by: user, now: now)
            try db.execute(
                sql: "INSERT INTO main_room (user, conversation) VALUES (?, ?)", arguments: [user.text, id.text])
            return made
        }
    }

    private func mainRoom(_ db: Database, of user: EntityID) throws -> EntityID? {
        try String.fetchOne(db, sql: "SELECT conversation FROM main_room WHERE user = ?", arguments: [user.text])
            .map { EntityID(stored: $0) }
    }

    /// The secret that derived identities are made with; nobody but the gateway knows it.
    /// - Throws: ``HelixError``.
    public func secret() throws -> [UInt8] {
        try read { db in Array(try Data.fetchOne(db, sql: "SELECT value FROM secret") ?? Data()) }
    }
}
