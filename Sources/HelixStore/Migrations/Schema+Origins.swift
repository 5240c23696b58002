extension Schema {
    /// The origin of each change set, which was recognized by its command before, and the reason for which one is final.
    static let changeOrigins = """
        ALTER TABLE change_set ADD COLUMN origin TEXT NOT NULL DEFAULT 'command';
        ALTER TABLE change_set ADD COLUMN final TEXT;
        UPDATE change_set SET origin = 'sync' WHERE command = 'sync';
        UPDATE change_set SET final = 'members' WHERE command IN ('chat invite', 'chat leave', 'chat members');
        """
}
