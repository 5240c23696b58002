import FoundationEssentials
import HelixCrypto
import HelixMail
import HelixModel
import HelixNetwork

/// The directory in which a domain publishes the keys of its people (Web Key Directory, draft-koch-openpgp-webkey-service).
public struct KeyDirectory: Sendable {
    /// The addresses to try: the advanced method, then the direct one (§3.1).
    private let places: [String]
    private let authorities: String?

    /// - Parameters:
    ///   - place: an address in place of the usual ones, with the placeholders `{domain}`, `{hash}` and `{local}`.
    ///   - authorities: a file of certificates to trust instead of the system's.
    public init(place: String?, authorities: String?) {
        places =
            place.map { [$0] } ?? [
                "https://openpgpkey.{domain}/.well-known/openpgpkey/{domain}/hu/{hash}?l={local}",
                "https://{domain}/.well-known/openpgpkey/hu/{hash}?l={local}",
            ]
        self.authorities = authorities
    }

    /// The keys that a domain publishes for an address; empty if it publishes none.
    /// - Throws: ``HelixError``: `usage` for an address without a domain, `offline` if no server answered.
    public func keys(of address: String) throws -> [UInt8] {
        guard let at = address.lastIndex(of: "@"), at > address.startIndex else {
            throw HelixError(.usage, "'\(address)' is not a mail address")
        }
        let local = String(address[..<at])
        let ascii = try MailAddress(address: address).deliverable().address
        let domain = ascii[ascii.index(after: ascii.lastIndex(of: "@") ?? at)...].lowercased()
        let hash = Self.zBase32(Array(SHA1.hash(Array(local.lowercased().utf8))))
        var failure: (any Error)?
        var isAnswered = false
        for place in places {
            let text = place.replacing("{domain}", with: domain).replacing("{hash}", with: hash)
                .replacing("{local}", with: local.percentEncoded(keeping: ""))
            guard let url = URL(address: text) else { continue }
            do {
                let client = try HTTPClient(url, user: "", credential: .none, authorities: authorities, patience: 15)
                let (answer, _) = try client.request("GET", url)
                isAnswered = true
                if answer.isGood, answer.body.count < 1 << 20 { return answer.body }
            } catch { failure = error }
        }
        if !isAnswered, let failure { throw failure }
        return []
    }

    /// The human-oriented base-32 encoding of Zimmermann (RFC 6189 §5.1.6).
    static func zBase32(_ bytes: [UInt8]) -> String {
        let letters = Array("ybndrfg8ejkmcpqxot1uwisza345h769")
        var text = ""
        var (bits, count) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(letters[bits >> count & 31])
            }
            bits &= 1 << count - 1
        }
        if count > 0 { text.append(letters[bits << (5 - count) & 31]) }
        return text
    }
}
