import ArgumentParser
import FoundationEssentials
import Glibc
import HelixGatewayLogs
import HelixGatewayStore
import HelixModel
import HelixStore
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
        let place = try context.gatewayPlace()
        let path = place.storePath(of: found.id)
        setenv("HELIX_HOME", path.deletingLastPathComponent, 1)
        if let logs = place.userLogs(connections: 1) {
            // The store is a copy of what the database has: it is brought up to date before and after.
            func catchUp() throws {
                let store = try Store(path: path, now: context.now)
                try UserLog(found.id, logs).catchUp(store)
            }
            try catchUp()
            let process: Subprocess
            do { process = try Subprocess(program, words) } catch {
                throw HelixError(.unexpected, "cannot restart helix")
            }
            let status = process.wait()
            try catchUp()
            if status != 0 { throw ExitCode(Int32(status)) }
            return
        }
        var pointers = ([program] + words).map { strdup($0) }
        pointers.append(nil)
        execv(program, pointers)
        throw HelixError(.unexpected, "cannot restart helix")
    }
}
