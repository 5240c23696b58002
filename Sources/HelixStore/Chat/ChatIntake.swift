import HelixModel
import HelixSQLite

/// Ingests conversations and messages from a gateway. Local changes that were not sent yet are kept.
public struct ChatIntake {
    let db: Database
    let account: EntityID
    /// Whether the gateway has lost data; the local version wins then if it is newer.
    public var isRecovering = false

    /// Ingests a conversation.
    /// - Parameter isWhole: whether all its messages are in the same list; otherwise those of a new one are missing until
    ///   ``didFetch(_:from:)``.
    /// - Returns: its local ID, and the numbers of the messages still to be fetched before those stored locally; nil if none
    ///   is missing.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func take(_ remote: RemoteConversation, isWhole: Bool) throws -> (id: EntityID, missing: ClosedRange<Int64>?)
    {
        let told = remote.conversation
        try adopt(told)
        let known = try Row.fetchOne(
            db,
            sql: """
                SELECT * FROM conversation
                WHERE account = ?1 AND (remote = ?2 OR remote IS NULL AND role IS NOT NULL AND kind = ?4 AND id = ?3)
                ORDER BY remote IS NULL
                """, arguments: [account.text, told.remote, told.id.text, told.kind.rawValue])
        guard let known else { return try create(remote, isWhole: isWhole) }
        return try update(known, remote)
    }

