import HelixModel

/// Contacts that may be the same person.
public struct ContactDoubles: Sendable {
    /// A contact with its identity.
    public struct Entry: Sendable {
        let id: EntityID
        let contact: Contact

        /// Creates an entry.
        public init(_ id: EntityID, _ contact: Contact) { (self.id, self.contact) = (id, contact) }
    }

    /// Contacts that may be one, with what they share.
    public struct Group: Hashable, Sendable {
        /// The contacts, the fullest first.
        public var ids: [EntityID]
        /// The addresses, numbers and names that they share.
        public var shared: [String]

        /// Creates a group.
        public init(ids: [EntityID], shared: [String]) { (self.ids, self.shared) = (ids, shared) }
    }

    /// The groups of contacts that may be the same.
    ///
    /// The same name, or the same address or number and names that do not contradict each other: the address of a family does not
    /// make one person of it, and a different birthday makes two.
    public static func groups(_ entries: [Entry]) -> [Group] {
        let people = entries.filter { $0.contact.kind != .group }
        var byKey: [String: [Int]] = [:]
        for (place, entry) in people.enumerated() {
            for key in keys(entry.contact) { byKey[key.key, default: []].append(place) }
        }
        var parents = Array(people.indices)
        func root(_ place: Int) -> Int {
            var place = place
            while parents[place] != place { place = parents[place] }
            return place
        }
        var shared: [Int: [String]] = [:]
        for (place, entry) in people.enumerated() {
            for key in keys(entry.contact) {
                for other in byKey[key.key] ?? [] where other < place {
                    guard canBeOne(people[other].contact, entry.contact, byName: key.isName) else { continue }
                    let (a, b) = (root(other), root(place))
                    let words = (shared[a] ?? []) + (a == b ? [] : shared[b] ?? []) + [key.shown]
                    parents[max(a, b)] = min(a, b)
                    shared[max(a, b)] = nil
                    shared[min(a, b)] = words.uniqued
                }
            }
        }
        var members: [Int: [Int]] = [:]
        for place in people.indices { members[root(place), default: []].append(place) }
        return members.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { first, places in
            let fullest = places.sorted { (-weight(people[$0].contact), $0) < (-weight(people[$1].contact), $1) }
            return Group(ids: fullest.map { people[$0].id }, shared: shared[first] ?? [])
        }
    }

    private struct Key: Hashable {
        var key: String
        var shown: String
        var isName = false
    }

    private static func keys(_ contact: Contact) -> [Key] {
        var keys = contact.emails.map { Key(key: "mail " + ContactIdentity.email($0.text), shown: $0.text) }
        keys += contact.phones.filter { $0.text.count { $0.isNumber } >= 7 }.map {
            // Numbers with and without the code of a country meet by their last digits.
            Key(key: "call " + ContactIdentity.phone($0.text).suffix(7), shown: $0.text)
        }
        let words = ContactIdentity.words(contact.name)
        if words.count > 1 || contact.kind == .organization {
            keys.append(Key(key: "name " + words.sorted().joined(separator: " "), shown: contact.name, isName: true))
        }
        return keys.uniqued
    }

    private static func canBeOne(_ one: Contact, _ other: Contact, byName: Bool) -> Bool {
        // Another birthday makes another person of a name, unless an address says that one of them is wrong.
        if let a = one.birthday, let b = other.birthday {
            let isOther = (a.month, a.day) != (b.month, b.day) || a.year != nil && b.year != nil && a.year != b.year
            if isOther, byName || ContactIdentity.words(one.name).sorted() != ContactIdentity.words(other.name).sorted()
            {
                return false
            }
        }
        if (one.kind == .organization) != (other.kind == .organization) { return false }
        if byName { return true }
        let isShared =
            one.emails.contains { email in
                other.emails.contains { ContactIdentity.email($0.text) == ContactIdentity.email(email.text) }
            }
            || one.phones.contains { phone in other.phones.contains { ContactIdentity.isSamePhone($0.text, phone.text) }
            }
        guard isShared else { return false }
        let (a, b) = (personalWords(one), personalWords(other))
        return a.isEmpty || b.isEmpty || a.isSubset(of: b) || b.isSubset(of: a) || hasInitials(a, b)
            || hasInitials(b, a)
    }

    /// The words of a name, without those that come from the address.
    private static func personalWords(_ contact: Contact) -> Set<String> {
        contact.name.contains("@") ? [] : Set(ContactIdentity.words(contact.name))
    }

    /// Whether the words of one name are those of the other, some as initials: `A. Ruiz`.
    private static func hasInitials(_ short: Set<String>, _ long: Set<String>) -> Bool {
        let initials = short.subtracting(long)
        let rest = long.subtracting(short)
        return initials.allSatisfy { word in word.count == 1 && rest.contains { $0.hasPrefix(word) } }
    }

    private static func weight(_ contact: Contact) -> Int {
        contact.emails.count + contact.phones.count + contact.places.count + contact.categories.count
            + (contact.birthday == nil ? 0 : 1) + (contact.hasPhoto ? 2 : 0) + (contact.notes == nil ? 0 : 1)
            + (contact.name.contains(" ") ? 1 : 0)
    }
}
