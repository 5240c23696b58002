import FoundationEssentials
import Glibc
import HelixModel
import HelixSystem

/// The programs gocryptfs and fusermount3, which encrypt a folder and show it decrypted at another place.
public enum GocryptFS {
    /// The version of the program; nil if it is not installed.
    public static var version: String? {
        guard let process = try? Subprocess("gocryptfs", ["-version"], input: .null, output: .pipe, errors: .null),
            let bytes = process.readOutput(within: 10), process.wait() == 0
        else { return nil }
        // gocryptfs 2.3; go-fuse 2.1.0; 2023-04-09 go1.19.8 linux/amd64
        let words = String(decoding: bytes, as: UTF8.self).split(separator: ";")
        return words.first?.split(separator: " ").last.map(String.init)
    }

    /// Makes an encrypted folder.
    /// - Parameter cipher: an empty folder.
    /// - Throws: ``HelixError``.
    static func create(_ cipher: String, password: String) throws {
        try run(["-init", "-q", "-passfile", "/dev/stdin", "--", cipher], input: password + "\n", for: cipher)
    }

    /// Shows an encrypted folder decrypted at an empty folder.
    /// - Throws: ``HelixError``.
    static func mount(_ cipher: String, at place: String, password: String) throws {
        // Each command opens the store anew. With the pages that the kernel keeps between them, searches take a quarter of
        // the time; nothing else changes the files of an open vault.
        try run(
            ["-q", "-kernel_cache", "-passfile", "/dev/stdin", "-fsname", "helix", "--", cipher, place],
            input: password + "\n",
            for: place)
    }

    /// Shows an encrypted folder by its key, for reading only.
    /// - Throws: ``HelixError``.
    static func show(_ cipher: String, at place: String, masterKey: String) throws {
        try run(["-q", "-ro", "-masterkey", "stdin", "--", cipher, place], input: masterKey + "\n", for: place)
    }

    /// Changes the password.
    /// - Parameter masterKey: the recovery key, in place of the former password.
    /// - Throws: ``HelixError``.
    static func changePassword(_ cipher: String, from former: String?, masterKey: String?, to password: String) throws {
        var words = ["-passwd", "-q"]
        if masterKey != nil { words += ["-masterkey", "stdin"] }
        let lines = [masterKey ?? former ?? "", password]
        // It keeps the former file, and refuses if there is one.
        let copy = cipher + "/gocryptfs.conf.bak"
        unlink(copy)
        try run(words + ["--", cipher], input: lines.map { $0 + "\n" }.joined(), for: cipher)
        unlink(copy)
    }

    /// The key with which the files are encrypted, in hexadecimal digits: it opens the vault without its password.
    /// - Throws: ``HelixError``.
    static func masterKey(_ cipher: String, password: String) throws -> String {
        let process: Subprocess
        do {
            process = try Subprocess(
                "gocryptfs-xray", ["-dumpmasterkey", cipher + "/gocryptfs.conf"], input: .pipe, output: .pipe,
                errors: .null)
            try process.input?.write(Array((password + "\n").utf8))
            try process.input?.close()
        } catch { throw missing }
        guard let bytes = process.readOutput(within: 60), process.wait() == 0 else { throw HomeLock.wrong }
        return String(decoding: bytes, as: UTF8.self).filter(\.isHexDigit)
    }

    /// Ends the decrypted view.
    /// - Parameter force: whether also for programs that have files in it open; their next access fails.
    /// - Throws: ``HelixError`` of code `busy`.
    static func unmount(_ place: String, cipher: String, force: Bool) throws {
        // The kernel gives up the files of a process that has just ended a moment later.
        for _ in 0..<(force ? 1 : 40) {
            if try fusermount(["-u", place]) { return }
            usleep(50_000)
        }
        if force {
            // A lazy unmount alone would leave the key in memory, and the files readable.
            for process in OpenFiles.processes(named: "gocryptfs", with: cipher) { kill(process, SIGKILL) }
            if try fusermount(["-u", "-z", place]) { return }
        }
        throw HelixError(
            .busy, "the vault cannot be closed: something has a file in it open",
            hint: "Close what uses \(place), or pass --force.")
    }

    /// Runs fusermount3.
    /// - Returns: whether it succeeded.
    private static func fusermount(_ words: [String]) throws -> Bool {
        for name in ["fusermount3", "fusermount"] {
            if let process = try? Subprocess(name, words, input: .null, output: .null, errors: .null) {
                let status = process.wait()
                if status != 127 { return status == 0 }
            }
        }
        throw HelixError(.configuration, "no program fusermount3", hint: "apt-get install fuse3")
    }

    private static let missing = HelixError(
        .configuration, "gocryptfs, which encrypts the vault, is not installed",
        hint: "apt-get install gocryptfs fuse3")

    /// Runs gocryptfs. A process that stays in the background keeps its streams, so errors go to a file and not to a pipe.
    private static func run(_ words: [String], input: String, for subject: String) throws {
        guard version != nil else { throw missing }
        var log = Array("\(TemporaryFolder.path)/helix-XXXXXX".utf8CString)
        let descriptor = mkstemp(&log)
        guard descriptor >= 0 else { throw HelixError(.cannotCreate, "no temporary file") }
        let path = String(decoding: log.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            Glibc.close(descriptor)
            unlink(path)
        }
        let status: Int
        do {
            let process = try Subprocess(
                "/bin/sh", ["-c", "exec gocryptfs \"$@\" >\"$0\" 2>&1", path] + words, input: .pipe, stays: true)
            try process.input?.write(Array(input.utf8))
            try process.input?.close()
            status = process.wait()
        } catch { throw HelixError(.io, "gocryptfs cannot be run (\(error.systemReason))") }
        switch status {
        case 0: return
        case 12: throw HomeLock.wrong
        case 10:
            throw HelixError(
                .io, "\(subject) is not empty: files were written there while the vault was closed",
                hint: "Move them away, and open the vault again.")
        case 127: throw missing
        default:
            let said = (FileManager.default.contents(atPath: path)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            let line = said.split(separator: "\n").last.map { String($0).filter { $0.isASCII && $0 >= " " } } ?? ""
            throw HelixError(
                .io, "gocryptfs failed with status \(status)\(line.isEmpty ? "" : ": \(line)")",
                hint: access("/dev/fuse", F_OK) != 0
                    ? "This system has no FUSE: there is no /dev/fuse."
                    : access("/dev/fuse", R_OK | W_OK) != 0
                        ? "You may not use FUSE: see the permissions of /dev/fuse." : nil)
        }
    }
}
