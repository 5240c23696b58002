import FoundationEssentials
import Glibc
import HelixMail
import HelixModel

/// The mailbox of an imported file, as the program that wrote the file names it by folders.
enum ImportedMailbox {
    /// Whether a file or a folder is skipped: unfinished deliveries, and indexes and settings of mail programs.
    static func isSkipped(_ name: String) -> Bool {
        let name = name.lowercased()
        return [
            "tmp", ".notmuch", ".git", ".mu", ".nnmaildir", "maildirfolder", "dovecot-uidlist", "dovecot-keywords",
            "dovecot.index", "dovecot.index.cache", "dovecot.index.log", "subscriptions", "courierimapuiddb",
            "msgfilterrules.dat", "popstate.dat", "filterlog.html", "table_of_contents",
        ].contains(name) || [".msf", ".plist", ".emlxpart"].contains(where: name.hasSuffix)
    }

    /// The name of the mailbox, with `/` between levels.
    ///
    /// - Parameters:
    ///   - folders: the folders above the file, below the one that was imported.
    ///   - file: the name of an mbox file; nil for the file of a single message.
    ///   - isApple: True for an `.emlx` file, which lies in numbered folders below `NAME.mbox`.
    static func name(_ folders: [String], file: String?, isApple: Bool) -> String {
        var names = folders
        if isApple, names.contains(where: { $0.lowercased().hasSuffix(".mbox") }) {
            names.removeAll { !$0.lowercased().hasSuffix(".mbox") }
        } else if file == nil, ["cur", "new"].contains(names.last) {
            names.removeLast()
        }
        // Apple Mail and readpst write FOLDER/mbox.
        if let file, file.lowercased() != "mbox" { names.append(file) }
        let levels = names.flatMap { name -> [String] in
            // Maildir++ names all levels in one folder; KMail names the folder of a mailbox's children `.NAME.directory`.
            if name.hasPrefix("."), name.hasSuffix(".directory") {
                return [String(name.dropFirst().dropLast(".directory".count))]
            }
            if name.hasPrefix(".") {
                return name.dropFirst().split(separator: ".").map { ModifiedUTF7.decoded(String($0)) }
            }
            for ending in [".sbd", ".mbox", ".mbx"] where name.lowercased().hasSuffix(ending) {
                return [String(name.dropLast(ending.count))]
            }
            return [name]
        }
        return path(levels) ?? "INBOX"
    }

    /// A valid name for a mailbox with these levels; nil if nothing is left of them.
    static func path(_ levels: [String]) -> String? {
        let most = min(60, 180 / max(1, levels.count))
        let clean = levels.map { level($0, upTo: most) }.filter { !$0.isEmpty }
        guard let first = clean.first else { return nil }
        // Thunderbird keeps the children of the inbox below it; other accounts have only one top level.
        let path = clean.joined(separator: "/")
        return first.lowercased() == "inbox" ? "INBOX" + path.dropFirst(first.count) : path
    }

    /// A level's name without what a mailbox's name must not have.
    private static func level(_ name: String, upTo most: Int) -> String {
        var name = String(
            String.UnicodeScalarView(
                name.unicodeScalars.map { $0.properties.generalCategory == .control || $0 == "/" ? "_" : $0 }))
        while name.hasPrefix(".") { name.removeFirst() }
        if ["cur", "new", "tmp"].contains(name) { name = "_" + name }
        while name.utf8.count > most { name.removeLast() }
        return name.trimmingBlanks()
    }
}

/// Sizes of files and folders.
enum FileTree {
    /// The size in bytes of a file, or of all files below a folder; 0 for anything else.
    static func size(of path: String) -> Int {
        var info = stat()
        guard stat(path, &info) == 0 else { return 0 }
        if info.st_mode & S_IFMT == S_IFREG { return Int(info.st_size) }
        guard info.st_mode & S_IFMT == S_IFDIR, let names = try? FileManager.default.subpathsOfDirectory(atPath: path)
        else {
            return 0
        }
        var sum = 0
        for name in names {
            if stat(path + "/" + name, &info) == 0, info.st_mode & S_IFMT == S_IFREG { sum += Int(info.st_size) }
        }
        return sum
    }
}
