import HelixCalendar
import HelixModel

/// The address book of abook (https://abook.sourceforge.io, `~/.abook/addressbook`): sections of `field=value` lines.
public enum AbookFormat {
    /// Parses a file.
    public static func read(_ bytes: [UInt8]) -> ForeignContacts {
        var found = ForeignContacts()
        var fields: [(name: String, value: String, line: Int)] = []
        var start = 0
        var isFormat = true
        func finish(_ found: inout ForeignContacts) {
            if !isFormat, !fields.isEmpty { add(fields, start, &found) }
            fields = []
        }
        let text = String(guessing: bytes)
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(raw).trimmingBlanks()
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("["), line.hasSuffix("]") {
                finish(&found)
                (start, isFormat) = (index + 1, line.lowercased() == "[format]")
                continue
            }
            guard let sign = line.firstIndex(of: "=") else {
                found.defects.append(
                    ICalendarDefect(line: index + 1, part: "line", reason: "'\(line.prefix(40))' is not a field"))
                continue
            }
            let value = String(line[line.index(after: sign)...]).trimmingBlanks()
            if !value.isEmpty { fields.append((line[..<sign].lowercased(), value, index + 1)) }
        }
        finish(&found)
        return found
    }

    private static func add(
        _ fields: [(name: String, value: String, line: Int)], _ start: Int, _ found: inout ForeignContacts
    ) {
        var changes = ContactChanges()
        var place = ["", "", "", "", ""]
        var street: [String] = []
        var notes: [String] = []
        for (name, value, line) in fields {
            switch name {
            case "name": changes.name = value
            case "email":
                changes.emails.additions += value.split(separator: ",").map {
                    Contact.Value(String($0).trimmingBlanks())
                }
            case "address", "address2": street.append(value)
            case "city": place[1] = value
            case "state": place[2] = value
            case "zip": place[3] = value
            case "country": place[4] = value
            case "phone": changes.phones.additions.append(Contact.Value(value, labels: ["home"]))
            case "workphone": changes.phones.additions.append(Contact.Value(value, labels: ["work"]))
            case "mobile": changes.phones.additions.append(Contact.Value(value, labels: ["cell"]))
            case "fax": changes.phones.additions.append(Contact.Value(value, labels: ["fax"]))
            case "nick": changes.nicknames.additions.append(value)
            case "url": changes.pages.additions.append(Contact.Value(value))
            case "groups":
                changes.categories.additions += value.split(separator: ",").map { String($0).trimmingBlanks() }
            case "notes": notes.append(value)
            case "anniversary", "birthday":
                if let date = ContactDate(value) {
                    if name == "birthday" { changes.birthday = date.text } else { changes.anniversary = date.text }
                } else {
                    notes.append("\(name): \(value)")
                    found.defects.append(
                        ICalendarDefect(line: line, part: name, reason: "'\(value)' is not a date; it is in the notes"))
                }
            default:
                // Fields of the user's own.
                notes.append("\(name): \(value)")
            }
        }
        place[0] = street.joined(separator: ", ")
        if place.contains(where: { !$0.isEmpty }) {
            changes.places.additions.append(Contact.Value(place.joined(separator: ";")))
        }
        if !notes.isEmpty { changes.notes = notes.joined(separator: "\n") }
        found.add(changes, line: start, source: "abook")
    }

    /// Contacts in this form.
    public static func text(_ contacts: [Contact]) -> String {
        var lines = ["# abook addressbook file", "", "[format]", "program=helix", "version=0.6.1", ""]
        func one(_ text: String) -> String { text.split(whereSeparator: \.isNewline).joined(separator: ", ") }
        for (index, contact) in contacts.enumerated() {
            lines.append("[\(index)]")
            func add(_ name: String, _ value: String?) {
                if let value, !value.isEmpty { lines.append("\(name)=\(one(value))") }
            }
            add("name", contact.name)
            add("email", contact.emails.map(\.text).joined(separator: ","))
            func phone(_ label: String) -> String? { contact.phones.first { $0.labels.contains(label) }?.text }
            let mobile = phone("cell")
            add("mobile", mobile)
            add("workphone", phone("work"))
            add("fax", phone("fax"))
            add("phone", contact.phones.first { $0.labels.isEmpty || $0.labels.contains("home") }?.text)
            add("nick", contact.nicknames.joined(separator: ","))
            add("url", contact.pages.first?.text)
            if let parts = contact.placeParts.first {
                for (name, value) in zip(["address", "city", "state", "zip", "country"], parts) { add(name, value) }
            }
            add("notes", contact.notes)
            add("anniversary", contact.anniversary?.text)
            add("groups", contact.categories.joined(separator: ","))
            lines.append("")
        }
        return lines.joined(separator: "\n")
    }
}
