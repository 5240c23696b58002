import FoundationEssentials
import HelixModel
import HelixSQLite

/// A file to be attached to a message: its bytes, name and type.
public struct ChatFile {
    /// The bytes, staged beside the store.
    public var staged: StagedFile
    /// The file's name.
    public var name: String
    /// The media type: `image/png`.
    public var type: String

    /// Creates a file.
    public init(staged: StagedFile, name: String, type: String) {
        self.staged = staged
        self.name = name
        self.type = type
    }
}

extension Store {
    /// Whether the bytes with a hash are stored locally.
    public func hasBytes(_ hash: String) -> Bool { files.path(hash) != nil }

    /// The bytes of an attachment; nil if they are not stored locally.
    public func bytes(of file: ChatAttachment) -> Data? {
        path(of: file).flatMap { FileManager.default.contents(atPath: $0) }
    }

    /// Writes a copy of an attachment, checked by its hash.
    /// - Throws: ``HelixError`` if the bytes are missing or changed, or if the copy cannot be written.
    public func copy(_ file: ChatAttachment, to target: String) throws {
        try files.copy(
            FileRecord(
                id: file.id, project: file.id, name: file.name, role: .document, sha256: file.sha256, size: file.size,
                createdAt: now), to: target)
    }
}

extension Change {
    /// Creates a conversation. Its members are invited by the next sync with the gateway.
    ///
    /// - Parameters:
    ///   - account: the gateway's account; nil for a local conversation.
    ///   - others: the names of the members to invite.
    /// - Throws: ``HelixError`` of code `usage` for an invalid name.
    public func addConversation(
        _ kind: Conversation.Kind, name: String, account: EntityID?, others: [String] = []
    ) throws -> Conversation {
        try checkName(name)
        for other in others { try checkUser(other) }
        let conversation = Conversation(
            id: EntityID(), kind: kind, name: name, account: account, createdAt: store.now)
        try create(
            .conversation, conversation.id,
            JournalFields([
                "kind": kind.rawValue.databaseValue, "name": name.databaseValue,
                "account": account?.text.databaseValue ?? .null,
                "created_at": store.now.seconds.databaseValue, "is_archived": 0.databaseValue,
                "is_muted": 0.databaseValue, "invited": others.joined(separator: ",").databaseValue,
                "description": "".databaseValue,
            ]))
        return conversation
    }

    /// The current state of a conversation.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func conversation(_ id: EntityID) throws -> Conversation { try Store.conversation(db, id) }

    private func checkName(_ name: String) throws {
        guard Conversation.isName(name) else {
            throw HelixError(
                .usage, "invalid conversation name '\(name.prefix(60))'",
                hint: "Use 1 to 200 letters, digits and signs.")
        }
    }

    /// Adds a message. In a conversation of a gateway it is queued for sending; its place is fixed already.
    ///
    /// - Parameters:
    ///   - sender: the name of the author.
    ///   - files: the attachments, whose bytes are stored.
    ///   - keepsArchived: True to leave an archived conversation archived.
    /// - Throws: ``HelixError``: `usage` for an empty or too large message, `notAllowed` if the user has left the conversation.
    public func say(
        _ content: String, in conversation: Conversation, sender: String, role: ChatMessage.Role = .user,
        replyTo: EntityID? = nil, files: [ChatFile] = [], details: ChatDetails = ChatDetails(),
        keepsArchived: Bool = false
    ) throws -> ChatMessage {
        try checkIsIn(conversation)
        try checkContent(content, hasFiles: !files.isEmpty)
        let id = EntityID()
        try create(
            .chatMessage, id,
            JournalFields([
                "conversation": conversation.id.text.databaseValue, "content": content.databaseValue,
                "role": role.rawValue.databaseValue, "sender": sender.databaseValue,
                "is_mine": (role == .user).databaseValue, "sent_at": store.now.seconds.databaseValue,
                "reply_to": replyTo?.text.databaseValue ?? .null, "is_deleted": 0.databaseValue,
                "metadata": (details.metadataJSON?.compact).databaseValue,
                "thinking": details.thinking.databaseValue,
            ]))
        for (place, file) in files.enumerated() {
            try store.files.keep(file.staged)
            try create(
                .chatAttachment, EntityID(),
                JournalFields([
                    "message": id.text.databaseValue, "position": place.databaseValue, "name": file.name.databaseValue,
                    "type": file.type.databaseValue, "size": file.staged.size.databaseValue,
                    "sha256": file.staged.hash.databaseValue,
                ]))
        }
        // A new message makes an archived conversation visible again.
        if conversation.isArchived, !keepsArchived { try setArchived(false, conversation.id) }
        return try message(id)
    }

