import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// The paths of helix's files (XDG Base Directory Specification). `HELIX_HOME` moves everything into one folder.
struct Paths: Sendable {
    /// The database.
    let store: String
    /// The settings.
    let configuration: String

    /// - Throws: ``HelixError`` of code `configuration` if neither `HOME` nor `HELIX_HOME` is set.
    init(environment: [String: String]) throws {
        if let home = environment["HELIX_HOME"], !home.isEmpty {
            // Foundation's URLs are created only for paths that need them.
            let isPlain = home.hasPrefix("/") && !home.hasSuffix("/") && !home.hasPart("/.") && !home.hasPart("//")
            let folder = isPlain ? home : URL(fileURLWithPath: home).path
            store = folder + "/helix.db"
            configuration = folder + "/config.toml"
            return
        }
        func base(_ name: String, _ fallback: String) throws -> String {
            // The specification requires to ignore relative paths.
            if let set = environment[name], set.hasPrefix("/") { return set }
            guard let home = environment["HOME"], !home.isEmpty else {
                throw HelixError(
                    .configuration, "neither HOME nor HELIX_HOME is set", hint: "Set HELIX_HOME to a folder.")
            }
            return home + fallback
        }
        let data = try base("XDG_DATA_HOME", "/.local/share")
        let settings = try base("XDG_CONFIG_HOME", "/.config")
        configuration = settings + "/" + Paths.folder + "/config.toml"
        let path = data + "/" + Paths.folder + "/helix.db"
        // The folders of helix 0.1, which the Helix editor also uses: looked for once, before the store exists.
        if access(path, F_OK) != 0, !VaultPlace(home: path.deletingLastPathComponent).exists {
            let former = FormerFolders(
                data: data + "/helix", settings: settings + "/helix/config.toml", newData: data + "/" + Paths.folder,
                newSettings: configuration)
            store = former.move() ? path : data + "/helix/helix.db"
        } else {
            store = path
        }
    }

    /// The name of helix's folders. `helix` alone is the Helix editor's.
    static let folder = "helix-suite"
}
