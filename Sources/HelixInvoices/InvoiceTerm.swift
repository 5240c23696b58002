import FoundationEssentials
import HelixModel

/// The terms of an invoice that have a form of their own.
public enum InvoiceTerm: Sendable {
    case number, country, tax, iban, vatID, due

    /// The reason why a text is not such a term, as the end of a sentence; nil if it is one, or empty.
    public func problem(_ text: String) -> String? {
        if text.isEmpty { return nil }
        switch self {
        case .number:
            return InvoiceNumber(text) != nil
                ? nil : "takes a form with {number}, such as \(InvoiceNumber.usual), not '\(text)'"
        case .country:
            return InvoiceCountry.code(text) != nil ? nil : "takes a country such as DE, not '\(text)'"
        case .tax:
            return InvoiceTax(setting: text) != nil
                ? nil : "takes a rate from 0 to 100, or 'exempt: REASON', not '\(text)'"
        case .due:
            // A month counts here as 30 days, and on an invoice by the calendar.
            let length = try? DatePhraseParser(now: Instant(0), zone: .utc).duration(text)
            return length.map { $0 > 0 && $0 % 86_400 == 0 } ?? false ? nil : "takes days, such as 14d, not '\(text)'"
        case .iban:
            return InvoiceTerm.isIBAN(text) ? nil : "takes an IBAN, and '\(text)' is none (its check digits are wrong)"
        case .vatID:
            let plain = InvoiceTerm.plain(text)
            let isGood = plain.utf8.count > 2 && plain.utf8.prefix(2).allSatisfy { (0x41...0x5A).contains($0) }
            return isGood
                ? nil : "takes a VAT identifier that begins with its country, such as DE123456789, not '\(text)'"
        }
    }

    /// The text without blanks, in capitals.
    public static func plain(_ text: String) -> String { text.filter { !$0.isWhitespace }.uppercased() }

    /// Whether the check digits of an IBAN are right (ISO 13616-1).
    static func isIBAN(_ text: String) -> Bool {
        let signs = Array(plain(text).utf8)
        guard (15...34).contains(signs.count) else { return false }
        var rest = 0
        for sign in signs[4...] + signs[..<4] {
            switch sign {
            case 0x30...0x39: rest = (rest * 10 + Int(sign - 0x30)) % 97
            case 0x41...0x5A: rest = (rest * 100 + Int(sign - 0x41) + 10) % 97
            default: return false
            }
        }
        return rest == 1 && signs.prefix(2).allSatisfy { $0 >= 0x41 } && signs[2...3].allSatisfy { $0 <= 0x39 }
    }
}

extension InvoiceTax {
    /// The tax of a setting: a rate in percent, or `exempt: REASON`.
    public init?(setting text: String) {
        let parts = text.split(separator: ":", maxSplits: 1).map { String($0).trimmingBlanks() }
        if parts.count == 2, parts[0].lowercased() == "exempt", !parts[1].isEmpty {
            self = .exempt(parts[1])
            return
        }
        var number = text.trimmingBlanks()
        if number.hasSuffix("%") { number = String(number.dropLast()).trimmingBlanks() }
        guard let rate = Decimal(money: number), rate >= 0, rate <= 100 else { return nil }
        self = .rate(rate)
    }
}
