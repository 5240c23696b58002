import HelixContacts
import HelixModel
import HelixSQLite

/// A contact as stored: its complete vCard, and its address book.
public struct StoredContact: Sendable {
    /// The ID of the contact.
    public var id: EntityID
    /// The address book.
    public var book: AddressBook
    /// The UID.
    public var uid: String
    /// The vCard.
    public var card: VCard
}

/// A contact in a list.
public struct ContactSummary: Hashable, Sendable {
    /// The ID of the contact.
    public var id: EntityID
    /// The kind.
    public var kind: Contact.Kind
    /// The name to show.
    public var name: String
    /// The organization.
    public var organization: String?
    /// The birthday.
    public var birthday: ContactDate?
    /// The e-mail addresses, the preferred one first.
    public var emails: [String] = []
    /// The telephone numbers, the preferred one first.
    public var phones: [String] = []
    /// The groups that its vCard names.
    public var groups: [String] = []
    /// The name of the address book.
    public var book: String

    /// Creates a summary.
    public init(
        id: EntityID, kind: Contact.Kind, name: String, organization: String? = nil, birthday: ContactDate? = nil,
        emails: [String] = [], phones: [String] = [], groups: [String] = [], book: String
    ) {
        (self.id, self.kind, self.name, self.organization) = (id, kind, name, organization)
        (self.birthday, self.emails, self.phones) = (birthday, emails, phones)
        (self.groups, self.book) = (groups, book)
    }
}

/// A birthday of a contact.
public struct Birthday: Hashable, Sendable {
    /// The contact.
    public var contact: EntityID
    /// Its name.
    public var name: String
    /// The day on which it is next.
    public var day: CivilDate
    /// The age on that day, if the year is known.
    public var age: Int?
}

extension Store {
    /// The contact with an ID.
    /// - Throws: ``HelixError`` of code `notFound`.
    public func contact(_ id: EntityID) throws -> StoredContact {
        try read { try Store.contact($0, id) }
    }

    static func contact(_ db: Database, _ id: EntityID) throws -> StoredContact {
        guard
            let row = try Row.fetchOne(
                db, sql: "SELECT book, uid, text FROM contact WHERE id = ?", arguments: [id.text])
        else { throw HelixError(.notFound, "unknown contact \(id.text)") }
        let bookID = EntityID(stored: row[0])
        guard let book = try addressBooks(db).first(where: { $0.id == bookID }), let card = VCard(text: row[2]) else {
            throw HelixError(
                .badInput, "the contact \(id.text) cannot be read", hint: "'helix doctor' tells what is wrong.")
        }
        return StoredContact(id: id, book: book, uid: row[1], card: card)
    }

    /// The contacts that match a query, by name.
    ///
    /// - Parameter limit: the maximum number.
    /// - Returns: the contacts, and whether there are more.
    /// - Throws: ``HelixError``.
    public func contacts(
        _ query: ContactQuery, limit: Int = .max
    ) throws -> (contacts: [ContactSummary], isTruncated: Bool) {
        try read { db in
            let asked = try ContactQuerySQL(query, db)
            let rows = try Statement(
                db,
                """
                SELECT c.id, k.kind, k.name, k.organization, k.birthday, k.birth_year, b.name, k.n
                FROM contact_card k JOIN contact c ON c.n = k.n JOIN address_book b ON b.id = c.book
                WHERE \(asked.condition) ORDER BY k.sort, k.n LIMIT \(limit == .max ? -1 : Int64(limit) + 1)
                """)
            rows.bind(asked.arguments)
            let addresses = try Statement(
                db, "SELECT kind, value FROM contact_address WHERE contact = ?1 ORDER BY kind, ordinal")
            var found: [ContactSummary] = []
            while try rows.step() {
                if found.count == limit { return (found, true) }
                var contact = ContactSummary(
                    id: rows.id(0) ?? EntityID(stored: ""), kind: Contact.Kind(rawValue: rows.text(1) ?? "") ?? .person,
                    name: rows.text(2) ?? "", organization: rows.text(3),
                    birthday: rows.text(4).flatMap { day in
                        var date = ContactDate("--" + day)
                        if !rows.isNull(5) { date?.year = Int(rows.integer(5)) }
                        return date
                    }, book: rows.text(6) ?? "")
                addresses.bind(1, rows.integer(7))
                while try addresses.step() {
                    let value = addresses.text(1) ?? ""
                    switch addresses.text(0) {
                    case "email": contact.emails.append(value)
                    case "phone": contact.phones.append(value)
                    case "group": contact.groups.append(value)
                    default: break
                    }
                }
                addresses.reset()
                found.append(contact)
            }
            return (found, false)
        }
    }

