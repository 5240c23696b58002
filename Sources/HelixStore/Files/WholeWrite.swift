import FoundationEssentials
import Glibc

/// Writes all bytes to an open file, with as many calls as needed.
public enum WholeWrite {
    /// - Returns: 0, or the error number (`errno`).
    public static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let written = Glibc.write(descriptor, part.baseAddress, part.count)
            if written < 0, errno == EINTR { continue }
            if written <= 0 { return errno }
            rest = rest.dropFirst(written)
        }
        return 0
    }
}
