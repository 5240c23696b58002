import ArgumentParser
import Foundation
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail attachments`
struct MailAttachments: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments", abstract: "What is attached to a message.",
        subcommands: [MailAttachmentsList.self, MailAttachmentsSave.self])
}

/// `helix mail attachments list`
struct MailAttachmentsList: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List what is attached to a message.",
        discussion: "  helix mail attachments list k3f7")

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let file = try store.messageFile(try context.messageID(id))
        try context.present(AttachmentReport(items: try MessageAttachment.all(in: file)))
    }
}

/// `helix mail attachments save`
struct MailAttachmentsSave: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "save", abstract: "Save what is attached to a message.",
        discussion: """
            Names come from strangers: what could lead out of the folder is taken out of them, and nothing that is there is \
            written over without --force.

              helix mail attachments save k3f7
              helix mail attachments save k3f7 2 --to ~/Downloads
            """)

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Argument(help: ArgumentHelp("Only these, by number or name.", valueName: "part"))
    var parts: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("The folder to save in; the current one if none is named.", valueName: "folder"),
        completion: .directory)
    var to: String = "."

    @Flag(name: .long, help: "Write over files that are there.")
    var force = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let file = try store.messageFile(try context.messageID(id))
        let message = try MIMEMessage(path: file)
        let all = try MessageAttachment.all(in: file)
        let chosen =
            try parts.isEmpty
            ? all
            : parts.map { word in
                guard let found = all.first(where: { "\($0.part)" == word || $0.name == word || $0.safeName == word })
                else {
                    let names = all.map { "\($0.part) \($0.name)" }.joined(separator: ", ")
                    throw HelixError(
                        .notFound, "nothing attached is '\(word)'",
                        hint: all.isEmpty ? "Nothing is attached to it." : "There are: \(names).")
                }
                return found
            }
        let folder = (to as NSString).expandingTildeInPath
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw HelixError(.notFound, "there is no folder \(folder)", hint: "Make it first: mkdir -p.")
        }
        var saved: [MessageAttachment] = []
        var used: Set<String> = []
        for attachment in chosen {
            var attachment = attachment
            let path = try write(attachment, of: message, in: folder, &used)
            attachment.path = path
            saved.append(attachment)
        }
        var report = AttachmentReport(items: saved)
        report.isSaved = true
        try context.present(report)
    }

    /// Writes an attachment into a new file; two of one name get numbers.
    private func write(
        _ attachment: MessageAttachment, of message: MIMEMessage, in folder: String, _ used: inout Set<String>
    ) throws -> String {
        let name = attachment.safeName as NSString
        var candidate = attachment.safeName
        var number = 1
        while used.contains(candidate) {
            number += 1
            let suffix = name.pathExtension.isEmpty ? "" : "." + name.pathExtension
            candidate = "\(name.deletingPathExtension)-\(number)\(suffix)"
        }
        used.insert(candidate)
        let path = folder == "." ? candidate : folder + "/" + candidate
        let part = message.parts[attachment.part - 1]
        // Never through a link that somebody laid there.
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (force ? O_TRUNC : O_EXCL)
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else {
            if errno == EEXIST {
                throw HelixError(
                    .cannotCreate, "\(path) exists already", hint: "--force writes over it; --to names a folder.")
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
        return path
    }
}

/// Something attached to a message.
struct MessageAttachment: ReportItem {
    let part: Int
    let name: String
    let type: String
    let size: Int
    var path: String?

    static func all(in file: String) throws -> [MessageAttachment] {
        let message = try MIMEMessage(path: file)
        return MessageBody(message).attachments.filter { $0.kind == .leaf }.map { part in
            var size = 0
            message.read(part) { piece in
                size += piece.count
                return true
            }
            return MessageAttachment(part: part.index + 1, name: part.label, type: part.type, size: size)
        }
    }

    /// The name as a file of this machine may have it: no folders, no control characters, not hidden, not too long.
    var safeName: String {
        let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last.map(String.init) ?? ""
        var safe = SafeText.line(last).filter { $0 != "\u{FFFD}" && $0 != ":" }
        while safe.hasPrefix(".") || safe.hasPrefix("-") || safe.hasPrefix(" ") { safe.removeFirst() }
        while safe.utf8.count > 200 { safe.removeLast() }
        while safe.last == " " || safe.last == "." { safe.removeLast() }
        if safe.isEmpty { safe = "part-\(part)" }
        return safe
    }

    static let fields = [
        SchemaField("part", .integer, "Its number."),
        SchemaField("name", .string, "Its name, as the sender gave it."),
        SchemaField("type", .string, "Its media type."),
        SchemaField("size", .integer, "Its bytes."),
        SchemaField("path", .string, required: false, "Where it was saved."),
    ]

    func json(for viewer: Viewer) -> JSONObject {
        var json = JSONObject()
        json.set("part", part)
        json.set("name", name)
        json.set("type", type)
        json.set("size", size)
        json.set("path", path)
        return json
    }
}

/// What is attached.
struct AttachmentReport: CuttableReport {
    static let schema = "helix.mail.attachments/1"
    var items: [MessageAttachment]
    var isTruncated = false
    var isSaved = false

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing is attached to it.", .dim)) }
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
