import FoundationEssentials
import HelixCalendar
import HelixModel

/// Changes of a contact; what they do not name stays as it is, line by line.
public struct ContactChanges: Sendable {
    /// The new name, of which the parts of N are made.
    public var name: String?
    /// The parts of the name: family, given, additional names, titles before and after it.
    public var nameParts: [String]?
    /// The nicknames.
    public var nicknames = ListChange<String>()
    /// The e-mail addresses.
    public var emails = ListChange<Contact.Value>()
    /// The telephone numbers.
    public var phones = ListChange<Contact.Value>()
    /// The postal addresses.
    public var places = ListChange<Contact.Value>()
    /// The addresses of pages.
    public var pages = ListChange<Contact.Value>()
    /// The addresses of messengers.
    public var messengers = ListChange<Contact.Value>()
    /// The groups that the card names.
    public var categories = ListChange<String>()
    /// The members of a group.
    public var members = ListChange<String>()
    /// The organization; an empty text removes it.
    public var organization: String?
    /// The position in the organization; an empty text removes it.
    public var title: String?
    /// The notes; an empty text removes them.
    public var notes: String?
    /// The birthday in the form of ``ContactDate/text``; an empty text removes it.
    public var birthday: String?
    /// The anniversary in the form of ``ContactDate/text``; an empty text removes it.
    public var anniversary: String?
    /// The kind.
    public var kind: Contact.Kind?
    /// The bytes of a photo, and the subtype of its media type; empty bytes remove it.
    public var photo: (bytes: [UInt8], subtype: String)?

    /// No changes.
    public init() {}
}

extension VCard {
    /// Applies changes, and sets the time of the last revision (REV).
    public mutating func apply(_ changes: ContactChanges, now: Instant) {
        let before = self
        let contact = contact
        let isCompany = (changes.kind ?? contact.kind) != .person
        if let name = changes.name { setName(name, changes.nameParts, isCompany: isCompany) }
        if changes.name == nil, let parts = changes.nameParts { setNameParts(parts) }
        if let kind = changes.kind, kind != contact.kind { setKind(kind) }
        setList("NICKNAME", contact.nicknames, changes.nicknames)
        setList("CATEGORIES", contact.categories, changes.categories)
        func isSame(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }
        setValues("EMAIL", contact.emails, changes.emails, isSame)
        setValues("TEL", contact.phones, changes.phones, ContactIdentity.isSamePhone)
        setValues("ADR", contact.places, changes.places, isSame)
        setValues("URL", contact.pages, changes.pages, ==)
        setValues("IMPP", contact.messengers, changes.messengers, isSame)
        setMembers(contact.members, changes.members)
        if let text = changes.organization {
            set("ORG", text.isEmpty ? nil : ICalendarProperty("ORG", structure: [[text]]))
        }
        if let text = changes.title { set("TITLE", text.isEmpty ? nil : ICalendarProperty("TITLE", text: text)) }
        if let text = changes.notes { set("NOTE", text.isEmpty ? nil : ICalendarProperty("NOTE", text: text)) }
        if let text = changes.birthday { set("BDAY", date("BDAY", text)) }
        if let text = changes.anniversary {
            let name = first("X-ANNIVERSARY") != nil || !isVersion4 ? "X-ANNIVERSARY" : "ANNIVERSARY"
            set(name, date(name, text))
        }
        if let photo = changes.photo { setPhoto(photo.bytes, photo.subtype) }
        if self != before { set("REV", ICalendarProperty("REV", value: Self.stamp(now))) }
    }

    /// A point in time as REV has it: `20261128T101500Z`.
    static func stamp(_ now: Instant) -> String {
        ISO8601.text(now, in: .utc).prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
    }

    private mutating func setName(_ name: String, _ parts: [String]?, isCompany: Bool) {
        replaceFirst("FN", ICalendarProperty("FN", first("FN")?.parameters ?? [], text: name))
        let parts = parts ?? (isCompany ? [name] : PersonName(name).parts)
        setNameParts(parts)
    }

    private mutating func setNameParts(_ parts: [String]) {
        let five = (parts + ["", "", "", "", ""]).prefix(5)
        replaceFirst("N", ICalendarProperty("N", first("N")?.parameters ?? [], structure: five.map { [$0] }))
    }

