import FoundationEssentials
import HelixModel

/// Invoices as UBL 2.1 after EN 16931-3-2.
public enum InvoiceXML {
    /// The document.
    public static func text(_ invoice: Invoice) -> String {
        let isCredit = invoice.kind == .creditNote
        let name = isCredit ? "CreditNote" : "Invoice"
        let root = UBLElement(
            name,
            attributes: [
                ("xmlns", "urn:oasis:names:specification:ubl:schema:xsd:\(name)-2"),
                ("xmlns:cac", "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"),
                ("xmlns:cbc", "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"),
            ], head(invoice, isCredit) + body(invoice, isCredit))
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + root.text() + "\n"
    }

    private static func head(_ invoice: Invoice, _ isCredit: Bool) -> [UBLElement] {
        var nodes: [UBLElement] = [
            .value("cbc:CustomizationID", "urn:cen.eu:en16931:2017"), .value("cbc:ID", invoice.number),
            .value("cbc:IssueDate", ISO8601.text(invoice.issued)),
        ]
        // A credit note has its due date in the means of payment.
        if !isCredit, let due = invoice.due { nodes.append(.value("cbc:DueDate", ISO8601.text(due))) }
        nodes.append(.value(isCredit ? "cbc:CreditNoteTypeCode" : "cbc:InvoiceTypeCode", invoice.kind.rawValue))
        let notes = [invoice.note] + [uncharged(invoice)]
        nodes += notes.compactMap { $0.map { .value("cbc:Note", $0) } }
        nodes.append(.value("cbc:DocumentCurrencyCode", invoice.currency))
        if let reference = invoice.buyerReference { nodes.append(.value("cbc:BuyerReference", reference)) }
        if let first = invoice.firstDay, let last = invoice.lastDay {
            nodes.append(
                UBLElement(
                    "cac:InvoicePeriod",
                    [.value("cbc:StartDate", ISO8601.text(first)), .value("cbc:EndDate", ISO8601.text(last))]))
        }
        if let order = invoice.order { nodes.append(UBLElement("cac:OrderReference", [.value("cbc:ID", order)])) }
        if let cancels = invoice.cancels {
            let date = invoice.cancelsIssued.map { [UBLElement.value("cbc:IssueDate", ISO8601.text($0))] } ?? []
            nodes.append(
                UBLElement(
                    "cac:BillingReference",
                    [UBLElement("cac:InvoiceDocumentReference", [.value("cbc:ID", cancels)] + date)]))
        }
        return nodes
    }

    /// Work that is not charged is no line: a line would need a price.
    private static func uncharged(_ invoice: Invoice) -> String? {
        if invoice.uncharged.isEmpty { return nil }
        let rows = invoice.uncharged.map { "\($0.name) (\(DateWords.text(hours: $0.seconds)))" }
        return "Not charged: " + rows.joined(separator: "; ")
    }

    private static func body(_ invoice: Invoice, _ isCredit: Bool) -> [UBLElement] {
        var nodes = [
            UBLElement("cac:AccountingSupplierParty", [party(invoice.seller, isSeller: true)]),
            UBLElement("cac:AccountingCustomerParty", [party(invoice.buyer, isSeller: false)]),
        ]
        if let iban = invoice.iban {
            let branch = invoice.bic.map {
                [UBLElement("cac:FinancialInstitutionBranch", [.value("cbc:ID", $0)])]
            }
            nodes.append(
                UBLElement(
                    "cac:PaymentMeans",
                    // 58: a transfer within SEPA; 30: another transfer.
                    [.value("cbc:PaymentMeansCode", invoice.currency == "EUR" ? "58" : "30")]
                        + (isCredit ? [] : [.value("cbc:PaymentID", invoice.number)])
                        + [
                            UBLElement(
                                "cac:PayeeFinancialAccount",
                                [.value("cbc:ID", iban.filter { $0 != " " }), .value("cbc:Name", invoice.seller.name)]
                                    + (branch ?? []))
                        ]))
        }
        if isCredit || invoice.due == nil {
            let terms = isCredit ? "Set off against invoice \(invoice.cancels ?? "")" : "Payable at once"
            nodes.append(UBLElement("cac:PaymentTerms", [.value("cbc:Note", terms)]))
        }
        nodes.append(taxTotal(invoice))
        nodes.append(
            UBLElement(
                "cac:LegalMonetaryTotal",
                [
                    amount("cbc:LineExtensionAmount", invoice.net, invoice),
                    amount("cbc:TaxExclusiveAmount", invoice.net, invoice),
                    amount("cbc:TaxInclusiveAmount", invoice.total, invoice),
                    amount("cbc:PayableAmount", invoice.total, invoice),
                ]))
        return nodes + invoice.lines.enumerated().map { line($1, number: $0 + 1, invoice, isCredit) }
    }

