import FoundationEssentials
import Glibc
import HelixModel
import HelixSecurity
import HelixSystem
import HelixTerminal

/// Ends the use of a home: helix's own processes are ended or sent to wait, and the vault is closed.
struct LockClosing {
    let lock: HomeLock
    /// Whether the vault is also closed for programs that have files in it open.
    var force = false

    /// The patience in seconds with programs that are ending.
    private static let patience = 5.0
    /// The pagers, which only show what is lost without harm.
    private static let pagers: Set<String> = ["less", "more", "most", "moar", "moor", "bat", "batcat", "ov", "w3m"]

    /// The commands that show nothing of the store at a terminal. Each call of an assistant is checked by itself.
    private static let silent: Set<String> = ["sync", "gateway", "mcp", "backup"]

    /// The words for processes that were ended.
    typealias Ended = [String]

    /// Locks.
    /// - Returns: the processes of helix that were ended.
    /// - Throws: ``HelixError`` of code `busy`; then nothing was locked.
    func run() throws -> Ended {
        let program = ProcessArguments.program
        let holders = OpenFiles.holders(in: lock.home, program: program)
        let isVault = lock.vault.exists || lock.vault.isMissing
        let obstacles = holders.filter(isObstacle)
        if isVault, !force, !obstacles.isEmpty {
            throw HelixError(
                .busy,
                "the vault stays open: \(Self.words(obstacles))",
                hint: (lock.reason == nil ? "Nothing was locked. " : "Commands of helix are locked. ")
                    + "End \(obstacles.count == 1 ? "it" : "them"), or pass --force.")
        }
        let former = lock.session.state
        if isVault { lock.session.end() } else { try lock.lock() }
        // A watch goes on when helix is unlocked; it tells nothing meanwhile.
        for holder in holders where Self.isWatch(holder) { kill(holder.id, SIGUSR1) }
        let ended = holders.filter { holder in
            guard holder.isHelix, !Self.isWatch(holder) else { return false }
            // Without a vault, what shows nothing goes on, and what waits for an editor.
            let word = holder.arguments.dropFirst().first ?? ""
            return isVault ? force || !isObstacle(holder) : !isObstacle(holder) && !Self.silent.contains(word)
        }
        for holder in ended { kill(holder.id, SIGTERM) }
        guard isVault else { return ended.map(Self.words) }
        do {
            waitForEnd(program, ended)
            try lock.vault.close(force: force)
            try lock.lock()
        } catch {
            if case .valid(let limit) = former {
                try? lock.session.begin(lockAfter: limit, generation: lock.settings().generation ?? 0)
            }
            throw error
        }
        return (force ? obstacles + ended.filter { !obstacles.contains($0) } : ended).map(Self.words)
    }

    private func waitForEnd(_ program: String?, _ ended: [OpenFiles.Holder]) {
        for step in 0..<Int(Self.patience * 20) {
            if OpenFiles.holders(in: lock.home, program: program).isEmpty { return }
            if step == 60 { for holder in ended { kill(holder.id, SIGKILL) } }
            usleep(50_000)
        }
    }

    /// Whether a process would lose something: other programs with files open, and helix itself while it waits for one, such as
    /// an editor.
    func isObstacle(_ holder: OpenFiles.Holder) -> Bool {
        guard holder.isHelix else { return true }
        return holder.child.map { !Self.pagers.contains($0) } ?? false
    }

    /// Whether a process is the watch, which waits while helix is locked.
    private static func isWatch(_ holder: OpenFiles.Holder) -> Bool {
        holder.isHelix && holder.arguments.dropFirst().first == "watch"
    }

    /// Processes in words: the first three.
    static func words(_ holders: [OpenFiles.Holder]) -> String {
        holders.prefix(3).map(words).joined(separator: ", ")
            + (holders.count > 3 ? " and \(holders.count - 3) more" : "")
    }

    /// A process in words: `vim (process 4711) has /home/ana/…/draft.eml open`.
    static func words(_ holder: OpenFiles.Holder) -> String {
        let name =
            holder.isHelix ? "'helix \(holder.arguments.dropFirst().prefix(2).joined(separator: " "))'" : holder.name
        let reason =
            holder.isHelix
            ? holder.child.map { " waits for \($0)" } ?? " uses the store" : " has \(holder.file) open"
        return SafeText.line("\(name) (process \(holder.id))\(reason)")
    }
}