    private mutating func setKind(_ kind: Contact.Kind) {
        let name = isVersion4 ? "KIND" : "X-ADDRESSBOOKSERVER-KIND"
        switch kind {
        case .person: set(name, nil)
        case .group: set(name, ICalendarProperty(name, value: "group"))
        case .organization where isVersion4: set(name, ICalendarProperty(name, value: "org"))
        case .organization:
            set(name, nil)
            set("X-ABSHOWAS", ICalendarProperty("X-ABSHOWAS", value: "COMPANY"))
        }
    }

    private mutating func setList(_ name: String, _ present: [String], _ change: ListChange<String>) {
        let wanted = change.applied(to: present) { $0.lowercased() == $1.lowercased() }
        if wanted == present { return }
        set(
            name,
            wanted.isEmpty
                ? nil
                : ICalendarProperty(name, value: wanted.map(ICalendarProperty.escaped).joined(separator: ",")))
    }

    /// Changes a property that a card has several times; those that stay keep their lines.
    private mutating func setValues(
        _ name: String, _ present: [Contact.Value], _ change: ListChange<Contact.Value>,
        _ isSame: (String, String) -> Bool
    ) {
        let wanted = change.applied(to: present) { isSame($0.text, $1.text) }
        let relabelled = ((change.replacement ?? []) + change.additions).compactMap { value -> Contact.Value? in
            guard !value.labels.isEmpty,
                let old = present.first(where: { isSame($0.text, value.text) && $0.labels != value.labels })
            else { return nil }
            return Contact.Value(value.text, labels: value.labels, preference: value.preference ?? old.preference)
        }
        if wanted == present, relabelled.isEmpty { return }
        // A value that is named again with other labels gets them.
        let gone = present.filter { old in
            !wanted.contains { isSame($0.text, old.text) } || relabelled.contains { isSame($0.text, old.text) }
        }
        let card = self
        remove(name) { property in gone.contains { $0.text == card.shown(property) } }
        for value in wanted where !present.contains(where: { isSame($0.text, value.text) }) { append(name, value) }
        for value in relabelled { append(name, value) }
    }

    /// The text of a property as the contact has it.
    private func shown(_ property: ICalendarProperty) -> String {
        let one = VCard(ICalendarComponent("VCARD", items: [.line(property.line)])).contact
        return (one.emails + one.phones + one.places + one.pages + one.messengers).first?.text ?? ""
    }

    /// Adds a value with its labels: known ones as types, others as the label of a group of lines, as Apple's programs do.
    private mutating func append(_ name: String, _ value: Contact.Value) {
        let types = value.labels.filter { Self.types.contains($0) }
        let words = value.labels.filter { !Self.types.contains($0) }
        var parameters: [ICalendarProperty.Parameter] =
            types.isEmpty ? [] : [.init("TYPE", types.map { $0.uppercased() })]
        if value.preference != nil {
            if isVersion4 {
                parameters.append(.init("PREF", ["1"]))
            } else {
                parameters = [.init("TYPE", types.map { $0.uppercased() } + ["PREF"])]
            }
        }
        var group = ""
        if !words.isEmpty { group = freeGroup() + "." }
        switch name {
        case "ADR": append(ICalendarProperty(group + name, parameters, structure: Self.postalParts(value.text)))
        case "URL", "IMPP": append(ICalendarProperty(group + name, parameters, value: value.text))
        default: append(ICalendarProperty(group + name, parameters, text: value.text))
        }
        if !words.isEmpty {
            append(ICalendarProperty(group + "X-ABLabel", text: words.joined(separator: " ")))
        }
    }

    /// The types that RFC 2426 and RFC 6350 define for addresses and numbers.
    private static let types: Set<String> = [
        "work", "home", "cell", "fax", "pager", "text", "video", "textphone", "msg", "car", "isdn", "pcs", "modem",
        "bbs",
    ]

    /// A name for a group of lines that no line has, nor any of `others`.
    func freeGroup(besides others: Set<String> = []) -> String {
        let used = Set(component.properties.compactMap(\.group)).union(others.map { $0.uppercased() })
        var number = 1
        while used.contains("ITEM\(number)") { number += 1 }
        return "item\(number)"
    }

