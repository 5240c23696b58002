extension Schema {
    /// Vectors of texts, for search by meaning. They are made again when the text changes.
    static let embeddings = """
        CREATE TABLE embedding (
            -- The entity.
            id TEXT PRIMARY KEY,
            -- A factor (32-bit floating point), and eight bits for each dimension; empty for a text that has none.
            vector BLOB NOT NULL
        ) WITHOUT ROWID;
        CREATE TRIGGER embedding_message AFTER DELETE ON message BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_event AFTER DELETE ON event BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_event_text AFTER UPDATE OF text ON event BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_task AFTER DELETE ON task BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_task_text AFTER UPDATE OF title, notes ON task
        WHEN old.title IS NOT new.title OR old.notes IS NOT new.notes BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_chat_message AFTER DELETE ON chat_message BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        CREATE TRIGGER embedding_chat_message_text AFTER UPDATE OF content, is_deleted ON chat_message
        WHEN old.content IS NOT new.content OR new.is_deleted BEGIN
            DELETE FROM embedding WHERE id = old.id;
        END;
        """

    /// A setting says that all texts have vectors, so that a search need not look for those that have none; it is gone when a text
    /// comes or changes.
    static let embeddingMarks = [
        "embedding_unmarked AFTER DELETE ON embedding", "embedding_message_new AFTER INSERT ON message_body",
        "embedding_event_new AFTER INSERT ON event", "embedding_task_new AFTER INSERT ON task",
        "embedding_chat_message_new AFTER INSERT ON chat_message",
    ].map {
        """
        CREATE TRIGGER \($0) BEGIN
            DELETE FROM setting WHERE name = 'embedding.whole';
        END;
        """
    }.joined(separator: "\n")
}
