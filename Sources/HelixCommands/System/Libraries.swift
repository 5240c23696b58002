import CLibraries
import HelixSQLite
import HelixTerminal

/// A library that is opened while helix runs.
struct RuntimeLibrary {
    let name: String
    /// The Debian package that brings it.
    let package: String
    /// What cannot be done without it.
    let purpose: String
    /// Its version; nil if it cannot be opened.
    let version: String?

    /// All of them; each is opened for that.
    static var all: [RuntimeLibrary] {
        (0..<helix_library_count()).map { index in
            let entry = helix_library_at(index)
            var version = [CChar](repeating: 0, count: 64)
            let isThere = helix_library_version(index, &version, Int32(version.count)) == 1
            let bytes = version.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            return RuntimeLibrary(
                name: String(cString: entry.name), package: String(cString: entry.package),
                purpose: String(cString: entry.purpose), version: isThere ? String(decoding: bytes, as: UTF8.self) : nil
            )
        }
    }
}

extension Helix {
    /// The commit that this program was built from; nil if the build did not say.
    static var commit: String? {
        let text = String(cString: helix_commit())
        return text.isEmpty ? nil : text
    }

    /// The answer to `--version`: the version and the commit, and the libraries with theirs.
    static var versionText: String {
        let libraries = RuntimeLibrary.all.map { "  \($0.name) \($0.version ?? "not installed")\n" }
        return "helix \(version)\(commit.map { " (\($0))" } ?? "")\n  SQLite \(Database.version)\n" + libraries.joined()
    }
}
