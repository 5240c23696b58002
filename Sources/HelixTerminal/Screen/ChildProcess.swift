import FoundationEssentials
import Glibc
import HelixSystem

/// Runs a program of the user, such as a pager or an editor, on the same terminal.
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
        let variables = ProcessEnvironment.current.merging(environment) { _, new in new }
        let words = ["-c", command, "helix"] + (argument.map { [$0] } ?? [])
        let stream: Subprocess.Stream = input == nil ? .inherited : .pipe
        guard let process = try? Subprocess("/bin/sh", words, input: stream, variables: variables) else { return nil }
        if let input {
            // A pager that the user leaves early reads no more.
            try? process.input?.write(Array(input.utf8))
            try? process.input?.close()
        }
        let status = process.wait()
        return process.isKilled ? nil : Int32(status)
    }

    /// Starts this program again with other arguments, detached: helix does not wait for it, and it has no terminal.
    public static func detach(_ arguments: [String]) {
        var actions = posix_spawn_file_actions_t()
        guard posix_spawn_file_actions_init(&actions) == 0 else { return }
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            guard posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0) == 0 else { return }
        }
        // Others that wait for the end of a file of this process must not wait for that one.
        for file in Subprocess.inheritedFiles { posix_spawn_file_actions_addclose(&actions, file) }
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { return }
        defer { posix_spawnattr_destroy(&attributes) }
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ, SIGINT] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        // The starter of this process may have blocked signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        // POSIX_SPAWN_SETSID: the terminal of the parent may close.
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK) | 0x80)
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
