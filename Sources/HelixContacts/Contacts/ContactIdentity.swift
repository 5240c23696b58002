import HelixModel

/// The forms in which addresses, numbers and names of contacts are compared.
public enum ContactIdentity {
    /// A telephone number without signs between its digits; other texts in lower case.
    public static func phone(_ text: String) -> String {
        let digits = text.filter { $0.isASCII && $0.isNumber }
        guard digits.count >= 3 else { return text.lowercased() }
        if text.trimmingBlanks().hasPrefix("+") { return "+" + digits }
        return digits.hasPrefix("00") ? "+" + digits.dropFirst(2) : digits
    }

    /// Whether two numbers are the same line: one may lack the code of its country.
    public static func isSamePhone(_ one: String, _ other: String) -> Bool {
        let (a, b) = (phone(one), phone(other))
        if a == b { return true }
        guard a.hasPrefix("+") != b.hasPrefix("+") else { return false }
        let (full, short) = a.hasPrefix("+") ? (a, b) : (b, a)
        let local = short.drop { $0 == "0" }
        return local.count >= 7 && full.hasSuffix(local)
    }

    /// An e-mail address in lower case.
    public static func email(_ text: String) -> String { text.lowercased() }

    /// The words of a name, in lower case.
    public static func words(_ name: String) -> [String] {
        name.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
    }
}
