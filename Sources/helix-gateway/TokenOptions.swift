import ArgumentParser
import HelixGatewayServer
import HelixSync

/// The options for tokens of another service, as 'helix gateway serve' passes them.
struct TokenOptions: ParsableArguments {
    @Option(name: .long, help: "The issuer of tokens (JWT) that are accepted as sign-in.")
    var jwtIssuer: String?

    @Option(name: .long, help: "The audience that tokens must name.")
    var jwtAudience: String?

    @Option(name: .long, help: "The URL or file of the issuer's public keys.")
    var jwtKeys: String?

    @Option(name: .long, help: "A command that prints the secret of the tokens.")
    var jwtSecretCommand: String?

    @Option(name: .long, help: "The certificates to trust for the URL of the keys (PEM).")
    var jwtCa: String?

    /// The configuration; nil without an issuer.
    /// - Throws: ``HelixError``.
    func configuration() throws -> JWTConfiguration? {
        guard let jwtIssuer else { return nil }
        let secret = try jwtSecretCommand.map { Array(try Secrets.output(of: $0, for: "the tokens").utf8) }
        return try JWTConfiguration(
            secret: secret, keys: jwtKeys, issuer: jwtIssuer, audience: jwtAudience ?? "", authorities: jwtCa)
    }
}
