import FoundationEssentials
import Glibc
import HelixCrypto
import HelixModel
import HelixSystem

/// The time in which helix is unlocked: from `unlock` to `lock`, log-out, restart of the machine, or too long a pause.
///
/// A file in the folder that the system deletes at log-out (XDG_RUNTIME_DIR); without one, beside the lock. Its modification
/// time is the last use, in seconds since the start of the machine: a clock that is set does not matter, and sleep counts.
public struct UnlockSession: Sendable {
    /// The file.
    public let path: String
    /// The folder that the system deletes at log-out; nil if it has none.
    public let runtimeFolder: String?

    /// - Parameters:
    ///   - home: the folder of the store.
    ///   - fallback: the folder of the file without a folder of the log-in.
    init(home: String, fallback: String, environment: [String: String]) {
        let own = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/run/user/\(getuid())"
        if access(own, W_OK) == 0 {
            runtimeFolder = own
            path = own + "/helix-" + SHA256.hash(Array(home.utf8)).hexadecimal.prefix(16) + ".unlocked"
        } else {
            runtimeFolder = nil
            path = fallback + "/unlocked"
        }
    }

    /// The contents of the file.
    struct Contents: Codable, Equatable {
        /// The start of the machine in which it is valid.
        var boot: String
        /// The longest pause in seconds; nil for any.
        var lockAfter: Int?
        /// The number of the times it was locked before.
        var generation: Int?
        /// The process of the log-in, if the system has no folder that it deletes at log-out.
        var leader: Leader?
    }

    /// The first process of a terminal's session.
    struct Leader: Codable, Equatable {
        var id: Int
        /// Its start, in ticks since the start of the machine.
        var start: UInt64
    }

    /// Begins it, or changes its longest pause.
    /// - Throws: ``HelixError`` of code `cannotCreate`.
    public func begin(lockAfter: Int?, generation: Int? = nil) throws {
        let part = path + ".new.\(getpid())"
        var contents = Contents(
            boot: Self.boot, lockAfter: lockAfter, generation: generation ?? self.contents?.generation)
        if runtimeFolder == nil {
            let leader = Int(getsid(0))
            contents.leader = ProcessAncestry.start(of: leader).map { Leader(id: leader, start: $0) }
        }
        do {
            unlink(part)
            let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw FileStream.Failure() }
            let file = FileStream(descriptor: descriptor)
            try file.write(Array(JSONEncoder().encode(contents)))
            Self.stamp(part)
            guard rename(part, path) == 0 else { throw FileStream.Failure() }
        } catch {
            unlink(part)
            throw HelixError(.cannotCreate, "\(path) cannot be written (\(error.systemReason))")
        }
    }

    /// Ends it.
    public func end() { unlink(path) }

    /// Notes a use by a person.
    public func touch() { Self.stamp(path) }

    /// The state of the session.
    public enum State: Equatable, Sendable {
        /// It has not begun, or it has ended.
        case over
        /// It ended because nobody used helix for so many seconds.
        case expired(after: Int)
        /// It is valid, with the longest pause in seconds.
        case valid(lockAfter: Int?)
    }

    /// The state now.
    public var state: State { state(generation: nil) }

    /// The state now, if the lock was closed so many times.
    func state(generation: Int?) -> State {
        var info = stat()
        guard stat(path, &info) == 0, info.st_uid == getuid(), let contents, contents.boot == Self.boot,
            generation == nil || contents.generation ?? 0 == generation
        else { return .over }
        if let limit = contents.lockAfter, Self.uptime - Int(info.st_mtim.tv_sec) >= limit {
            return .expired(after: limit)
        }
        return .valid(lockAfter: contents.lockAfter)
    }

    /// Whether the person has logged out: the folder of the log-in is gone, or no session is left in systemd-logind, or the
    /// first process of the terminal in which helix was unlocked has ended.
    /// - Parameter hadSessions: whether systemd-logind knew a session when helix was unlocked.
    public func isLoggedOut(hadSessions: Bool) -> Bool {
        if let runtimeFolder {
            return access(runtimeFolder, F_OK) != 0 || hadSessions && !Self.hasSessions
        }
        guard let leader = contents?.leader else { return false }
        return ProcessAncestry.start(of: leader.id) != leader.start
    }

    /// Whether systemd-logind knows a session of this user.
    public static var hasSessions: Bool {
        guard let bytes = FileManager.default.contents(atPath: "/run/systemd/users/\(getuid())") else { return false }
        let line = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("SESSIONS=") }
        return line.map { $0.count > "SESSIONS=".count } ?? false
    }

    private var contents: Contents? {
        FileManager.default.contents(atPath: path).flatMap { try? JSONDecoder().decode(Contents.self, from: $0) }
    }

    /// The identity of the machine's start.
    private static var boot: String {
        FileManager.default.contents(atPath: "/proc/sys/kernel/random/boot_id").map {
            String(decoding: $0, as: UTF8.self).filter { !$0.isWhitespace }
        } ?? "unknown"
    }

    /// The seconds since the start of the machine, sleep included.
    private static var uptime: Int {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return time.tv_sec
    }

    private static func stamp(_ path: String) {
        let now = timespec(tv_sec: uptime, tv_nsec: 0)
        withUnsafePointer(to: (now, now)) { times in
            times.withMemoryRebound(to: timespec.self, capacity: 2) { _ = utimensat(AT_FDCWD, path, $0, 0) }
        }
    }
}
