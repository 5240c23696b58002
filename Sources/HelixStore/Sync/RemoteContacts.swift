import HelixContacts
import HelixModel
import HelixSQLite

extension Store {
    /// Adds the local changes of contacts since the last sync of their address book.
    func addChangedContacts(
        _ db: Database, _ calendar: RemoteCalendar, _ changes: inout LocalObjectChanges
    ) throws {
        let row = try Statement(
            db,
            """
            SELECT r.href, r.etag, r.contact, r.text, c.id, c.uid, CASE WHEN c.text <> r.text THEN c.text END
            FROM remote_object r LEFT JOIN contact c ON c.id = r.contact AND c.book = ?2
            WHERE r.calendar = ?1 AND r.contact IS NOT NULL
            """)
        row.bind(1, calendar.number)
        row.bind(2, calendar.book?.text)
        while try row.step() {
            let isGone = row.isNull(4)
            if !isGone, row.isNull(6) { continue }
            let former = SyncedObject(
                href: row.text(0) ?? "", etag: row.text(1) ?? "", item: row.id(2).map { SyncedItem(.contact, $0) },
                text: row.text(3))
            guard !isGone, let id = row.id(4) else {
                changes.gone.append(former)
                continue
            }
            let contact = LocalObject(
                item: SyncedItem(.contact, id), uid: row.text(5) ?? "", text: row.text(6) ?? "", zones: nil)
            changes.changed.append((former, contact))
        }
        let new = try Statement(
            db,
            """
            SELECT id, uid, text FROM contact c WHERE book = ?2
                AND NOT EXISTS (SELECT 1 FROM remote_object r WHERE r.contact = c.id AND r.calendar = ?1)
            """)
        new.bind(1, calendar.number)
        new.bind(2, calendar.book?.text)
        while try new.step() {
            guard let id = new.id(0) else { continue }
            changes.new.append(
                LocalObject(item: SyncedItem(.contact, id), uid: new.text(1) ?? "", text: new.text(2) ?? "", zones: nil)
            )
        }
    }
}

extension Change {
    /// The contact with a UID in an address book.
    /// - Throws: ``HelixError``.
    public func contactObject(uid: String, in book: EntityID) throws -> LocalObject? {
        try contact(uid: uid, in: book).map {
            LocalObject(item: SyncedItem(.contact, $0.id), uid: uid, text: $0.text, zones: nil)
        }
    }

    /// Replaces the vCard of a contact. Callers must know the previous one.
    /// - Throws: ``HelixError``.
    public func setContactText(_ id: EntityID, _ text: String) throws {
        guard let card = VCard(text: text) else { throw HelixError(.badInput, "the contact is not a vCard") }
        try updateContact(id, card)
    }

    /// Deletes the local item of an object that was deleted on the remote.
    /// - Throws: ``HelixError``.
    public func deleteSynced(_ item: SyncedItem) throws {
        switch item.kind {
        case .task: try deleteTask(item.id)
        case .contact: try deleteContact(item.id)
        default: try deleteEvent(item.id)
        }
    }

    /// A contact with this change applied.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func contactObject(_ id: EntityID) throws -> LocalObject {
        let contact = try contact(id)
        return LocalObject(item: SyncedItem(.contact, id), uid: contact.uid, text: contact.card.text, zones: nil)
    }
}
