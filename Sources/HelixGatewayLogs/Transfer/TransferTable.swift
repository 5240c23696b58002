/// A table of a gateway's store that is copied between SQLite and PostgreSQL.
struct TransferTable {
    /// A column.
    struct Column {
        /// The name in PostgreSQL.
        let name: String
        /// The expression for it in SQLite, in the table with the alias `t`; nil if PostgreSQL alone has it.
        let sqlite: String?
        /// Whether both have it under its name, with the same values.
        let isShared: Bool
    }

    let name: String
    let columns: [Column]

    /// The shared columns.
    var shared: [String] { columns.filter(\.isShared).map(\.name) }

    /// - Parameters:
    ///   - shared: the columns that both have.
    ///   - derived: the columns that only PostgreSQL has, with the expressions for them in SQLite.
    init(_ name: String, _ shared: [String], derived: [(String, String)] = []) {
        self.name = name
        columns =
            shared.map { Column(name: $0, sqlite: "t.\"\($0)\"", isShared: true) }
            + derived.map { Column(name: $0.0, sqlite: $0.1, isShared: false) }
    }

    /// All tables that both stores have, parents first.
    static let all = [
        TransferTable(
            "user",
            [
                "id", "name", "password", "is_admin", "is_disabled", "created_at", "epoch", "kept_device", "kept_since",
                "display_name", "email", "status", "avatar", "avatar_type", "avatar_hash", "ended_at",
            ]),
        TransferTable("user_key", ["kind", "key", "user"]),
        TransferTable(
            "device", ["user", "id", "public_key", "name", "platform", "scopes", "created_at", "seen_at"]),
        TransferTable(
            "pairing",
            ["id", "user", "device", "public_key", "name", "platform", "scopes", "remote", "made_at"]),
        TransferTable("session", ["token", "user", "device", "made_at", "expires_at"]),
        TransferTable("audit", ["at", "user", "device", "remote", "action", "detail"]),
        TransferTable(
            "push_target",
            [
                "id", "user", "device", "kind", "address", "condition", "topic", "is_sandbox", "key", "authentication",
                "secret", "created_at", "failures", "problem",
            ]),
        TransferTable("block", ["user", "other", "made_at"]),
        TransferTable("share", ["owner", "entity", "kind", "member", "copy", "base"]),
        TransferTable("share_copy", ["member", "copy", "owner", "entity"]),
        TransferTable("upload", ["user", "sha256", "size", "is_whole", "made_at"]),
        TransferTable(
            "conversation",
            ["id", "kind", "name", "description", "session_key", "created_by", "created_at", "last"],
            // Later than every version of a message or member.
            derived: [("version", "(SELECT n FROM chat_clock)")]),
        TransferTable(
            "member",
            [
                "conversation", "user", "role", "first", "origin", "delivered", "read", "is_archived", "is_muted",
                "name",
                "is_hidden",
            ],
            derived: [
                ("left_version", "t.left_version"), ("user_name", "(SELECT u.name FROM user u WHERE u.id = t.user)"),
                ("display_name", "(SELECT u.display_name FROM user u WHERE u.id = t.user)"),
            ]),
        TransferTable(
            "message",
            [
                "conversation", "seq", "id", "sender", "role", "content", "sent_at", "reply_to", "edited_at",
                "is_deleted", "metadata", "platform", "device", "thinking", "stored_at", "pinned_at", "removed_by",
            ],
            derived: [
                ("version", "t.version"),
                ("has_files", "EXISTS (SELECT 1 FROM message_file f WHERE f.message = t.id)"),
                ("has_reactions", "EXISTS (SELECT 1 FROM reaction r WHERE r.message = t.id)"),
            ]),
        TransferTable(
            "message_file", ["message", "position", "id", "name", "type", "size", "sha256"],
            derived: [("conversation", "(SELECT m.conversation FROM message m WHERE m.id = t.message)")]),
        TransferTable(
            "reaction", ["message", "user", "emoji", "made_at"],
            derived: [("conversation", "(SELECT m.conversation FROM message m WHERE m.id = t.message)")]),
        TransferTable(
            "invitation",
            ["id", "token", "conversation", "made_by", "made_at", "expires_at", "uses_left", "sees_all"]),
        TransferTable("main_conversation", ["user", "conversation"]),
    ]

    /// The tables that PostgreSQL alone has, with what they are made of after the copy.
    static let derived = [
        """
        INSERT INTO user_conversation ("user", conversation, created_kind, created_at)
        SELECT m."user", m.conversation, CASE WHEN c.created_by = m."user" THEN c.kind END,
            CASE WHEN c.created_by = m."user" THEN c.created_at END
        FROM member m JOIN conversation c ON c.id = m.conversation
        """,
        "INSERT INTO message_place (id, conversation, seq) SELECT id, conversation, seq FROM message",
        """
        INSERT INTO pair (pair, conversation) SELECT min(m."user") || ' ' || max(m."user"), c.id
        FROM conversation c JOIN member m ON m.conversation = c.id WHERE c.kind = 'direct' GROUP BY c.id
        """,
    ]

    /// Statements that delete the apps' rows about others that are not there after the copy.
    static let orphans = [
        "DELETE FROM app_user a WHERE NOT EXISTS (SELECT 1 FROM \"user\" u WHERE u.id = a.\"user\")",
        "DELETE FROM app_insight a WHERE NOT EXISTS (SELECT 1 FROM conversation c WHERE c.id = a.conversation)",
    ]

    /// The tables that are emptied before a copy.
    static let emptied =
        all.map(\.name) + [
            "user_conversation", "message_place", "pair", "file_piece", "user_head", "user_log",
            "signin_failure", "app_message", "app_typing",
        ]
}