    /// The parts of a postal address: `street; city; region; code; country`, with a box and an extension before them if there are
    /// seven, or a text that is kept whole as the street.
    private static func postalParts(_ text: String) -> [[String]] {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false).map { String($0).trimmingBlanks() }
        if parts.count == 1 { return [[""], [""], [text], [""], [""], [""], [""]] }
        if parts.count == 7 { return parts.map { [$0] } }
        return [[""], [""]] + (parts + ["", "", "", ""]).prefix(5).map { [$0] }
    }

    private mutating func setMembers(_ present: [String], _ change: ListChange<String>) {
        let wanted = change.applied(to: present) { $0.lowercased() == $1.lowercased() }
        if wanted == present { return }
        let name = isVersion4 ? "MEMBER" : "X-ADDRESSBOOKSERVER-MEMBER"
        let gone = Set(present).subtracting(wanted)
        for name in ["MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"] {
            remove(name) { property in
                let one = VCard(ICalendarComponent("VCARD", items: [.line(property.line)])).contact.members
                return one.contains { gone.contains($0) }
            }
        }
        for member in wanted where !present.contains(member) {
            append(ICalendarProperty(name, value: member.contains("@") ? "mailto:\(member)" : "urn:uuid:\(member)"))
        }
    }

    /// A date as a property; without a year as Apple's programs write it in version 3, which has no form for it.
    private func date(_ name: String, _ text: String) -> ICalendarProperty? {
        guard let date = ContactDate(text) else { return nil }
        if isVersion4 { return ICalendarProperty(name, value: Self.basic(date)) }
        guard date.year == nil else { return ICalendarProperty(name, [.init("VALUE", ["date"])], value: date.text) }
        var dated = date
        dated.year = 1604
        return ICalendarProperty(
            name, [.init("X-APPLE-OMIT-YEAR", ["1604"]), .init("VALUE", ["date"])], value: dated.text)
    }

    /// `19960415`, or `--0415` without a year (RFC 6350 §4.3.1).
    private static func basic(_ date: ContactDate) -> String {
        let digits = date.text.filter(\.isNumber)
        return date.year == nil ? "--" + digits : digits
    }

    private mutating func setPhoto(_ bytes: [UInt8], _ subtype: String) {
        guard !bytes.isEmpty else { return set("PHOTO", nil) }
        let text = Data(bytes).base64EncodedString()
        set(
            "PHOTO",
            isVersion4
                ? ICalendarProperty("PHOTO", value: "data:image/\(subtype);base64,\(text)")
                : ICalendarProperty(
                    "PHOTO", [.init("ENCODING", ["b"]), .init("TYPE", [subtype.uppercased()])], value: text))
    }
}

/// The parts of a name that was typed as a whole.
struct PersonName {
    /// Family name, given name, additional names, titles before and after.
    let parts: [String]

    /// Words in small letters that begin a family name: `Ludwig van Beethoven`.
    private static let particles: Set<String> = [
        "van", "von", "de", "del", "der", "den", "di", "da", "dos", "du", "la", "le", "ter", "ten", "zu", "zum", "bin",
        "al",
    ]

    private static let titles: Set<String> = [
        "dr", "prof", "mr", "mrs", "ms", "miss", "sir", "herr", "frau", "don", "doña",
    ]
    private static let suffixes: Set<String> = ["jr", "sr", "phd", "md", "ii", "iii", "iv", "msc", "bsc", "esq"]

    init(_ name: String) {
        if let comma = name.firstIndex(of: ",") {
            parts = [
                String(name[..<comma]).trimmingBlanks(), String(name[name.index(after: comma)...]).trimmingBlanks(), "",
                "", "",
            ]
            return
        }
        var words = name.split(whereSeparator: \.isWhitespace).map(String.init)
        var (before, after): ([String], [String]) = ([], [])
        func isOne(_ word: String, of list: Set<String>) -> Bool {
            list.contains(word.lowercased().filter { $0 != "." && $0 != "," })
        }
        while words.count > 2, isOne(words[0], of: Self.titles) { before.append(words.removeFirst()) }
        while words.count > 2, isOne(words[words.count - 1], of: Self.suffixes) {
            after.insert(words.removeLast(), at: 0)
        }
        guard words.count > 1 else {
            parts = ["", words.first ?? "", "", "", ""]
            return
        }
        var first = words.count - 1
        while first > 1, Self.particles.contains(words[first - 1]) { first -= 1 }
        parts = [
            words[first...].joined(separator: " "), words[0], words[1..<first].joined(separator: " "),
            before.joined(separator: " "), after.joined(separator: " "),
        ]
    }
}
