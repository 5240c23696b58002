import CLibraries
import HelixSQLite
import HelixTerminal

/// A library that is opened at run time.
struct RuntimeLibrary {
    let name: String
    /// The Debian package that contains it.
    let package: String
    /// The features that need it.
    let purpose: String
    /// Its version; nil if it cannot be opened.
    let version: String?

    /// All libraries; each is opened to get its version.
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
    /// The commit that this program was built from; nil if unknown.
    static var commit: String? {
        let text = String(cString: helix_commit())
        return text.isEmpty ? nil : text
    }

    /// The output of `--version`: the version, the commit and SQLite, which is part of the program.
    static var versionText: String {
        "helix \(version)\(commit.map { " (\($0))" } ?? "")\n  SQLite \(Database.version)\n"
    }

    /// The output of `helix version`: also the versions of the libraries that are opened when they are needed. To open all of
    /// them takes 3 ms, so `--version` leaves them out.
    static var longVersionText: String {
        versionText + RuntimeLibrary.all.map { "  \($0.name) \($0.version ?? "not installed")\n" }.joined()
    }
}
