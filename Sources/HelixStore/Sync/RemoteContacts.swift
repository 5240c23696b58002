import HelixContacts
import HelixModel

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
