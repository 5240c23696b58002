extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal digits, two for each.
    public var hexadecimal: String {
        let digits: StaticString = "0123456789abcdef"
        var text: [UInt8] = []
        for byte in self {
            text.append(digits.utf8Start[Int(byte >> 4)])
            text.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
