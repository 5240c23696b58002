import CUnistring
import Glibc

/// A normal form of Unicode text (UAX #15). Swift compares by them, but does not give them.
public enum UnicodeForm: String, Sendable {
    /// Canonical decomposition.
    case nfd
    /// Compatibility composition.
    case nfkc
    /// Compatibility decomposition.
    case nfkd
}

extension String {
    /// The text in a normal form; nil if libunistring, which is needed for text beyond ASCII, is not installed.
    public func normalized(_ form: UnicodeForm) -> String? {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        let bytes = Array(utf8)
        var count = 0
        guard let found = helix_normalize(form.rawValue, bytes, bytes.count, &count) else { return nil }
        defer { free(found) }
        return String(decoding: UnsafeBufferPointer(start: found, count: count), as: UTF8.self)
    }
}
