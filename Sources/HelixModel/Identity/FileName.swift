/// Sanitizer for file names from untrusted sources.
public enum FileName {
    /// A file name made from any text: without slashes, control characters, bidirectional overrides or leading dots and
    /// dashes, and cut to a safe length.
    public static func safe(_ name: String, fallback: String) -> String {
        var safe = String(String.UnicodeScalarView(name.unicodeScalars.map { isHarmful($0) ? "_" : $0 }))
        while safe.utf8.count > 200 { safe.removeLast() }
        while safe.last == " " || safe.last == "." { safe.removeLast() }
        if safe.hasPrefix(".") || safe.hasPrefix("-") { safe = "_" + safe.dropFirst() }
        return safe.isEmpty ? fallback : safe
    }

    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x2F, 0x7F...0x9F, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
