import CCrypto
import FoundationEssentials

/// The result of a hash function.
public struct Digest: Hashable, Sendable, Sequence {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The bytes in order.
    public func makeIterator() -> IndexingIterator<[UInt8]> { bytes.makeIterator() }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Calls `body` with the bytes in memory.
    public func withContiguousStorageIfAvailable<Result>(
        _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result? { try bytes.withContiguousStorageIfAvailable(body) }
}

/// SHA-256 (FIPS 180-4): 32 bytes.
public struct SHA256 {
    private var state = helix_sha256()

    /// A hash of nothing yet.
    public init() { helix_sha256_begin(&state) }

    /// Adds bytes.
    public mutating func update(_ bytes: some ContiguousBytes) {
        bytes.withUnsafeBytes { helix_sha256_add(&state, $0.baseAddress, $0.count) }
    }

    /// The hash of all bytes so far; more can be added afterwards.
    public func digest() -> Digest {
        var copy = state
        return Digest(
            [UInt8](unsafeUninitializedCapacity: Int(HELIX_SHA256_SIZE)) { room, count in
                helix_sha256_end(&copy, room.baseAddress)
                count = Int(HELIX_SHA256_SIZE)
            })
    }

    /// The hash of bytes.
    public static func hash(_ bytes: some ContiguousBytes) -> Digest {
        var hash = SHA256()
        hash.update(bytes)
        return hash.digest()
    }

    /// The code that proves a message to those who know a key: HMAC with SHA-256 (RFC 2104).
    public static func authenticationCode(of message: some ContiguousBytes, key: [UInt8]) -> Digest {
        let blockSize = 64
        var block = key.count > blockSize ? Array(hash(key)) : key
        block += [UInt8](repeating: 0, count: blockSize - block.count)
        var inner = SHA256()
        inner.update(block.map { $0 ^ 0x36 })
        inner.update(message)
        var outer = SHA256()
        outer.update(block.map { $0 ^ 0x5C })
        outer.update(Array(inner.digest()))
        return outer.digest()
    }
}

/// SHA-1 (FIPS 180-4), for protocols that require it: 20 bytes, no protection against forgery.
public enum SHA1 {
    /// The hash of bytes.
    public static func hash(_ bytes: some ContiguousBytes) -> Digest {
        bytes.withUnsafeBytes { source in
            Digest(
                [UInt8](unsafeUninitializedCapacity: Int(HELIX_SHA1_SIZE)) { room, count in
                    helix_sha1(source.baseAddress, source.count, room.baseAddress)
                    count = Int(HELIX_SHA1_SIZE)
                })
        }
    }
}