    private func create(
        _ remote: RemoteConversation, isWhole: Bool
    ) throws -> (id: EntityID, missing: ClosedRange<Int64>?) {
        var told = remote.conversation
        if let owner = try String.fetchOne(
            db, sql: "SELECT account FROM conversation WHERE id = ?", arguments: [told.id.text])
        {
            let isThere = try Bool.fetchOne(db, sql: "SELECT 1 FROM account WHERE id = ?", arguments: [owner])
            if isThere == true {
                // Two accounts of one gateway may be in the same conversation.
                told.id = identity(ofSession: told.remote ?? "")
            } else {
                // The account was removed and created again.
                try db.execute(
                    sql: "UPDATE conversation SET account = ?, remote = ?, synced = ? WHERE id = ?",
                    arguments: [account.text, told.remote, SyncedConversation(told).json, told.id.text])
                return try take(remote, isWhole: isWhole)
            }
        }
        try db.execute(
            sql: """
                INSERT INTO conversation (id, kind, name, account, created_at, is_archived, is_muted, remote, role,
                    read_up_to, first_seq, synced, absent_to, description)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                told.id.text, told.kind.rawValue, told.name, account.text, told.createdAt.seconds, told.isArchived,
                told.isMuted, told.remote, told.role?.rawValue, told.readUpTo, remote.first,
                SyncedConversation(told).json, isWhole || remote.last < remote.first ? nil : remote.last,
                told.description,
            ])
        try take(remote.members, in: told.id)
        return (told.id, remote.last >= remote.first ? remote.first...remote.last : nil)
    }

    /// Takes over what the gateway tells of a known conversation.
    private func update(
        _ known: Row, _ remote: RemoteConversation
    ) throws -> (id: EntityID, missing: ClosedRange<Int64>?) {
        let told = remote.conversation
        let synced = try (known["synced"] as String?).flatMap(SyncedConversation.init)
        let mine = merged(try Store.conversation(known), synced, with: told)
        // A deleted and restored conversation is still to be requested, with all its messages.
        let isAwaited = try synced == nil && (known["remote"] as String?) != nil
        // A user who joins again may see messages sent meanwhile.
        let comesBack = mine.role == nil && told.role != nil
        try db.execute(
            sql: """
                UPDATE conversation SET kind = ?, created_at = ?, name = ?, is_archived = ?, is_muted = ?, remote = ?, role = ?,
                    read_up_to = ?, first_seq = ?, synced = ?, absent_to = ifnull(?, absent_to), description = ? WHERE id = ?
                """,
            arguments: [
                told.kind.rawValue, told.createdAt.seconds, mine.name, mine.isArchived, mine.isMuted, told.remote,
                told.role?.rawValue,
                mine.readUpTo, remote.first, isAwaited ? nil : SyncedConversation(told).json,
                comesBack ? remote.last : nil, mine.description,
                mine.id.text,
            ])
        if told.role == nil {
            try db.execute(sql: "DELETE FROM chat_member WHERE conversation = ?", arguments: [mine.id.text])
        }
        try take(remote.members, in: mine.id)
        let have = try Int64.fetchOne(
            db, sql: "SELECT MIN(seq) FROM chat_message WHERE conversation = ?", arguments: [mine.id.text])
        let end = max(have.map { $0 - 1 } ?? remote.last, comesBack ? remote.last : 0)
        return (mine.id, end >= remote.first && told.role != nil ? remote.first...end : nil)
    }

    /// The local conversation with the values of the gateway, except those that were changed locally.
    /// - Parameter synced: the values of both sides at the last sync; nil if there was none.
    private func merged(
        _ local: Conversation, _ synced: SyncedConversation?, with told: Conversation
    ) -> Conversation {
        var mine = local
        let base = synced ?? SyncedConversation(mine)
        // A value that differs from the last sync was changed locally and will be sent; the gateway decides the rest.
        let isNamedHere = isRecovering && synced != nil && mine.role?.isInCharge == true
        if mine.name == base.name && !isNamedHere || synced == nil { mine.name = told.name }
        if mine.description == base.description && !isNamedHere || synced == nil { mine.description = told.description }
        // Archived and muted are the user's own settings: values that the gateway has lost are sent again.
        if mine.isArchived == base.isArchived, !isRecovering { mine.isArchived = told.isArchived }
        if mine.isMuted == base.isMuted, !isRecovering { mine.isMuted = told.isMuted }
        mine.readUpTo = max(mine.readUpTo, told.readUpTo)
        return mine
    }

    /// Reopens a conversation that its gateway did not know for a while, because its right store was restored. It is recognized
    /// by the creation time, which the gateway sets. Existing messages keep their place before those of the gateway.
    private func adopt(_ told: Conversation) throws {
        let id = try String.fetchOne(
            db,
            sql: """
                SELECT id FROM conversation WHERE account = ? AND id = ? AND kind = ? AND created_at = ?
                    AND remote IS NULL AND role IS NULL
                """, arguments: [account.text, told.id.text, told.kind.rawValue, told.createdAt.seconds])
        guard let id else { return }
        try db.execute(
            sql: """
                UPDATE chat_message SET seq = seq - 1 - (SELECT MAX(seq) FROM chat_message WHERE conversation = ?1)
                WHERE conversation = ?1 AND seq IS NOT NULL
                """, arguments: [id])
        try db.execute(
            sql: "UPDATE conversation SET remote = ?, synced = ?, role = ?, problem = NULL WHERE id = ?",
            arguments: [told.remote, SyncedConversation(told).json, told.role?.rawValue, id])
    }

    /// Removes a conversation that was deleted on another device. It is kept, to be created again, if it has queued messages.
    /// - Throws: ``HelixError``.
    public func forget(remote: String) throws {
        let id = try String.fetchOne(
            db, sql: "SELECT id FROM conversation WHERE account = ? AND remote = ?", arguments: [account.text, remote])
        guard let id else { return }
        try ChatRows.forgetMessages(db, of: EntityID(stored: id), keepsWaiting: true)
        let waits = try Bool.fetchOne(db, sql: "SELECT 1 FROM chat_message WHERE conversation = ?", arguments: [id])
        if waits == true { return }
        try db.execute(sql: "DELETE FROM chat_member WHERE conversation = ?", arguments: [id])
        try db.execute(sql: "DELETE FROM conversation WHERE id = ?", arguments: [id])
    }

    /// Records that all messages from a number on were fetched.
    /// - Throws: ``DatabaseError``.
    public func didFetch(_ conversation: EntityID, from number: Int64) throws {
        try db.execute(
            sql: """
                UPDATE conversation SET absent_to = CASE WHEN ?1 > first_seq THEN ?1 - 1 END
                WHERE id = ?2 AND absent_to IS NOT NULL
                """, arguments: [number, conversation.text])
    }

    private func take(_ members: [ChatMember], in conversation: EntityID) throws {
        // Pending changes that were not sent yet are kept.
        try db.execute(
            sql: "DELETE FROM chat_member WHERE conversation = ? AND pending IS NULL", arguments: [conversation.text])
        for member in members {
            try db.execute(
                sql:
                    "DELETE FROM chat_member WHERE conversation = ? AND pending = 'invite' AND user = ? COLLATE NOCASE",
                arguments: [conversation.text, member.name])
            try db.execute(
                sql: """
                    INSERT INTO chat_member (conversation, user, name, role, delivered_up_to, read_up_to, is_me,
                        display_name)
                    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
                    ON CONFLICT DO UPDATE SET name = ?3, delivered_up_to = ?5, read_up_to = ?6, display_name = ?8
                    """,
                arguments: [
                    conversation.text, member.user, member.name, member.role.rawValue, member.deliveredUpTo,
                    member.readUpTo, member.isMe, member.displayName,
                ])
        }
    }

    /// Ingests a page of messages.
    /// - Parameter name: the user's name on the gateway.
    /// - Returns: the IDs of the messages that are new locally.
    /// - Throws: ``HelixError``.
    public func take(_ messages: [ChatMessage], name: String) throws -> [EntityID] {
        var words: [(row: Int64, former: String?)] = []
        var fresh: [EntityID] = []
        for message in messages {
            let known = try Row.fetchOne(
                db,
                sql: """
                    SELECT n, content, synced, is_deleted, state, conversation, edited_at, is_mine FROM chat_message
                    WHERE id = ?
                    """, arguments: [message.id.text])
            guard let known else {
                let withdrawn = try Bool.fetchOne(
                    db, sql: "SELECT 1 FROM chat_withdrawal WHERE id = ?", arguments: [message.id.text])
                if withdrawn == true { continue }
                try insert(message, name)
                words.append((db.lastInsertedRowID, nil))
                if !message.isDeleted { fresh.append(message.id) }
                try take(message.attachments, of: message.id)
                continue
            }
            // An ID belongs to one message only, whatever the gateway sends.
            guard try known["conversation"] as String == message.conversation.text,
                try known["is_mine"] as Bool == message.isMine
            else { continue }
            if let changed = try update(known, from: message) { words.append(changed) }
        }
        // The full-text index last: a write to another table in between makes FTS5 write a piece of its index each time.
        let table = JournaledTable.table(.chatMessage)
        for (row, former) in words { try table.reindex(db, row, former.map { [.string($0)] }) }
        return fresh
    }

    /// Merges the gateway's version of a message into the known one.
    /// - Returns: the row and its former text, if the text was changed.
    private func update(_ known: Row, from message: ChatMessage) throws -> (row: Int64, former: String?)? {
        let (row, content, synced): (Int64, String, String?) = try (
            known["n"], known["content"], known["synced"]
        )
        let isGone: Bool = try known["is_deleted"]
        let theirs: String? = message.isDeleted ? nil : message.content
        // A local change that was not sent yet wins, and will be sent.
        let isWaiting = try known["state"] as String != "sent"
        let edited: Int64? = try known["edited_at"]
        let isLater = isRecovering && stands(content, isGone, edited, against: message)
        let isChanged =
            isLater || message.isMine && (synced != nil || isWaiting) && (isGone ? nil : content) != synced
        let text = isChanged ? content : message.content
        let isSame = isChanged && message.isMine ? (isGone ? nil : content) == theirs : true
        try db.execute(
            sql: """
                UPDATE chat_message SET content = ?, is_deleted = ?, seq = ?, synced = ?, edited_at = ?, sent_at = ?,
                    sender = ?, state = ?, problem = CASE ? WHEN 'sent' THEN NULL ELSE problem END,
                    metadata = ifnull(?, metadata), platform = ifnull(?, platform), device = ifnull(?, device),
                    thinking = ifnull(?, thinking), stored_at = ifnull(?, stored_at), reactions = ?, pinned_at = ?,
                    removed_by = ? WHERE n = ?
                """,
            arguments: [
                text, isChanged ? isGone : message.isDeleted, message.number, theirs,
                isLater ? edited : message.editedAt?.seconds,
                message.sentAt.seconds, message.sender, isSame ? "sent" : "pending", isSame ? "sent" : "pending",
                message.details.metadataJSON?.compact, message.details.platform, message.details.device,
                message.details.thinking, message.details.syncedAt?.seconds,
                ChatReaction.json(message.details.reactions)?.compact, message.details.pinnedAt?.seconds,
                message.details.removedBy, row,
            ])
        if message.isDeleted, !isChanged {
            try db.execute(
                sql: "UPDATE chat_message SET metadata = NULL, thinking = NULL WHERE n = ?", arguments: [row])
            try db.execute(sql: "DELETE FROM chat_attachment WHERE message = ?", arguments: [message.id.text])
        } else if try Int.fetchOne(
            db, sql: "SELECT COUNT(*) FROM chat_attachment WHERE message = ?", arguments: [message.id.text]) == 0
        {
            try take(message.attachments, of: message.id)
        }
        return text == content ? nil : (row, content)
    }

    /// Whether the local version of a message is newer than that of a gateway that lost data; a deletion on either side wins.
    private func stands(_ content: String, _ isGone: Bool, _ edited: Int64?, against told: ChatMessage) -> Bool {
        if told.isDeleted { return false }
        if isGone { return true }
        return content != told.content && (edited ?? 0) > (told.editedAt?.seconds ?? 0)
    }

    /// The messages with the local IDs of their conversations; those of unknown conversations are left out.
    /// - Throws: ``HelixError``.
    public func placed(_ messages: [ChatMessage]) throws -> [ChatMessage] {
        var known: [EntityID: EntityID?] = [:]
        return try messages.compactMap { message in
            if known[message.conversation] == nil {
                known[message.conversation] = .some(
                    try String.fetchOne(
                        db, sql: "SELECT id FROM conversation WHERE account = ? AND remote = ?",
                        arguments: [account.text, message.conversation.text]
                    ).map { EntityID(stored: $0) })
            }
            guard case let id?? = known[message.conversation] else { return nil }
            var placed = message
            placed.conversation = id
            return placed
        }
    }

    private func insert(_ message: ChatMessage, _ name: String) throws {
        let isMention = !message.isMine && ChatMessage.mentions(name, in: message.content)
        try db.execute(
            sql: """
                INSERT INTO chat_message (id, conversation, content, role, sender, is_mine, sent_at, reply_to, is_deleted,
                    seq, state, synced, edited_at, is_mention, metadata, platform, device, thinking, stored_at,
                    reactions, pinned_at, removed_by)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'sent', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                message.id.text, message.conversation.text, message.content, message.role.rawValue, message.sender,
                message.isMine, message.sentAt.seconds, message.replyTo?.text, message.isDeleted, message.number,
                message.isDeleted ? nil : message.content, message.editedAt?.seconds, isMention,
                message.details.metadataJSON?.compact, message.details.platform, message.details.device,
                message.details.thinking, message.details.syncedAt?.seconds,
                ChatReaction.json(message.details.reactions)?.compact, message.details.pinnedAt?.seconds,
                message.details.removedBy,
            ])
    }

    private func take(_ attachments: [ChatAttachment], of message: EntityID) throws {
        for (place, file) in attachments.enumerated() {
            try db.execute(
                sql: """
                    INSERT OR IGNORE INTO chat_attachment (id, message, position, name, type, size, sha256)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    file.id.text, message.text, place, file.name, file.type, file.size, file.sha256,
                ])
        }
    }
}

extension Store {
    /// Ingests data of a gateway in one transaction.
    ///
    /// - Parameters:
    ///   - cursor: the new cursor in the gateway's changes; nil keeps the current one.
    ///   - seen: the last count of changes that the gateway sent; nil keeps the current one.
    ///   - isRecovering: True if the gateway has lost data.
    /// - Throws: ``HelixError``, and what `body` throws.
    public func takeChat<Value>(
        of account: Account, cursor: String? = nil, seen: String? = nil, isRecovering: Bool = false,
        _ body: (ChatIntake) throws -> Value
    ) throws -> Value {
        try writeDerived { db in
            let value = try body(ChatIntake(db: db, account: account.id, isRecovering: isRecovering))
            if cursor != nil || seen != nil {
                try db.execute(
                    sql: """
                        INSERT INTO chat_cursor (account, cursor, seen) VALUES (?1, ?2, ?3)
                        ON CONFLICT DO UPDATE SET cursor = ifnull(?2, cursor), seen = ifnull(?3, seen)
                        """, arguments: [account.id.text, cursor, seen])
            }
            return value
        }
    }

    /// The cursors in a gateway's changes, and the user's ID and name on the gateway.
    /// - Throws: ``HelixError``.
    public func chatPlace(of account: EntityID) throws -> (
        cursor: String?, seen: String?, user: String?, name: String?
    ) {
        try read { db in
            let row = try Row.fetchOne(
                db, sql: "SELECT cursor, seen, user, name FROM chat_cursor WHERE account = ?", arguments: [account.text]
            )
            return try (row?["cursor"], row?["seen"], row?["user"], row?["name"])
        }
    }

    /// Sets the user of a gateway account. A different user starts without conversations.
    /// - Returns: the names of the former user's conversations, which are closed.
    /// - Throws: ``HelixError``.
    public func setChatUser(of account: EntityID, user: String, name: String) throws -> [String] {
        let former = try chatPlace(of: account).user
        if former == user { return [] }
        return try writeDerived { db in
            let lost = former == nil ? [] : try ChatRecovery.close(db, account, told: [], keepsOwn: false)
            try db.execute(
                sql: """
                    INSERT INTO chat_cursor (account, user, name) VALUES (?1, ?2, ?3)
                    ON CONFLICT DO UPDATE SET user = ?2, name = ?3, seen = CASE WHEN user IS NULL THEN seen END,
                        cursor = CASE WHEN user IS NULL THEN cursor END
                    """, arguments: [account.text, user, name])
            return lost
        }
    }
}
