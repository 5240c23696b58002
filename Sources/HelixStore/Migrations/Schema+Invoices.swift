extension Schema {
    /// Invoices, each with its whole document: it does not change when the times or settings do that it was made of.
    ///
    /// Numbers are not unique here: two devices may give the same one before they sync.
    static let invoices = """
        CREATE TABLE invoice (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            project TEXT REFERENCES project(id),
            number TEXT NOT NULL,
            customer TEXT NOT NULL,
            -- JSON.
            document TEXT NOT NULL,
            created_at INTEGER NOT NULL
        );
        CREATE INDEX invoice_number ON invoice(number COLLATE NOCASE);
        CREATE INDEX invoice_project ON invoice(project);
        -- All numbers that were ever given here, also those of invoices that were undone. Not journaled.
        CREATE TABLE invoice_number_given (number TEXT PRIMARY KEY) WITHOUT ROWID;
        """
}
