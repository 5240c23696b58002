import HelixContacts
import HelixModel
import HelixSQLite

/// A query for contacts compiled for SQLite: a condition on card `k` of contact `c`.
struct ContactQuerySQL {
    private(set) var condition = "1"
    private(set) var arguments: [DatabaseValue] = []
    private let db: Database

    /// - Throws: ``HelixError`` of code `notFound` for an unknown address book or group.
    init(_ query: ContactQuery, _ db: Database) throws {
        self.db = db
        condition = try sql(query)
    }

    private mutating func mark(_ value: some DatabaseValueConvertible) -> String {
        arguments.append(value.databaseValue)
        return "?"
    }

    private mutating func sql(_ query: ContactQuery) throws -> String {
        switch query {
        case .everything: return "1"
        case .all(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "AND")
        case .any(let list): return ConditionTree.joined(try list.map { try sql($0) }, by: "OR")
        case .not(let inner): return "NOT ifnull(\(try sql(inner)), 0)"
        case .words(let text, let inName, let isPrefix):
            // A NUL would truncate an FTS5 query.
            let plain = text.replacing("\u{0}", with: " ").replacing("\"", with: "\"\"")
            let match = (inName ? "{name} : " : "") + "\"\(plain)\"" + (isPrefix ? " *" : "")
            return "k.n IN (SELECT rowid FROM contact_text WHERE contact_text MATCH \(mark(match)))"
        case .called(let name):
            return
                "k.n IN (SELECT contact FROM contact_address WHERE key = \(mark(ContactIndex.folded(name))) AND kind IN ('name', 'nick'))"
        case .email(let text): return address("email", "%\(TaskFilterSQL.escaped(text.lowercased()))%")
        case .phone(let digits): return address("phone", "%\(digits)%")
        case .organization(let text): return address("org", "%\(TaskFilterSQL.escaped(ContactIndex.folded(text)))%")
        case .book(let name):
            let books = try Store.addressBooks(db)
            return "c.book = \(mark(try Store.addressBook(named: name, among: books).id.text))"
        case .group(let name): return try group(name)
        case .ungrouped:
            return "NOT EXISTS (SELECT 1 FROM contact_address a WHERE a.contact = k.n AND a.kind = 'group')"
        case .kind(let kind): return "k.kind = \(mark(kind.rawValue))"
        case .trait(.birthday): return "k.birthday IS NOT NULL"
        case .trait(.organization): return "k.organization IS NOT NULL"
        case .trait(let trait):
            return "EXISTS (SELECT 1 FROM contact_address a WHERE a.contact = k.n AND a.kind = '\(trait.rawValue)')"
        case .id(let prefix): return "(c.id >= \(mark(prefix.text)) AND c.id < \(mark(prefix.text + "~")))"
        }
    }

    private mutating func address(_ kind: String, _ pattern: String) -> String {
        "EXISTS (SELECT 1 FROM contact_address a WHERE a.contact = k.n AND a.kind = '\(kind)' AND a.key LIKE \(mark(pattern)) ESCAPE '\\')"
    }

    /// Contacts with a category, and the members of a group of that name.
    private mutating func group(_ name: String) throws -> String {
        let folded = ContactIndex.folded(name)
        var condition = """
            EXISTS (SELECT 1 FROM contact_address a WHERE a.contact = k.n AND a.kind = 'group' AND a.key = \(mark(folded)))
            """
        let members = try Store.members(db, ofGroup: name)
        let uids = members.filter { !$0.contains("@") }
        let emails = members.filter { $0.contains("@") }.map(ContactIdentity.email)
        if !uids.isEmpty {
            let list = uids.flatMap { [$0, "urn:uuid:" + $0] }.map { mark($0) }
            condition += " OR c.uid IN (\(list.joined(separator: ", ")))"
        }
        if !emails.isEmpty {
            let list = emails.map { mark($0) }.joined(separator: ", ")
            condition +=
                " OR EXISTS (SELECT 1 FROM contact_address a WHERE a.contact = k.n AND a.kind = 'email' AND a.key IN (\(list)))"
        }
        return "(\(condition))"
    }
}

extension SearchQuery {
    /// The same query for contacts.
    var contacts: ContactQuery {
        asked(of: .contact) { leaf in
            switch leaf {
            case .words(let text, let isPrefix): .words(text, inName: false, isPrefix: isPrefix)
            case .tag(let name): .group(name)
            case .person(let name): .words(name, inName: false, isPrefix: true)
            case .id(let prefix): .id(prefix)
            default: nil
            }
        }
    }
}
