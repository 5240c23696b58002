import FoundationEssentials

extension Decimal {
    /// Parses an amount from user input or the store, with a decimal point; nil if it is no number or too large for money.
    public init?(money text: String) {
        let isNumber = text.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") } && !text.isEmpty
        guard isNumber, text.count <= 20, text.count(where: { $0 == "." }) <= 1,
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self = number
    }

    /// The amount rounded to two decimal places; halves are rounded up, as on invoices.
    public var roundedToCents: Decimal { rounded(to: 2) }

    /// The number with at most `places` decimal places; halves are rounded away from zero.
    public func rounded(to places: Int) -> Decimal {
        let parts = "\(magnitude)".split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count > places,
            let cut = Decimal(
                string: "\(parts[0]).\(parts[1].prefix(places))", locale: Locale(identifier: "en_US_POSIX"))
        else { return self }
        let isUp = (parts[1].dropFirst(places).first ?? "0") >= "5"
        let rounded = isUp ? cut + Decimal(sign: .plus, exponent: -places, significand: 1) : cut
        return self < 0 ? -rounded : rounded
    }

    /// A price with at least two decimal places: `4.80`, `0.0125`.
    public var price: String { self == roundedToCents ? money : "\(self)" }

    /// The amount with two decimal places: `12.50`.
    public var money: String {
        let text = "\(roundedToCents)"
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let cents = parts.count > 1 ? String(parts[1]) : ""
        return parts[0] + "." + cents + String(repeating: "0", count: max(0, 2 - cents.count))
    }
}
