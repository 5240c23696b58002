import HelixModel

extension MailAddress {
    /// The addresses that a person typed: `Ana Rossi <ana@example.org>, bo@example.org`.
    /// - Throws: ``HelixError`` of code `usage` for one that mail cannot be sent to.
    public static func typed(_ text: String) throws -> [MailAddress] {
        let blank = text.trimmed
        if blank.isEmpty { return [] }
        if blank.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            throw HelixError(.usage, "an address has line ends or other control characters in it")
        }
        let found = list(Array(blank.utf8))
        if let wrong = found.first(where: { !$0.isSendable }) {
            let shown = wrong.address.isEmpty ? wrong.name : wrong.address
            throw HelixError(
                .usage, "'\(shown)' is no mail address",
                hint: "Write ana@example.org or 'Ana Rossi <ana@example.org>'; a name with a comma in it in quotes. "
                    + "'helix mail people \(shown.prefix { $0.isLetter })' finds addresses.")
        }
        guard !found.isEmpty else {
            throw HelixError(.usage, "'\(blank)' is no mail address", hint: "Write ana@example.org.")
        }
        return found
    }

    /// Whether mail can be sent there: something before an `@` and a domain after it.
    public var isSendable: Bool {
        guard let at = address.lastIndex(of: "@"), at != address.startIndex else { return false }
        let domain = address[address.index(after: at)...]
        let isClean = !address.unicodeScalars.contains {
            $0.value <= 0x20 || $0.value == 0x7F || "<>,;\"()".unicodeScalars.contains($0)
        }
        return isClean && !domain.isEmpty && !domain.hasPrefix(".") && !domain.hasSuffix(".") && !domain.contains("..")
            && !address[..<at].contains("@")
    }

    /// As it is typed: a name that would be read as something else stands in quotes.
    public var typed: String {
        if name.isEmpty { return address }
        let isPlain = !name.contains { "\"(),.:;<>@[]\\".contains($0) }
        let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (isPlain ? name : "\"\(quoted)\"") + " <\(address)>"
    }
}
