import ArgumentParser
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix mail attachments`
struct MailAttachments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: "List, save and open attachments.",
        subcommands: [
            MailAttachmentsList.self, MailAttachmentsSave.self, MailAttachmentsOpen.self, MailAttachmentsExtract.self,
        ])
}

/// `helix mail attachments list`
struct MailAttachmentsList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List the attachments of a message.",
        discussion: "  helix mail attachments list k3f7")
    static let reports: [PrintedReport] = [.json(AttachmentReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        let file = try context.wholeFile(try context.messageID(id))
        let message = try context.readable(file, verifies: false).message
        try context.present(AttachmentReport(items: MessageAttachment.all(in: message)))
    }
}

/// `helix mail attachments save`
struct MailAttachmentsSave: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "save", abstract: "Save the attachments of a message.",
        discussion: """
            File names are sanitized, and existing files are overwritten only with --force.

              helix mail attachments save k3f7
              helix mail attachments save k3f7 2 --to ~/Downloads
            """)
    static let reports: [PrintedReport] = [.json(AttachmentReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Argument(help: ArgumentHelp("Only these, by number or name.", valueName: "part"))
    var parts: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Target folder; default: the current one.", valueName: "folder"),
        completion: .directory)
    var to: String = "."

    @Flag(name: .long, help: "Overwrite existing files.")
    var force = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        _ = try context.mailStore(mail)
        let file = try context.wholeFile(try context.messageID(id))
        let message = try context.readable(file, verifies: false).message
        let all = MessageAttachment.all(in: message)
        let chosen = try parts.isEmpty ? all : parts.map { try MessageAttachment.find($0, in: all) }
        let folder = UserPath.expanded(to, context.environment)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
            throw HelixError(.notFound, "no folder \(folder)", hint: "Create it first: mkdir -p \(folder)")
        }
        var saved: [MessageAttachment] = []
        var used: Set<String> = []
        for attachment in chosen {
            var attachment = attachment
            let path = try write(attachment, of: message, in: folder, &used)
            attachment.path = path
            saved.append(attachment)
        }
        try context.present(AttachmentReport(items: saved))
    }

    /// Writes an attachment into a new file; attachments with equal names are numbered.
    private func write(
        _ attachment: MessageAttachment, of message: MIMEMessage, in folder: String, _ used: inout Set<String>
    ) throws -> String {
        let name = attachment.safeName
        var candidate = attachment.safeName
        var number = 1
        while used.contains(candidate) {
            number += 1
            let suffix = name.pathExtension.isEmpty ? "" : "." + name.pathExtension
            candidate = "\(name.deletingPathExtension)-\(number)\(suffix)"
        }
        used.insert(candidate)
        let path = folder == "." ? candidate : folder + "/" + candidate
        try attachment.write(of: message, to: path, force: force)
        return path
    }
}

/// `helix mail attachments open`
struct MailAttachmentsOpen: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "open", abstract: "Open an attachment in its default program.",
        discussion: """
            Opens a temporary copy. The setting files.open replaces xdg-open.

              helix mail attachments open k3f7
              helix mail attachments open k3f7 2 --with zathura
            """)
    static let reports: [PrintedReport] = [.json(AttachmentReport.self)]

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Argument(help: ArgumentHelp("Attachment by number or name; needed if there are several.", valueName: "part"))
    var part: String?

    @Option(name: .long, help: ArgumentHelp("The program.", valueName: "program"))
    var with: String?

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let file = try context.wholeFile(try context.messageID(id))
        let message = try context.readable(file, verifies: false).message
        let all = MessageAttachment.all(in: message)
        let only = all.count == 1 ? all.first : nil
        guard let chosen = try part.map({ try MessageAttachment.find($0, in: all) }) ?? only else {
            let names = all.map { "\($0.part) \($0.name)" }.joined(separator: ", ")
            throw HelixError(
                all.isEmpty ? .notFound : .usage,
                all.isEmpty ? "the message has no attachments" : "the message has several attachments",
                hint: all.isEmpty ? nil : "Name one: \(names).")
        }
        let path = try store.lendFolder() + "/" + chosen.safeName
        try chosen.write(of: message, to: path, force: false)
        try context.open(
            path, called: chosen.name, with: with, otherwise: "'helix mail attachments save' writes a copy.")
        if output.isMachine { try context.present(AttachmentReport(items: [chosen])) }
    }
}

/// An attachment of a message.
struct MessageAttachment: DescribedItem {
    let part: Int
    let name: String
    let type: String
    let size: Int
    var path: String?

    /// Finds an attachment by its number or name.
    /// - Throws: ``HelixError`` of code `notFound`.
    static func find(_ word: String, in all: [MessageAttachment]) throws -> MessageAttachment {
        if let found = all.first(where: { "\($0.part)" == word || $0.name == word || $0.safeName == word }) {
            return found
        }
        let names = all.map { "\($0.part) \($0.name)" }.joined(separator: ", ")
        throw HelixError(
            .notFound, "no attachment '\(word)'",
            hint: all.isEmpty ? "The message has no attachments." : "Attachments: \(names).")
    }

    /// Writes the attachment to a file.
    /// - Throws: ``HelixError``: the file exists already, or cannot be written.
    func write(of message: MIMEMessage, to path: String, force: Bool) throws {
        let part = message.parts[part - 1]
        // Never follow a symbolic link.
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (force ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw HelixError(
                    .cannotCreate, "\(path) exists already", hint: "--force overwrites it; --to sets another folder.")
            }
            throw HelixError(.cannotCreate, "\(path) cannot be written: \(String(cString: strerror(errno)))")
        }
        var isWritten = true
        message.read(part) { piece in
            isWritten = Terminal.write(Array(piece), to: descriptor)
            return isWritten
        }
        let isClosed = close(descriptor) == 0
        if !isWritten || !isClosed {
            unlink(path)
            throw HelixError(.io, "\(path) cannot be written", hint: "Is the disk full?")
        }
    }

    static func all(in message: MIMEMessage) -> [MessageAttachment] {
        MessageBody(message).attachments.map { part in
            MessageAttachment(
                part: part.index + 1, name: part.label, type: part.type, size: message.size(of: part))
        }
    }

    /// The attachment's name as a safe file name, without folders.
    var safeName: String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        return FileName.safe(last, fallback: "part-\(part)")
    }

    static let described = list {
        Field("part", .integer, "Its number.") { $0.part }
        Field("name", .string, "Its name, as the sender gave it.") { $0.name }.foreign
        Field("type", .string, "Its media type.") { $0.type }
        Field("size", .integer, "Its size in bytes.") { $0.size }
        Field("path", .string, required: false, "The path it was saved to.") { $0.path }
    }

}

/// The attachments of a message.
struct AttachmentReport: CuttableReport {
    static let schema = "helix.mail.attachments/1"
    var items: [MessageAttachment]
    var isTruncated = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("No attachments.", .dim)) }
        var table = Table([.init(right: true), .init(minimum: 10), .init(right: true), .init(minimum: 6)])
        for item in items {
            table.row([
                StyledText("\(item.part)", .dim), StyledText(item.path.map { "saved \($0)" } ?? item.name, .bold),
                StyledText(ByteCount.text(item.size)), StyledText(item.type, .dim),
            ])
        }
        table.draw(on: &canvas)
    }
}
