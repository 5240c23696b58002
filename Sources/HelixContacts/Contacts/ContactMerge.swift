import HelixCalendar
import HelixModel

/// The merge of contacts into one: nothing that only one of them has is lost.
public struct ContactMerge: Sendable {
    /// The merged card.
    public private(set) var card: VCard
    /// The values of which a card has one, and that differ; they are in the notes of the merged card.
    public private(set) var conflicts: [String] = []

    /// The properties of which a card has one, with their names.
    private static let single: [(name: String, word: String)] = [
        ("N", ""), ("FN", "name"), ("BDAY", "birthday"), ("ANNIVERSARY", "anniversary"),
        ("X-ANNIVERSARY", "anniversary"), ("GENDER", "gender"), ("KIND", "kind"), ("ORG", "organization"),
        ("TITLE", "title"), ("ROLE", "role"), ("PHOTO", "photo"), ("LOGO", "logo"), ("TZ", "time zone"),
        ("GEO", "position"),
    ]
    /// The properties that belong to one card alone.
    private static let own: Set<String> = ["VERSION", "UID", "REV", "PRODID", "BEGIN", "END", "CLASS", "X-ABLABEL"]

    /// Merges cards into the first.
    public init(_ cards: [VCard], now: Instant) {
        card = cards.first ?? VCard(uid: EntityID().text)
        for other in cards.dropFirst() { add(other) }
        var changes = ContactChanges()
        if !conflicts.isEmpty {
            let lines = conflicts.joined(separator: "\n")
            changes.notes = [card.contact.notes, lines].compactMap { $0 }.joined(separator: "\n\n")
        }
        card.apply(changes, now: now)
        if cards.count > 1 {
            card.set("REV", ICalendarProperty("REV", value: VCard.stamp(now)))
        }
    }

    private mutating func add(_ other: VCard) {
        let singles = Set(Self.single.map(\.name))
        for (name, word) in Self.single { addSingle(name, word, of: other) }
        addTexts(of: other)
        var groups: [String: String] = [:]
        for property in other.component.properties {
            let name = property.plainName
            if singles.contains(name) || Self.own.contains(name) || ["NICKNAME", "CATEGORIES", "NOTE"].contains(name) {
                continue
            }
            if let same = card.all(name).first(where: { Self.isSame($0, property) }) {
                addLabels(of: property, to: same)
                continue
            }
            // Groups of two cards have the same names, and mean different lines.
            guard let group = property.group else {
                card.append(property)
                continue
            }
            let label = other.component.properties.first { $0.group == group && $0.plainName == "X-ABLABEL" }
            let isNew = groups[group] == nil
            let mine = groups[group] ?? card.freeGroup(besides: Set(groups.values))
            groups[group] = mine
            var moved = property
            moved.name = mine + "." + name
            card.append(moved)
            if isNew, var label {
                label.name = mine + ".X-ABLabel"
                card.append(label)
            }
        }
    }

    private mutating func addSingle(_ name: String, _ word: String, of other: VCard) {
        guard let theirs = other.first(name), !theirs.value.allSatisfy({ $0 == ";" }) else { return }
        guard let ours = card.first(name), !ours.value.allSatisfy({ $0 == ";" }) else {
            return card.set(name, theirs)
        }
        if name == "N" { return mergeNames(ours, theirs) }
        if ours.text.lowercased() == theirs.text.lowercased() || word.isEmpty { return }
        switch name {
        case "BDAY", "ANNIVERSARY", "X-ANNIVERSARY":
            let (a, b) = (card.contact, other.contact)
            let (mine, yours) = name == "BDAY" ? (a.birthday, b.birthday) : (a.anniversary, b.anniversary)
            guard let mine, let yours else { return conflicts.append("Other \(word): \(theirs.text)") }
            if mine == yours { return }
            // A day with its year says more than one without.
            if mine.year == nil, (mine.month, mine.day) == (yours.month, yours.day) { return card.set(name, theirs) }
            if yours.year == nil, (mine.month, mine.day) == (yours.month, yours.day) { return }
            conflicts.append("Other \(word): \(yours.text)")
        case "FN":
            var changes = ContactChanges()
            changes.nicknames.additions = [theirs.text]
            card.apply(changes, now: Instant(0))
        case "PHOTO", "LOGO": card.append(theirs)
        case "ORG":
            conflicts.append("Other \(word): \(other.contact.organization ?? theirs.text)")
        default: conflicts.append("Other \(word): \(theirs.text)")
        }
    }

    /// Fills the parts of a name that only the other card has; those that differ are told.
    private mutating func mergeNames(_ ours: ICalendarProperty, _ theirs: ICalendarProperty) {
        var (mine, yours) = (ours.structure, theirs.structure)
        let words = ["family name", "given name", "other names", "title", "suffix"]
        while mine.count < 5 { mine.append([""]) }
        while yours.count < 5 { yours.append([""]) }
        for place in 0..<5 {
            let (own, other) = (mine[place].joined(separator: " "), yours[place].joined(separator: " "))
            if own.isEmpty {
                mine[place] = yours[place]
            } else if !other.isEmpty, own.lowercased() != other.lowercased() {
                conflicts.append("Other \(words[place]): \(other)")
            }
        }
        if mine != ours.structure { card.set("N", ICalendarProperty("N", ours.parameters, structure: mine)) }
    }

    /// Adds the labels of the same value on the other card.
    private mutating func addLabels(of theirs: ICalendarProperty, to ours: ICalendarProperty) {
        let new = theirs.types.filter { !ours.types.contains($0) && $0 != "internet" && $0 != "voice" }
        guard !new.isEmpty else { return }
        let line = ours.line
        var labelled = ours
        let types = labelled.parameters.filter { $0.name == "TYPE" }.flatMap(\.values) + new.map { $0.uppercased() }
        labelled.parameters.removeAll { $0.name == "TYPE" }
        labelled.parameters.append(.init("TYPE", types))
        for place in card.component.items.indices {
            guard case .line(let text) = card.component.items[place], ICalendarProperty(line: text)?.line == line else {
                continue
            }
            card.component.items[place] = .line(labelled.line)
            return
        }
    }

    private mutating func addTexts(of other: VCard) {
        let theirs = other.contact
        var changes = ContactChanges()
        changes.nicknames.additions = theirs.nicknames
        changes.categories.additions = theirs.categories
        if let notes = theirs.notes, card.contact.notes?.contains(notes) != true {
            changes.notes = [card.contact.notes, notes].compactMap { $0 }.joined(separator: "\n\n")
        }
        card.apply(changes, now: Instant(0))
    }

    /// Whether two properties say the same, regardless of labels.
    private static func isSame(_ one: ICalendarProperty, _ other: ICalendarProperty) -> Bool {
        switch one.plainName {
        case "EMAIL": ContactIdentity.email(one.address) == ContactIdentity.email(other.address)
        case "TEL": ContactIdentity.isSamePhone(one.address, other.address)
        default: one.value.lowercased() == other.value.lowercased()
        }
    }
}
