import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A random number generator that reads 256 bytes at a time from the system: an import creates an identity for each task,
/// and each would take two system calls.
struct PooledRandomNumbers: RandomNumberGenerator {
    private static let pool = Mutex<[UInt64]>([])

    mutating func next() -> UInt64 {
        PooledRandomNumbers.pool.withLock { pool in
            if let number = pool.popLast() { return number }
            pool = [UInt64](repeating: 0, count: 32)
            // getentropy refuses more than 256 bytes at once.
            guard pool.withUnsafeMutableBytes({ getentropy($0.baseAddress, $0.count) }) == 0 else {
                pool = []
                var system = SystemRandomNumberGenerator()
                return system.next()
            }
            return pool.removeLast()
        }
    }
}
