/// The lines of a message's head, before they are parsed.
enum RawHead {
    /// The bytes of a head without some headers, and the place of the empty line that ends it.
    ///
    /// - Parameter isDropped: receives the first line of each header.
    static func without(
        _ bytes: [UInt8], _ isDropped: (ArraySlice<UInt8>) -> Bool
    ) -> (head: [UInt8], end: Int) {
        var head: [UInt8] = []
        var (start, isDropping) = (0, false)
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            let line = bytes[start..<end]
            if line.elementsEqual([0x0A]) || line.elementsEqual([0x0D, 0x0A]) { break }
            // Folded lines belong to the header above.
            if line.first != 0x20, line.first != 0x09 { isDropping = isDropped(line) }
            if !isDropping { head += line }
            start = end
        }
        return (head, start)
    }
}
