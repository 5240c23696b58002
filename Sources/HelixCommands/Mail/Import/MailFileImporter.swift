import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// Reads mail files and delivers their messages.
struct MailFileImporter {
    /// The result of an import.
    struct Outcome: Sendable {
        var copied = 0
        /// The number of copied messages of each mailbox.
        var mailboxes: [String: Int] = [:]
        /// Messages that got labels from a list of notmuch's tags.
        var labelled = 0
        /// Messages in such a list that helix does not have.
        var unlabelled = 0
        var known = 0
        var broken = 0
        /// Messages that are marked as deleted by the program that wrote the file.
        var deleted = 0
        /// Labels of the copied messages, by Message-ID.
        var labels: [(message: String, labels: [String])] = []
        var problems: [String] = []
    }

    private(set) var outcome = Outcome()
    private var copies: MailCopies
    /// The target; nil to copy nothing.
    private let delivery: MailDeliveries?
    /// The mailbox for all messages; nil to keep the mailboxes of the program that wrote the files.
    private let mailbox: String?
    /// The mailboxes of the target account.
    private let existing: [Mailbox]
    private let progress: ProgressLine
    private let totalBytes: Int
    private var bytesRead = 0
    /// Dovecot's lists of keywords, by the folder of the Maildir.
    private var keywords: [String: [Int: String]] = [:]
    /// Lists of notmuch's tags among the files.
    private(set) var tags: [NotmuchTags] = []

    init(
        copies: MailCopies, delivery: MailDeliveries?, mailbox: String?, existing: [Mailbox], progress: ProgressLine,
        totalBytes: Int
    ) {
        (self.copies, self.delivery, self.mailbox, self.existing) = (copies, delivery, mailbox, existing)
        (self.progress, self.totalBytes) = (progress, totalBytes)
    }

    /// Counts the messages of lists of tags.
    mutating func count(labelled: Int, unknown: Int) {
        outcome.labelled += labelled
        outcome.unlabelled += unknown
    }

    /// Imports a file, all files of a folder, or standard input.
    /// - Throws: ``HelixError`` if writing fails.
    mutating func take(_ path: String) throws {
        if path == "-" {
            return try take(FileStream.standardInput, "standard input", flags: [], mailbox: "INBOX")
        }
        var isFolder = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        if isFolder { return try takeFolder(path, below: []) }
        try takeFile(path, in: nil)
    }

