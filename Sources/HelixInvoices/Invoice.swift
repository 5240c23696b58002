import FoundationEssentials
import HelixModel

/// An invoice or a credit note as it was issued: it is stored whole, and does not change when settings, contacts or times do.
///
/// Names in brackets are the business terms of EN 16931-1.
public struct Invoice: Hashable, Sendable, Codable {
    /// The kinds, by their codes of UNTDID 1001 [BT-3].
    public enum Kind: String, Sendable, Codable {
        case invoice = "380"
        case creditNote = "381"
    }

    /// The kind.
    public var kind = Kind.invoice
    /// The number [BT-1].
    public var number: String
    /// The day on which it is issued [BT-2].
    public var issued: CivilDate
    /// The day until which it is to be paid [BT-9].
    public var due: CivilDate?
    /// The first and the last day of the work [BT-73, BT-74].
    public var firstDay, lastDay: CivilDate?
    /// The currency [BT-5], ISO 4217.
    public var currency: String
    /// The name of the project.
    public var project: String
    /// The reference of the buyer [BT-10], such as a Leitweg-ID, and that of the order [BT-13].
    public var buyerReference, order: String?
    /// The two parties [BG-4, BG-7].
    public var seller, buyer: InvoiceParty
    /// The lines [BG-25].
    public var lines: [InvoiceLine]
    /// Work that is listed, and not charged.
    public var uncharged: [UnchargedWork] = []
    /// The tax on all lines.
    public var tax: InvoiceTax
    /// The account to which it is to be paid [BT-84, BT-86].
    public var iban, bic: String?
    /// A text for the buyer [BT-22].
    public var note: String?
    /// The invoice that a credit note cancels [BT-25].
    public var cancels: String?
    /// The day on which that invoice was issued [BT-26].
    public var cancelsIssued: CivilDate?

    /// Creates an invoice.
    public init(
        number: String, issued: CivilDate, currency: String, project: String, seller: InvoiceParty, buyer: InvoiceParty,
        lines: [InvoiceLine], tax: InvoiceTax
    ) {
        (self.number, self.issued, self.currency, self.project) = (number, issued, currency, project)
        (self.seller, self.buyer, self.lines, self.tax) = (seller, buyer, lines, tax)
    }

    /// The sum of the lines [BT-109].
    public var net: Decimal { lines.reduce(0) { $0 + amount($1) } }
    /// The tax [BT-110], rounded once, on the sum.
    public var taxAmount: Decimal { InvoiceMoney.rounded(net * tax.rate / 100, currency) }
    /// The amount to be paid [BT-115].
    public var total: Decimal { net + taxAmount }

    /// The amount of a line [BT-131].
    public func amount(_ line: InvoiceLine) -> Decimal {
        InvoiceMoney.rounded(line.quantity * line.price, currency)
    }
}

/// A party of an invoice.
public struct InvoiceParty: Hashable, Sendable, Codable {
    /// The name [BT-27, BT-44].
    public var name: String
    /// The lines of the street.
    public var street: [String] = []
    /// The postal code, and the city.
    public var postalCode, city: String?
    /// The country, ISO 3166-1 in two letters [BT-40, BT-55].
    public var country: String?
    /// The VAT identifier [BT-31, BT-48], the national tax number [BT-32], and the number of the register [BT-30].
    public var vatID, taxNumber, legalID: String?
    /// The address for questions [BT-43], and the phone number [BT-42].
    public var email, phone: String?

    /// Creates a party that has only a name.
    public init(name: String) { self.name = name }

    /// The address as it stands on an envelope, below the name. The country is left out if it is that of the sender.
    public func addressLines(from sender: String?) -> [String] {
        let place = [postalCode, city].compactMap { $0 }.joined(separator: " ")
        let abroad = country.flatMap { $0 == sender ? nil : $0 }
        return street + (place.isEmpty ? [] : [place]) + (abroad.map { [InvoiceCountry.name($0)] } ?? [])
    }
}

