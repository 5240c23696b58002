import CIdn2
import FoundationEssentials
import Glibc
import HelixModel

extension MailAddress {
    /// Parses a typed list of addresses: `Ana Rossi <ana@example.org>, bo@example.org`; semicolons also separate.
    ///
    /// Every character of the text must belong to an address: invalid parts are never dropped.
    /// - Parameter people: the addresses of a name that stands in place of an address; nil if it is unknown.
    /// - Throws: ``HelixError`` of code `usage` for an invalid address.
    public static func typed(
        _ text: String, people: (String) throws -> [MailAddress]? = { _ in nil }
    ) throws -> [MailAddress] {
        if text.unicodeScalars.contains(where: { $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F }) {
            throw HelixError(.usage, "an address contains line ends or other control characters")
        }
        return try pieces(text).flatMap { piece in
            let (name, address) = try split(piece)
            if name.isEmpty, !address.contains("@"), let named = try people(address) {
                return try named.map { try $0.deliverable() }
            }
            return [try MailAddress(name: name, address: address).deliverable()]
        }
    }

    /// The text split at commas and semicolons outside of quotes and brackets.
    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        var isQuoted = false
        var isEscaped = false
        var isInside = false
        for character in text {
            if !isQuoted, !isInside, character == "," || character == ";" {
                pieces.append(piece)
                piece = ""
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            if !isQuoted, character == "<" { isInside = true }
            if !isQuoted, character == ">" { isInside = false }
            isEscaped = character == "\\" && isQuoted && !isEscaped
            piece.append(character)
        }
        return (pieces + [piece]).map(\.trimmed).filter { !$0.isEmpty }
    }

    /// Splits `Name <address>`, or an address alone.
    private static func split(_ piece: String) throws -> (name: String, address: String) {
        guard piece.hasSuffix(">"), let open = piece.lastIndex(of: "<") else { return ("", piece) }
        var name = String(piece[..<open]).trimmed
        if name.hasPrefix("\""), name.hasSuffix("\""), name.count > 1 {
            var plain = ""
            var isEscaped = false
            for character in name.dropFirst().dropLast() {
                if character == "\\", !isEscaped {
                    isEscaped = true
                    continue
                }
                plain.append(character)
                isEscaped = false
            }
            name = plain
        } else if let wrong = name.first(where: { "\"<>@,;:\\".contains($0) }) {
            throw HelixError(
                .usage, "'\(piece)' is not a mail address: '\(wrong)' in the name",
                hint: "Put the name in double quotes, or commas between addresses.")
        }
        return (name, String(piece[piece.index(after: open)...].dropLast()).trimmed)
    }

    /// The address in a form that mail can be sent to, its domain in ASCII (RFC 5891).
    /// - Throws: ``HelixError`` of code `usage` with the reason why it is invalid.
    public func deliverable() throws -> MailAddress {
        func wrong(_ why: String = "", _ hint: String? = nil) -> HelixError {
            let shown = address.isEmpty ? name : address
            let word = shown.prefix { $0.isLetter }
            return HelixError(
                .usage, "'\(shown)' is not a mail address" + why,
                hint: hint ?? "Write ana@example.org or 'Ana Rossi <ana@example.org>'."
                    + (word.isEmpty ? "" : " 'helix mail people \(word)' finds addresses."))
        }
        guard let at = address.lastIndex(of: "@"), at != address.startIndex else { throw wrong() }
        let local = String(address[..<at])
        guard Self.isLocalPart(local) else { throw wrong() }
        var domain = String(address[address.index(after: at)...])
        if domain.utf8.contains(where: { $0 >= 0x80 }) {
            let (ascii, isMissing) = Self.ascii(domain)
            guard let ascii else {
                throw isMissing
                    ? HelixError(
                        .configuration, "libidn2, needed to encode the domain '\(domain)', is not installed",
                        hint: "On Debian: apt-get install libidn2-0.") : wrong(": invalid domain")
            }
            domain = ascii
        }
        guard Self.isDomain(domain), local.utf8.count + domain.utf8.count < 254 else { throw wrong() }
        return MailAddress(name: name, address: local + "@" + domain)
    }

    /// A domain as it is sent (RFC 5891): `xn--bcher-kva.example`.
    /// - Returns: nil for an invalid one, or without the library.
    private static func ascii(_ domain: String) -> (domain: String?, isMissing: Bool) {
        var isMissing: Int32 = 0
        guard let found = helix_idn_ascii(domain, &isMissing) else { return (nil, isMissing != 0) }
        defer { free(found) }
        return (String(cString: found), false)
    }

    /// An address or a domain with `@` in both forms of its domain: as it is read, and as it is sent.
    public static func forms(_ address: String) -> [String] {
        guard let at = address.lastIndex(of: "@"), address.utf8.contains(where: { $0 >= 0x80 }),
            let ascii = ascii(String(address[address.index(after: at)...])).domain
        else { return [address] }
        return [address, address[...at] + ascii]
    }

    /// Whether mail can be sent there.
    public var isSendable: Bool { (try? deliverable()) != nil }

    /// Whether `text` is a valid local part (RFC 5321 §4.1.2): words separated by dots, or a quoted string.
    private static func isLocalPart(_ text: String) -> Bool {
        guard text.utf8.count <= 64 else { return false }
        if text.hasPrefix("\"") {
            let inner = text.dropFirst().dropLast()
            return text.count > 2 && text.hasSuffix("\"") && !inner.hasSuffix("\\")
                && inner.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        }
        // Letters of all scripts (RFC 6531 §3.3); servers without support reject them.
        let isWord = text.unicodeScalars.allSatisfy { scalar in
            if scalar.isASCII {
                return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                    || "!#$%&'*+-/=?^_`{|}~.".unicodeScalars.contains(scalar)
            }
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
                .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
                return true
            default: return false
            }
        }
        // Some providers assign addresses with misplaced dots; others must be able to write to them.
        return isWord && !text.isEmpty && text != "."
    }

    /// Whether `text` is a domain: labels separated by dots, or an address in brackets.
    private static func isDomain(_ text: String) -> Bool {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return text.utf8.dropFirst().dropLast().allSatisfy {
                ($0 >= 0x2E && $0 <= 0x3A) || UnicodeScalar($0).properties.isAlphabetic
            }
        }
        return text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            !label.isEmpty && label.utf8.count <= 63 && !label.hasPrefix("-") && !label.hasSuffix("-")
                && label.utf8.allSatisfy { byte in
                    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                        || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
                }
        }
    }

    /// The address as typed: a name with special characters is quoted.
    public var typed: String {
        let name = name.oneLine
        if name.isEmpty { return address }
        let isPlain = !name.contains { "\"(),.:;<>@[]\\".contains($0) }
        let quoted = name.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return (isPlain ? name : "\"\(quoted)\"") + " <\(address)>"
    }
}

extension String {
    /// The text on one line, without line ends, control characters and characters that override the direction of others. Marks
    /// of direction (U+200E, U+200F, U+061C) stay: Hebrew and Arabic are written with them.
    var oneLine: String {
        var out = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x00...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: out.append(" ")
            default: out.append(scalar)
            }
        }
        return String(out).trimmed
    }
}
