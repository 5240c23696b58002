import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import HelixGatewayServer
import HelixGatewayStore
import HelixModel
import HelixSync
import HelixSystem
import Logging

/// The program `helix-gateway`, which 'helix gateway serve' starts.
@main
struct HelixGatewayMain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "helix-gateway", abstract: "Run a helix gateway; started by 'helix gateway serve'.")

    @Option(name: .long, help: "The folder of the store.")
    var folder: String

    @Option(name: .long, help: "The version to report.")
    var serverVersion = "0.1.0"

    @Option(name: .long, help: "The address to listen on.")
    var host = "127.0.0.1"

    @Option(name: .long, help: "The port; 0 for any free one.")
    var port = 18789

    @Option(name: .long, help: "The certificate chain, the gateway's own first (PEM).")
    var tlsCertificate: String?

    @Option(name: .long, help: "The certificate's key (PEM).")
    var tlsKey: String?

    @Option(name: .long, help: "Allow this web origin: https://app.example.org.")
    var origin: [String] = []

    @Flag(name: .long, help: "Trust the client addresses from a proxy on this machine.")
    var trustProxy = false

    @Flag(name: .long, help: "Allow anybody to register.")
    var signUp = false

    @Option(name: .long, help: "The users whom the directory shows: off, members, all.")
    var directory = "all"

    @Option(name: .long, help: "The PostgreSQL database that several gateways share: postgresql://…")
    var database: String?

    @Option(name: .long, help: "A command that prints the password of the database.")
    var databasePasswordCommand: String?

    @Option(name: .long, help: "The maximum number of connections to the database for the stores of users.")
    var databaseConnections = 8

    @Option(name: .long, help: "The maximum number of clients.")
    var mostConnections = 8192

    @Option(name: .long, help: "The URL of the assistant's OpenAI-compatible API.")
    var assistantUrl: String?

    @Option(name: .long, help: "The assistant's model.")
    var assistantModel: String?

    @Option(name: .long, help: "A command that prints the assistant's API key.")
    var assistantKeyCommand: String?

    @Option(name: .long, help: "The assistant's system prompt.")
    var assistantPrompt: String?

    @Option(name: .long, help: "The number of messages to send to the assistant.")
    var assistantHistory = 40

    @OptionGroup var tokens: TokenOptions

    @OptionGroup var push: PushOptions

    func run() throws {
        GatewaySignals.hold()
        LoggingSystem.bootstrap { _ in GatewayLog() }
        // Stores contain paths, which must not depend on the working directory.
        let folder = URL(fileURLWithPath: folder).path
        var configuration = GatewayConfiguration(folder: folder, version: serverVersion)
        (configuration.host, configuration.port) = (host, port)
        (configuration.certificate, configuration.key) = (tlsCertificate, tlsKey)
        configuration.origins = origin
        configuration.trustsProxy = trustProxy
        configuration.allowsSignUp = signUp
        guard let scope = DirectoryScope(rawValue: directory) else {
            throw ValidationError("--directory must be off, members or all.")
        }
        configuration.directory = scope
        configuration.mostConnections = mostConnections
        configuration.databaseConnections = databaseConnections
        do {
            configuration.database = try database.map { try Secrets.database($0, command: databasePasswordCommand) }
            configuration.tokens = try tokens.configuration()
            configuration.push = try push.configuration()
            configuration.assistant = AssistantConfiguration(
                url: assistantUrl, model: assistantModel,
                key: try assistantKeyCommand.map { try Secrets.output(of: $0, for: "the assistant") },
                prompt: assistantPrompt, history: assistantHistory)
            let log = Logger(label: "helix-gateway")
            let server = try GatewayServer(configuration, log: log)
            let port = try server.start()
            log.info("listening", metadata: ["host": "\(host)", "port": "\(port)", "tls": "\(tlsCertificate != nil)"])
            GatewaySignals.wait()
            log.info("stopping")
            // Jobs that do not stop are abandoned: the stores lose nothing when the process ends.
            try? DetachedThread.start {
                sleep(seconds: 4.5)
                _exit(0)
            }
            server.stop()
        } catch let error as HelixError {
            FileStream.standardError.say("helix-gateway: \(error.message).\n")
            if let hint = error.hint { FileStream.standardError.say("  \(hint)\n") }
            throw ExitCode(error.code.exitStatus)
        }
    }
}

/// Waits for SIGTERM or SIGINT.
enum GatewaySignals {
    static func wait() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        var found: Int32 = 0
        sigwait(&set, &found)
    }

    /// Blocks these signals in all later threads, for ``wait()``.
    static func hold() {
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGTERM)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_BLOCK, &set, nil)
        signal(SIGPIPE, SIG_IGN)
        // A file size limit acts like a full disk: the write fails, and is reported.
        signal(SIGXFSZ, SIG_IGN)
    }
}

/// A log of `name=value` lines on standard error, for a service manager.
struct GatewayLog: LogHandler {
    var metadata: Logger.Metadata = [:]
    var logLevel: Logger.Level = .info

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var line = "level=\(event.level) msg=\(GatewayLog.quoted(event.message.description))"
        for (name, value) in metadata.merging(event.metadata ?? [:], uniquingKeysWith: { $1 }).sorted(by: {
            $0.key < $1.key
        }) {
            line += " \(name)=\(GatewayLog.quoted(value.description))"
        }
        FileStream.standardError.say(line + "\n")
    }

    /// Quotes a value: text from clients must not break lines or control a terminal.
    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x3D }
        if isPlain, !text.isEmpty { return text }
        return "\""
            + text.unicodeScalars.map { scalar in
                scalar.value < 0x20 || scalar.value == 0x22 || scalar.value == 0x5C
                    || (0x7F...0x9F).contains(scalar.value)
                    || scalar.properties.generalCategory == .format ? "?" : String(scalar)
            }.joined() + "\""
    }
}
