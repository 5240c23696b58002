import FoundationEssentials

/// The header by which people send their keys with their messages (Autocrypt Level 1 §2.1).
public struct AutocryptHeader: Hashable, Sendable {
    /// The address that the key belongs to, in lower case.
    public var address: String
    /// Whether its owner prefers encrypted mail.
    public var isMutual: Bool
    /// The key, without armor.
    public var key: [UInt8]

    /// Keys above this size are not sent, and not taken.
    public static let keyLimit = 10_000

    /// Creates a header.
    public init(address: String, isMutual: Bool, key: [UInt8]) {
        (self.address, self.isMutual, self.key) = (address.lowercased(), isMutual, key)
    }

    /// Reads the value of a header; nil if it has an unknown critical attribute, or lacks one.
    public init?(_ value: [UInt8]) {
        var found: [String: String] = [:]
        for attribute in String(decoding: value, as: UTF8.self).split(separator: ";") {
            guard let equals = attribute.firstIndex(of: "=") else { return nil }
            let name = String(attribute[..<equals]).trimmed.lowercased()
            // Attributes that begin with an underscore may be left out of account; unknown others not.
            if name.hasPrefix("_") { continue }
            guard ["addr", "prefer-encrypt", "keydata"].contains(name), found[name] == nil else { return nil }
            found[name] = String(attribute[attribute.index(after: equals)...].filter { !$0.isWhitespace })
        }
        guard let address = found["addr"], address.contains("@"), let text = found["keydata"],
            let data = Data(base64Encoded: text), !data.isEmpty, data.count <= Self.keyLimit
        else { return nil }
        self.init(address: address, isMutual: found["prefer-encrypt"]?.lowercased() == "mutual", key: Array(data))
    }

    /// The header of a message, if it counts: the only one, for the only sender, and no report.
    public init?(of headers: [MIMEMessage.Header], sender: [MailAddress], isReport: Bool) {
        let named = headers.filter { $0.name.lowercased() == "autocrypt" }
        guard !isReport, sender.count == 1, !named.isEmpty, named.count < 10 else { return nil }
        let sound = named.compactMap { AutocryptHeader($0.raw) }.filter { $0.address == sender[0].address.lowercased() }
        guard sound.count == 1 else { return nil }
        self = sound[0]
    }

    /// The value of the header, folded.
    public var text: String {
        let data = Data(key).base64EncodedString(options: [.lineLength76Characters, .endLineWithLineFeed])
        let prefer = isMutual ? "prefer-encrypt=mutual; " : ""
        return "addr=\(address); \(prefer)keydata=\n " + data.replacing("\n", with: "\n ")
    }
}
