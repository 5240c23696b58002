import ArgumentParser

/// The options of 'helix gateway serve' for tokens of another service.
struct GatewayTokenOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "Accept tokens (JWT) of this issuer as sign-in; users are made on their first one.", valueName: "issuer"))
    var jwtIssuer: String?

    @Option(name: .long, help: ArgumentHelp("The audience that those tokens must name.", valueName: "audience"))
    var jwtAudience: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The issuer's public keys, for RS256 and ES256 (RFC 7517).", valueName: "url|file"),
        completion: .file())
    var jwtKeys: String?

    @Option(
        name: .long,
        help: ArgumentHelp("A command that prints the secret of the tokens, for HS256.", valueName: "command"))
    var jwtSecretCommand: String?

    @Option(
        name: .long, help: ArgumentHelp("The certificates to trust for the URL of the keys (PEM).", valueName: "file"),
        completion: .file())
    var jwtCa: String?

    func validate() throws {
        guard [jwtIssuer, jwtAudience, jwtKeys, jwtSecretCommand, jwtCa].contains(where: { $0 != nil }) else { return }
        guard jwtIssuer != nil, jwtAudience != nil, jwtKeys != nil || jwtSecretCommand != nil else {
            throw ValidationError("Tokens need --jwt-issuer, --jwt-audience, and --jwt-keys or --jwt-secret-command.")
        }
    }

    /// The options as the server program takes them.
    var arguments: [String] {
        let options = [
            ("--jwt-issuer", jwtIssuer), ("--jwt-audience", jwtAudience), ("--jwt-keys", jwtKeys),
            ("--jwt-secret-command", jwtSecretCommand), ("--jwt-ca", jwtCa),
        ]
        return options.flatMap { name, value in value.map { [name, $0] } ?? [] }
    }
}