    /// - Throws: ``HelixError`` of code `notAllowed` for a conversation that the user has left.
    private func checkIsIn(_ conversation: Conversation) throws {
        guard conversation.role != nil else {
            if conversation.remote == nil {
                throw HelixError(
                    .notAllowed, "cannot send: the gateway no longer knows '\(conversation.name)'",
                    hint: "Its messages can still be read; start another one with 'helix chat new'.")
            }
            throw HelixError(
                .notAllowed, "cannot send: you are no longer a member of '\(conversation.name)'",
                hint: "Ask a member to invite you again, or start another one with 'helix chat new'.")
        }
    }

    private func checkContent(_ content: String, hasFiles: Bool) throws {
        guard hasFiles || content.contains(where: { !$0.isWhitespace }) else {
            throw HelixError(.usage, "empty message", hint: "helix chat send NAME 'Hello' or - < FILE")
        }
        guard content.utf8.count <= ChatMessage.largestContent else {
            throw HelixError(
                .usage, "the message is larger than \(ChatMessage.largestContent >> 10) KiB",
                hint: "Send it as an attachment: --attach FILE.")
        }
    }

    private func message(_ id: EntityID) throws -> ChatMessage {
        guard let found = try Store.finished(db, try Store.rows(db, "m.id = ?", [id.text])).first else {
            throw HelixError(.notFound, "unknown chat message \(id.text)")
        }
        return found
    }

    /// Changes the content of an own message. It is marked as edited if it was sent before.
    /// - Throws: ``HelixError`` of code `notAllowed` for a message of somebody else.
    public func edit(_ message: ChatMessage, content: String) throws -> ChatMessage {
        try checkOwn(message, "change")
        try checkContent(content, hasFiles: !message.attachments.isEmpty)
        try update(
            .chatMessage, message.id,
            JournalFields(["content": content.databaseValue, "is_deleted": 0.databaseValue]))
        // A message that was not sent yet is not marked as edited.
        try db.execute(
            sql: "UPDATE chat_message SET edited_at = ? WHERE id = ? AND seq IS NOT NULL",
            arguments: [store.now.seconds, message.id.text])
        return try self.message(message.id)
    }

    /// Deletes an own message. If others may have seen it, a placeholder remains.
    /// - Throws: ``HelixError`` of code `notAllowed` for a message of somebody else.
    public func delete(_ message: ChatMessage) throws {
        let conversation = try Store.conversation(db, message.conversation)
        if conversation.account == nil || message.number == nil {
            for file in message.attachments { try delete(.chatAttachment, file.id) }
            return try delete(.chatMessage, message.id)
        }
        try checkOwn(message, "delete")
        try update(
            .chatMessage, message.id,
            JournalFields([
                "content": "".databaseValue, "is_deleted": 1.databaseValue, "metadata": .null, "thinking": .null,
            ]))
        for file in message.attachments { try delete(.chatAttachment, file.id) }
    }

    private func checkOwn(_ message: ChatMessage, _ verb: String) throws {
        guard message.isMine, message.role == .user else {
            throw HelixError(.notAllowed, "only \(message.sender), who wrote the message, can \(verb) it")
        }
        if let remover = message.details.removedBy {
            throw HelixError(.notAllowed, "cannot \(verb) the message: \(remover) removed it")
        }
    }

