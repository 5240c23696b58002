/// A hash for texts that are looked up by equality and compared by thousands, stable across processes; collisions are
/// extremely rare. FNV-1a of 64 bits (RFC 9923).
public enum StableHash {
    /// The hash of some bytes.
    public static func of(_ bytes: some Sequence<UInt8>, seed: UInt64 = 0) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325 ^ seed
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return hash
    }
}
