import HelixCalendar
import HelixContacts
import HelixModel
import HelixSQLite

extension Change {
    /// Stores a new contact.
    /// - Throws: ``HelixError`` of code `conflict` if its address book has the UID already.
    @discardableResult
    public func createContact(_ card: VCard, id: EntityID = EntityID(), in book: EntityID) throws -> EntityID {
        var card = card
        let uid = card.uid ?? EntityID().text
        if card.uid == nil { card.set("UID", ICalendarProperty("UID", text: uid)) }
        do {
            try create(
                .contact, id,
                JournalFields([
                    "book": book.text.databaseValue, "uid": uid.databaseValue, "text": card.text.databaseValue,
                ]))
        } catch let error as DatabaseError where error.code == .constraint {
            throw HelixError(.conflict, "the address book already has a contact with the UID '\(uid)'")
        }
        try settleBirthday(of: uid)
        return id
    }

    /// Replaces the vCard of a contact.
    /// - Throws: ``HelixError``.
    public func updateContact(_ id: EntityID, _ card: VCard) throws {
        var fields = ["text": card.text.databaseValue]
        let former = try uid(of: id)
        if let uid = card.uid { fields["uid"] = uid.databaseValue }
        try update(.contact, id, JournalFields(fields))
        for uid in [former, card.uid].compactMap(\.self).uniqued { try settleBirthday(of: uid) }
    }

    /// Moves a contact to another address book.
    /// - Throws: ``HelixError`` of code `conflict` if that one has the UID already.
    public func moveContact(_ id: EntityID, to book: EntityID) throws {
        do {
            try update(.contact, id, JournalFields(["book": book.text.databaseValue]))
        } catch let error as DatabaseError where error.code == .constraint {
            throw HelixError(.conflict, "that address book already has this contact")
        }
    }

    /// Deletes a contact.
    /// - Throws: ``HelixError``.
    public func deleteContact(_ id: EntityID) throws {
        let former = try uid(of: id)
        try delete(.contact, id)
        if let former { try settleBirthday(of: former) }
    }

    private func uid(of id: EntityID) throws -> String? {
        try String.fetchOne(db, sql: "SELECT uid FROM contact WHERE id = ?", arguments: [id.text])
    }

    /// The contact with an ID, including uncommitted changes.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func contact(_ id: EntityID) throws -> StoredContact { try Store.contact(db, id) }

    /// The contact with a UID in an address book, or in any; nil if there is none.
    /// - Throws: ``HelixError``.
    public func contact(uid: String, in book: EntityID?) throws -> (id: EntityID, text: String)? {
        try Row.fetchOne(
            db, sql: "SELECT id, text FROM contact WHERE uid = ?1 AND (?2 IS NULL OR book = ?2) ORDER BY n LIMIT 1",
            arguments: [uid, book?.text]
        ).map { (EntityID(stored: $0[0]), $0[1]) }
    }

    /// Merges contacts into the first, which keeps its identity; groups that named another one name it, and so do links.
    /// - Returns: the values that differed, which are in its notes.
    /// - Throws: ``HelixError``.
    @discardableResult
    public func mergeContacts(_ ids: [EntityID]) throws -> [String] {
        let contacts = try ids.uniqued.map { try contact($0) }
        guard let kept = contacts.first, contacts.count > 1 else { return [] }
        let merge = ContactMerge(contacts.map(\.card), now: store.now)
        for other in contacts.dropFirst() {
            for link in try Store.links(db, of: other.id) {
                let partner = link.a == other.id ? link.b : link.a
                let (a, b) = link.a == other.id ? (kept.id, partner) : (partner, kept.id)
                if partner != kept.id { _ = try addLink(a, b, link.kind) }
            }
            try renameMember(other.uid, to: kept.uid)
            try deleteContact(other.id)
        }
        try updateContact(kept.id, merge.card)
        return merge.conflicts
    }

    /// Replaces a UID in the members of groups.
    private func renameMember(_ uid: String, to new: String) throws {
        let groups = try String.fetchAll(
            db, sql: "SELECT c.id FROM contact_card k JOIN contact c ON c.n = k.n WHERE k.kind = 'group'")
        for id in groups.map({ EntityID(stored: $0) }) {
            var card = try contact(id).card
            let plain = uid.hasPrefix("urn:uuid:") ? String(uid.dropFirst(9)) : uid
            guard card.contact.members.contains(plain) else { continue }
            var changes = ContactChanges()
            changes.members.removals = [plain]
            changes.members.additions = [new.hasPrefix("urn:uuid:") ? String(new.dropFirst(9)) : new]
            card.apply(changes, now: store.now)
            try updateContact(id, card)
        }
    }
}
