import HelixCalendar
import HelixModel

/// Contacts in CSV tables, as Google Contacts writes them, before and since 2024, and Outlook and Thunderbird in English.
public enum ContactTable {
    /// The columns of texts of which a contact has one.
    private static let names: [String: String] = [
        "name": "name", "display name": "name", "file as": "file as", "email": "email", "e-mail": "email",
        "email address": "email", "phone": "phone:", "telephone": "phone:", "mobile": "phone:cell",
        "given name": "given", "first name": "given",
        "additional name": "middle", "middle name": "middle", "family name": "family", "last name": "family",
        "name prefix": "prefix", "title": "title", "name suffix": "suffix", "suffix": "suffix", "nickname": "nickname",
        "organization 1 - name": "org", "organization name": "org", "company": "org", "organization": "org",
        "organization 1 - title": "title", "organization title": "title", "job title": "title",
        "organization 1 - department": "department", "organization department": "department",
        "department": "department",
        "birthday": "birthday", "notes": "notes", "group membership": "groups", "labels": "groups",
        "categories": "groups",
        "e-mail address": "email", "primary email": "email", "e-mail 2 address": "email", "e-mail 3 address": "email",
        "secondary email": "email", "mobile phone": "phone:cell", "mobile number": "phone:cell",
        "home phone": "phone:home",
        "business phone": "phone:work", "work phone": "phone:work", "business fax": "phone:fax",
        "home fax": "phone:fax",
        "fax number": "phone:fax", "pager number": "phone:pager", "web page": "url", "web page 1": "url",
        "personal web page": "url", "anniversary": "anniversary",
    ]

    /// Whether the first line of a file names columns of contacts.
    static func knows(_ head: String) -> Bool {
        let columns = head.split(whereSeparator: { ",;\t".contains($0) }).map {
            String($0).trimming { $0 == "\"" || $0.isWhitespace }
        }
        return columns.contains { $0 == "e-mail 1 - value" || $0 == "e-mail address" || $0 == "primary email" }
            || columns.contains("given name") || columns.contains("first name")
    }

    /// Parses a table. Columns that are not known go to the notes, each value with its column's name.
    /// - Throws: ``HelixError`` of code `badInput` for a file that is no table of contacts.
    public static func read(_ bytes: [UInt8]) throws -> ForeignContacts {
        let table = try CSVTable(bytes)
        let known = table.columns.contains { names[$0] != nil || part(of: $0) != nil }
        guard known else {
            throw HelixError(
                .badInput, "no column of the CSV file is known",
                hint: "Export the contacts as Google CSV, or as vCards, which lose nothing.")
        }
        var found = ForeignContacts()
        found.defects = table.surplus.map {
            ICalendarDefect(line: Int($0.place.dropFirst(5)) ?? 1, part: "record", reason: $0.reason)
        }
        for column in table.columns where names[column] == nil && part(of: column) == nil {
            let isUsed = table.records.contains { !$0[column].isEmpty }
            guard isUsed else { continue }
            found.defects.append(
                ICalendarDefect(
                    line: 1, part: "column", reason: "'\(column)' is not known; its values are in the notes"))
        }
        for record in table.records { add(record, table.columns, &found) }
        return found
    }

    /// The parts of a numbered column: `phone 2 - value`.
    private static func part(of column: String) -> (kind: String, number: String, part: String)? {
        let halves = column.split(separator: " - ", maxSplits: 1)
        guard halves.count == 2, let blank = halves[0].lastIndex(of: " ") else { return nil }
        let number = halves[0][halves[0].index(after: blank)...]
        guard !number.isEmpty, number.allSatisfy(\.isNumber) else { return nil }
        let kind = String(halves[0][..<blank])
        let known = ["e-mail", "phone", "address", "website", "event", "im", "custom field", "relation"]
        return known.contains(kind) ? (kind, String(number), String(halves[1])) : nil
    }

    private static func add(_ record: CSVTable.Record, _ columns: [String], _ found: inout ForeignContacts) {
        var texts: [String: String] = [:]
        var changes = ContactChanges()
        var notes: [String] = []
        var numbered: [String: [String: String]] = [:]
        var order: [String] = []
        for column in columns {
            let value = CSVField.value(record[column])
            if value.isEmpty { continue }
            if let part = part(of: column) {
                let key = "\(part.kind) \(part.number)"
                if numbered[key] == nil { order.append(key) }
                numbered[key, default: [:]][part.part] = value
                continue
            }
            switch names[column] {
            case "email"?: changes.emails.additions.append(Contact.Value(value))
            case "url"?: changes.pages.additions.append(Contact.Value(value))
            case let name? where name.hasPrefix("phone:"):
                let label = String(name.dropFirst(6))
                changes.phones.additions.append(Contact.Value(value, labels: label.isEmpty ? [] : [label]))
            case let name?: if texts[name] == nil { texts[name] = value }
            case nil: notes.append("\(column): \(value)")
            }
        }
        for key in order { addNumbered(key, numbered[key] ?? [:], &changes, &notes) }
        let parts = ["family", "given", "middle", "prefix", "suffix"].map { texts[$0] ?? "" }
        let joined = [parts[3], parts[1], parts[2], parts[0], parts[4]].filter { !$0.isEmpty }.joined(separator: " ")
        changes.name = texts["name"] ?? (joined.isEmpty ? texts["file as"] : joined)
        if parts.contains(where: { !$0.isEmpty }) { changes.nameParts = parts }
        if let org = texts["org"] {
            changes.organization = [org, texts["department"]].compactMap(\.self).joined(separator: ", ")
        }
        changes.title = texts["title"]
        if let nickname = texts["nickname"] { changes.nicknames.additions = [nickname] }
        changes.categories.additions = (texts["groups"] ?? "").split(whereSeparator: { $0 == ";" }).flatMap {
            String($0).components(":::")
        }.map { $0.trimmingBlanks() }.filter { !$0.isEmpty && !$0.hasPrefix("*") }
        for name in ["birthday", "anniversary"] {
            guard let value = texts[name] else { continue }
            guard let date = ContactDate(value.replacing("/", with: "-")) else {
                notes.append("\(name): \(value)")
                found.defects.append(
                    ICalendarDefect(
                        line: record.line, part: name,
                        reason: "'\(value)' is not a date as YYYY-MM-DD; it is in the notes"))
                continue
            }
            if name == "birthday" { changes.birthday = date.text } else { changes.anniversary = date.text }
        }
        let lines = [texts["notes"]].compactMap(\.self) + notes
        if !lines.isEmpty { changes.notes = lines.joined(separator: "\n") }
        found.add(changes, line: record.line, source: "csv")
    }

