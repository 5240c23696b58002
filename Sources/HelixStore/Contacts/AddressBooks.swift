import HelixModel
import HelixSQLite

/// An address book: a named set of contacts.
public struct AddressBook: Hashable, Sendable {
    /// The ID.
    public var id: EntityID
    /// The unique, case-insensitive name.
    public var name: String
    /// Whether it is the default address book for new contacts.
    public var isDefault: Bool
    /// Whether it belongs to a server or folder that is not written to.
    public var isReadOnly = false

    /// The name of the address book that the first contact of a store creates.
    public static let firstName = "personal"
}

extension Store {
    /// The address books, in order of creation.
    /// - Throws: ``HelixError``.
    public func addressBooks() throws -> [AddressBook] { try read(Store.addressBooks) }

    static func addressBooks(_ db: Database) throws -> [AddressBook] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT id, name, is_default,
                    EXISTS (SELECT 1 FROM remote_calendar r WHERE r.book = address_book.id AND r.is_read_only)
                FROM address_book ORDER BY position, name
                """
        ).map {
            AddressBook(id: EntityID(stored: $0[0]), name: $0[1], isDefault: $0[2], isReadOnly: $0[3])
        }
    }

    /// The numbers of contacts of the address books that have any.
    /// - Throws: ``HelixError``.
    public func contactCounts() throws -> [EntityID: Int] {
        try read { db in
            var counts: [EntityID: Int] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT book, COUNT(*) FROM contact GROUP BY book") {
                counts[EntityID(stored: row[0])] = row[1]
            }
            return counts
        }
    }

    /// The address book called `name`, or whose ID begins with `name`.
    /// - Throws: ``HelixError`` of code `notFound` that lists the existing ones.
    public func addressBook(named name: String) throws -> AddressBook {
        try Store.addressBook(named: name, among: try addressBooks())
    }

    static func addressBook(named name: String, among all: [AddressBook]) throws -> AddressBook {
        if let exact = all.first(where: { $0.name.lowercased() == name.lowercased() }) { return exact }
        let prefix = EntityPrefix(name).text
        let byID = name.count >= 4 ? all.filter { $0.id.text.hasPrefix(prefix) } : []
        if byID.count == 1 { return byID[0] }
        let known = all.map { "'\($0.name)'" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "unknown address book '\(name)'",
            hint: known.isEmpty ? "Add one with 'helix contacts books add NAME'." : "Use one of: \(known).")
    }
}

extension Change {
    /// The address books, including uncommitted changes.
    /// - Throws: ``HelixError``.
    public func addressBooks() throws -> [AddressBook] { try Store.addressBooks(db) }

    /// Adds an address book; the first one is the default.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func addAddressBook(_ name: String) throws -> AddressBook {
        let all = try addressBooks()
        try checkName(name, "address book", among: all.map(\.name))
        let book = AddressBook(id: EntityID(), name: name, isDefault: all.isEmpty)
        try create(
            .addressBook, book.id,
            JournalFields([
                "name": name.databaseValue, "is_default": (book.isDefault ? 1 : 0).databaseValue,
                "position": all.count.databaseValue,
            ]))
        return book
    }

    /// The address book called `name`, including one that this change has added.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func addressBook(named name: String) throws -> AddressBook {
        let all = try addressBooks()
        // The one that the first contact would create.
        if all.isEmpty, name.lowercased() == AddressBook.firstName { return try defaultAddressBook() }
        return try Store.addressBook(named: name, among: all)
    }

    /// The address book for new contacts, created if there is none.
    /// - Throws: ``HelixError``.
    public func defaultAddressBook() throws -> AddressBook {
        let all = try addressBooks()
        if let found = all.first(where: \.isDefault) ?? all.first { return found }
        return try addAddressBook(AddressBook.firstName)
    }

    /// Renames an address book.
    /// - Throws: ``HelixError`` of code `conflict` if the name is taken.
    public func renameAddressBook(_ id: EntityID, to name: String) throws {
        try checkName(name, "address book", among: try addressBooks().filter { $0.id != id }.map(\.name))
        try update(.addressBook, id, JournalFields(["name": name.databaseValue]))
    }

    /// Sets the default address book for new contacts.
    /// - Throws: ``HelixError``.
    public func setDefaultAddressBook(_ id: EntityID) throws {
        for book in try addressBooks() where book.isDefault != (book.id == id) {
            try update(
                .addressBook, book.id, JournalFields(["is_default": (book.id == id ? 1 : 0).databaseValue]))
        }
    }

    /// Deletes an address book with all its contacts.
    /// - Throws: ``HelixError``.
    public func deleteAddressBook(_ id: EntityID) throws {
        let contacts = try String.fetchAll(
            db, sql: "SELECT id FROM contact WHERE book = ? ORDER BY n DESC", arguments: [id.text])
        for contact in contacts { try deleteContact(EntityID(stored: contact)) }
        let wasDefault = try addressBooks().first { $0.id == id }?.isDefault ?? false
        try delete(.addressBook, id)
        if wasDefault, let next = try addressBooks().first { try setDefaultAddressBook(next.id) }
    }
}
