import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixTerminal

/// `helix mcp`
struct MCP: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Serve AI agents by the Model Context Protocol.",
        subcommands: [MCPServe.self, MCPInstall.self], defaultSubcommand: MCPServe.self)
}

/// `helix mcp serve`
struct MCPServe: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "serve", abstract: "Serve an agent over standard input and output.",
        discussion: """
            The agent works under the profile named by --as or HELIX_AS; without one it may read, and change nothing. \
            'helix mcp install' prints what to put where.

              helix mcp
              helix --as planner mcp
            """)
    static let reports: [PrintedReport] = []
    static let changesSomething = true
    static let usesThreads = true
    @OptionGroup var output: OutputOptions

    func validate() throws { try output.refuseMachine("a protocol") }

    func run(in context: CommandContext) throws {
        let invocation = context.invocation
        let agent = invocation.agent ?? AgentEntry(profile: "read-only", run: String(EntityID().text.prefix(8)))
        let profile = try context.configuration.profile(agent.profile)
        // The rights are checked before the first request, not only with it.
        if invocation.agent != nil { _ = try context.store() }
        var server = MCPServer(MCPCaller(profile, run: agent.run, invocation))
        let inbox = try MCPInbox(context.console.input)
        func send(_ message: JSONText) -> Bool {
            var bytes: [UInt8] = []
            message.write(to: &bytes)
            bytes.append(0x0A)
            return context.console.write(bytes)
        }
        while let line = try inbox.next() {
            if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            let answer = server.answer(line, isCancelled: inbox.takeCancelled) { _ = send($0) }
            guard let answer else { continue }
            guard send(answer) else { return }
        }
    }
}

/// `helix mcp install`
struct MCPInstall: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "install", abstract: "Print what an agent's program needs to use helix.",
        discussion: """
              helix mcp install claude-code
              helix --as planner mcp install codex
            """)
    static let reports: [PrintedReport] = []

    /// A program that agents run in.
    enum Client: String, CaseIterable, ExpressibleByArgument {
        case claudeCode = "claude-code"
        case claudeDesktop = "claude-desktop"
        case codex
        case cursor
        case gemini
        case vscode
    }

    @Argument(help: "The program: \(Client.allCases.map(\.rawValue).joined(separator: ", ")).")
    var client: Client

    @OptionGroup var output: OutputOptions

    /// It shows nothing of the store.
    var admission: LockAdmission { .passes }

    func validate() throws { try output.refuseMachine("instructions") }

    func run(in context: CommandContext) throws {
        let profile = context.invocation.agent?.profile
        let words = (profile.map { ["--as", $0] } ?? []) + ["mcp"]
        // Such programs pass neither the PATH of a shell nor its variables.
        let program = JSONText.string(MCPInstall.program)
        let home = context.invocation.environment["HELIX_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        let variables = home.map { JSONText.object([.init(name: "HELIX_HOME", value: .string($0))]) }
        let server: JSONText = ["command": program, "args": .strings(words), "env": variables]
        let text =
            switch client {
            case .claudeCode:
                "Run:\n\n  claude mcp add helix \(home.map { "-e " + MCPInstall.quoted("HELIX_HOME=" + $0) + " " } ?? "")"
                    + "-- \(([MCPInstall.program] + words).map(MCPInstall.quoted).joined(separator: " "))\n"
            case .codex:
                "Put into ~/.codex/config.toml:\n\n  [mcp_servers.helix]\n  command = \(program.compact)\n"
                    + "  args = \(JSONText.strings(words).compact)\n"
                    + (home.map { "  env = { HELIX_HOME = \(JSONText.string($0).compact) }\n" } ?? "")
            case .vscode:
                "Put into .vscode/mcp.json:\n\n  "
                    + JSONText.object([
                        .init(
                            name: "servers",
                            value: .object([.init(name: "helix", value: server.setting("type", "stdio"))]))
                    ]).compact + "\n"
            case .claudeDesktop: MCPInstall.json("~/.config/Claude/claude_desktop_config.json", server)
            case .cursor: MCPInstall.json("~/.cursor/mcp.json", server)
            case .gemini: MCPInstall.json("~/.gemini/settings.json", server)
            }
        try context.write(text)
        let note =
            profile == nil
            ? "It may read, and change nothing. For more, make a profile: helix config set agent.NAME.change tasks calendar, "
                + "and run this with --as NAME."
            : "It works under the profile '\(profile ?? "")': 'helix config list' shows what it may do."
        context.note(StyledText(note, .dim))
    }

    private static func json(_ file: String, _ server: JSONText) -> String {
        let text: JSONText = ["mcpServers": ["helix": server]]
        return "Put into \(file):\n\n  \(text.compact)\n"
    }

    /// The path of this program.
    private static var program: String {
        guard let path = realpath("/proc/self/exe", nil) else { return "helix" }
        defer { free(path) }
        return String(cString: path)
    }

    /// A word as a shell reads it.
    private static func quoted(_ word: String) -> String {
        let isPlain = word.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || "-_=/.,:@%+".utf8.contains(byte)
        }
        return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: "'\\''") + "'"
    }
}

/// The lines of a descriptor, read in blocks.
struct InputLines {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isAtEnd = false
    /// The maximum length of a line in bytes.
    private static let longest = 16 << 20

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line, without its end; nil at the end of the input.
    /// - Throws: ``HelixError`` if the input cannot be read, or a line is too long.
    mutating func next() throws -> [UInt8]? {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                defer { buffer.removeSubrange(...end) }
                return Array(buffer[..<end])
            }
            if isAtEnd {
                defer { buffer = [] }
                return buffer.isEmpty ? nil : buffer
            }
            var part = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &part, part.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw HelixError(.io, "the input cannot be read") }
            if count == 0 { isAtEnd = true } else { buffer += part[..<count] }
            guard buffer.count <= Self.longest else { throw HelixError(.badInput, "a message is longer than 16 MB") }
        }
    }
}
