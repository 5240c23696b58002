import FoundationEssentials
import HelixModel
import HelixSQLite

/// A text that has no vector yet.
public struct UnembeddedText: Hashable, Sendable {
    /// The entity.
    public var id: EntityID
    /// The text: title or subject, people, and the beginning of the rest.
    public var text: String
}

extension Store {
    /// The setting with the model of all vectors.
    private static let embeddingModel = "embedding.model"

    /// The texts that have a vector: mail, events, tasks and chat. Each begins with what identifies it; of more than 1,000 characters
    /// fewer questions are answered by the first results, and their vectors take longer.
    private static let embeddedTexts = [
        """
        SELECT m.id, m.subject || char(10) || m.sender || char(10) || substr(b.body, 1, 1000) AS text
        FROM message m JOIN message_body b ON b.n = m.n WHERE
        """,
        """
        SELECT m.id, c.title || char(10) || ifnull(c.location, '') || char(10) || substr(ifnull(c.description, ''), 1, 1000) AS text
        FROM event m JOIN component c ON c.event = m.n AND c.ordinal = 0 WHERE
        """,
        "SELECT m.id, m.title || char(10) || substr(ifnull(m.notes, ''), 1, 1000) AS text FROM task m WHERE",
        "SELECT m.id, substr(m.content, 1, 1000) AS text FROM chat_message m WHERE NOT m.is_deleted AND m.content <> '' AND",
    ]
    private static let isUnembedded = "NOT EXISTS (SELECT 1 FROM embedding e WHERE e.id = m.id)"

    /// Texts without a vector, the newest of each kind first.
    /// - Throws: ``HelixError``.
    public func unembedded(limit: Int) throws -> [UnembeddedText] {
        try read { db in
            var found: [UnembeddedText] = []
            for sql in Store.embeddedTexts where found.count < limit {
                let row = try Statement(
                    db, "\(sql) \(Store.isUnembedded) ORDER BY m.n DESC LIMIT \(limit - found.count)")
                while try row.step() {
                    guard let id = row.id(0) else { continue }
                    found.append(UnembeddedText(id: id, text: row.text(1) ?? ""))
                }
            }
            return found
        }
    }

    /// The setting that is there while all texts that a profile may see have a vector.
    private static let wholeMark = "embedding.whole"

    /// Whether all texts that a profile may see had a vector when that was last found, and nothing has changed since.
    /// - Throws: ``HelixError``.
    public func isWhollyEmbedded(for profile: AgentProfile) throws -> Bool {
        try read { db in
            try String.fetchOne(db, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Store.wholeMark])
                == Store.whole(profile, db)
        }
    }

    /// Remembers that all texts that a profile may see have a vector, unless one comes or changes while `find` looks for those that
    /// have none.
    /// - Returns: the result of `find`.
    /// - Throws: ``HelixError``, or the error of `find`.
    public func markingEmbedded<Texts: Collection>(
        for profile: AgentProfile, _ find: () throws -> Texts
    ) throws -> Texts {
        if isReadOnly { return try find() }
        // A trigger removes the mark if a text comes or changes meanwhile.
        let token = EntityID().text
        let whole = try writeDerived { db in
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                arguments: [Store.wholeMark, token])
            return try Store.whole(profile, db)
        }
        let found = try find()
        guard found.isEmpty else { return found }
        try writeDerived { db in
            try db.execute(
                sql: "UPDATE setting SET value = ? WHERE name = ? AND value = ?",
                arguments: [whole, Store.wholeMark, token])
        }
        return found
    }

    /// Removes the mark that all texts have a vector, for an import that drops the triggers.
    func unmarkEmbedded(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM setting WHERE name = ?", arguments: [Store.wholeMark])
    }

    /// A profile and the number of the last change: what a profile sees may depend on labels and links, which a change set sets.
    private static func whole(_ profile: AgentProfile, _ db: Database) throws -> String {
        "\(try Int.fetchOne(db, sql: "SELECT MAX(n) FROM change_set") ?? 0) \(profile.sight)"
    }

    /// The number of texts without a vector.
    /// - Throws: ``HelixError``.
    public func unembeddedCount() throws -> Int {
        try read { db in
            try Store.embeddedTexts.reduce(0) { count, sql in
                try count + (Int.fetchOne(db, sql: "SELECT COUNT(*) FROM (\(sql) \(Store.isUnembedded))") ?? 0)
            }
        }
    }

    /// Drops all vectors if they are of another model.
    /// - Throws: ``HelixError``.
    public func useEmbeddingModel(_ model: String) throws {
        let known = try read {
            try String.fetchOne($0, sql: "SELECT value FROM setting WHERE name = ?", arguments: [Store.embeddingModel])
        }
        guard known != model else { return }
        try writeDurably { db in
            try db.execute(sql: "DELETE FROM embedding")
            try db.execute(
                sql: "INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)",
                arguments: [Store.embeddingModel, model])
        }
    }

    /// Stores vectors; nil for a text that has none. Entities that are gone meanwhile get none.
    /// - Throws: ``HelixError``.
    public func keep(embeddings: [(id: EntityID, vector: EmbeddingVector?)]) throws {
        try writeDerived { db in
            for (id, vector) in embeddings {
                try db.execute(
                    sql: """
                        INSERT OR REPLACE INTO embedding (id, vector)
                        SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM entity WHERE id = ?1)
                        """, arguments: [id.text, vector?.bytes ?? Data()])
            }
        }
    }

    /// The entities whose texts are most similar in meaning, the most similar first, with the cosine.
    /// - Throws: ``HelixError``.
    public func similar(to vector: EmbeddingVector, limit: Int) throws -> [(id: EntityID, similarity: Float)] {
        try read { db in
            var best: [(id: EntityID, similarity: Float)] = []
            var least: Float = -2
            let row = try Statement(db, "SELECT id, vector FROM embedding")
            while try row.step() {
                guard let similarity = row.bytes(1, vector.similarity(to:)) ?? nil, similarity > least,
                    let id = row.id(0)
                else { continue }
                best.append((id, similarity))
                // Kept short now and then, not at each entity.
                guard best.count >= limit * 2 + 64 else { continue }
                best.sort { $0.similarity > $1.similarity }
                best.removeSubrange(limit...)
                least = best[limit - 1].similarity
            }
            best.sort { $0.similarity > $1.similarity }
            return Array(best.prefix(limit))
        }
    }
}
