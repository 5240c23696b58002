import HelixContacts
import HelixModel
import HelixSQLite

extension EntityDescriptor {
    /// Address books.
    static let addressBook = EntityDescriptor(
        .addressBook, JournaledTable(.addressBook, "address_book", ["name", "is_default", "position"]),
        isAddressed: true, replicaOrder: 10,
        rules: JournalRules(words: ["is_default": .flag], usual: ["is default": "no", "position": nil]))

    /// Contacts.
    static let contact = EntityDescriptor(
        .contact,
        JournaledTable(
            kind: .contact, name: "contact", columns: ["book", "uid", "text"], textIndex: "contact_text",
            didWrite: { store, db, id in try ContactIndex(db: db).rebuild(id) },
            willDelete: { store, db, id in try ContactIndex(db: db).remove(id) }),
        title: "(SELECT k.name FROM contact_card k WHERE k.n = e.n)",
        isAddressed: true, isLarge: true, isLinkable: true, isCounted: true, replicaOrder: 11,
        search: EntitySearch(order: 10, word: "contact", aspects: [.person, .tag]) { store, db, query, _, limit in
            let asked = try ContactQuerySQL(query.contacts, db)
            return try store.take(
                db, .contact,
                (
                    """
                    SELECT c.id, k.name FROM contact_card k JOIN contact c ON c.n = k.n WHERE \(asked.condition)
                    ORDER BY k.sort, c.n
                    """, asked.arguments
                ), limit
            ) { _ in nil }
        },
        rules: JournalRules(words: ["book": .title(.addressBook)]))
}
