import HelixModel
import HelixSQLite

/// A text that an assistant wrote about entities.
public struct AssistantText: Hashable, Sendable {
    /// The purpose, such as `summary`.
    public var kind: String
    /// The entities that it is about.
    public var subject: String
    /// A hash of all that the assistant was given, in hexadecimal digits.
    public var source: String
    /// The model that wrote it.
    public var model: String
    /// When it was written.
    public var madeAt: Instant
    /// The text.
    public var text: String

    /// Creates a text.
    public init(kind: String, subject: String, source: String, model: String, madeAt: Instant, text: String) {
        (self.kind, self.subject, self.source) = (kind, subject, source)
        (self.model, self.madeAt, self.text) = (model, madeAt, text)
    }
}

extension Store {
    /// The number of texts that are kept; the oldest are dropped.
    private static let mostAssistantTexts = 10_000

    /// The kept text about entities; nil if there is none, or it was made of something else.
    /// - Throws: ``HelixError``.
    public func assistantText(_ kind: String, about subject: String, from source: String) throws -> AssistantText? {
        try read { db in
            try Row.fetchOne(
                db,
                sql: "SELECT model, made_at, text FROM assistant_text WHERE kind = ? AND subject = ? AND source = ?",
                arguments: [kind, subject, source]
            ).map { row in
                let (model, madeAt, text): (String, Int64, String) = try (row["model"], row["made_at"], row["text"])
                return AssistantText(
                    kind: kind, subject: subject, source: source, model: model, madeAt: Instant(madeAt), text: text)
            }
        }
    }

    /// Whether a text about entities is kept.
    /// - Throws: ``HelixError``.
    public func hasAssistantText(_ kind: String, about subject: String) throws -> Bool {
        try read { db in
            try Bool.fetchOne(
                db, sql: "SELECT EXISTS (SELECT 1 FROM assistant_text WHERE kind = ? AND subject = ?)",
                arguments: [kind, subject]) ?? false
        }
    }

    /// Keeps a text in place of a former one about the same entities. It can be made again: the journal does not have it.
    /// - Throws: ``HelixError``.
    public func keep(_ text: AssistantText) throws {
        guard !isReadOnly else { return }
        try writeDerived { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO assistant_text (kind, subject, source, model, made_at, text)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """,
                arguments: [text.kind, text.subject, text.source, text.model, text.madeAt.seconds, text.text])
            try db.execute(
                sql: """
                    DELETE FROM assistant_text WHERE made_at < (
                        SELECT made_at FROM assistant_text ORDER BY made_at DESC LIMIT 1 OFFSET ?)
                    """, arguments: [Store.mostAssistantTexts])
        }
    }
}
