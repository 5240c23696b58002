import CZlib
import HelixModel

/// Compresses sent bytes and decompresses received ones (RFC 1951, raw deflate).
final class DeflateStream {
    private let handle: OpaquePointer
    private var room = [UInt8](repeating: 0, count: 1 << 16)

    /// Nil if zlib is not installed.
    init?() {
        guard let handle = helix_deflate_open() else { return nil }
        self.handle = handle
    }

    deinit { helix_deflate_close(handle) }

    /// The compressed form of bytes, which the other side can decompress at once.
    /// - Throws: ``HelixError`` if memory is exhausted.
    func pack(_ bytes: UnsafeBufferPointer<UInt8>) throws -> [UInt8] {
        var packed: [UInt8] = []
        try run(bytes, packs: true) { packed.append(contentsOf: $0) }
        return packed
    }

    /// Passes the decompressed bytes to `body`.
    /// - Returns: whether there were any.
    /// - Throws: ``HelixError`` of code `protocol` for invalid compressed data; what `body` throws.
    func unpack(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws -> Bool
    {
        var isAny = false
        try run(bytes, packs: false) {
            isAny = true
            try body($0)
        }
        return isAny
    }

    private func run(
        _ bytes: UnsafeBufferPointer<UInt8>, packs: Bool, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void
    ) throws {
        var rest = bytes[...]
        while true {
            var taken = 0
            let part = UnsafeBufferPointer(rebasing: rest)
            let count = room.withUnsafeMutableBufferPointer { space in
                helix_deflate_run(
                    handle, packs ? 1 : 0, part.baseAddress, part.count, &taken, space.baseAddress, space.count)
            }
            guard count >= 0 else { throw HelixError(.protocol, "received data cannot be decompressed") }
            rest = rest.dropFirst(taken)
            if count > 0 {
                try room.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[..<Int(count)])) }
            }
            // A full buffer may have more output behind it.
            if rest.isEmpty, count < room.count { return }
            if taken == 0, count == 0 { return }
        }
    }
}
