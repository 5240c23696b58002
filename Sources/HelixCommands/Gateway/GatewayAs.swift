import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGatewayStore
import HelixModel
import HelixSystem
import HelixTerminal

/// `helix gateway as`
struct GatewayAs: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "as", abstract: "Run helix as a user of the gateway on this machine.",
        discussion: """
            Runs any helix command on that user's store at the gateway: to add accounts that the gateway syncs, to \
            investigate a problem, or to import data.

              helix gateway as ana account add work imap --address ana@example.org \\
                  --password-command 'pass show mail'
              helix gateway as ana doctor
            """)
    static let reports: [PrintedReport] = []

    @Argument(help: "The user.")
    var user: String

    @Argument(parsing: .captureForPassthrough, help: ArgumentHelp("The helix command to run.", valueName: "command"))
    var words: [String] = []

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.gatewayStore()
        let found = try store.user(named: user)
        guard let program = ProcessArguments.program else {
            throw HelixError(.unexpected, "cannot find the helix program")
        }
        setenv("HELIX_HOME", GatewayFolder(context.gatewayFolder).storePath(of: found.id).deletingLastPathComponent, 1)
        var pointers = ([program] + words).map { strdup($0) }
        pointers.append(nil)
        execv(program, pointers)
        throw HelixError(.unexpected, "cannot restart helix")
    }
}
