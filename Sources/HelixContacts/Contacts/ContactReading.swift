import HelixCalendar
import HelixModel

extension VCard {
    /// The contact that the card describes.
    public var contact: Contact {
        var contact = Contact()
        // Apple's and Google's cards of version 3 name the kind by a property of their own.
        switch (first("KIND") ?? first("X-ADDRESSBOOKSERVER-KIND"))?.value.trimmingBlanks().lowercased() {
        case "group"?: contact.kind = .group
        case "org"?: contact.kind = .organization
        default: contact.kind = first("X-ABSHOWAS")?.value.uppercased() == "COMPANY" ? .organization : .person
        }
        let names = first("N")?.structure.map { $0.filter { !$0.isEmpty }.joined(separator: " ") } ?? []
        func part(_ index: Int) -> String { names.indices.contains(index) ? names[index].trimmingBlanks() : "" }
        (contact.familyName, contact.givenName, contact.additionalName) = (part(0), part(1), part(2))
        (contact.prefix, contact.suffix) = (part(3), part(4))
        contact.nicknames = all("NICKNAME").flatMap(\.texts).filter { !$0.isEmpty }
        contact.emails = values("EMAIL", without: ["internet", "x400"])
        contact.phones = values("TEL", without: ["voice"])
        contact.places = all("ADR").map { property in
            Contact.Value(
                Self.postalText(property.structure),
                labels: labels(of: property, without: ["postal", "parcel", "intl", "dom"]),
                preference: property.preference)
        }.filter { !$0.text.isEmpty }
        contact.placeParts = all("ADR").filter { !Self.postalText($0.structure).isEmpty }.map(Self.postalParts)
        contact.pages = values("URL", without: [])
        contact.messengers = values("IMPP", without: [])
        let units = first("ORG")?.structure.map { $0.joined(separator: ", ").trimmingBlanks() }.filter { !$0.isEmpty }
        contact.organization = units.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }
        contact.title = (first("TITLE") ?? first("ROLE")).map(\.text).flatMap { $0.isEmpty ? nil : $0 }
        contact.birthday = date("BDAY")
        contact.anniversary = date("ANNIVERSARY") ?? date("X-ANNIVERSARY")
        let notes = all("NOTE").map(\.text).filter { !$0.isEmpty }
        contact.notes = notes.isEmpty ? nil : notes.joined(separator: "\n\n")
        contact.categories = all("CATEGORIES").flatMap(\.texts).map { $0.trimmingBlanks() }.filter { !$0.isEmpty }
        contact.members = (all("MEMBER") + all("X-ADDRESSBOOKSERVER-MEMBER")).map { property in
            let text = property.text.trimmingBlanks()
            return text.lowercased().hasPrefix("urn:uuid:") ? String(text.dropFirst(9)) : property.address
        }
        contact.hasPhoto = first("PHOTO") != nil || first("LOGO") != nil
        contact.name = shownName(contact)
        return contact
    }

    private func shownName(_ contact: Contact) -> String {
        let full = first("FN")?.text.split(whereSeparator: \.isWhitespace).joined(separator: " ") ?? ""
        if !full.isEmpty { return full }
        let parts = [contact.prefix, contact.givenName, contact.additionalName, contact.familyName, contact.suffix]
        let joined = parts.filter { !$0.isEmpty }.joined(separator: " ")
        if !joined.isEmpty { return joined }
        return contact.nicknames.first ?? contact.organization ?? contact.email ?? contact.phone ?? ""
    }

    /// The texts of a property with their labels.
    private func values(_ name: String, without noise: Set<String>) -> [Contact.Value] {
        all(name).map { property in
            Contact.Value(
                name == "IMPP" || name == "URL" ? property.text.trimmingBlanks() : property.address,
                labels: labels(of: property, without: noise), preference: property.preference)
        }.filter { !$0.text.isEmpty }
    }

    /// The labels of a property: its types, and the label of its group (`item1.X-ABLabel:_$!<HomePage>!$_`).
    private func labels(of property: ICalendarProperty, without noise: Set<String>) -> [String] {
        var found = property.types.filter { $0 != "pref" && !noise.contains($0) }
        if let group = property.group,
            let label = component.properties.first(where: { $0.group == group && $0.plainName == "X-ABLABEL" })
        {
            var text = label.text.trimmingBlanks()
            if text.hasPrefix("_$!<"), text.hasSuffix(">!$_") { text = String(text.dropFirst(4).dropLast(4)) }
            if !text.isEmpty { found.append(text == label.text.trimmingBlanks() ? text : text.lowercased()) }
        }
        return found
    }

    private func date(_ name: String) -> ContactDate? {
        guard let property = first(name), var date = ContactDate(property.value) else { return nil }
        // Apple writes a day without a year as one of 1604.
        if property["X-APPLE-OMIT-YEAR"].flatMap({ Int($0) }) == date.year { date.year = nil }
        return date
    }

    /// The parts of a postal address: street with box and extension, city, region, code, country.
    private static func postalParts(_ property: ICalendarProperty) -> [String] {
        let parts = property.structure.map { $0.filter { !$0.isEmpty }.joined(separator: ", ") }
        func part(_ index: Int) -> String { parts.indices.contains(index) ? parts[index] : "" }
        let street = [part(0), part(1), part(2)].filter { !$0.isEmpty }.joined(separator: ", ")
        return [street, part(3), part(4), part(5), part(6)]
    }

    /// The lines of a postal address: box, extension, street, then code and city, region, country (RFC 6350 §6.3.1).
    private static func postalText(_ parts: [[String]]) -> String {
        func part(_ index: Int) -> String {
            parts.indices.contains(index) ? parts[index].filter { !$0.isEmpty }.joined(separator: ", ") : ""
        }
        let city = [part(5), part(3)].filter { !$0.isEmpty }.joined(separator: " ")
        return [part(0), part(1), part(2), city, part(4), part(6)].filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