    /// Retries sending a queued or parked message.
    /// - Throws: ``HelixError``.
    public func retry(_ message: ChatMessage) throws {
        try checkIsIn(try conversation(message.conversation))
        try db.execute(
            sql: """
                UPDATE chat_message SET state = 'pending', tries = 0, retry_at = 0, problem = NULL
                WHERE id = ? AND state IN ('pending', 'failed')
                """, arguments: [message.id.text])
        try db.execute(
            sql: "UPDATE conversation SET problem = NULL WHERE id = ?", arguments: [message.conversation.text])
    }

    /// Renames a conversation.
    /// - Throws: ``HelixError``: `usage` for an invalid name, `notAllowed` for a group of others.
    public func rename(_ conversation: Conversation, to name: String) throws {
        try checkName(name)
        if conversation.kind == .group, conversation.account != nil, conversation.role?.isInCharge != true {
            throw HelixError(.notAllowed, "only an owner or admin of '\(conversation.name)' can rename it")
        }
        try update(.conversation, conversation.id, JournalFields(["name": name.databaseValue]))
    }

    /// Sets the description of a conversation; empty for none.
    /// - Throws: ``HelixError``: `usage` for an invalid text, `notAllowed` for a group of others.
    public func describe(_ conversation: Conversation, as text: String) throws {
        guard Conversation.isDescription(text) else {
            throw HelixError(
                .usage, "invalid description",
                hint: "Use at most \(Conversation.largestDescription) bytes of plain text.")
        }
        if conversation.kind == .group, conversation.account != nil, conversation.role?.isInCharge != true {
            throw HelixError(.notAllowed, "only an owner or admin of '\(conversation.name)' can describe it")
        }
        try update(.conversation, conversation.id, JournalFields(["description": text.databaseValue]))
    }

    /// Archives or unarchives a conversation.
    /// - Throws: ``HelixError``.
    public func setArchived(_ isArchived: Bool, _ id: EntityID) throws {
        try update(.conversation, id, JournalFields(["is_archived": isArchived.databaseValue]))
    }

    /// Mutes or unmutes a conversation; new messages in a muted one are not counted as unread.
    /// - Throws: ``HelixError``.
    public func setMuted(_ isMuted: Bool, _ id: EntityID) throws {
        try update(.conversation, id, JournalFields(["is_muted": isMuted.databaseValue]))
    }

