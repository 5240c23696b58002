extension Schema {
    /// The actor of each change set. It is unknown for those that commands made before.
    static let changeActors = """
        ALTER TABLE change_set ADD COLUMN actor TEXT;
        ALTER TABLE change_set ADD COLUMN actor_name TEXT COLLATE NOCASE;
        ALTER TABLE change_set ADD COLUMN run TEXT;
        UPDATE change_set SET actor = 'sync' WHERE origin = 'sync';
        UPDATE change_set SET actor = 'device' WHERE origin = 'gateway';
        CREATE INDEX change_set_actor ON change_set(actor_name) WHERE actor_name IS NOT NULL;
        CREATE INDEX change_set_run ON change_set(run) WHERE run IS NOT NULL;
        """
}
