import FoundationEssentials
import HelixContacts
import HelixInvoices
import HelixModel
import HelixStore
import HelixTasks

/// The line of an invoice that an entry belongs to.
private struct InvoiceLineKey: Hashable {
    var name: String
    var rate: Decimal
    var entry: EntityID?
}

/// The making of an invoice from time, materials, settings and contacts.
final class InvoiceDraft {
    private let project: ProjectRecord
    private let family: ProjectFamily
    private let terms: InvoiceTermOptions
    private let context: CommandContext
    private let known: [InvoiceRecord]
    private let entries: [TimeEntryDetails]
    private let materials: [MaterialRecord]
    /// Whether time of the range is on an invoice.
    private let hasBilled: Bool
    private let grouping: InvoiceGrouping
    private let unit: Int
    private var isRoundedAway = false
    /// Remarks about what is not on the invoice.
    private(set) var remarks: [String] = []

    /// - Parameter span: the time in which the work began; nil for all.
    /// - Throws: ``HelixError``.
    init(
        project: ProjectRecord, span: TimeRange?, by grouping: InvoiceGrouping, terms: InvoiceTermOptions,
        _ context: CommandContext
    ) throws {
        (self.project, self.terms, self.context, self.grouping) = (project, terms, context, grouping)
        let store = try context.store()
        known = try store.invoices()
        unit = try context.dates.duration(terms.round ?? context.configuration.text(.invoiceRound) ?? "0m")
        let billed = try BilledWork(known)
        let family = ProjectFamily(project, try store.projects())
        let all = try store.timeEntries(
            in: span ?? .always, filter: .project(project.name), zone: context.zone
        ).filter { span?.contains($0.entry.start) ?? true }
        // Work in progress and planned work are not done.
        let now = context.now
        let done = all.filter { $0.entry.end.map { $0 <= now } ?? false && family.contains($0.project) }
        entries = done.filter { details in
            let id = details.entry.id
            return !billed.contains(id) && (details.entry.isBillable || !billed.wasListed(id))
        }.sorted { $0.entry.start < $1.entry.start }
        let days = span.map { (context.zone.date($0.start), context.zone.date($0.end - 1)) }
        materials = try store.materials(of: family).filter { material in
            guard !billed.contains(material.id) else { return false }
            guard let days else { return true }
            return material.boughtOn.map { $0 >= days.0 && $0 <= days.1 } ?? false
        }
        self.family = family
        hasBilled = done.contains { billed.contains($0.entry.id) }
        for (other, difference) in family.others {
            let hasTime = all.contains { $0.project == other.name }
            if try hasTime || !store.materials(of: other.id).isEmpty {
                remarks.append("'\(other.name)' is not on the invoice: it has another \(difference).")
            }
        }
        if all.contains(where: { $0.entry.end == nil }) { remarks.append("The running timer is not on the invoice.") }
    }

    /// The reason why nothing is to be invoiced.
    private var reason: String {
        if isRoundedAway { return ": its billable time is rounded to nothing" }
        if hasBilled { return ": what is billable is on invoices already" }
        return entries.isEmpty ? "" : ": its time is not billable"
    }

    /// The invoice.
    /// - Parameter customer: the customer's name in contacts; nil for that of the project.
    /// - Throws: ``HelixError``.
    func invoice(to customer: String?) throws -> Invoice {
        guard let currency = project.currency else {
            throw HelixError(
                .configuration, "the project '\(project.name)' has no currency",
                hint: "Set it: helix projects edit '\(project.name)' --currency EUR.")
        }
        guard InvoiceMoney.isCurrency(currency) else {
            throw HelixError(
                .configuration, "'\(currency)' is no currency",
                hint: "Set its code: helix projects edit '\(project.name)' --currency EUR.")
        }
        let lines = try timeLines() + materials.map(line)
        guard !lines.isEmpty else {
            throw HelixError(
                .notFound,
                "nothing of '\(project.name)' is to be invoiced\(reason)",
                hint:
                    "'helix projects report \(project.name)' shows its time; 'helix time edit ID --billable' makes it billable."
            )
        }
        let buyer = try buyer(customer)
        let issued = try terms.date.map { try context.dates.date($0) } ?? context.today
        let days =
            entries.filter(\.entry.isBillable).map { context.zone.date($0.entry.start) }
            + materials.compactMap(\.boughtOn)
        if let last = days.max(), issued < last {
            throw HelixError(
                .usage,
                "the invoice would be issued on \(DateWords.text(issued)), before its work of \(DateWords.text(last))",
                hint: "Name an earlier range, or a later --date.")
        }
        var invoice = Invoice(
            number: try number(issued), issued: issued, currency: currency, project: project.name, seller: try seller(),
            buyer: buyer, lines: lines, tax: try tax())
        invoice.due = try due(after: issued)
        (invoice.firstDay, invoice.lastDay) = (days.min(), days.max())
        invoice.buyerReference = terms.reference ?? former(buyer.name)?.buyerReference
        invoice.order = terms.order
        invoice.note = terms.note ?? setting(.invoiceNote)
        invoice.iban = setting(.invoiceIBAN).map { InvoiceTerm.plain($0) }
        invoice.bic = setting(.invoiceBIC)
        if !terms.billableOnly { invoice.uncharged = uncharged }
        return invoice
    }

