import HelixModel

/// Known programs that print OAuth 2.0 tokens.
enum TokenProgram {
    /// The arguments that print a token, with `%` for the address.
    private static let known = ["oama": "access %", "mailctl": "access %", "pizauth": "show %"]

    /// The command that prints a token; a known program's name is completed with its arguments.
    /// - Throws: ``HelixError`` of code `usage` if the account has no address.
    static func command(_ typed: String, address: String) throws -> String {
        guard let arguments = known[typed.trimmingBlanks()] else { return typed }
        guard !address.isEmpty else {
            throw HelixError(
                .usage, "\(typed) needs an address", hint: "Set it with --address ana@example.org.")
        }
        let quoted = "'" + address.replacing("'", with: "'\\''") + "'"
        return typed.trimmingBlanks() + " " + arguments.replacing("%", with: quoted)
    }
}
