#if canImport(Glibc)
    import Glibc
#endif

/// The network of an address, as guards and limits count it: the owner of one IPv6 address has 2⁶⁴ of them.
enum Network {
    /// The key of an address: IPv4 unchanged; IPv6 as its /64 (RFC 4291 §2.5.4); anything else unchanged.
    static func of(_ address: String) -> String {
        var bare = address
        if let zone = bare.firstIndex(of: "%") { bare = String(bare[..<zone]) }
        var bytes = in6_addr()
        guard inet_pton(AF_INET6, bare, &bytes) == 1 else { return address }
        let all = withUnsafeBytes(of: &bytes) { Array($0) }
        // An IPv4-mapped IPv6 address.
        if all[..<10].allSatisfy({ $0 == 0 }), all[10] == 0xFF, all[11] == 0xFF {
            return all[12...].map { "\($0)" }.joined(separator: ".")
        }
        let words = stride(from: 0, to: 8, by: 2).map { String(Int(all[$0]) << 8 | Int(all[$0 + 1]), radix: 16) }
        return words.joined(separator: ":") + "::/64"
    }

    /// The network that a provider often assigns to one customer: the /48 of an IPv6 address; else as `of`.
    static func wide(_ address: String) -> String {
        let network = of(address)
        guard network.hasSuffix("::/64") else { return network }
        return network.split(separator: ":").prefix(3).joined(separator: ":") + "::/48"
    }

    /// Whether an address is a loopback address.
    static func isLoopback(_ address: String) -> Bool {
        address.hasPrefix("127.") || address == "::1" || address.lowercased().hasPrefix("::ffff:127.")
    }
}