    private static func party(_ party: InvoiceParty, isSeller: Bool) -> UBLElement {
        var nodes: [UBLElement] = []
        if let email = party.email {
            nodes.append(UBLElement("cbc:EndpointID", attributes: [("schemeID", "EM")], text: email))
        }
        // A seller without a VAT id and an entry in a register is identified by the tax number.
        if isSeller, party.vatID == nil, party.legalID == nil, let number = party.taxNumber {
            nodes.append(UBLElement("cac:PartyIdentification", [.value("cbc:ID", number)]))
        }
        nodes.append(UBLElement("cac:PartyName", [.value("cbc:Name", party.name)]))
        var address: [UBLElement] = []
        if let street = party.street.first { address.append(.value("cbc:StreetName", street)) }
        if party.street.count > 1 { address.append(.value("cbc:AdditionalStreetName", party.street[1])) }
        if let city = party.city { address.append(.value("cbc:CityName", city)) }
        if let code = party.postalCode { address.append(.value("cbc:PostalZone", code)) }
        if party.street.count > 2 {
            let rest = party.street[2...].joined(separator: ", ")
            address.append(UBLElement("cac:AddressLine", [.value("cbc:Line", rest)]))
        }
        if let country = party.country {
            address.append(UBLElement("cac:Country", [.value("cbc:IdentificationCode", country)]))
        }
        nodes.append(UBLElement("cac:PostalAddress", address))
        for (number, scheme) in [(party.vatID, "VAT"), (party.taxNumber, "FC")] {
            guard let number, scheme == "VAT" || isSeller else { continue }
            nodes.append(
                UBLElement(
                    "cac:PartyTaxScheme",
                    [.value("cbc:CompanyID", number), UBLElement("cac:TaxScheme", [.value("cbc:ID", scheme)])]))
        }
        let legal = party.legalID.map { [UBLElement.value("cbc:CompanyID", $0)] } ?? []
        nodes.append(UBLElement("cac:PartyLegalEntity", [.value("cbc:RegistrationName", party.name)] + legal))
        var contact: [UBLElement] = []
        if let phone = party.phone { contact.append(.value("cbc:Telephone", phone)) }
        if let email = party.email { contact.append(.value("cbc:ElectronicMail", email)) }
        if !contact.isEmpty { nodes.append(UBLElement("cac:Contact", [.value("cbc:Name", party.name)] + contact)) }
        return UBLElement("cac:Party", nodes)
    }

    private static func taxTotal(_ invoice: Invoice) -> UBLElement {
        UBLElement(
            "cac:TaxTotal",
            [
                amount("cbc:TaxAmount", invoice.taxAmount, invoice),
                UBLElement(
                    "cac:TaxSubtotal",
                    [
                        amount("cbc:TaxableAmount", invoice.net, invoice),
                        amount("cbc:TaxAmount", invoice.taxAmount, invoice),
                        category("cac:TaxCategory", invoice.tax, hasReason: true),
                    ]),
            ])
    }

    private static func category(_ name: String, _ tax: InvoiceTax, hasReason: Bool) -> UBLElement {
        var nodes: [UBLElement] = [.value("cbc:ID", tax.category.rawValue), .value("cbc:Percent", "\(tax.rate)")]
        if hasReason, tax.category == .reverseCharge {
            nodes.append(.value("cbc:TaxExemptionReasonCode", "VATEX-EU-AE"))
        }
        if hasReason, let reason = tax.reason { nodes.append(.value("cbc:TaxExemptionReason", reason)) }
        return UBLElement(name, nodes + [UBLElement("cac:TaxScheme", [.value("cbc:ID", "VAT")])])
    }

    private static func line(_ line: InvoiceLine, number: Int, _ invoice: Invoice, _ isCredit: Bool) -> UBLElement {
        let quantity = UBLElement(
            isCredit ? "cbc:CreditedQuantity" : "cbc:InvoicedQuantity",
            attributes: [("unitCode", InvoiceUnit.code(line.unit))], text: "\(line.quantity)")
        // A unit without a code is told in words.
        let note = InvoiceUnit.isKnown(line.unit) ? [] : [UBLElement.value("cbc:Note", "Unit: \(line.unit)")]
        return UBLElement(
            isCredit ? "cac:CreditNoteLine" : "cac:InvoiceLine",
            [.value("cbc:ID", "\(number)")] + note + [
                quantity, amount("cbc:LineExtensionAmount", invoice.amount(line), invoice),
                UBLElement(
                    "cac:Item",
                    [
                        .value("cbc:Name", line.name),
                        category("cac:ClassifiedTaxCategory", invoice.tax, hasReason: false),
                    ]),
                UBLElement("cac:Price", [amount("cbc:PriceAmount", line.price, invoice)]),
            ])
    }

    private static func amount(_ name: String, _ amount: Decimal, _ invoice: Invoice) -> UBLElement {
        UBLElement(name, attributes: [("currencyID", invoice.currency)], text: amount.price)
    }
}

/// An element of XML with a text or with elements.
struct UBLElement {
    private let name: String
    private let attributes: [(name: String, value: String)]
    private let value: String?
    private let children: [UBLElement]

    init(_ name: String, attributes: [(String, String)] = [], _ children: [UBLElement]) {
        (self.name, self.attributes, value, self.children) = (name, attributes, nil, children)
    }

    init(_ name: String, attributes: [(String, String)], text: String) {
        (self.name, self.attributes, value, children) = (name, attributes, text, [])
    }

    static func value(_ name: String, _ text: String) -> UBLElement { UBLElement(name, attributes: [], text: text) }

    func text(indent: Int = 0) -> String {
        let space = String(repeating: "  ", count: indent)
        let open = space + "<" + name + attributes.map { " \($0.name)=\"\(XMLText.escaped($0.value))\"" }.joined()
        if let value { return "\(open)>\(XMLText.escaped(value))</\(name)>" }
        if children.isEmpty { return open + "/>" }
        return "\(open)>\n" + children.map { $0.text(indent: indent + 1) + "\n" }.joined() + "\(space)</\(name)>"
    }
}
