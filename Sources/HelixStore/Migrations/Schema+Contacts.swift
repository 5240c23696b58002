extension Schema {
    /// Address books and contacts. `contact.text` is the truth; what stands in contact_card, contact_address and contact_text is
    /// made from it.
    static let contacts = """
        CREATE TABLE address_book (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL UNIQUE COLLATE NOCASE,
            is_default INTEGER NOT NULL DEFAULT 0,
            position INTEGER NOT NULL DEFAULT 0
        );
        CREATE TABLE contact (
            n INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            book TEXT NOT NULL REFERENCES address_book(id),
            uid TEXT NOT NULL,
            text TEXT NOT NULL,
            UNIQUE (book, uid)
        );
        CREATE INDEX contact_uid ON contact(uid);
        CREATE TABLE contact_card (
            n INTEGER PRIMARY KEY REFERENCES contact(n),
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            -- The family name first, without accents, in small letters.
            sort TEXT NOT NULL,
            organization TEXT,
            -- 'MM-DD', by which birthdays of a range are found, and the year; null if unknown.
            birthday TEXT,
            birth_year INTEGER,
            -- What searches find besides the name: nicknames, addresses, numbers, organization, notes.
            words TEXT NOT NULL
        );
        CREATE INDEX contact_card_sort ON contact_card(sort);
        CREATE INDEX contact_card_birthday ON contact_card(birthday) WHERE birthday IS NOT NULL;
        CREATE TABLE contact_address (
            contact INTEGER NOT NULL REFERENCES contact(n),
            -- email, phone, name, nick, org, and group for a category.
            kind TEXT NOT NULL,
            ordinal INTEGER NOT NULL,
            value TEXT NOT NULL,
            -- The form in which it is compared.
            key TEXT NOT NULL,
            PRIMARY KEY (contact, kind, ordinal)
        ) WITHOUT ROWID;
        CREATE INDEX contact_address_key ON contact_address(key, kind);
        CREATE VIRTUAL TABLE contact_text USING fts5(
            name, words, content = 'contact_card', content_rowid = 'n', tokenize = 'scripts remove_diacritics 2'
        );
        ALTER TABLE remote_calendar ADD COLUMN book TEXT;
        ALTER TABLE remote_object ADD COLUMN contact TEXT;
        CREATE INDEX remote_object_contact ON remote_object(contact) WHERE contact IS NOT NULL;
        ALTER TABLE remote_sending ADD COLUMN contact TEXT;
        """
}