    /// Imports the files in a folder and below it, by name, except hidden files and unfinished deliveries in `tmp`.
    /// - Parameter levels: the names of the folders between the one that was named and this one.
    private mutating func takeFolder(_ path: String, below levels: [String]) throws {
        guard let folder = opendir(path) else {
            outcome.problems.append("\(path) cannot be read")
            return
        }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(validatingCString: $0) }
            }
            if let name, name != ".", name != ".." { names.append(name) }
            if name == nil { outcome.problems.append("the name of a file in \(path) is not UTF-8: rename it first") }
        }
        closedir(folder)
        for name in names.sorted() where !ImportedMailbox.isSkipped(name) {
            let whole = path + "/" + name
            var info = stat()
            var link = Glibc.stat()
            let isLink = lstat(whole, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
            let isThere = stat(whole, &info) == 0
            if isThere, info.st_mode & S_IFMT == S_IFDIR, !isLink {
                try takeFolder(whole, below: levels + [name])
            } else if isThere, info.st_mode & S_IFMT != S_IFREG {
                // Reading a pipe would block, and links to folders may form cycles.
                outcome.problems.append("\(whole) is \(isLink ? "a link, but not to a file" : "not a regular file")")
            } else if !name.hasPrefix(".") {
                do { try takeFile(whole, in: levels) } catch let error as HelixError where error.code == .badInput {
                    // The rest of the folder is still imported.
                    outcome.problems.append(error.message)
                }
            }
        }
    }

    /// - Parameter levels: the folders above the file, below the one that was named; nil if the file itself was named.
    private mutating func takeFile(_ path: String, in levels: [String]?) throws {
        var info = stat()
        guard stat(path, &info) == 0, [S_IFREG, S_IFIFO].contains(info.st_mode & S_IFMT) else {
            outcome.problems.append("\(path) is not a regular file")
            return
        }
        guard let handle = FileStream(reading: path) else {
            outcome.problems.append("\(path) cannot be read")
            return
        }
        defer { try? handle.close() }
        func read(_ body: () throws -> Data) throws -> [UInt8] {
            do { return Array(try body()) } catch { throw HelixError(.io, "\(path) cannot be read") }
        }
        // A mail program keeps an empty file for an empty mailbox.
        if levels != nil, info.st_size == 0 { return }
        var isMbox = false
        if info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 {
            let head = try read { try handle.read(upToCount: 8192) }
            isMbox = ForeignFile.beginsMbox(head)
            if NotmuchTags.isList(head) {
                try? handle.seek(to: 0)
                tags.append(NotmuchTags(String(decoding: try read { try handle.readToEnd() }, as: UTF8.self)))
                return
            }
            try ForeignFile.refuse(head, path)
            try? handle.seek(to: 0)
        }
        // A file in a Maildir has its flags in its name.
        let parts = path.split(separator: "/")
        let name = parts.last ?? ""
        let letters = name.firstRange(of: ":2,").map { String(name[$0.upperBound...]) }
        let isMessage =
            letters != nil || name.lowercased().hasSuffix(".eml") || ["cur", "new"].contains(parts.dropLast().last)
        let isApple = path.lowercased().hasSuffix(".emlx")
        let mailbox = levels.map {
            // A folder may also have single messages without an ending, as MH does.
            ImportedMailbox.name($0, file: isMessage || isApple || !isMbox ? nil : String(name), isApple: isApple)
        }
        if isApple {
            let bytes = try read { try handle.readToEnd() }
            guard let found = ForeignFile.appleMail(bytes) else {
                throw HelixError(.badInput, "\(path) does not begin with its message's length, as an .emlx file must")
            }
            bytesRead += bytes.count
            return try add(found.message, flags: found.flags, mailbox: mailbox ?? "INBOX")
        }
        do {
            try take(
                handle, path, flags: letters.map { MessageFlags(maildir: $0.utf8) } ?? [],
                labels: letters.map { maildirLabels($0, path) } ?? [],
                isSingle: isMessage ? true : nil, mailbox: mailbox ?? "INBOX")
        } catch let error as HelixError where error.code == .badInput {
            throw HelixError(error.code, "\(path): \(error.message)", hint: error.hint)
        }
    }

    /// The labels that the letters of a file in a Maildir stand for, by the list that Dovecot keeps beside `cur`.
    private mutating func maildirLabels(_ letters: String, _ path: String) -> [String] {
        let places = letters.utf8.filter { (0x61...0x7A).contains($0) }.map { Int($0) - 0x61 }
        if places.isEmpty { return [] }
        let folder = path.deletingLastPathComponent.deletingLastPathComponent
        let names: [Int: String]
        if let known = keywords[folder] {
            names = known
        } else {
            let file = FileManager.default.contents(atPath: folder + "/dovecot-keywords")
            names = file.map { DovecotKeywords.read(String(decoding: $0, as: UTF8.self)) } ?? [:]
            keywords[folder] = names
            if file == nil {
                outcome.problems.append("\(folder)/dovecot-keywords, which names the labels of messages there")
            }
        }
        return ForeignMarks.labels(places.compactMap { names[$0] })
    }

    private mutating func take(
        _ handle: FileStream, _ name: String, flags: MessageFlags, labels: [String] = [], isSingle: Bool? = nil,
        mailbox: String
    ) throws {
        var isEmpty = true
        var isMbox = false
        var isFirst = true
        var reader = MboxReader(isSingle: isSingle) {
            do {
                let bytes = Array(try handle.read(upToCount: 1 << 20))
                if isFirst { isMbox = isSingle != true && ForeignFile.beginsMbox(bytes) }
                isFirst = false
                return bytes
            } catch {
                throw HelixError(.io, "cannot read the mailbox to its end: \(error.systemReason)")
            }
        }
        var importer = self
        // Messages imported before an error count, too.
        defer { self = importer }
        try reader.read { bytes in
            isEmpty = false
            importer.bytesRead += bytes.count
            try importer.add(bytes, flags: flags, labels: labels, mailbox: mailbox, isMbox: isMbox)
        }
        if isEmpty { importer.outcome.problems.append("\(name) is empty") }
    }

    /// Messages of at least this size in bytes are parsed from a file: the parser keeps its own copy of those in memory.
    private static let largeSize = 8 << 20

    /// Parses a message.
    private static func parsed(_ bytes: [UInt8]) throws -> MIMEMessage {
        guard bytes.count > largeSize else { return try MIMEMessage(bytes) }
        let file = TemporaryFolder.path + "/helix-import-\(UUID().uuidString)"
        // The parser keeps the file open while it needs it.
        defer { unlink(file) }
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return try MIMEMessage(bytes) }
        let isWritten = Terminal.write(bytes, to: descriptor)
        close(descriptor)
        return isWritten ? try MIMEMessage(path: file) : try MIMEMessage(bytes)
    }

    private mutating func add(
        _ bytes: [UInt8], flags: MessageFlags, labels: [String] = [], mailbox: String, isMbox: Bool = false
    ) throws {
        progress.update(
            outcome.copied + outcome.known,
            share: totalBytes > 0 ? Double(bytesRead) / Double(totalBytes) : nil)
        let message = try Self.parsed(bytes)
        // Programs that write mbox files keep the flags in their own headers.
        let marks = ForeignMarks(message, isMbox: isMbox)
        var bytes = bytes
        var summary = MessageSummary(message)
        if isMbox {
            let plain = MboxMarks.stripped(bytes)
            // Without a Message-ID, a message is known by its content.
            if plain.count != bytes.count, summary.messageID == nil { summary = MessageSummary(try Self.parsed(plain)) }
            bytes = plain
        }
        if marks.isDeleted {
            outcome.deleted += 1
            return
        }
        let target = MailDeliveries.target(self.mailbox ?? marks.mailbox ?? mailbox, among: existing)
        if try copies.isThere(summary, bytes, in: target, isMbox: isMbox) {
            outcome.known += 1
            return
        }
        if summary.traits.contains(.isBroken) { outcome.broken += 1 }
        let flags = flags.union(marks.flags)
        let labels =
            marks.labels
            + labels.filter { label in
                !marks.labels.contains { $0.lowercased() == label.lowercased() }
            }
        if !labels.isEmpty, let id = summary.messageID { outcome.labels.append((id, labels)) }
        try delivery?.deliver(
            bytes, to: target, at: summary.date ?? Instant(Int64(Date().timeIntervalSince1970)), flags: flags)
        outcome.copied += 1
        outcome.mailboxes[target, default: 0] += 1
    }
}
