import FoundationEssentials
import Glibc

/// Another program that runs beside this one.
///
/// It has this process's terminal. Files that were opened with O_CLOEXEC are closed in it.
public final class Subprocess {
    /// The other end of one of its streams.
    public enum Stream {
        /// The stream of this process.
        case inherited
        /// Nothing.
        case null
        /// A pipe to this process.
        case pipe
    }

    /// The end of its input, if that is a pipe.
    public let input: FileStream?
    /// The end of its output, if that is a pipe.
    public let output: FileStream?
    /// The end of its errors, if that is a pipe.
    public let errors: FileStream?
    private let process: pid_t
    private var status: Int32?
    /// Whether a signal ended it.
    public private(set) var isKilled = false

    /// Starts a program.
    /// - Parameters:
    ///   - program: its path, or a name to search in PATH.
    ///   - variables: its environment; nil is that of this process.
    ///   - stays: whether it may outlive this process: then it gets no file besides its streams, for whose end others may wait.
    /// - Throws: ``FileStream/Failure`` if it cannot be started.
    public init(
        _ program: String, _ arguments: [String], input: Stream = .inherited, output: Stream = .inherited,
        errors: Stream = .inherited, variables: [String: String]? = nil, stays: Bool = false
    ) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var theirs: [FileStream] = []
        func connect(_ stream: Stream, _ descriptor: Int32, reads: Bool) throws -> FileStream? {
            switch stream {
            case .inherited: return nil
            case .null:
                posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
                return nil
            case .pipe:
                var ends: [Int32] = [0, 0]
                guard pipe(&ends) == 0 else { throw FileStream.Failure() }
                // The child has its own end only: if it held the other, it would wait for ever.
                for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                let (read, write) = (FileStream(descriptor: ends[0]), FileStream(descriptor: ends[1]))
                theirs.append(reads ? read : write)
                posix_spawn_file_actions_adddup2(&actions, (reads ? read : write).descriptor, descriptor)
                return reads ? write : read
            }
        }
        self.input = try connect(input, STDIN_FILENO, reads: true)
        self.output = try connect(output, STDOUT_FILENO, reads: false)
        self.errors = try connect(errors, STDERR_FILENO, reads: false)
        if stays {
            for file in Self.inheritedFiles { posix_spawn_file_actions_addclose(&actions, file) }
        }
        var attributes = try Self.usualSignals()
        defer { posix_spawnattr_destroy(&attributes) }
        let words = ([program] + arguments).map { strdup($0) } + [nil]
        let environment = variables.map { $0.map { strdup("\($0)=\($1)") } + [nil] }
        defer { for text in words + (environment ?? []) { free(text) } }
        var child: pid_t = 0
        let code =
            if let environment {
                posix_spawnp(&child, program, &actions, &attributes, words, environment)
            } else {
                posix_spawnp(&child, program, &actions, &attributes, words, environ)
            }
        guard code == 0 else {
            errno = code
            throw FileStream.Failure()
        }
        process = child
        for end in theirs { try end.close() }
    }

    /// The attributes of a child with the usual handling of signals.
    private static func usualSignals() throws -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        guard posix_spawnattr_init(&attributes) == 0 else { throw FileStream.Failure() }
        // This process ignores them; other programs expect them.
        var usual = sigset_t()
        sigemptyset(&usual)
        for signal in [SIGPIPE, SIGXFSZ] { sigaddset(&usual, signal) }
        posix_spawnattr_setsigdefault(&attributes, &usual)
        // Threads of Dispatch block all signals.
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
        return attributes
    }

    /// The open files of this process besides its streams.
    public static var inheritedFiles: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }.filter { $0 > STDERR_FILENO }
    }

    /// Asks it to end.
    public func terminate() { kill(process, SIGTERM) }

    /// Waits until it has ended.
    /// - Returns: its exit status; 128 and the number of the signal that ended it, as in a shell.
    @discardableResult
    public func wait() -> Int {
        if let status { return Int(status) }
        var code: Int32 = 0
        while waitpid(process, &code, 0) < 0, errno == EINTR {}
        return note(code)
    }

    /// Keeps the status that the system returned.
    @discardableResult
    private func note(_ code: Int32) -> Int {
        let signal = code & 0x7F
        isKilled = signal != 0
        let found = signal == 0 ? (code >> 8) & 0xFF : 128 + signal
        status = found
        return Int(found)
    }

    /// Whether it has ended.
    public var isOver: Bool {
        if status != nil { return true }
        var code: Int32 = 0
        guard waitpid(process, &code, WNOHANG) == process else { return false }
        note(code)
        return true
    }

    /// All of its output, or of its errors, unless that does not end within `seconds`.
    public func readOutput(within seconds: Double, errors isOfErrors: Bool = false) -> [UInt8]? {
        guard let output = isOfErrors ? errors : output else { return [] }
        let end = Date() + seconds
        var found: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 4096)
        while true {
            var place = pollfd(fd: output.descriptor, events: Int16(POLLIN), revents: 0)
            let code = poll(&place, 1, Int32(max(0, end.timeIntervalSinceNow * 1000)))
            if code < 0, errno == EINTR { continue }
            guard code > 0 else { return nil }
            let count = read(output.descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return found }
            found += room[..<count]
        }
    }
}