    private static func addNumbered(
        _ key: String, _ parts: [String: String], _ changes: inout ContactChanges, _ notes: inout [String]
    ) {
        let kind = key[..<(key.lastIndex(of: " ") ?? key.endIndex)]
        let label = (parts["type"] ?? parts["label"] ?? "").trimming { $0 == "*" || $0.isWhitespace }.lowercased()
        let labels = label.isEmpty || label == "other" ? [] : [label == "mobile" ? "cell" : label]
        // Several values stand in one field.
        let values = (parts["value"] ?? "").components(":::").map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        switch kind {
        case "e-mail": changes.emails.additions += values.map { Contact.Value($0, labels: labels) }
        case "phone": changes.phones.additions += values.map { Contact.Value($0, labels: labels) }
        case "website": changes.pages.additions += values.map { Contact.Value($0, labels: labels) }
        case "im": changes.messengers.additions += values.map { Contact.Value($0, labels: labels) }
        case "address":
            func part(_ name: String) -> String {
                (parts[name] ?? "").split(whereSeparator: \.isNewline).joined(separator: ", ")
            }
            let seven = ["po box", "extended address", "street", "city", "region", "postal code", "country"].map(part)
            let isStructured = seven.contains { !$0.isEmpty }
            let text =
                isStructured
                ? seven.map { $0.replacing(";", with: ",") }.joined(separator: ";")
                : part("formatted").replacing(";", with: ",")
            if !text.isEmpty { changes.places.additions.append(Contact.Value(text, labels: labels)) }
        case "event" where label == "anniversary":
            if let date = values.first.flatMap({ ContactDate($0) }) {
                changes.anniversary = date.text
            } else {
                fallthrough
            }
        default:
            for value in values { notes.append("\(label.isEmpty ? String(kind) : label): \(value)") }
        }
    }

    /// Contacts as Google Contacts reads them.
    public static func text(_ contacts: [Contact]) -> String {
        func most(_ count: (Contact) -> Int) -> Int { contacts.map(count).max() ?? 0 }
        let (emails, phones) = (most { $0.emails.count }, most { $0.phones.count })
        let (places, pages) = (most { $0.places.count }, most { $0.pages.count })
        var head = [
            "First Name", "Middle Name", "Last Name", "Name Prefix", "Name Suffix", "Nickname", "File As",
            "Organization Name", "Organization Title", "Birthday", "Notes", "Labels",
        ]
        for (name, count, part) in [
            ("E-mail", emails, "Value"), ("Phone", phones, "Value"),
            ("Website", pages, "Value"),
        ] {
            for number in 0..<count { head += ["\(name) \(number + 1) - Label", "\(name) \(number + 1) - \(part)"] }
        }
        let parts = ["Street", "City", "Region", "Postal Code", "Country"]
        for number in 0..<places {
            head += ["Address \(number + 1) - Label"] + parts.map { "Address \(number + 1) - \($0)" }
        }
        if contacts.contains(where: { $0.anniversary != nil }) { head += ["Event 1 - Label", "Event 1 - Value"] }
        var rows = [head]
        for contact in contacts {
            var row = [
                contact.givenName, contact.additionalName, contact.familyName, contact.prefix, contact.suffix,
                contact.nicknames.joined(separator: ", "), contact.name, contact.organization ?? "",
                contact.title ?? "",
                contact.birthday?.text ?? "", contact.notes ?? "", contact.categories.joined(separator: " ::: "),
            ]
            for (values, count) in [
                (contact.emails, emails), (contact.phones, phones), (contact.pages, pages),
            ] {
                for number in 0..<count {
                    let value = number < values.count ? values[number] : Contact.Value("")
                    row += [value.labels.first ?? "", value.text]
                }
            }
            for number in 0..<places {
                let isThere = number < contact.placeParts.count
                row.append(isThere ? contact.places[number].labels.first ?? "" : "")
                row += isThere ? contact.placeParts[number] : parts.map { _ in "" }
            }
            if head.contains("Event 1 - Label") {
                row += contact.anniversary.map { ["Anniversary", $0.text] } ?? ["", ""]
            }
            rows.append(row)
        }
        return rows.map { $0.map(field).joined(separator: ",") + "\n" }.joined()
    }

    /// A field; a telephone number is no formula.
    private static func field(_ text: String) -> String {
        text.allSatisfy { $0.isNumber || "+- ()/.".contains($0) } ? text : CSVField.text(text)
    }
}

extension String {
    /// The parts between separators of several characters.
    fileprivate func components(_ separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
