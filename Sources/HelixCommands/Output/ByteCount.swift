/// File sizes for people.
enum ByteCount {
    /// `340 B`, `12 KB`, `3.4 MB`
    static func text(_ size: Int) -> String {
        if size < 1000 { return "\(size) B" }
        var (tenths, unit) = (size / 100, "KB")
        for larger in ["MB", "GB", "TB"] where tenths >= 10_000 { (tenths, unit) = (tenths / 1000, larger) }
        return (tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(tenths / 10)") + " " + unit
    }
}
