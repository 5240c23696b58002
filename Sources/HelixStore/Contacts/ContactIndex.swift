import HelixContacts
import HelixModel
import HelixSQLite
import HelixSystem

/// The rows derived from the vCards of contacts: names, addresses and their full text.
struct ContactIndex {
    let db: Database

    /// Rebuilds the index of a contact that was written.
    func rebuild(_ id: EntityID) throws {
        try remove(id)
        guard let row = try Row.fetchOne(db, sql: "SELECT n, text FROM contact WHERE id = ?", arguments: [id.text])
        else { return }
        let number: Int64 = row[0]
        try add(number, VCard(text: row[1])?.contact ?? Contact())
    }

    /// Stores the rows of a contact.
    func add(_ number: Int64, _ contact: Contact) throws {
        let words = ContactIndex.words(contact)
        let card = try Statement(
            db,
            """
            INSERT INTO contact_card (n, kind, name, sort, organization, birthday, birth_year, words)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
            """)
        card.bind(1, number)
        card.bind(2, contact.kind.rawValue)
        card.bind(3, contact.name)
        card.bind(4, ContactIndex.folded(contact.sortName))
        card.bind(5, contact.organization)
        card.bind(6, contact.birthday.map { String($0.text.suffix(5)) })
        card.bind(7, (contact.birthday?.year).databaseValue)
        card.bind(8, words)
        try card.run()
        let text = try Statement(db, "INSERT INTO contact_text (rowid, name, words) VALUES (?1, ?2, ?3)")
        text.bind(1, number)
        text.bind(2, contact.name)
        text.bind(3, words)
        try text.run()
        let address = try Statement(
            db, "INSERT INTO contact_address (contact, kind, ordinal, value, key) VALUES (?1, ?2, ?3, ?4, ?5)")
        func note(_ kind: String, _ values: [String], _ key: (String) -> String) throws {
            for (ordinal, value) in values.enumerated() {
                address.bind(1, number)
                address.bind(2, kind)
                address.bind(3, Int64(ordinal))
                address.bind(4, value)
                address.bind(5, key(value))
                try address.run()
            }
        }
        try note("email", ContactIndex.ordered(contact.emails), ContactIdentity.email)
        try note("phone", ContactIndex.ordered(contact.phones), ContactIdentity.phone)
        try note("group", contact.categories, ContactIndex.folded)
        try note("name", [contact.name], ContactIndex.folded)
        try note("nick", contact.nicknames, ContactIndex.folded)
        try note("org", [contact.organization].compactMap(\.self), ContactIndex.folded)
    }

    /// Removes all rows derived from a contact's vCard.
    func remove(_ id: EntityID) throws {
        let words = try Statement(
            db, "SELECT k.n, k.name, k.words FROM contact c JOIN contact_card k ON k.n = c.n WHERE c.id = ?1")
        words.bind(1, id.text)
        var number: Int64?
        let forget = try Statement(
            db, "INSERT INTO contact_text (contact_text, rowid, name, words) VALUES ('delete', ?, ?, ?)")
        while try words.step() {
            number = words.integer(0)
            try forget.execute(arguments: StatementArguments((0..<3).map { words.value($0) }))
        }
        guard let number else { return }
        try db.execute(sql: "DELETE FROM contact_card WHERE n = ?", arguments: [number])
        try db.execute(sql: "DELETE FROM contact_address WHERE contact = ?", arguments: [number])
    }

    /// The texts of values, the preferred ones first.
    private static func ordered(_ values: [Contact.Value]) -> [String] { Contact.ordered(values).map(\.text) }

    /// The texts that a search finds besides the name.
    static func words(_ contact: Contact) -> String {
        var parts = contact.nicknames + contact.emails.map(\.text)
        // A number is found by its digits, in whichever way it is written.
        parts += contact.phones.flatMap { [$0.text, $0.text.filter { $0.isASCII && $0.isNumber }] }
        parts += [contact.organization, contact.title].compactMap(\.self)
        parts += contact.places.map(\.text) + contact.messengers.map(\.text) + contact.pages.map(\.text)
        parts += contact.categories + [contact.notes].compactMap(\.self)
        return parts.joined(separator: "\n")
    }

    /// A text in small letters and without accents, by which lists are sorted and groups compared.
    static func folded(_ text: String) -> String {
        let small = text.lowercased()
        let plain = (small.normalized(.nfd) ?? small).unicodeScalars.filter {
            $0.properties.generalCategory != .nonspacingMark
        }
        return String(String.UnicodeScalarView(plain))
    }
}

extension Store {
    /// Descriptions of contacts whose index differs from their vCards.
    func contactProblems(_ db: Database) throws -> [String] {
        let rows = try Statement(
            db,
            """
            SELECT c.text, k.kind, k.name, k.sort, k.words, k.birthday,
                (SELECT group_concat(kind || ' ' || value, char(10)) FROM
                    (SELECT kind, value FROM contact_address WHERE contact = c.n ORDER BY kind, ordinal))
            FROM contact c LEFT JOIN contact_card k ON k.n = c.n
            """)
        var wrong = 0
        while try rows.step() {
            let contact = VCard(text: rows.text(0) ?? "")?.contact ?? Contact()
            let addresses = ContactIndex.addressLines(contact).joined(separator: "\n")
            let isSame =
                rows.text(1) == contact.kind.rawValue && rows.text(2) == contact.name
                && rows.text(3) == ContactIndex.folded(contact.sortName) && rows.text(4) == ContactIndex.words(contact)
                && rows.text(5) == contact.birthday.map { String($0.text.suffix(5)) }
                && (rows.text(6) ?? "") == addresses
            if !isSame { wrong += 1 }
        }
        if wrong == 0 { return [] }
        return ["the index of \(wrong) contact\(wrong == 1 ? "" : "s") differs from the vCard\(wrong == 1 ? "" : "s")"]
    }
}

extension ContactIndex {
    /// The stored addresses, in the order of the index.
    fileprivate static func addressLines(_ contact: Contact) -> [String] {
        ordered(contact.emails).map { "email " + $0 } + contact.categories.map { "group " + $0 }
            + ["name " + contact.name] + contact.nicknames.map { "nick " + $0 }
            + [contact.organization].compactMap(\.self).map { "org " + $0 }
            + ordered(contact.phones).map { "phone " + $0 }
    }
}
