import FoundationEssentials
import HelixModel

/// Days in stored invoices are texts of ISO 8601.
extension CivilDate: Codable {
    /// Reads a day.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let day = ISO8601Reader.date(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no day")
        }
        self = day
    }

    /// Writes a day.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(ISO8601.text(self))
    }
}

/// Identities in stored invoices are their texts.
extension EntityID: Codable {
    /// Reads an identity.
    public init(from decoder: any Decoder) throws {
        self.init(stored: try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes an identity.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension Invoice {
    /// The invoice as it is stored, in JSON with sorted keys.
    /// - Throws: an error of the encoder.
    public func document() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }

    /// Reads a stored invoice.
    /// - Throws: an error of the decoder.
    public init(document: String) throws {
        self = try JSONDecoder().decode(Invoice.self, from: Data(document.utf8))
    }
}
