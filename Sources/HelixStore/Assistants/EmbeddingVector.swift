import CVectors
import FoundationEssentials

/// A vector of a text in eight bits for each dimension: a quarter of the size of floating-point numbers, for a loss that does not
/// change the order of results.
public struct EmbeddingVector: Sendable {
    /// The factor of its numbers.
    let factor: Float
    /// Its numbers, from -127 to 127.
    let numbers: [Int8]

    /// Creates a vector of length 1 in the same direction; nil if it has no direction, or too many dimensions.
    public init?(_ values: [Float]) {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let largest = values.reduce(0) { max($0, abs($1)) }
        guard length.isFinite, length > 0, (1...8_192).contains(values.count) else { return nil }
        factor = largest / length / 127
        numbers = values.map { Int8(($0 / largest * 127).rounded()) }
    }

    /// The bytes in the store.
    var bytes: Data {
        var data = Data()
        withUnsafeBytes(of: factor.bitPattern.littleEndian) { data.append(contentsOf: $0) }
        numbers.withUnsafeBytes { data.append(contentsOf: $0) }
        return data
    }

    /// The cosine of the angle to a stored vector; nil for one of other dimensions.
    func similarity(to stored: UnsafeRawBufferPointer) -> Float? {
        let count = numbers.count
        guard stored.count == count + 4 else { return nil }
        let other = Float(bitPattern: UInt32(littleEndian: stored.loadUnaligned(as: UInt32.self)))
        let sum = numbers.withUnsafeBufferPointer { own -> Int32 in
            guard let left = own.baseAddress, let right = stored.baseAddress else { return 0 }
            return helix_vectors_product(left, right.advanced(by: 4).assumingMemoryBound(to: Int8.self), count)
        }
        return factor * other * Float(sum)
    }
}