    /// The contacts with their vCards, by name, one by one to save memory.
    /// - Throws: ``HelixError``, or what `body` throws.
    public func forEachContact(_ query: ContactQuery, _ body: (StoredContact) throws -> Void) throws {
        let books = Dictionary(uniqueKeysWithValues: try addressBooks().map { ($0.id, $0) })
        try read { db in
            let asked = try ContactQuerySQL(query, db)
            let rows = try Statement(
                db,
                """
                SELECT c.id, c.book, c.uid, c.text FROM contact_card k JOIN contact c ON c.n = k.n
                WHERE \(asked.condition) ORDER BY k.sort, k.n
                """)
            rows.bind(asked.arguments)
            while try rows.step() {
                guard let id = rows.id(0), let book = rows.id(1).flatMap({ books[$0] }),
                    let card = VCard(text: rows.text(3) ?? "")
                else { continue }
                try body(StoredContact(id: id, book: book, uid: rows.text(2) ?? "", card: card))
            }
        }
    }

    /// The contact with an e-mail address; nil if there is none.
    /// - Throws: ``HelixError``.
    public func contact(email: String) throws -> EntityID? {
        try read { db in
            try String.fetchOne(
                db,
                sql: """
                    SELECT c.id FROM contact_address a JOIN contact c ON c.n = a.contact
                    WHERE a.key = ? AND a.kind = 'email' ORDER BY c.n LIMIT 1
                    """, arguments: [ContactIdentity.email(email)]
            ).map { EntityID(stored: $0) }
        }
    }

    /// The contact with a UID, also one that is written as a URN: nil if there is none.
    /// - Throws: ``HelixError``.
    public func contact(uid: String) throws -> Contact? {
        try read { db in
            try String.fetchOne(
                db, sql: "SELECT text FROM contact WHERE uid = ?1 OR uid = 'urn:uuid:' || ?1 LIMIT 1", arguments: [uid]
            ).flatMap { VCard(text: $0)?.contact }
        }
    }

    /// The members of the groups with a name: UIDs, and e-mail addresses.
    static func members(_ db: Database, ofGroup name: String) throws -> [String] {
        try String.fetchAll(
            db,
            sql: """
                SELECT c.text FROM contact_card k JOIN contact c ON c.n = k.n
                WHERE k.kind = 'group' AND k.sort = ?
                """, arguments: [ContactIndex.folded(name)]
        ).flatMap { VCard(text: $0)?.contact.members ?? [] }
    }

    /// The members of the groups with a name: UIDs, and e-mail addresses.
    /// - Throws: ``HelixError``.
    public func groupMembers(_ name: String) throws -> [String] { try read { try Store.members($0, ofGroup: name) } }

    /// The names of all groups: those that contacts name themselves, and groups as contacts; by name.
    /// - Throws: ``HelixError``.
    public func contactGroups() throws -> [String] {
        try read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT MIN(value) FROM (SELECT value, key FROM contact_address WHERE kind = 'group'
                        UNION ALL SELECT name, sort FROM contact_card WHERE kind = 'group') GROUP BY key ORDER BY key
                    """)
        }
    }

    /// The birthdays of a number of days from one on, in order.
    /// - Throws: ``HelixError``.
    public func birthdays(from start: CivilDate, days: Int) throws -> [Birthday] {
        try read { db in
            var found: [Birthday] = []
            func sign(_ day: CivilDate) -> String { String(ISO8601.text(day).suffix(5)) }
            let first = sign(start)
            // February 29 is the last day of February in other years.
            let last = sign(start + days - 1) == "02-28" ? "02-29" : sign(start + days - 1)
            let range = first <= last ? "BETWEEN ?1 AND ?2" : "NOT BETWEEN ?2 AND ?1 OR k.birthday IN (?1, ?2)"
            let rows = try Statement(
                db,
                """
                SELECT c.id, k.name, k.birthday, k.birth_year FROM contact_card k JOIN contact c ON c.n = k.n
                WHERE k.birthday IS NOT NULL AND (\(days > 364 ? "1" : "k.birthday \(range)"))
                """)
            if days <= 364 {
                rows.bind(1, first)
                rows.bind(2, last)
            }
            while try rows.step() {
                guard let id = rows.id(0), var date = rows.text(2).flatMap({ ContactDate("--" + $0) }) else { continue }
                if !rows.isNull(3) { date.year = Int(rows.integer(3)) }
                let next = date.next(from: start)
                if next.day < start + days {
                    found.append(Birthday(contact: id, name: rows.text(1) ?? "", day: next.day, age: next.age))
                }
            }
            return found.sorted { ($0.day, $0.name, $0.contact) < ($1.day, $1.name, $1.contact) }
        }
    }
}
