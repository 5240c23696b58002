import Foundation

/// Ctrl-C, caught while something is done that can be broken off.
public enum Interrupt {
    /// The end of a pipe that the handler writes to; a handler may do hardly anything else.
    nonisolated(unsafe) private static var writeEnd: Int32 = -1
    nonisolated(unsafe) private static var readEnd: Int32 = -1

    /// Catches Ctrl-C from now on.
    /// - Returns: a descriptor that can be read once it was pressed.
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
        // Without SA_RESTART: whoever waits for an answer at the terminal waits no longer.
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in
            var byte: UInt8 = 1
            _ = write(Interrupt.writeEnd, &byte, 1)
        }
        sigaction(SIGINT, &action, nil)
        // One that was pressed for something else does not count.
        _ = wasPressed
        // Whoever started this program may have held it back.
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, SIGINT)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        return readEnd
    }

    /// Whether it was pressed since that was asked last.
    public static var wasPressed: Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        return readEnd >= 0 && read(readEnd, &bytes, bytes.count) > 0
    }

    /// Ends the program as Ctrl-C does, for a shell that goes on with the next command otherwise.
    public static func end() -> Never {
        release()
        raise(SIGINT)
        exit(130)
    }

    /// Lets Ctrl-C end the program again.
    public static func release() { signal(SIGINT, SIG_DFL) }
}
