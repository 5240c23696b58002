import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGatewayStore
import HelixModel
import HelixPostgres
import HelixSystem
import HelixTerminal

extension DirectoryScope: ExpressibleByArgument {}

/// `helix gateway serve`
struct GatewayServe: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "serve", abstract: "Run a gateway on this machine.",
        discussion: """
            Listens on this machine only unless --host is given, and stores its data in its own folder below HELIX_HOME. \
            Logs to standard error. SIGTERM or Ctrl-C shuts it down cleanly. For remote access give it a certificate, or \
            run it behind a proxy with one.

              helix gateway user add ana
              helix gateway serve
              helix gateway serve --host 0.0.0.0 --tls-certificate gateway.pem \\
                  --tls-key gateway.key
            """)
    static let reports: [PrintedReport] = []
    static let changesSomething = true

    @Option(name: .long, help: ArgumentHelp("The address to listen on.", valueName: "address"))
    var host = "127.0.0.1"

    @Option(name: .long, help: ArgumentHelp("The port.", valueName: "port"))
    var port = 18789

    @Option(
        name: .long, help: ArgumentHelp("The certificate chain of the gateway (PEM).", valueName: "file"),
        completion: .file())
    var tlsCertificate: String?

    @Option(
        name: .long, help: ArgumentHelp("The certificate's key (PEM).", valueName: "file"), completion: .file())
    var tlsKey: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Allow this web origin; may be repeated.", valueName: "https://…"))
    var origin: [String] = []

    @Flag(name: .long, help: "Trust X-Forwarded-For of a proxy on this machine.")
    var trustProxy = false

    @Flag(name: .long, help: "Allow sign-up: 'helix gateway pair --sign-up'.")
    var signUp = false

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The users whom 'helix chat people' shows: nobody (off), members of common conversations (members), or all.",
            valueName: "scope"))
    var directory: DirectoryScope = .all

    @OptionGroup var database: DatabaseOptions

    @OptionGroup var tokens: GatewayTokenOptions

    @OptionGroup var limits: GatewayLimitOptions

    @OptionGroup var push: GatewayPushOptions

    @Flag(name: .long, help: "Listen on other interfaces without a certificate.")
    var plaintext = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        try output.refuseMachine("a log")
        if !(0...65535).contains(port) { throw ValidationError("--port must be 0 to 65535.") }
        if (tlsCertificate == nil) != (tlsKey == nil) {
            throw ValidationError("--tls-certificate and --tls-key require each other.")
        }
        for page in origin where !GatewayServe.isOrigin(page) {
            throw ValidationError(
                "--origin must be an origin as browsers send it, like https://app.example.org, not '\(page)'.")
        }
    }

    func run(in context: CommandContext) throws {
        let isHere = host == "localhost" || host == "::1" || host.hasPrefix("127.")
        guard isHere || tlsCertificate != nil || plaintext else {
            throw HelixError(
                .usage, "cannot listen on \(host) without a certificate",
                hint: "Pass --tls-certificate and --tls-key, or --plaintext on a trusted network.")
        }
        guard let program = GatewayServe.program(context.environment) else {
            throw HelixError(
                .notFound, "cannot find the program helix-gateway beside helix or in PATH",
                hint: "Install both with 'make install'.")
        }
        let place = try context.gatewayPlace(database)
        if place.database == nil, try !place.open().hasUsers() {
            context.note(StyledText("No users yet. 'helix gateway user add NAME' adds one.", .dim))
        }
        var arguments = [
            program, "--folder", place.path, "--server-version", Helix.version, "--host", host, "--port", "\(port)",
        ]
        if let tlsCertificate, let tlsKey {
            arguments += ["--tls-certificate", tlsCertificate, "--tls-key", tlsKey]
        }
        if let database = place.database { arguments += ["--database", database.uri] }
        if let command = context.databasePasswordCommand(database) {
            arguments += ["--database-password-command", command]
        }
        for page in origin { arguments += ["--origin", page] }
        if trustProxy { arguments.append("--trust-proxy") }
        if signUp { arguments.append("--sign-up") }
        arguments += ["--directory", directory.rawValue]
        arguments += tokens.arguments
        arguments += limits.arguments
        arguments += push.arguments
        let settings: [(String, ConfigurationKey)] = [
            ("--assistant-url", .assistantURL), ("--assistant-model", .assistantModel),
            ("--assistant-key-command", .assistantKey), ("--assistant-prompt", .assistantPrompt),
            ("--assistant-history", .assistantHistory),
        ]
        for (option, key) in settings {
            if let value = context.configuration.text(key), !value.isEmpty { arguments += [option, value] }
        }
        // The gateway replaces this process, so that a service manager has a single one to supervise.
        var pointers = arguments.map { strdup($0) }
        pointers.append(nil)
        execv(program, pointers)
        let reason = String(cString: strerror(errno))
        for pointer in pointers { free(pointer) }
        throw HelixError(.unexpected, "cannot start \(program): \(reason)")
    }

    /// Whether a text is an origin as browsers send it: scheme, host and, unless it is the default, port (RFC 6454, 6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme, let host = parts.host, !host.isEmpty
        else { return false }
        let usual = ["http": 80, "https": 443][scheme]
        return text == "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "") && text == text.lowercased()
            && (parts.port == nil || parts.port != usual)
    }

    /// The path of the server program: beside this program, or in PATH.
    private static func program(_ environment: [String: String]) -> String? {
        let own = ProcessArguments.program
        let folders =
            [own.map { $0.deletingLastPathComponent }].compactMap { $0 }
            + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { $0 + "/helix-gateway" }.first { access($0, X_OK) == 0 }
    }
}
