extension String {
    /// The text of bytes that are UTF-8, or else Windows-1252, as old programs and files have it.
    public init(guessing bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        self = String(validating: bytes, as: UTF8.self) ?? String(windows1252: bytes)
    }

    /// Decodes Windows-1252, a superset of Latin-1 used by old Windows programs.
    public init(windows1252 bytes: some Sequence<UInt8>) {
        let high: [UInt32] = [
            0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
            0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
            0x0153, 0x9D, 0x017E, 0x0178,
        ]
        var text = String.UnicodeScalarView()
        for byte in bytes {
            let value = (0x80...0x9F).contains(byte) ? high[Int(byte) - 0x80] : UInt32(byte)
            if let scalar = Unicode.Scalar(value) { text.append(scalar) }
        }
        self = String(text)
    }
}
