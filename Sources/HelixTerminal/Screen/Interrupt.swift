import FoundationEssentials
import Glibc

/// Catches Ctrl-C during operations that can be interrupted.
public enum Interrupt {
    /// The write end of the pipe for the handler; a signal handler may do hardly anything else.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    nonisolated(unsafe) private static var readEnd: Int32 = -1

    /// Starts catching Ctrl-C.
    /// - Returns: a file descriptor that becomes readable when it is pressed.
    @discardableResult
    public static func catchIt() -> Int32 {
        if readEnd < 0 {
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0 else { return -1 }
            for end in ends {
                _ = fcntl(end, F_SETFL, O_NONBLOCK)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
            (readEnd, writeEnd) = (ends[0], ends[1])
        }
        // Without SA_RESTART: reads from the terminal are interrupted.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 1
            _ = write(Interrupt.writeEnd, &byte, 1)
        }
        sigaction(SIGINT, &action, nil)
        // Discards earlier signals.
        _ = wasPressed
        // The parent process may have blocked the signal.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        return readEnd
    }

    /// Whether it was pressed since the last check.
    public static var wasPressed: Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return readEnd >= 0 && read(readEnd, &bytes, bytes.count) > 0
    }

    /// Ends the program by SIGINT, so that a shell does not continue with its next command.
    public static func end() -> Never {
        release()
        raise(SIGINT)
        exit(130)
    }

    /// Restores the default action of Ctrl-C, which ends the program.
    public static func release() { signal(SIGINT, SIG_DFL) }
}
