import HelixModel

/// Programs that people have for tokens of OAuth 2.0, by their names.
enum TokenProgram {
    /// The arguments that print a token, with `%` in the place of the address.
    private static let known = ["oama": "access %", "mailctl": "access %", "pizauth": "show %"]

    /// The command that prints a token; that of a known program, if its name alone is given.
    /// - Throws: ``HelixError`` of code `usage` if the account has no address.
    static func command(_ typed: String, address: String) throws -> String {
        guard let arguments = known[typed.trimmingBlanks()] else { return typed }
        guard !address.isEmpty else {
            throw HelixError(
                .usage, "\(typed) gives tokens by address, and none is said", hint: "--address ana@example.org")
        }
        let quoted = "'" + address.replacing("'", with: "'\\''") + "'"
        return typed.trimmingBlanks() + " " + arguments.replacing("%", with: quoted)
    }
}
