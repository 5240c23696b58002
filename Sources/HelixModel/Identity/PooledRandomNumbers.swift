import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The system's random numbers, asked for 256 bytes at a time: an import makes an identity for each task, and each would
/// be two calls of the system.
struct PooledRandomNumbers: RandomNumberGenerator {
    private static let pool = Mutex<[UInt64]>([])

    mutating func next() -> UInt64 {
        PooledRandomNumbers.pool.withLock { pool in
            if let number = pool.popLast() { return number }
            pool = [UInt64](repeating: 0, count: 32)
            // More than 256 bytes at once are refused.
            guard pool.withUnsafeMutableBytes({ getentropy($0.baseAddress, $0.count) }) == 0 else {
                pool = []
                var system = SystemRandomNumberGenerator()
                return system.next()
            }
            return pool.removeLast()
        }
    }
}
