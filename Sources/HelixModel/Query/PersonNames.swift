/// The addresses that names of people stand for in queries: `me`, and the names of contacts.
public struct PersonNames {
    private let own: [String]
    private let known: (String) throws -> [String]

    /// - Parameters:
    ///   - own: the user's addresses, for `me`.
    ///   - addresses: returns all addresses of the contacts with a name.
    public init(own: [String], addresses: @escaping (String) throws -> [String]) {
        (self.own, known) = (own, addresses)
    }

    /// The addresses for a typed name; nil if it has none of its own.
    /// - Throws: ``HelixError`` of code `usage` for `me` without an address of the user.
    public func addresses(_ text: String, isQuoted: Bool) throws -> [String]? {
        if text.lowercased() == "me", !isQuoted {
            guard own.isEmpty else { return own }
            throw HelixError(
                .usage, "no address is set for 'me'", hint: "Set it: helix config set user.email you@example.org.")
        }
        let found = try known(text)
        return found.isEmpty ? nil : found
    }
}