    private func setting(_ key: ConfigurationKey) -> String? {
        context.configuration.text(key).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func number(_ issued: CivilDate) throws -> String {
        guard let number = terms.number?.trimmingBlanks() else {
            return try context.nextInvoiceNumber(known, in: issued.components.year)
        }
        guard !number.isEmpty, number.count <= 50,
            !number.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw HelixError(.usage, "the number of an invoice has 1 to 50 characters") }
        return number
    }

    private func tax() throws -> InvoiceTax {
        if terms.reverseCharge { return .reverseCharge }
        guard let text = terms.tax ?? setting(.invoiceTax) else {
            throw HelixError(
                .configuration, "no tax is set for invoices",
                hint: "Set your rate: helix config set invoice.tax 19 (or 0, or \"exempt: REASON\"), or pass --tax.")
        }
        guard let tax = InvoiceTax(setting: text) else { throw HelixError(.usage, "'\(text)' is no rate of tax") }
        return tax
    }

    private func due(after issued: CivilDate) throws -> CivilDate {
        let text = terms.due ?? setting(.invoiceDue) ?? "14d"
        var parser = context.dates
        parser.now = context.zone.startOfDay(issued)
        let day: CivilDate
        if let length = try? parser.duration(text) {
            guard length % 86_400 == 0 else {
                throw HelixError(
                    .usage, "an invoice is due on a day, and '\(text)' is none", hint: "Use 14d, 2 weeks or a date.")
            }
            // A month is a month of the calendar.
            day = try parser.date("in " + text)
        } else {
            day = try parser.date(text)
        }
        if day < issued { throw HelixError(.usage, "the invoice would be due before it is issued") }
        return day
    }

    // MARK: Lines

    private func rounded(_ seconds: Int) -> Int { unit > 0 ? (seconds + unit / 2) / unit * unit : seconds }

    private func title(_ entry: TimeEntryDetails) -> String {
        entry.title.isEmpty ? project.name : entry.title
    }

    /// The key of the line of an entry: entries of another rate are in another line.
    private func key(_ entry: TimeEntryDetails, _ rate: Decimal) -> InvoiceLineKey {
        let day = DateWords.text(context.zone.date(entry.entry.start))
        switch grouping {
        case .title: return InvoiceLineKey(name: title(entry), rate: rate)
        case .day: return InvoiceLineKey(name: day, rate: rate)
        case .entry: return InvoiceLineKey(name: "\(day): \(title(entry))", rate: rate, entry: entry.entry.id)
        }
    }

    private func timeLines() throws -> [InvoiceLine] {
        var order: [InvoiceLineKey] = []
        var groups: [InvoiceLineKey: [TimeEntryDetails]] = [:]
        for entry in entries where entry.entry.isBillable {
            guard let rate = family.rate(of: entry.project) else {
                throw HelixError(
                    .configuration, "the project '\(project.name)' has no hourly rate",
                    hint: "Set it: helix projects edit '\(project.name)' --rate 80.")
            }
            let key = key(entry, rate)
            if groups[key] == nil { order.append(key) }
            groups[key, default: []].append(entry)
        }
        var lost = 0
        var exact: Decimal = 0
        let lines = order.compactMap { key -> InvoiceLine? in
            let group = groups[key] ?? []
            let seconds = group.reduce(0) { $0 + rounded($1.entry.duration(at: context.now)) }
            let hours = (Decimal(seconds) / 3600).rounded(to: 2)
            guard hours > 0 else {
                lost += group.count
                return nil
            }
            exact += Decimal(seconds) * key.rate / 3600
            let titles = group.map { title($0) }.uniqued.joined(separator: ", ")
            return InvoiceLine(
                .time, name: grouping == .day ? "\(key.name): \(titles)" : key.name, quantity: hours, unit: "h",
                price: key.rate, entities: group.map(\.entry.id))
        }
        if lost > 0 {
            isRoundedAway = lines.isEmpty
            remarks.append(
                "\(EntityKind.timeEntry.counted(lost)) \(unit > 0 ? "too short for the rounding" : "of less than a hundredth of an hour") "
                    + "\(lost == 1 ? "is" : "are") not on the invoice."
            )
        }
        tellRounding(lines, exact)
        return lines
    }

