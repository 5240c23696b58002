import HelixCrypto
import HelixModel
import HelixSQLite

extension SQLiteGatewayStore {
    func createInvitation(
        token: String, to conversation: EntityID, seesAll: Bool, uses: Int, until: Instant, by user: EntityID,
        now: Instant
    ) throws -> GatewayInvitation {
        try write { db in
            _ = try inCharge(db, conversation, user, .member)
            try db.execute(
                sql: "DELETE FROM invitation WHERE expires_at <= ? OR uses_left < 1", arguments: [now.seconds])
            let count = try Int.fetchOne(
                db, sql: "SELECT COUNT(*) FROM invitation WHERE conversation = ?", arguments: [conversation.text])
            guard (count ?? 0) < GatewayInvitation.mostOfConversation else {
                throw HelixError(
                    .notAllowed, "a conversation can have \(GatewayInvitation.mostOfConversation) invitations by link",
                    hint: "Revoke one first.")
            }
            let id = EntityID()
            let end = min(until, now + GatewayInvitation.longest)
            try db.execute(
                sql: """
                    INSERT INTO invitation (id, token, conversation, made_by, made_at, expires_at, uses_left, sees_all)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    id.text, SQLiteGatewayStore.hash(token), conversation.text, user.text, now.seconds, end.seconds,
                    uses, seesAll,
                ])
            try note(db, AuditEntry("invitation.create", user: user, detail: conversation.text), now: now)
            guard let made = try invitations(db, "i.id = ?", [id.text]).first else {
                throw HelixError(.unexpected, "an invitation is missing after it was written")
            }
            return made
        }
    }

    private static func hash(_ token: String) -> String { SHA256.hash(Array(token.utf8)).hexadecimal }

    private func invitations(
        _ db: Database, _ condition: String, _ arguments: StatementArguments
    ) throws -> [GatewayInvitation] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT i.*, u.name AS maker FROM invitation i JOIN user u ON u.id = i.made_by WHERE \(condition)
                ORDER BY i.made_at, i.id
                """, arguments: arguments
        ).map { row in
            try GatewayInvitation(
                id: EntityID(stored: row["id"]), conversation: EntityID(stored: row["conversation"]),
                madeBy: row["maker"], madeAt: Instant(row["made_at"]), expiresAt: Instant(row["expires_at"]),
                usesLeft: row["uses_left"], seesAll: row["sees_all"])
        }
    }

    func invitations(to conversation: EntityID, by user: EntityID, now: Instant) throws -> [GatewayInvitation] {
        try read { db in
            _ = try inCharge(db, conversation, user, .member)
            return try invitations(
                db, "i.conversation = ? AND i.expires_at > ? AND i.uses_left > 0", [conversation.text, now.seconds])
        }
    }

    func revokeInvitation(_ id: EntityID, by user: EntityID) throws {
        try write { db in
            guard let known = try invitations(db, "i.id = ?", [id.text]).first else {
                throw HelixError(.notFound, "unknown invitation \(id.text)")
            }
            _ = try inCharge(db, known.conversation, user, .member)
            try db.execute(sql: "DELETE FROM invitation WHERE id = ?", arguments: [id.text])
        }
    }

    private static let unknownInvitation = HelixError(
        .notFound, "the invitation is unknown, used up or expired", hint: "Ask for a new link.")

    func invitedGroup(token: String, now: Instant) throws -> InvitedGroup {
        try read { db in
            guard let invitation = try invitations(db, "i.token = ?", [SQLiteGatewayStore.hash(token)]).first,
                invitation.isValid(now)
            else { throw SQLiteGatewayStore.unknownInvitation }
            let (name, members, _) = try group(db, invitation.conversation)
            return InvitedGroup(name: name, members: members, invitation: invitation)
        }
    }

    private func group(_ db: Database, _ id: EntityID) throws -> (name: String, members: Int, last: Int64) {
        let row = try Row.fetchOne(
            db,
            sql: """
                SELECT c.name, c.last, (SELECT COUNT(*) FROM member m WHERE m.conversation = c.id
                    AND m.left_version IS NULL) AS members FROM conversation c WHERE c.id = ?
                """, arguments: [id.text])
        guard let row else { throw SQLiteGatewayStore.unknownInvitation }
        return try (row["name"], row["members"], row["last"])
    }

    func join(
        token: String, by user: EntityID, now: Instant
    ) throws -> (conversation: GatewayConversation, isNew: Bool) {
        try write { db in
            guard let invitation = try invitations(db, "i.token = ?", [SQLiteGatewayStore.hash(token)]).first else {
                throw SQLiteGatewayStore.unknownInvitation
            }
            let id = invitation.conversation
            if let place = try place(db, id, user), place.role != nil {
                try show(db, id.text, user)
                return (try conversation(db, id, user), false)
            }
            guard invitation.isValid(now) else { throw SQLiteGatewayStore.unknownInvitation }
            let (_, members, last) = try group(db, id)
            guard members < GatewayLimits.members else { throw SQLiteGatewayStore.isFull }
            try announce(db, id, "joined by a link of \(invitation.madeBy)", user, now)
            try enter(db, id, user, .member, first: invitation.seesAll ? 1 : last + 1)
            try db.execute(
                sql: "UPDATE invitation SET uses_left = uses_left - 1 WHERE id = ?", arguments: [invitation.id.text])
            try note(db, AuditEntry("invitation.use", user: user, detail: id.text), now: now)
            return (try conversation(db, id, user), true)
        }
    }
}

extension GatewayInvitation {
    /// Whether somebody may still join with it.
    fileprivate func isValid(_ now: Instant) -> Bool { now < expiresAt && usesLeft > 0 }
}
