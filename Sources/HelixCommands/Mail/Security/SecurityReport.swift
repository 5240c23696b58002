import HelixMail
import HelixModel

/// The signatures and encryption of a message, in a report.
struct SecurityItem: DescribedItem {
    let security: MessageSecurity
    let sender: String

    static let described = list {
        Field(
            "verdict", .choice(["none"] + SignatureVerdict.allCases.map(\.rawValue)),
            "The result for the message as a whole; valid only if all its text is signed by its sender."
        ) { $0.security.verdict(sender: $0.sender)?.rawValue ?? "none" }
        Field(
            "encryption", .choice(["none", "part", "whole"]), "How much of it was encrypted."
        ) { item in
            let layers = item.security.layers.filter { $0.encryption != nil }
            return layers.isEmpty ? "none" : layers.contains(where: \.isWhole) ? "whole" : "part"
        }
        Field("decrypted", .bool, "Whether all that was encrypted is readable.") { item in
            item.security.isEncrypted
                && item.security.layers.allSatisfy { $0.encryption.map { $0.state == .decrypted } ?? true }
        }
        Field("encryptions", listing: { $0.security.layers.compactMap(\.encryption) }, "Its encryptions.") {
            ReportField("state", .string, "The result of the decryption.") { $0.state.rawValue }
            ReportField("standard", .choice(SecurityStandard.allCases.map(\.rawValue)), "The standard.") {
                $0.standard.rawValue
            }
            ReportField("keys", .array(.string), "The ids of the keys that it is encrypted to.") { $0.recipients }
            ReportField("reason", .string, "The reason, if it is not readable.") { $0.reason }
        }
        Field("signatures", listing: { $0.security.layers.flatMap(\.signatures) }, "Its signatures.") {
            ReportField("state", .string, "The result of the verification.") { $0.state.rawValue }
            ReportField("standard", .choice(SecurityStandard.allCases.map(\.rawValue)), "The standard.") {
                $0.standard.rawValue
            }
            ReportField("signer", .string, "The user id of the key.") { $0.signer }.foreign
            ReportField("addresses", .array(.string), "The addresses of the key.") { $0.addresses }.foreign
            ReportField("fingerprint", .string, "The fingerprint or the id of the key.") { $0.fingerprint }
            ReportField("trust", .string, "The trust in its owner.") { $0.trust.rawValue }
            ReportField("reason", .string, "The reason, if it cannot be verified.") { $0.reason }
        }
        Field(
            "different_headers", .array(.string), "Headers whose outer values differ from the protected ones."
        ) { $0.security.differences.map(\.name) }
    }
}
