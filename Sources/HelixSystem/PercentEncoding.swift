/// Percent-encoding of addresses (RFC 3986 §2.1).
extension String {
    /// Signs that may stand in a path, besides letters and digits.
    public static let signsOfPaths = "-._~!$&'()*+,;=:@/"
    /// Signs without a meaning in addresses, besides letters and digits.
    public static let unreservedSigns = "-._~"

    /// The text with all bytes encoded but ASCII letters, digits and `signs`.
    public func percentEncoded(keeping signs: String) -> String {
        var bytes: [UInt8] = []
        for byte in utf8 {
            let isPlain =
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: signs.utf8.contains(byte)
                }
            if isPlain {
                bytes.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                bytes += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The decoded text; nil if a percent sign begins no escape, or the bytes are not UTF-8.
    public var percentDecoded: String? {
        guard utf8.contains(0x25) else { return self }
        var bytes: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Self.digit), let low = rest.popFirst().flatMap(Self.digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }
}
