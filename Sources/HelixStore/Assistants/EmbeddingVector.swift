import FoundationEssentials

/// A vector of a text in eight bits for each dimension: a quarter of the size of floating-point numbers, for a loss that does not
/// change the order of results.
public struct EmbeddingVector: Sendable {
    /// The factor of its numbers.
    let factor: Float
    /// Its numbers, from -127 to 127.
    let numbers: [Int8]
    /// Its numbers as they are multiplied: the product of two fits.
    private let factors: [Int16]

    /// Creates a vector of length 1 in the same direction; nil if it has no direction, or too many dimensions.
    public init?(_ values: [Float]) {
        let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
        let largest = values.reduce(0) { max($0, abs($1)) }
        guard length.isFinite, length > 0, (1...8_192).contains(values.count) else { return nil }
        factor = largest / length / 127
        numbers = values.map { Int8(($0 / largest * 127).rounded()) }
        factors = numbers.map(Int16.init)
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
        let sum = factors.withUnsafeBytes { own -> Int32 in
            // Eight at a time, which takes two fifths of the time.
            var sums = SIMD8<Int32>.zero
            var place = 0
            while place &+ 8 <= count {
                let left = own.loadUnaligned(fromByteOffset: place &* 2, as: SIMD8<Int16>.self)
                let right = stored.loadUnaligned(fromByteOffset: place &+ 4, as: SIMD8<Int8>.self)
                sums &+=
                    SIMD8<Int32>(truncatingIfNeeded: left) &* SIMD8<Int32>(truncatingIfNeeded: right)
                place &+= 8
            }
            var sum = sums.wrappedSum()
            while place < count {
                sum &+= Int32(numbers[place]) &* Int32(Int8(bitPattern: stored[place &+ 4]))
                place &+= 1
            }
            return sum
        }
        return factor * other * Float(sum)
    }
}
