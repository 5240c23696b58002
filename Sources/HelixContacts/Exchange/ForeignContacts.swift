import HelixCalendar
import HelixModel

/// The contacts of a file of another program, as vCards.
public struct ForeignContacts: Sendable {
    /// The vCards, each with the line on which it begins, from 1.
    public var cards: [(card: VCard, line: Int)] = []
    /// The parts that could not be read, with their lines.
    public var defects: [ICalendarDefect] = []

    /// Creates an empty result.
    public init() {}

    /// Adds a contact without an identity of its own. It gets a UID made of its words, the same in each import.
    mutating func add(_ changes: ContactChanges, line: Int, source: String) {
        var changes = changes
        if changes.name?.trimmingBlanks().isEmpty ?? true {
            changes.name =
                changes.nicknames.additions.first ?? changes.organization ?? changes.emails.additions.first?.text
                ?? changes.phones.additions.first?.text
        }
        guard let name = changes.name else {
            defects.append(ICalendarDefect(line: line, part: "contact", reason: "has no name, address or number"))
            return
        }
        let key = ([source, name] + changes.emails.additions.map(\.text) + changes.phones.additions.map(\.text))
            .joined(separator: "\u{0}")
        let digest = StableHash.of(Array(key.utf8))
        var uid = "\(source)-\(String(digest, radix: 16))"
        // Equal lines of one file are several contacts.
        let same = cards.count { $0.card.uid?.hasPrefix(uid) ?? false }
        if same > 0 { uid += "-\(same + 1)" }
        var card = VCard(uid: uid)
        card.apply(changes, now: Instant(0))
        card.set("REV", nil)
        cards.append((card, line))
    }
}

/// The forms in which contacts are imported and exported.
public enum ContactFormat: String, Sendable, CaseIterable {
    /// vCards as they are stored.
    case vcard
    case abook
    case mutt
    /// Tables as Google Contacts writes them.
    case csv

    /// The form of a file by its name and its first bytes.
    public static func of(path: String, _ head: [UInt8]) -> ContactFormat {
        let text = String(decoding: head.prefix(4096), as: UTF8.self)
        let lower = path.lowercased()
        if lower.hasSuffix(".vcf") || lower.hasSuffix(".vcard") || text.uppercased().contains("BEGIN:VCARD") {
            return .vcard
        }
        let lines = text.split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks() }
        if lines.contains(where: { $0.hasPrefix("alias ") || $0.hasPrefix("alias\t") }) { return .mutt }
        if lines.contains("[format]") || lines.contains("[0]") { return .abook }
        if lower.hasSuffix(".csv") || lower.hasSuffix(".tsv") { return .csv }
        if let first = lines.first?.lowercased(), first.contains(",") || first.contains(";"),
            ContactTable.knows(first)
        {
            return .csv
        }
        return .vcard
    }
}
