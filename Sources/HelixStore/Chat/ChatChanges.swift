import Foundation
import HelixModel
import HelixSQLite

/// A file that is to go with a message: its bytes, and what they are.
public struct ChatFile {
    /// The bytes, staged beside the store.
    public var staged: StagedFile
    /// The file's name.
    public var name: String
    /// What it is: `image/png`.
    public var type: String

    /// Such a file.
    public init(staged: StagedFile, name: String, type: String) {
        self.staged = staged
        self.name = name
        self.type = type
    }
}

extension Store {
    /// Where the bytes of a file of a message lie; nil if they are not here.
    public func path(of file: ChatAttachment) -> String? { files.path(file.sha256) }

    /// Whether the bytes with that hash are here.
    public func hasBytes(_ hash: String) -> Bool { files.path(hash) != nil }

    /// The bytes of a file of a message; nil if they are not here.
    public func bytes(of file: ChatAttachment) -> Data? {
        path(of: file).flatMap { FileManager.default.contents(atPath: $0) }
    }

    /// Writes a copy of a file of a message, checked by its hash.
    /// - Throws: ``HelixError``: its bytes are gone or changed, or the copy cannot be written.
    public func copy(_ file: ChatAttachment, to target: String) throws {
        try files.copy(
            FileRecord(
                id: file.id, project: file.id, name: file.name, role: .document, sha256: file.sha256, size: file.size,
                createdAt: now), to: target)
    }

    /// Keeps the bytes of a file of a message that were fetched.
    /// - Throws: ``HelixError``: `badInput` if they are not what was said.
    public func keep(_ staged: StagedFile, as file: ChatAttachment) throws {
        guard staged.hash == file.sha256, staged.size == file.size else {
            throw HelixError(.badInput, "what came for '\(file.name)' is not what was sent", hint: "Try again.")
        }
        try files.keep(staged)
    }
}

