import FoundationEssentials
import Glibc
import HelixMail
import HelixModel

/// The name of a message's file in a Maildir (https://cr.yp.to/proto/maildir.html): a unique base name, and flags.
struct MaildirName: Hashable, Sendable {
    /// The part before `:2,`, which does not change with the flags.
    var base: String
    /// The letters after `:2,`.
    var letters: String

    init(base: String, letters: String) {
        self.base = base
        self.letters = letters
    }

    init(_ name: String) {
        var name = name
        self = name.withUTF8 { bytes in
            let end = MaildirName.endOfBase(bytes)
            return MaildirName(
                base: String(decoding: bytes[..<end], as: UTF8.self),
                letters: String(decoding: bytes[min(end + 3, bytes.count)...], as: UTF8.self))
        }
    }

    /// The base name without the UID that some sync programs add; in another mailbox it would mean another message.
    static func withoutUID(_ base: String) -> String {
        guard let mark = base.firstRange(of: ",U=") else { return base }
        let digits = base[mark.upperBound...].prefix { $0.isASCII && $0.isNumber }
        return String(base[..<mark.lowerBound] + base[digits.endIndex...])
    }

    /// A new name for a file whose name is taken. The part after a comma, such as the size, is kept.
    static func another(for base: String) -> String {
        let comma = base.firstIndex(of: ",") ?? base.endIndex
        return base[..<comma] + ".h" + EntityID().text.prefix(8) + base[comma...]
    }

    /// The length of the base name in bytes: those before `:2,`. Systems that do not allow colons use other characters.
    static func endOfBase(_ name: UnsafeBufferPointer<UInt8>) -> Int {
        var place = name.count - 3
        while place > 0 {
            if name[place + 2] == UInt8(ascii: ","), name[place + 1] == UInt8(ascii: "2"),
                name[place] == UInt8(ascii: ":") || name[place] == UInt8(ascii: ";") || name[place] == UInt8(ascii: "!")
            {
                return place
            }
            place -= 1
        }
        return name.count
    }
}

/// A message's file in a folder.
struct MaildirEntry: Sendable {
    /// The complete file name.
    var name: String
    /// Whether it is in `new`, because it was not seen yet.
    var isNew: Bool
}

