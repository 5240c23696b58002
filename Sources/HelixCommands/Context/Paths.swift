import Foundation
import HelixModel

/// Where helix keeps what (XDG Base Directory Specification). `HELIX_HOME` moves everything into one folder.
struct Paths: Sendable {
    /// The database.
    let store: String
    /// The settings.
    let configuration: String

    /// - Throws: ``HelixError`` of code `configuration` if neither `HOME` nor `HELIX_HOME` is set.
    init(environment: [String: String]) throws {
        if let home = environment["HELIX_HOME"], !home.isEmpty {
            // Foundation's URLs are made only for what needs them.
            let isPlain = home.hasPrefix("/") && !home.hasSuffix("/") && !home.contains("/.") && !home.contains("//")
            let folder = isPlain ? home : URL(fileURLWithPath: home).path
            store = folder + "/helix.db"
            configuration = folder + "/config.toml"
            return
        }
        func base(_ name: String, _ fallback: String) throws -> String {
            // The specification tells to ignore relative paths.
            if let set = environment[name], set.hasPrefix("/") { return set }
            guard let home = environment["HOME"], !home.isEmpty else {
                throw HelixError(
                    .configuration, "neither HOME nor HELIX_HOME is set", hint: "Set HELIX_HOME to a folder.")
            }
            return home + fallback
        }
        store = try base("XDG_DATA_HOME", "/.local/share") + "/helix/helix.db"
        configuration = try base("XDG_CONFIG_HOME", "/.config") + "/helix/config.toml"
    }
}
