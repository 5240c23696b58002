/// Paths as typed by the user.
enum UserPath {
    /// A path with a leading `~` expanded as in the shell, which does not expand settings and quoted words.
    static func expanded(_ path: String, _ environment: [String: String]) -> String {
        guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else { return path }
        return home + path.dropFirst()
    }
}