    /// Tells by how much the hundredths of hours differ from the exact time.
    private func tellRounding(_ lines: [InvoiceLine], _ exact: Decimal) {
        guard let currency = project.currency else { return }
        let charged = lines.reduce(Decimal(0)) { $0 + InvoiceMoney.rounded($1.quantity * $1.price, currency) }
        let wanted = InvoiceMoney.rounded(exact, currency)
        if charged != wanted {
            remarks.append(
                "In hundredths of hours, the time costs \(InvoiceMoney.text(charged, currency)) \(currency); to the second, "
                    + "\(InvoiceMoney.text(wanted, currency)).")
        }
    }

    private func line(_ material: MaterialRecord) -> InvoiceLine {
        InvoiceLine(
            .material, name: material.name, quantity: material.quantity, unit: material.unit, price: material.unitPrice,
            entities: [material.id])
    }

    private var uncharged: [UnchargedWork] {
        var rows: [UnchargedWork] = []
        for entry in entries where !entry.entry.isBillable {
            let seconds = entry.entry.duration(at: context.now)
            if let place = rows.firstIndex(where: { $0.name == title(entry) }) {
                rows[place].seconds += seconds
                rows[place].entities.append(entry.entry.id)
            } else {
                rows.append(UnchargedWork(name: title(entry), seconds: seconds, entities: [entry.entry.id]))
            }
        }
        return rows
    }

    // MARK: Parties

    private func seller() throws -> InvoiceParty {
        guard let name = setting(.invoiceName) ?? setting(.name) else {
            throw HelixError(
                .configuration, "no name is set for invoices",
                hint:
                    "Set it: helix config set invoice.name \"Ferri Joinery\"; 'helix config list invoice' shows the others."
            )
        }
        var seller = InvoiceParty(name: name)
        seller.street = (setting(.invoiceStreet) ?? "").split(separator: ";").map { String($0).trimmingBlanks() }
        (seller.postalCode, seller.city) = (setting(.invoicePostalCode), setting(.invoiceCity))
        seller.country = setting(.invoiceCountry).flatMap { InvoiceCountry.code($0) }
        seller.vatID = setting(.invoiceVATID).map { InvoiceTerm.plain($0) }
        (seller.taxNumber, seller.legalID) = (setting(.invoiceTaxNumber), setting(.invoiceLegalID))
        seller.email = setting(.invoiceEmail) ?? context.configuration.list(.email).first
        seller.phone = setting(.invoicePhone)
        return seller
    }

    /// The latest invoice to a customer: what no contact knows is taken from there.
    private func former(_ name: String) -> Invoice? {
        // A damaged document is told by the list of invoices; here it only lacks.
        known.lazy.filter { $0.customer == name }.compactMap { try? $0.invoice() }.first
    }

    private func buyer(_ customer: String?) throws -> InvoiceParty {
        guard let wanted = customer ?? project.customer else {
            throw HelixError(
                .configuration, "the project '\(project.name)' has no customer",
                hint: "Pass --customer NAME, or set it: helix projects edit '\(project.name)' --customer NAME.")
        }
        var buyer = InvoiceParty(name: wanted)
        do {
            buyer = try InvoiceDraft.party(try context.contact(wanted).card, wanted)
        } catch let error as HelixError where error.code == .notFound && customer == nil {
            remarks.append("No contact is named '\(wanted)', so the invoice has no address of the customer.")
        }
        let former = former(buyer.name)
        if let country = terms.country { buyer.country = InvoiceCountry.code(country) }
        // It is not guessed: an invoice abroad has other rules.
        buyer.country = buyer.country ?? former?.buyer.country
        buyer.vatID = terms.buyerVatID.map { InvoiceTerm.plain($0) } ?? former?.buyer.vatID
        return buyer
    }

    /// The party of a contact: its address for work, if it has one, else its first.
    /// - Throws: ``HelixError`` of code `badInput` for a country that is not known.
    private static func party(_ card: VCard, _ name: String) throws -> InvoiceParty {
        let contact = card.contact
        var party = InvoiceParty(name: contact.name.isEmpty ? name : contact.name)
        party.email = contact.emails.first?.text
        party.phone = contact.phones.first?.text
        let place = contact.places.firstIndex { $0.labels.contains("work") } ?? contact.places.indices.first
        guard let place, contact.placeParts.indices.contains(place) else { return party }
        let parts = contact.placeParts[place] + [String](repeating: "", count: 5)
        party.street = parts[0].split(whereSeparator: \.isNewline).map { String($0).trimmingBlanks() }
        party.city = parts[1].isEmpty ? nil : parts[1]
        party.postalCode = parts[3].isEmpty ? nil : parts[3]
        if !parts[4].isEmpty {
            guard let code = InvoiceCountry.code(parts[4]) else {
                throw HelixError(
                    .badInput, "the country '\(parts[4])' of '\(party.name)' is not known",
                    hint: "Write its code of two letters in the contact, or pass --country.")
            }
            party.country = code
        }
        return party
    }
}