/// A line of an invoice.
public struct InvoiceLine: Hashable, Sendable, Codable {
    /// The sources of lines.
    public enum Source: String, Sendable, Codable {
        case time, material
    }

    /// The source.
    public var source: Source
    /// The name [BT-153].
    public var name: String
    /// The quantity [BT-129], in ``unit``: hours with two decimal places.
    public var quantity: Decimal
    /// The unit as it was written: `h`, `m`, `pcs`.
    public var unit: String
    /// The price of one unit without tax [BT-146].
    public var price: Decimal
    /// The time entries or the material of the line.
    public var entities: [EntityID]

    /// Creates a line.
    public init(
        _ source: Source, name: String, quantity: Decimal, unit: String, price: Decimal, entities: [EntityID]
    ) {
        (self.source, self.name, self.quantity, self.unit) = (source, name, quantity, unit)
        (self.price, self.entities) = (price, entities)
    }
}

/// Work that is not charged.
public struct UnchargedWork: Hashable, Sendable, Codable {
    /// The name.
    public var name: String
    /// The time in seconds.
    public var seconds: Int
    /// The time entries.
    public var entities: [EntityID]

    /// Creates a row.
    public init(name: String, seconds: Int, entities: [EntityID]) {
        (self.name, self.seconds, self.entities) = (name, seconds, entities)
    }
}

/// The tax of an invoice.
public struct InvoiceTax: Hashable, Sendable, Codable {
    /// The categories, by their codes of UNCL 5305 [BT-118].
    public enum Category: String, Sendable, Codable {
        case standard = "S"
        case zero = "Z"
        case exempt = "E"
        case reverseCharge = "AE"
    }

    /// The category.
    public var category: Category
    /// The rate in percent [BT-119].
    public var rate: Decimal
    /// The reason why no tax is charged [BT-120].
    public var reason: String?

    /// A tax of a rate; 0 is a rate, too.
    public static func rate(_ rate: Decimal) -> InvoiceTax {
        InvoiceTax(category: rate == 0 ? .zero : .standard, rate: rate)
    }

    /// No tax, for a reason.
    public static func exempt(_ reason: String) -> InvoiceTax {
        InvoiceTax(category: .exempt, rate: 0, reason: reason)
    }

    /// The buyer owes the tax (directive 2006/112/EC, articles 194 to 199b).
    public static let reverseCharge = InvoiceTax(category: .reverseCharge, rate: 0, reason: "Reverse charge")

    /// The line below the sum.
    public var text: String {
        switch category {
        case .standard, .zero: "VAT \(rate) %"
        case .exempt: "No VAT"
        case .reverseCharge: "VAT, reverse charge"
        }
    }
}

/// Amounts of money on invoices.
public enum InvoiceMoney {
    /// Currencies without a smaller unit (ISO 4217).
    private static let whole: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]

    /// Whether a code of three letters is a currency (ISO 4217).
    public static func isCurrency(_ code: String) -> Bool { InvoiceCodes.currencies.contains(code) }

    /// An amount in the smallest unit of a currency, cents at the least; halves are rounded away from zero.
    public static func rounded(_ amount: Decimal, _ currency: String) -> Decimal {
        amount.rounded(to: whole.contains(currency) ? 0 : 2)
    }

    /// An amount with groups of thousands: `1,234.50`.
    public static func text(_ amount: Decimal, _ currency: String) -> String {
        let plain = whole.contains(currency) ? "\(amount.rounded(to: 0))" : amount.price
        let sign = plain.hasPrefix("-") ? "-" : ""
        let digits = plain.dropFirst(sign.count)
        let point = digits.firstIndex(of: ".") ?? digits.endIndex
        var grouped = ""
        for (place, digit) in digits[..<point].reversed().enumerated() {
            if place > 0, place % 3 == 0 { grouped.append(",") }
            grouped.append(digit)
        }
        return sign + String(grouped.reversed()) + digits[point...]
    }
}