/// A Maildir on disk. No method changes a message's bytes.
enum MaildirFolder {
    /// The time at which a folder was last changed, in nanoseconds; nil if it does not exist.
    static func changedAt(_ path: String) -> Int64? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { return nil }
        return Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }

    /// Passes the names in a folder to `body`, except those that begin with a dot.
    /// - Throws: ``HelixError`` of code `io` or `notAllowed` if it exists and cannot be read to its end.
    static func names(_ path: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Void) throws {
        guard let folder = opendir(path) else {
            if errno == ENOENT { return }
            throw unreadable(path, errno)
        }
        defer { closedir(folder) }
        while let entry = try next(folder, path) {
            try withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                try pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { name in
                    if name[0] == UInt8(ascii: ".") { return }
                    try body(UnsafeBufferPointer(start: name, count: length(name)))
                }
            }
        }
    }

    /// The next entry of a folder; nil at its end. An error of the disk is no end.
    private static func next(_ folder: OpaquePointer, _ path: String) throws -> UnsafeMutablePointer<dirent>? {
        errno = 0
        if let entry = readdir(folder) { return entry }
        if errno != 0 { throw unreadable(path, errno) }
        return nil
    }

    private static func unreadable(_ path: String, _ problem: Int32) -> HelixError {
        HelixError(
            problem == EACCES ? .notAllowed : .io,
            "cannot read the folder \(path): \(String(cString: strerror(problem)))",
            hint: "Give yourself read permission, or remove the account: helix account remove NAME.")
    }

    /// Rejects a folder that was a mailbox and is a part of one now: to read it as an empty mailbox would lose its messages.
    /// - Throws: ``HelixError`` of code `io`.
    static func requireWhole(_ folder: String) throws {
        if changedAt(folder + "/cur") != nil { return }
        // Programs remove all three folders of a mailbox that has others in it.
        let left = ["cur", "new", "tmp"].filter { access(folder + "/" + $0, F_OK) == 0 || errno != ENOENT }
        guard left.isEmpty else {
            throw HelixError(
                .io,
                "the mailbox \(folder) has no folder 'cur' that can be read; its messages are kept in the index",
                hint: "Restore the folder, or remove the whole mailbox.")
        }
    }

    /// The names of all files of a mailbox, without their flags.
    /// - Throws: ``HelixError`` if its folder cannot be read.
    static func files(_ folder: String) throws -> Set<String> {
        try requireWhole(folder)
        var found: Set<String> = []
        for part in ["/new", "/cur"] {
            try names(folder + part) { bytes in
                found.insert(String(decoding: bytes[..<MaildirName.endOfBase(bytes)], as: UTF8.self))
            }
        }
        return found
    }

    private static func length(_ name: UnsafePointer<UInt8>) -> Int {
        var count = 0
        while count < 255, name[count] != 0 { count += 1 }
        return count
    }

    /// The folders of an account: the mailboxes, and all visited folders with their times of change.
    ///
    /// Both kinds of nesting are supported: names that begin with a dot (Maildir++), and folders in folders.
    static func mailboxes(
        below root: String
    ) throws -> (mailboxes: [String], folders: [String: Int64], problems: [String]) {
        var mailboxes: [String] = []
        var folders: [String: Int64] = [:]
        var problems: [String] = []
        // Links can make one folder appear in several places.
        var seen: Set<[UInt64]> = []
        func visit(_ path: String, _ depth: Int) throws {
            let whole = path.isEmpty ? root : root + "/" + path
            guard let time = changedAt(whole), let place = place(of: whole), seen.insert(place).inserted else { return }
            folders[path] = time
            if changedAt(whole + "/cur") != nil { mailboxes.append(path) }
            guard depth < 12, folders.count < 20_000 else { return }
            guard let folder = opendir(whole) else {
                problems.append("cannot read the folder \(whole): \(String(cString: strerror(errno)))")
                return
            }
            var inner: [String] = []
            defer { closedir(folder) }
            while let entry = try next(folder, whole) {
                // Most file systems report the type of an entry, so that message files need no further system call.
                guard
                    entry.pointee.d_type == UInt8(DT_DIR) || entry.pointee.d_type == UInt8(DT_UNKNOWN)
                        || entry.pointee.d_type == UInt8(DT_LNK)
                else { continue }
                let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
                }
                guard let name else {
                    problems.append("a folder in \(whole) has a name that is not UTF-8")
                    continue
                }
                if [".", "..", "cur", "new", "tmp", ".notmuch", ".git", ".mu", ".nnmaildir"].contains(name) {
                    continue
                }
                inner.append(name)
            }
            for name in inner.sorted() { try visit(path.isEmpty ? name : path + "/" + name, depth + 1) }
        }
        try visit("", 0)
        return (mailboxes, folders, problems)
    }

    /// The device and inode of a folder, which identify it under any name.
    private static func place(of path: String) -> [UInt64]? {
        var info = stat()
        return stat(path, &info) == 0 ? [UInt64(info.st_dev), UInt64(info.st_ino)] : nil
    }

    /// A level of a mailbox's name, encoded for a folder. A dot would begin another level, and is encoded.
    static func part(_ name: some StringProtocol) -> String {
        ModifiedUTF7.encoded(String(name)).replacing(".", with: "&AC4-")
    }

    /// The name of the mailbox at `path` below its account.
    static func name(of path: String) -> String {
        if path.isEmpty { return "INBOX" }
        let last = path.split(separator: "/")
        let parts = last.flatMap { part -> [String] in
            guard part.hasPrefix(".") else { return [String(part)] }
            return part.dropFirst().split(separator: ".").map(String.init)
        }
        let name = parts.map(ModifiedUTF7.decoded).joined(separator: "/")
        return name.lowercased() == "inbox" ? "INBOX" : name
    }
}

extension MaildirFolder {
    /// The path of a message's file, even if its flags were changed since it was indexed.
    /// - Throws: ``HelixError`` of code `notFound`.
    static func find(_ base: String, in folder: String, isNew: Bool, letters: String) throws -> String {
        let likely = isNew ? ["/new/" + base, "/cur/" + base + ":2," + letters] : ["/cur/" + base + ":2," + letters]
        for path in likely + ["/cur/" + base, "/new/" + base + ":2," + letters] where access(folder + path, F_OK) == 0 {
            return folder + path
        }
        var found: String?
        for part in ["/cur", "/new"] where found == nil {
            try names(folder + part) { bytes in
                let name = String(decoding: bytes, as: UTF8.self)
                if MaildirName(name).base == base { found = folder + part + "/" + name }
            }
        }
        if let found { return found }
        throw HelixError(
            .notFound, "the message's file is no longer in \(folder)",
            hint: "Find moved mail with 'helix mail index'.")
    }
}

extension MaildirFolder {
    /// A reliable time of change: a folder that was changed a moment ago may be changed again without getting another
    /// time.
    static func settled(_ time: Int64) -> Int64 {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let nanoseconds = Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
        return nanoseconds - time < 100_000_000 ? time - 1 : time
    }
}