extension Change {
    /// Begins a conversation. Who is to be in it is asked for when the gateway is told.
    ///
    /// - Parameters:
    ///   - account: the gateway's account; nil for one that stays here.
    ///   - others: the names of those to let in.
    /// - Throws: ``HelixError``: `usage` for a name that is none.
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
            ]))
        return conversation
    }

    /// A conversation as it is now.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func conversation(_ id: EntityID) throws -> Conversation { try Store.conversation(db, id) }

    private func checkName(_ name: String) throws {
        guard Conversation.isName(name) else {
            throw HelixError(
                .usage, "'\(name.prefix(60))' is no name for a conversation",
                hint: "1 to 200 letters, digits and signs.")
        }
    }

    /// Says something. In a conversation of a gateway it waits to leave; it has its place already.
    ///
    /// - Parameters:
    ///   - sender: whose words they are.
    ///   - files: what goes with it; their bytes stay.
    ///   - keepsArchived: whether a conversation that is out of sight stays so.
    /// - Throws: ``HelixError``: `usage` for nothing at all or too much, `notAllowed` for somebody who left.
    public func say(
        _ content: String, in conversation: Conversation, sender: String, role: ChatMessage.Role = .user,
        replyTo: EntityID? = nil, files: [ChatFile] = [], keepsArchived: Bool = false
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
        // Whoever says something somewhere wants to see it again.
        if conversation.isArchived, !keepsArchived { try setArchived(false, conversation.id) }
        return try message(id)
    }

    /// - Throws: ``HelixError`` of code `notAllowed` for one in which one is not any more.
    private func checkIsIn(_ conversation: Conversation) throws {
        guard conversation.role != nil else {
            if conversation.remote == nil {
                throw HelixError(
                    .notAllowed, "its gateway does not know '\(conversation.name)' any more",
                    hint: "What was said stays to be read; 'helix chat new' begins another one.")
            }
            throw HelixError(
                .notAllowed, "you are not in '\(conversation.name)' any more, and cannot say anything there",
                hint: "Somebody who is in it can let you in again; 'helix chat new' begins another one.")
        }
    }

    private func checkContent(_ content: String, hasFiles: Bool) throws {
        guard hasFiles || content.contains(where: { !$0.isWhitespace }) else {
            throw HelixError(.usage, "there is nothing to say", hint: "helix chat send NAME 'Hello' or - < FILE")
        }
        guard content.utf8.count <= ChatMessage.largestContent else {
            throw HelixError(
                .usage, "a message has \(ChatMessage.largestContent >> 10) KiB at most, and this one has more",
                hint: "Send it as a file: --attach FILE.")
        }
    }

    private func message(_ id: EntityID) throws -> ChatMessage {
        guard let found = try Store.finished(db, try Store.rows(db, "m.id = ?", [id.text])).first else {
            throw HelixError(.notFound, "there is no chat message \(id.text)")
        }
        return found
    }

    /// Gives one's own message other words. Those who read the old ones see that it was changed.
    /// - Throws: ``HelixError``: `notAllowed` for another's.
    public func edit(_ message: ChatMessage, content: String) throws -> ChatMessage {
        try checkOwn(message, "change")
        try checkContent(content, hasFiles: !message.attachments.isEmpty)
        try update(
            .chatMessage, message.id,
            JournalFields(["content": content.databaseValue, "is_deleted": 0.databaseValue]))
        // What nobody has seen yet was not changed for anybody.
        try db.execute(
            sql: "UPDATE chat_message SET edited_at = ? WHERE id = ? AND seq IS NOT NULL",
            arguments: [store.now.seconds, message.id.text])
        return try self.message(message.id)
    }

    /// Deletes one's own message. Where others may have seen it, a mark stays in its place.
    /// - Throws: ``HelixError``: `notAllowed` for another's.
    public func delete(_ message: ChatMessage) throws {
        let conversation = try Store.conversation(db, message.conversation)
        if conversation.account == nil || message.number == nil {
            for file in message.attachments { try delete(.chatAttachment, file.id) }
            return try delete(.chatMessage, message.id)
        }
        try checkOwn(message, "delete")
        try update(
            .chatMessage, message.id, JournalFields(["content": "".databaseValue, "is_deleted": 1.databaseValue]))
        for file in message.attachments { try delete(.chatAttachment, file.id) }
    }

    private func checkOwn(_ message: ChatMessage, _ verb: String) throws {
        guard message.isMine, message.role == .user else {
            throw HelixError(.notAllowed, "that is \(message.sender)'s message, and nobody else can \(verb) it")
        }
    }

    /// Lets a message that did not leave be tried again.
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

    /// Gives a conversation another name.
    /// - Throws: ``HelixError``: `usage` for a name that is none.
    public func rename(_ conversation: Conversation, to name: String) throws {
        try checkName(name)
        if conversation.kind == .group, conversation.account != nil, conversation.role?.isInCharge != true {
            throw HelixError(.notAllowed, "only who is in charge of '\(conversation.name)' names it")
        }
        try update(.conversation, conversation.id, JournalFields(["name": name.databaseValue]))
    }

    /// Puts a conversation out of sight, or back.
    /// - Throws: ``HelixError``.
    public func setArchived(_ isArchived: Bool, _ id: EntityID) throws {
        try update(.conversation, id, JournalFields(["is_archived": isArchived.databaseValue]))
    }

    /// Says whether what is new in a conversation counts.
    /// - Throws: ``HelixError``.
    public func setMuted(_ isMuted: Bool, _ id: EntityID) throws {
        try update(.conversation, id, JournalFields(["is_muted": isMuted.databaseValue]))
    }

    /// Deletes a conversation with all that was said in it. What a gateway has it gives again when it comes back; the rest
    /// is in the journal.
    /// - Throws: ``HelixError``: `notAllowed` for a group that one is still in.
    public func delete(_ conversation: Conversation) throws {
        if conversation.kind == .group, conversation.account != nil, conversation.role != nil,
            conversation.remote != nil
        {
            throw HelixError(
                .notAllowed, "you are in '\(conversation.name)' still", hint: "Leave it first: helix chat leave.")
        }
        let known = conversation.account != nil && conversation.role != nil
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT id FROM chat_message WHERE conversation = ? \(known ? "AND agreed IS NULL AND is_mine = 1" : "")
                ORDER BY n DESC
                """, arguments: [conversation.id.text])
        for id in ids {
            let message = try message(EntityID(stored: id))
            for file in message.attachments { try delete(.chatAttachment, file.id) }
            try delete(.chatMessage, message.id)
        }
        try delete(.conversation, conversation.id)
    }

    /// Lets somebody in. The gateway is told with the next sync; nothing of that can be undone, for they may have read.
    /// - Parameter seesAll: whether they see what was said before.
    /// - Throws: ``HelixError``: `notAllowed`, `usage`.
    public func invite(
        _ name: String, to conversation: Conversation, as role: ChatMember.Role, seesAll: Bool
    ) throws {
        guard conversation.account != nil else {
            throw HelixError(
                .usage, "'\(conversation.name)' is on this machine alone, and nobody else can come in",
                hint: "Conversations with others are in an account: helix account add NAME gateway URL.")
        }
        try checkMembers(of: conversation)
        try checkUser(name)
        guard role != .owner || conversation.role == .owner else {
            throw HelixError(.notAllowed, "only an owner of '\(conversation.name)' makes others owners")
        }
        let isIn = try Bool.fetchOne(
            db, sql: "SELECT 1 FROM chat_member WHERE conversation = ? AND name = ? COLLATE NOCASE AND wish IS NULL",
            arguments: [conversation.id.text, name])
        if isIn == true { throw HelixError(.conflict, "'\(name)' is in '\(conversation.name)' already") }
        try begin()
        try db.execute(
            sql: """
                INSERT INTO chat_member (conversation, user, name, role, wish, sees_all, wished_after)
                VALUES (?1, ?2, ?2, ?3, 'invite', ?4, (SELECT ifnull(MAX(n), 0) FROM chat_message))
                ON CONFLICT DO UPDATE SET role = ?3, wish = 'invite', sees_all = ?4, problem = NULL,
                    wished_after = excluded.wished_after
                """, arguments: [conversation.id.text, name, role.rawValue, seesAll])
    }

    /// Sends somebody away, or leaves.
    /// - Throws: ``HelixError``: `notAllowed`.
    public func remove(_ member: ChatMember, from conversation: Conversation) throws {
        if !member.isMe {
            try checkMembers(of: conversation)
            if member.role == .owner, conversation.role != .owner {
                throw HelixError(
                    .notAllowed,
                    "\(member.name) is an owner of '\(conversation.name)', and only an owner sends owners away")
            }
        }
        try begin()
        if member.wish == .invite {
            try db.execute(
                sql: "DELETE FROM chat_member WHERE conversation = ? AND user = ?",
                arguments: [conversation.id.text, member.user])
        } else {
            try setWish(.remove, of: member, role: member.role, in: conversation)
        }
    }

    /// Lets a member do more, or less.
    /// - Throws: ``HelixError``: `notAllowed`.
    public func setRole(_ role: ChatMember.Role, of member: ChatMember, in conversation: Conversation) throws {
        try checkMembers(of: conversation)
        if role == .owner || member.role == .owner, conversation.role != .owner {
            throw HelixError(.notAllowed, "only an owner of '\(conversation.name)' does that")
        }
        if member.role == .owner, role != .owner {
            let others = try Bool.fetchOne(
                db, sql: "SELECT 1 FROM chat_member WHERE conversation = ? AND user <> ? AND role = 'owner'",
                arguments: [conversation.id.text, member.user])
            guard others == true else {
                throw HelixError(
                    .conflict, "'\(conversation.name)' would be without an owner",
                    hint: "Make somebody else one first: helix chat members '\(conversation.name)' --role NAME=owner")
            }
        }
        try begin()
        let wish = member.wish == .invite ? ChatMember.Wish.invite : .role
        try setWish(wish, of: member, role: role, in: conversation)
    }

    private func setWish(
        _ wish: ChatMember.Wish, of member: ChatMember, role: ChatMember.Role, in conversation: Conversation
    ) throws {
        try db.execute(
            sql: """
                UPDATE chat_member SET wish = ?1, role = ?2, problem = NULL, wished_after =
                    CASE WHEN ?1 = 'remove' THEN (SELECT ifnull(MAX(n), 0) FROM chat_message) ELSE wished_after END
                WHERE conversation = ?3 AND user = ?4
                """, arguments: [wish.rawValue, role.rawValue, conversation.id.text, member.user])
    }

    private func checkUser(_ name: String) throws {
        guard (1...64).contains(name.count), !name.contains(where: { $0.isWhitespace || $0 == "," }) else {
            throw HelixError(.usage, "'\(name.prefix(60))' is no name of somebody at a gateway")
        }
    }

    private func checkMembers(of conversation: Conversation) throws {
        guard conversation.kind == .group else {
            throw HelixError(
                .usage, "'\(conversation.name)' is no group, and stays as it is",
                hint: "helix chat new NAME --with ana,bob")
        }
        guard conversation.role?.isInCharge == true else {
            throw HelixError(.notAllowed, "only who is in charge of '\(conversation.name)' says who is in it")
        }
    }
}
