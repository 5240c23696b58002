import FoundationEssentials
import Glibc

extension Error {
    /// The reason of a failed file operation in the system's words: `Permission denied`.
    public var systemReason: String {
        if let failure = self as? FileStream.Failure { return failure.description }
        guard let error = self as? CocoaError else { return "\(self)" }
        if let cause = error.underlying as? POSIXError { return String(cString: strerror(cause.code.rawValue)) }
        switch error.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileReadNoPermission, .fileWriteNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        case .fileWriteFileExists: return String(cString: strerror(EEXIST))
        default: return "error \(error.code.rawValue)"
        }
    }
}

/// Waits.
public func sleep(seconds: Double) {
    var rest = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    var left = timespec()
    while nanosleep(&rest, &left) != 0, errno == EINTR { rest = left }
}
