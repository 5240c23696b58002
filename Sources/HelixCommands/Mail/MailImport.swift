import ArgumentParser
import Foundation
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail import`
struct MailImport: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "import", abstract: "Import mail from files into local mailboxes.",
        discussion: """
            Reads mbox files, single messages (.eml, .emlx), folders of both, Maildirs, and '-' for standard input. \
            Flags and labels of Thunderbird, Gmail (Takeout) and others are kept. Identical messages are not imported \
            again.

              helix mail import old.mbox
              helix mail import ~/Takeout/Mail --mailbox Takeout
              curl -s https://example.org/list.mbox | helix mail import - --mailbox List
            """)

    @Argument(help: ArgumentHelp("Files, folders, or '-'.", valueName: "file"), completion: .file())
    var files: [String]

    @Option(
        name: .long, help: ArgumentHelp("The local account to import into.", valueName: "name"),
        completion: .custom(CompletionLists.accounts))
    var account: String = "local"

    @Option(
        name: [.long, .customShort("m")], help: ArgumentHelp("The mailbox; created if missing.", valueName: "name"),
        completion: .custom(CompletionLists.mailboxes))
    var mailbox: String = "INBOX"

    @Flag(name: .long, help: "Show what would be imported, and change nothing.")
    var dryRun = false

    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        for file in files where file != "-" && !FileManager.default.fileExists(atPath: file) {
            throw HelixError(.notFound, "no file \(file)")
        }
        var folder = ""
        var target = try? store.mailAccount(named: account)
        if !dryRun {
            if target == nil, account != "local" {
                context.note(StyledText("Created the account '\(account)'.", .dim))
            }
            let made = try store.localAccount(named: account)
            target = made
            try store.indexMail(account: made.id, waits: true)
            folder = try store.mailboxFolder(mailbox, in: made)
        }
        let delivery = dryRun ? nil : try MailDelivery(folder: folder)
        var intent: DeliveryIntent?
        if let delivery, let target {
            do { intent = try store.beginDelivery(delivery, to: target, command: "mail import") } catch {
                delivery.finish()
                throw error
            }
        }
        var importer = MailFileImporter(copies: try MailCopies(store, account: target), delivery: delivery)
        var failure: (any Error)?
        do {
            for file in files { try importer.take(file) }
        } catch { failure = error }
        delivery?.finish()
        if let intent, let delivery {
            let count = importer.outcome.copied
            do {
                _ = try context.indexing { try store.indexMail(waits: true, progress: $0) }
                if let target { try Self.label(importer.outcome.labels, target, store) }
                try store.noteDelivery(delivery.mark, command: "mail import") {
                    "import \($0) \($0 == 1 ? "message" : "messages")"
                }
                intent.end()
            } catch {
                intent.leave()
                throw count == 0 ? failure ?? error : Self.unnoted(count, failure ?? error)
            }
        }
        if let failure { throw importer.outcome.copied == 0 ? failure : Self.partial(importer.outcome, failure) }
        try context.present(MailImportReport(outcome: importer.outcome, mailbox: mailbox, isDryRun: dryRun))
    }

    /// Adds the labels of other programs to the imported messages.
    private static func label(
        _ labels: [(message: String, labels: [String])], _ account: Account, _ store: Store
    ) throws {
        if labels.isEmpty { return }
        let groups = Dictionary(grouping: labels, by: \.labels)
        try store.change("label imported messages", command: "mail import") { change in
            for (labels, messages) in groups.sorted(by: { $0.key.joined() < $1.key.joined() }) {
                let ids = try messages.compactMap { try store.message(withID: $0.message, in: account)?.id }
                var edit = MessageEdit()
                (edit.addedLabels, edit.isOptional) = (labels, true)
                try change.editMessages(ids, edit)
            }
        }
    }

    /// The error of an interrupted import.
    private static func partial(_ outcome: MailFileImporter.Outcome, _ error: any Error) -> any Error {
        guard let error = error as? HelixError else { return error }
        let came = outcome.copied == 1 ? "1 message was" : "\(outcome.copied) messages were"
        return HelixError(
            error.code, "\(error.message); \(came) imported before that",
            hint: "Run the import again for the rest, or undo it: helix undo.")
    }

    /// The error where messages were delivered, but could not be recorded in the store.
    private static func unnoted(_ count: Int, _ error: any Error) -> any Error {
        return HelixError(
            (error as? HelixError)?.code ?? .io,
            "\(HelixError.reason(error)); \(count == 1 ? "1 message was" : "\(count) messages were") delivered to the mailbox",
            hint: "The next helix command indexes them and records them in the history, so that 'helix undo' can undo"
                + " the import. Importing again copies only missing messages.")
    }
}

/// Reads mail files and delivers their messages.
struct MailFileImporter {
    /// The result of an import.
    struct Outcome: Sendable {
        var copied = 0
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
    let delivery: MailDelivery?

    init(copies: MailCopies, delivery: MailDelivery?) {
        self.copies = copies
        self.delivery = delivery
    }

    /// Imports a file, all files of a folder, or standard input.
    /// - Throws: ``HelixError`` if writing fails.
    mutating func take(_ path: String) throws {
        if path == "-" { return try take(FileHandle.standardInput, "standard input", flags: []) }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return }
        if isFolder.boolValue { return try takeFolder(path) }
        try takeFile(path)
    }

    /// Imports the files in a folder and below it, by name, except hidden files and unfinished deliveries in `tmp`.
    private mutating func takeFolder(_ path: String) throws {
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
        for name in names.sorted() where name != "tmp" {
            let whole = path + "/" + name
            var info = stat()
            var link = Glibc.stat()
            let isLink = lstat(whole, &link) == 0 && link.st_mode & S_IFMT == S_IFLNK
            let isThere = stat(whole, &info) == 0
            if isThere, info.st_mode & S_IFMT == S_IFDIR, !isLink {
                try takeFolder(whole)
            } else if isThere, info.st_mode & S_IFMT != S_IFREG {
                // Reading a pipe would block, and links to folders may form cycles.
                outcome.problems.append("\(whole) is \(isLink ? "a link, but not to a file" : "not a regular file")")
            } else if !name.hasPrefix(".") {
                do { try takeFile(whole) } catch let error as HelixError where error.code == .badInput {
                    // The rest of the folder is still imported.
                    outcome.problems.append(error.message)
                }
            }
        }
    }

    private mutating func takeFile(_ path: String) throws {
        var info = stat()
        guard stat(path, &info) == 0, [S_IFREG, S_IFIFO].contains(info.st_mode & S_IFMT) else {
            outcome.problems.append("\(path) is not a regular file")
            return
        }
        guard let handle = FileHandle(forReadingAtPath: path) else {
            outcome.problems.append("\(path) cannot be read")
            return
        }
        defer { try? handle.close() }
        if info.st_mode & S_IFMT == S_IFREG, info.st_size > 0 {
            let head = Array((try? handle.read(upToCount: 8192)) ?? Data())
            try ForeignFile.refuse(head, path)
            try? handle.seek(toOffset: 0)
        }
        // A file in a Maildir has its flags in its name.
        let parts = path.split(separator: "/")
        let name = parts.last ?? ""
        let letters = name.firstRange(of: ":2,").map { String(name[$0.upperBound...]) }
        let isMessage =
            letters != nil || name.lowercased().hasSuffix(".eml") || ["cur", "new"].contains(parts.dropLast().last)
        if path.lowercased().hasSuffix(".emlx") {
            let bytes = Array((try? handle.readToEnd()) ?? Data())
            guard let found = ForeignFile.appleMail(bytes) else {
                throw HelixError(.badInput, "\(path) does not begin with its message's length, as an .emlx file must")
            }
            return try add(found.message, flags: found.flags)
        }
        do {
            try take(
                handle, path, flags: letters.map { MessageFlags(maildir: $0.utf8) } ?? [],
                isSingle: isMessage ? true : nil)
        } catch let error as HelixError where error.code == .badInput {
            throw HelixError(error.code, "\(path): \(error.message)", hint: error.hint)
        }
    }

    private mutating func take(
        _ handle: FileHandle, _ name: String, flags: MessageFlags, isSingle: Bool? = nil
    ) throws {
        var isEmpty = true
        var reader = MboxReader(isSingle: isSingle) {
            do {
                return Array(try handle.read(upToCount: 1 << 20) ?? Data())
            } catch {
                throw HelixError(.io, "cannot read the mailbox to its end: \(error.localizedDescription)")
            }
        }
        var importer = self
        // Messages imported before an error count, too.
        defer { self = importer }
        try reader.read { bytes in
            isEmpty = false
            try importer.add(bytes, flags: flags)
        }
        if isEmpty { importer.outcome.problems.append("\(name) is empty") }
    }

    /// Messages of at least this size in bytes are parsed from a file: the parser keeps its own copy of those in memory.
    private static let largeSize = 8 << 20

    /// Parses a message.
    private static func parsed(_ bytes: [UInt8]) throws -> MIMEMessage {
        guard bytes.count > largeSize else { return try MIMEMessage(bytes) }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helix-import-\(UUID().uuidString)")
        // The parser keeps the file open while it needs it.
        defer { unlink(file.path) }
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return try MIMEMessage(bytes) }
        let isWritten = Terminal.write(bytes, to: descriptor)
        close(descriptor)
        return isWritten ? try MIMEMessage(path: file.path) : try MIMEMessage(bytes)
    }

    private mutating func add(_ bytes: [UInt8], flags: MessageFlags) throws {
        let message = try Self.parsed(bytes)
        let summary = MessageSummary(message)
        if try copies.isThere(summary, bytes) {
            outcome.known += 1
            return
        }
        // Programs that write mbox files keep the flags in their own headers.
        let marks = ForeignMarks(message)
        if marks.isDeleted {
            outcome.deleted += 1
            return
        }
        if summary.traits.contains(.isBroken) { outcome.broken += 1 }
        let flags = flags.union(marks.flags)
        if !marks.labels.isEmpty, let id = summary.messageID { outcome.labels.append((id, marks.labels)) }
        try delivery?.deliver(bytes, at: summary.date ?? Instant(Int64(Date().timeIntervalSince1970)), flags: flags)
        outcome.copied += 1
    }
}

/// The result of an import, as a report.
struct MailImportReport: Report, ReportItem {
    static let schema = "helix.mail.import/1"
    static let isList = false
    let outcome: MailFileImporter.Outcome
    let mailbox: String
    let isDryRun: Bool
    var items: [MailImportReport] { [self] }

    static let fields = [
        SchemaField("copied", .integer, "Messages copied."),
        SchemaField("known", .integer, "Messages that existed already."),
        SchemaField("broken", .integer, "Malformed messages among those copied."),
        SchemaField("deleted", .integer, "Messages marked as deleted by the program that wrote the file."),
        SchemaField("problems", .array(.string), "Files that could not be read, with reasons."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("copied", outcome.copied)
        json.set("known", outcome.known)
        json.set("broken", outcome.broken)
        json.set("deleted", outcome.deleted)
        json.set("problems", outcome.problems)
        return json
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        let verb = isDryRun ? "would be copied" : "copied"
        canvas.line("\(outcome.copied) \(outcome.copied == 1 ? "message" : "messages") \(verb) to \(mailbox).")
        if outcome.known > 0 { canvas.line(StyledText("\(outcome.known) existed already.", .dim)) }
        if outcome.broken > 0 {
            let verb = outcome.broken == 1 ? "message is malformed and was" : "messages are malformed and were"
            canvas.line(StyledText("\(outcome.broken) \(verb) stored unchanged.", .dim))
        }
        if outcome.deleted > 0 {
            let verb = outcome.deleted == 1 ? "message was" : "messages were"
            canvas.line(
                StyledText(
                    "\(outcome.deleted) \(verb) deleted in the program that wrote the file, and skipped.", .dim))
        }
        for problem in outcome.problems.prefix(10) {
            canvas.paragraph("Not read: \(problem)", style: TextStyle(.yellow))
        }
    }
}