    /// Deletes a conversation with all its messages. If it is restored, the gateway returns those that it has; the rest
    /// is in the journal.
    /// - Throws: ``HelixError`` of code `notAllowed` for a group whose member the user still is.
    public func delete(_ conversation: Conversation) throws {
        if conversation.kind == .group, conversation.account != nil, conversation.role != nil,
            conversation.remote != nil
        {
            throw HelixError(
                .notAllowed, "you are still a member of '\(conversation.name)'",
                hint: "Leave it first: helix chat leave.")
        }
        let known = conversation.account != nil && conversation.role != nil
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM chat_message WHERE conversation = ? \(known ? "AND synced IS NULL AND is_mine = 1" : "")
                ORDER BY n DESC
                """, arguments: [conversation.id.text])
        for id in ids {
            let message = try message(EntityID(stored: id))
            for file in message.attachments { try delete(.chatAttachment, file.id) }
            try delete(.chatMessage, message.id)
        }
        try delete(.conversation, conversation.id)
    }

    /// Invites a user at the next sync with the gateway. It cannot be undone, because they may have read messages.
    /// - Parameter seesAll: True to show them earlier messages.
    /// - Throws: ``HelixError``: `notAllowed`, `usage`.
    public func invite(
        _ name: String, to conversation: Conversation, as role: ChatMember.Role, seesAll: Bool
    ) throws {
        final = .members
        guard conversation.account != nil else {
            throw HelixError(
                .usage, "cannot invite anybody to '\(conversation.name)': it is local to this machine",
                hint: "Conversations with others need a gateway account: helix account add NAME gateway URL.")
        }
        try checkMembers(of: conversation)
        try checkUser(name)
        guard role != .owner || conversation.role == .owner else {
            throw HelixError(.notAllowed, "only an owner of '\(conversation.name)' can make others owners")
        }
        let isIn = try Bool.fetchOne(
            db, sql: "SELECT 1 FROM chat_member WHERE conversation = ? AND name = ? COLLATE NOCASE AND pending IS NULL",
            arguments: [conversation.id.text, name])
        if isIn == true { throw HelixError(.conflict, "'\(name)' is already a member of '\(conversation.name)'") }
        try begin()
        try db.execute(
            sql: """
                INSERT INTO chat_member (conversation, user, name, role, pending, sees_all, pending_after)
                VALUES (?1, ?2, ?2, ?3, 'invite', ?4, (SELECT ifnull(MAX(n), 0) FROM chat_message))
                ON CONFLICT DO UPDATE SET role = ?3, pending = 'invite', sees_all = ?4, problem = NULL,
                    pending_after = excluded.pending_after
                """, arguments: [conversation.id.text, name, role.rawValue, seesAll])
    }

    /// Removes a member; the user's own membership ends by leaving.
    /// - Throws: ``HelixError``: `notAllowed`.
    public func remove(_ member: ChatMember, from conversation: Conversation) throws {
        final = .members
        if !member.isMe {
            try checkMembers(of: conversation)
            if member.role == .owner, conversation.role != .owner {
                throw HelixError(
                    .notAllowed,
                    "only an owner of '\(conversation.name)' can remove the owner \(member.name)")
            }
        }
        try begin()
        if member.pending == .invite {
            try db.execute(
                sql: "DELETE FROM chat_member WHERE conversation = ? AND user = ?",
                arguments: [conversation.id.text, member.user])
        } else {
            try setPending(.remove, of: member, role: member.role, in: conversation)
        }
    }

    /// Changes the role of a member.
    /// - Throws: ``HelixError``: `notAllowed`.
    public func setRole(_ role: ChatMember.Role, of member: ChatMember, in conversation: Conversation) throws {
        final = .members
        try checkMembers(of: conversation)
        if role == .owner || member.role == .owner, conversation.role != .owner {
            throw HelixError(.notAllowed, "only an owner of '\(conversation.name)' can grant or revoke ownership")
        }
        if member.role == .owner, role != .owner {
            let others = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM chat_member WHERE conversation = ? AND user <> ? AND role = 'owner'",
                arguments: [conversation.id.text, member.user])
            guard others == true else {
                throw HelixError(
                    .conflict, "cannot change the role of the last owner of '\(conversation.name)'",
                    hint: "First make another one owner: helix chat members '\(conversation.name)' --role NAME=owner")
            }
        }
        try begin()
        let pending = member.pending == .invite ? ChatMember.PendingChange.invite : .role
        try setPending(pending, of: member, role: role, in: conversation)
    }

    private func setPending(
        _ pending: ChatMember.PendingChange, of member: ChatMember, role: ChatMember.Role, in conversation: Conversation
    ) throws {
        try db.execute(
            sql: """
                UPDATE chat_member SET pending = ?1, role = ?2, problem = NULL, pending_after =
                    CASE WHEN ?1 = 'remove' THEN (SELECT ifnull(MAX(n), 0) FROM chat_message) ELSE pending_after END
                WHERE conversation = ?3 AND user = ?4
                """, arguments: [pending.rawValue, role.rawValue, conversation.id.text, member.user])
    }

    private func checkUser(_ name: String) throws {
        guard (1...64).contains(name.count), !name.contains(where: { $0.isWhitespace || $0 == "," }) else {
            throw HelixError(.usage, "invalid user name '\(name.prefix(60))'")
        }
    }

    private func checkMembers(of conversation: Conversation) throws {
        guard conversation.kind == .group else {
            throw HelixError(
                .usage, "cannot change the members of '\(conversation.name)': it is not a group",
                hint: "Create a group: helix chat new NAME --with ana,bob")
        }
        guard conversation.role?.isInCharge == true else {
            throw HelixError(.notAllowed, "only an owner or admin of '\(conversation.name)' can change its members")
        }
    }
}
