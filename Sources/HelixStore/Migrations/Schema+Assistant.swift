extension Schema {
    /// Texts that assistants wrote about entities, with what they were made of.
    static let assistantTexts = """
        CREATE TABLE assistant_text (
            -- The purpose, such as 'summary'.
            kind TEXT NOT NULL,
            -- The entities that it is about.
            subject TEXT NOT NULL,
            -- A hash of all that the assistant was given, in hexadecimal digits.
            source TEXT NOT NULL,
            model TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            text TEXT NOT NULL,
            PRIMARY KEY (kind, subject)
        ) WITHOUT ROWID;
        """
}
