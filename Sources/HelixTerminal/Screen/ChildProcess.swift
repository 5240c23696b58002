import FoundationEssentials
import Glibc

/// Runs a program of the user, such as a pager or an editor, on the same terminal.
///
/// Foundation's `Process` puts a child into a process group of its own; one that reads the terminal from there is stopped.
public enum ChildProcess {
    /// Runs `command` in the shell and waits for it.
    ///
    /// - Parameters:
    ///   - argument: the value of `$1` in the command.
    ///   - input: its standard input; nil is helix's own.
    ///   - environment: variables to set besides helix's own.
    /// - Returns: the exit status, or nil if it could not be run or was killed.
    public static func run(
        shell command: String, argument: String? = nil, input: String? = nil, environment: [String: String] = [:]
    ) -> Int32? {
        var variables = ProcessEnvironment.current
        variables.merge(environment) { _, new in new }
        var pipe: [Int32] = [-1, -1]
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
        defer { posix_spawn_file_actions_destroy(&actions) }
        if input != nil {
            guard Glibc.pipe(&pipe) == 0 else { return nil }
            // The child has its end as standard input only: if it held the other, it would wait for ever.
            for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            guard posix_spawn_file_actions_adddup2(&actions, pipe[0], STDIN_FILENO) == 0 else { return nil }
        }
        // Signals that helix ignores shall end its children as usual.
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return nil }
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        let words = ["/bin/sh", "-c", command, "helix"] + (argument.map { [$0] } ?? [])
        var child = pid_t()
        let isRunning = withCStrings(words) { arguments in
            withCStrings(variables.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environment) == 0
            }
        }
        if input != nil { close(pipe[0]) }
        guard isRunning else {
            if input != nil { close(pipe[1]) }
            return nil
        }
        if let input {
            _ = Terminal.write(input, to: pipe[1])
            close(pipe[1])
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        // The equivalent of WIFEXITED and WEXITSTATUS, which Swift does not import.
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    /// Starts this program again with other arguments, detached: helix does not wait for it, and it has no terminal.
    public static func detach(_ arguments: [String]) {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return }
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) == 0 else { return }
        }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return }
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ, SIGINT] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        // POSIX_SPAWN_SETSID: the terminal of the parent may close.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF) | 0x80)
        var child = pid_t()
        guard let program = ProcessArguments.program else { return }
        _ = withCStrings(["helix"] + arguments) { words in
            withCStrings(ProcessEnvironment.current.map { "\($0)=\($1)" }) { environment in
                posix_spawn(&child, program, &actions, &attributes, words, environment)
            }
        }
    }

    /// Calls `body` with a null-terminated array of C strings.
    private static func withCStrings<Result>(
        _ texts: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers: [UnsafeMutablePointer<CChar>?] = texts.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        return pointers.withUnsafeMutableBufferPointer { buffer in
            // The array is never empty: it ends with a null.
            buffer.baseAddress.map(body) ?? body(UnsafeMutablePointer.allocate(capacity: 1))
        }
    }
}
