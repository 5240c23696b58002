import HelixContacts
import HelixModel
import HelixStore

extension CommandContext {
    /// The contact that a user names: by the beginning of its id, its name, an address, or words of them.
    /// - Throws: ``HelixError``: `notFound`, or `ambiguous` with the candidates.
    func contact(_ text: String) throws -> StoredContact {
        let store = try store()
        let plain = text.trimmingBlanks()
        if plain.contains("@"), let id = try store.contact(email: plain) { return try store.contact(id) }
        guard plain.hasIndexedWord else {
            throw HelixError(.usage, "no contact named", hint: "Name it: helix contacts show ana.")
        }
        let byID =
            EntityPrefix(plain).text.count >= 4 && !plain.contains(" ")
            ? try store.candidates(EntityPrefix(plain), kinds: [.contact], limit: 2) : []
        let words = plain.split(whereSeparator: \.isWhitespace).filter { String($0).hasIndexedWord }
        var found = try store.contacts(
            .all(words.map { .words(String($0), inName: true, isPrefix: true) }), limit: 6
        ).contacts
        if found.isEmpty {
            found = try store.contacts(
                .all(words.map { .words(String($0), inName: false, isPrefix: true) }), limit: 6
            ).contacts
        }
        // A whole name or nickname is meant before others that begin with it, and before an id.
        let exact = try store.contacts(.called(plain), limit: 6).contacts
        if exact.count == 1 { return try store.contact(exact[0].id) }
        if !exact.isEmpty { found = exact }
        if byID.count == 1 { return try store.contact(byID[0].id) }
        if found.count == 1 { return try store.contact(found[0].id) }
        if found.isEmpty {
            throw HelixError(
                .notFound, "unknown contact '\(plain)'", hint: "'helix contacts list' shows all, with their ids.")
        }
        let shown = try store.shortIDs(found.map(\.id))
        let list = found.prefix(5).map { contact in
            "\(shown[contact.id] ?? "") \(contact.name)" + (contact.emails.first.map { " <\($0)>" } ?? "")
        }
        throw HelixError(
            .ambiguous, "'\(plain)' names several contacts",
            hint: "Use an id: \(list.joined(separator: "; "))\(found.count > 5 ? "; …" : ".")")
    }

    /// A query for contacts, as it was typed.
    /// - Throws: ``HelixError`` of code `usage`.
    func contactQuery(_ words: [String]) throws -> ContactQuery {
        if words.isEmpty { return .everything }
        return try ContactQueryParser(dates: dates).parse(QueryNoun.contacts.line(words, dates: dates))
    }
}
