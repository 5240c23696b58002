/// Paths as people type them.
enum UserPath {
    /// A path with `~` in front as the shell reads it, which a setting or a quoted word leaves as it is.
    static func expanded(_ path: String, _ environment: [String: String]) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else { return path }
        return home + path.dropFirst()
    }
}
