extension Schema {
    /// Proposals of agents, with their steps, changes, decisions and comments.
    static let proposals = """
        CREATE TABLE proposal (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            profile TEXT NOT NULL COLLATE NOCASE,
            run TEXT NOT NULL,
            made_at INTEGER NOT NULL
        );
        -- The changes of one command.
        CREATE TABLE proposal_step (
            proposal INTEGER NOT NULL REFERENCES proposal(n) ON DELETE CASCADE,
            n INTEGER NOT NULL,
            id TEXT NOT NULL UNIQUE,
            command TEXT NOT NULL,
            summary TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            -- The change set that it undoes.
            reverses TEXT,
            state TEXT NOT NULL,
            decided_at INTEGER,
            PRIMARY KEY (proposal, n)
        ) WITHOUT ROWID;
        CREATE INDEX proposal_step_pending ON proposal_step(proposal, n) WHERE state = 'pending';
        CREATE TABLE proposal_change (
            proposal INTEGER NOT NULL,
            step INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            kind TEXT NOT NULL,
            entity TEXT NOT NULL,
            operation TEXT NOT NULL,
            before TEXT,
            after TEXT,
            -- The bytes that it names, which are kept as long.
            sha256 TEXT,
            PRIMARY KEY (proposal, step, ordinal),
            FOREIGN KEY (proposal, step) REFERENCES proposal_step(proposal, n) ON DELETE CASCADE
        ) WITHOUT ROWID;
        CREATE INDEX proposal_change_bytes ON proposal_change(sha256) WHERE sha256 IS NOT NULL;
        CREATE TABLE proposal_comment (
            n INTEGER PRIMARY KEY,
            proposal INTEGER NOT NULL REFERENCES proposal(n) ON DELETE CASCADE,
            author TEXT NOT NULL,
            made_at INTEGER NOT NULL,
            text TEXT NOT NULL
        );
        """
}
