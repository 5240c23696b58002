import FoundationEssentials
import Glibc
import HelixSystem

/// The processes of this user that have files in a folder open, by `/proc` (proc(5)).
public struct OpenFiles {
    /// A process with a file of the folder.
    public struct Holder: Hashable, Sendable {
        /// Its number.
        public let id: pid_t
        /// The name of its program.
        public let name: String
        /// A file that it has open, or its working folder.
        public let file: String
        /// Its arguments.
        public let arguments: [String]
        /// Whether it is helix itself.
        public let isHelix: Bool
        /// The name of a program that it waits for, such as an editor.
        public let child: String?
    }

    /// The processes with files in a folder, without this one.
    /// - Parameter program: the path of helix.
    public static func holders(in folder: String, program: String?) -> [Holder] {
        let (own, folder) = (getpid(), Self.real(folder))
        let all = processes()
        return all.compactMap { process in
            guard process != own, let file = file(of: process, in: folder) else { return nil }
            let executable = link("/proc/\(process)/exe")
            let words = arguments(of: process)
            let isHelix = executable != nil && same(executable, program)
            // The pager and the editor are started by a shell.
            var child = all.first { parent(of: $0) == process && !same(link("/proc/\($0)/exe"), program) }
            while let shell = child, shells.contains(name(of: shell)),
                let next = all.first(where: { parent(of: $0) == shell })
            { child = next }
            return Holder(
                id: process, name: executable?.lastPathComponent ?? name(of: process), file: file,
                arguments: words, isHelix: isHelix, child: child.map(name(of:)))
        }
    }

    /// The processes of a program that have a word among their arguments.
    static func processes(named program: String, with word: String) -> [pid_t] {
        processes().filter { process in
            let words = arguments(of: process)
            return words.first?.lastPathComponent == program && words.contains(word)
        }
    }

    private static let shells: Set<String> = ["sh", "dash", "bash", "zsh", "fish", "ksh"]

    private static func processes() -> [pid_t] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { pid_t($0) }.filter {
            var info = stat()
            return stat("/proc/\($0)", &info) == 0 && info.st_uid == getuid()
        }
    }

    /// A program that was replaced by a newer one runs on as a deleted file.
    private static func same(_ executable: String?, _ program: String?) -> Bool {
        guard let executable, let program else { return false }
        return executable == program || executable == program + " (deleted)"
    }

    private static func file(of process: pid_t, in folder: String) -> String? {
        func inside(_ path: String?) -> String? {
            path.flatMap { $0 == folder || $0.hasPrefix(folder + "/") ? $0 : nil }
        }
        if let here = inside(link("/proc/\(process)/cwd")) { return here }
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")) ?? []
        return descriptors.lazy.compactMap { inside(link("/proc/\(process)/fd/\($0)")) }.first
    }

    /// A path without symbolic links, as `/proc` names files.
    private static func real(_ path: String) -> String {
        guard let found = realpath(path, nil) else { return path }
        defer { free(found) }
        return String(cString: found)
    }

    private static func link(_ path: String) -> String? {
        var room = [CChar](repeating: 0, count: 4097)
        let count = readlink(path, &room, 4096)
        return count > 0 ? String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }

    private static func arguments(of process: pid_t) -> [String] {
        guard let bytes = contents("/proc/\(process)/cmdline") else { return [] }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    private static func name(of process: pid_t) -> String {
        contents("/proc/\(process)/comm").map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } } ?? ""
    }

    private static func parent(of process: pid_t) -> pid_t? {
        guard let bytes = contents("/proc/\(process)/stat") else { return nil }
        // The name, in parentheses, may contain anything.
        guard let end = bytes.lastIndex(of: UInt8(ascii: ")")) else { return nil }
        let fields = bytes[(end + 1)...].split(separator: UInt8(ascii: " "), maxSplits: 2)
        return fields.count > 1 ? pid_t(String(decoding: fields[1], as: UTF8.self)) : nil
    }

    private static func contents(_ path: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path).map(Array.init)
    }
}
