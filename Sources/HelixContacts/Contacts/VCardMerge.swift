import HelixCalendar
import HelixModel

/// Merges two changes of a vCard: a property of which a card has one as the side that changed it has it; of addresses and other
/// lists, the additions and removals of both sides.
public struct VCardMerge: Sendable {
    /// The merged vCard.
    public private(set) var text: String
    /// Properties that both sides changed in different ways.
    public private(set) var contested: [String] = []

    /// The lines that belong together: one, or those of a group.
    private struct Unit: Hashable {
        var name: String
        /// The lines without the name of their group.
        var content: [String]
        var lines: [String]

        static func == (a: Unit, b: Unit) -> Bool { a.content == b.content }
        func hash(into hasher: inout Hasher) { hasher.combine(content) }
    }

    /// The properties of which a card has one, or whose lines have an order of their own.
    private static let single: Set<String> = [
        "FN", "N", "BDAY", "ANNIVERSARY", "X-ANNIVERSARY", "ORG", "TITLE", "ROLE", "PHOTO", "LOGO", "SOUND", "NOTE",
        "KIND",
        "X-ADDRESSBOOKSERVER-KIND", "GENDER", "UID", "TZ", "GEO", "X-ABSHOWAS", "CLASS", "SORT-STRING", "CLIENTPIDMAP",
    ]
    /// Properties that every change updates, or that belong to the program that wrote the card.
    private static let stamps: Set<String> = ["REV", "VERSION", "PRODID"]

    /// - Parameters:
    ///   - isOurs: whether our side wins where both changed the same; nil for the later one by REV.
    public init(base: String, ours: String, theirs: String, isOurs: Bool?) {
        let (was, mine, yours) = (Self.units(base), Self.units(ours), Self.units(theirs))
        let isOurs = isOurs ?? (Self.stamp(mine) > Self.stamp(yours))
        var names = yours.map(\.name).uniqued
        names += mine.map(\.name).uniqued.filter { !names.contains($0) }
        var merged: [Unit] = []
        var contested: [String] = []
        for name in names {
            func of(_ units: [Unit]) -> [Unit] { units.filter { $0.name == name } }
            let (before, our, their) = (of(was), of(mine), of(yours))
            if Self.stamps.contains(name) {
                merged += name == "REV" ? [our, their].max { Self.digits($0) < Self.digits($1) } ?? their : their
            } else if our == their || our == before {
                merged += their
            } else if their == before {
                merged += our
            } else if name == "CATEGORIES" || name == "NICKNAME" {
                merged += Self.list(name, before, our, their)
            } else if Self.single.contains(name) {
                contested.append(name)
                merged += isOurs ? our : their
            } else {
                let gone = Set(before).subtracting(our).union(Set(before).subtracting(their))
                var kept = their.filter { !gone.contains($0) }
                let values = Set(kept.map(Self.value))
                kept += our.filter { !gone.contains($0) && !kept.contains($0) && !values.contains(Self.value($0)) }
                merged += kept
            }
        }
        self.contested = contested
        let isTheirs = merged.map(\.content) == yours.map(\.content)
        if isTheirs {
            text = theirs
            return
        }
        text = "BEGIN:VCARD\n" + Self.renumbered(merged).joined(separator: "\n") + "\nEND:VCARD\n"
    }

    /// The time of the last revision of a vCard in digits; empty without one.
    public static func stamp(_ text: String) -> String { stamp(units(text)) }

    private static func stamp(_ units: [Unit]) -> String { digits(units.filter { $0.name == "REV" }) }

    private static func digits(_ units: [Unit]) -> String {
        units.first?.lines.first.flatMap { ICalendarProperty(line: $0) }?.value.filter(\.isNumber) ?? ""
    }

    private static func units(_ text: String) -> [Unit] {
        var units: [Unit] = []
        var groups: [String: Int] = [:]
        for property in VCard(text: text)?.component.properties ?? [] {
            var plain = property
            plain.name = property.plainName
            guard let group = property.group else {
                units.append(Unit(name: plain.name, content: [plain.line], lines: [property.line]))
                continue
            }
            if let place = groups[group] {
                units[place].content.append(plain.line)
                units[place].lines.append(property.line)
                if units[place].name == "X-ABLABEL" { units[place].name = plain.name }
            } else {
                groups[group] = units.count
                units.append(Unit(name: plain.name, content: [plain.line], lines: [property.line]))
            }
        }
        return units
    }

    /// The value of a unit, by which two forms of the same address are one.
    private static func value(_ unit: Unit) -> String {
        let property = unit.content.lazy.compactMap { ICalendarProperty(line: $0) }.first { $0.name == unit.name }
        let text = property?.address ?? unit.content.joined()
        return unit.name == "TEL" ? ContactIdentity.phone(text) : text.lowercased()
    }

    /// A property with a list of texts, with the additions and removals of both sides.
    private static func list(_ name: String, _ before: [Unit], _ our: [Unit], _ their: [Unit]) -> [Unit] {
        func texts(_ units: [Unit]) -> [String] {
            units.flatMap { $0.content.compactMap { ICalendarProperty(line: $0) }.flatMap(\.texts) }
        }
        let (was, mine, yours) = (Set(texts(before)), texts(our), texts(their))
        let gone = was.subtracting(mine).union(was.subtracting(yours))
        let kept = (yours + mine).uniqued.filter { !gone.contains($0) }
        if kept.isEmpty { return [] }
        let line = ICalendarProperty(name, value: kept.map(ICalendarProperty.escaped).joined(separator: ",")).line
        return [Unit(name: name, content: [line], lines: [line])]
    }

    /// The lines, with a name of its own for each group: both sides may have used the same for different lines.
    private static func renumbered(_ units: [Unit]) -> [String] {
        var used: Set<String> = []
        return units.flatMap { unit -> [String] in
            guard let group = unit.lines.first.flatMap({ ICalendarProperty(line: $0) })?.group else {
                return unit.lines
            }
            if used.insert(group).inserted { return unit.lines }
            var number = 1
            while !used.insert("ITEM\(number)").inserted { number += 1 }
            return unit.lines.map { line in
                guard var property = ICalendarProperty(line: line) else { return line }
                property.name = "ITEM\(number)." + property.plainName
                return property.line
            }
        }
    }
}
