import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The folders of helix 0.1, which share their name with those of the Helix editor. The data is moved out of them once, and the
/// settings are copied; the editor's files are left alone.
struct FormerFolders {
    let data: String
    let settings: String
    let newData: String
    let newSettings: String

    /// The folders that helix 0.1 kept beside its store.
    private static let folders = ["mail", "files", "tokens", "gateway", "writing"]

    /// Moves the data.
    /// - Returns: whether to use the new folders.
    func move() -> Bool {
        copySettings()
        let store = data + "/helix.db"
        guard access(store, F_OK) == 0 else { return true }
        let files = FileManager.default
        do {
            try files.createDirectory(
                atPath: newData, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in FormerFolders.folders where access(data + "/" + name, F_OK) == 0 {
                try files.moveItem(atPath: data + "/" + name, toPath: newData + "/" + name)
            }
            // The store is moved last, so that an interrupted move is repeated.
            try Store.relocate(store, from: data, to: newData)
            for name in try files.contentsOfDirectory(atPath: data) where name.hasPrefix("helix.db.") {
                try? files.moveItem(atPath: data + "/" + name, toPath: newData + "/" + name)
            }
            try files.moveItem(atPath: store, toPath: newData + "/helix.db")
            for end in ["-wal", "-shm"] { try? files.removeItem(atPath: store + end) }
            // A folder that is empty now belonged to helix alone.
            rmdir(data)
            say("your data is in \(newData) now; it was in \(data), which the Helix editor uses as well")
            return true
        } catch {
            say(
                "your data stays in \(data): it cannot be moved to \(newData): \((error as? HelixError)?.message ?? "\(error)")"
            )
            return false
        }
    }

    /// Copies the settings, if all settings in the file are those of helix.
    private func copySettings() {
        guard access(newSettings, F_OK) != 0, let bytes = FileManager.default.contents(atPath: settings) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        guard let read = try? Configuration(text: text, file: settings), read.unknown.isEmpty, !read.setKeys.isEmpty
        else { return }
        let folder = newSettings.deletingLastPathComponent
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            try bytes.write(to: URL(fileURLWithPath: newSettings), options: .withoutOverwriting)
            say("your settings are copied to \(newSettings); \(settings) is no longer read")
        } catch {
            say("the settings in \(settings) cannot be copied to \(newSettings)")
        }
    }

    private func say(_ text: String) { _ = Terminal.write("helix: \(text)\n", to: STDERR_FILENO) }
}
