import ArgumentParser
import FoundationEssentials
import Glibc
import HelixModel
import HelixStore
import HelixTerminal

/// `helix chat message`
struct ChatMessageCommand: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "message", abstract: "Show, edit or delete a message, or create a task or event from it.",
        discussion: """
            Owners and admins of a group delete the messages of others, too; that cannot be undone.

            The new task or event is linked to the message; 'helix show' lists links. Words after the id are read as by \
            'tasks add' and 'cal add'; a shared event is added unchanged.

              helix chat message k3f7
              helix chat message k3f7 --edit 'Yes, at nine'
              helix chat message k3f7 --delete
              helix chat message k3f7 --to-task due:fri +house
              helix chat message k3f7 --to-event tomorrow 12:30
              helix chat message k3f7 --save ~/Downloads
              helix chat message k3f7 --link 1
            """)
    static let reports: [PrintedReport] = [
        .json(ChatReport.self), .json(TaskChangeReport.self), .json(SavedReport.self), .json(AttachmentReport.self),
    ]

    @Argument(
        help: ArgumentHelp("The message, by its id.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var id: String

    @Argument(
        help: ArgumentHelp("Fields of the new task or event, as in 'tasks add' and 'cal add'.", valueName: "words"))
    var words: [String] = []

    @Flag(name: .long, help: "Create a task from it.")
    var toTask = false

    @Flag(name: .long, help: "Create an event from it.")
    var toEvent = false

    @Option(name: .long, help: ArgumentHelp("Replace the text.", valueName: "text"))
    var edit: String?

    @Flag(name: .long, help: "Delete it for everyone.")
    var delete = false

    @Flag(name: .long, help: "Retry sending.")
    var retry = false

    @Option(
        name: .long, help: ArgumentHelp("Save its attachments into this folder.", valueName: "folder"),
        completion: .directory)
    var save: String?

    @Option(name: .long, help: ArgumentHelp("Open a link of its text, by its number from 1.", valueName: "n"))
    var link: Int?

    @Flag(name: .long, help: "With --save, overwrite existing files.")
    var force = false

    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        let chosen = [toTask, toEvent, edit != nil, delete, retry, save != nil, link != nil].count { $0 }
        if chosen > 1 { throw ValidationError("Choose only one action.") }
        if !words.isEmpty, !toTask, !toEvent {
            throw ValidationError("Words after the id require --to-task or --to-event.")
        }
        if let link, link < 1 { throw ValidationError("--link takes a number from 1.") }
        if force, save == nil { throw ValidationError("--force requires --save.") }
    }

    func run(in context: CommandContext) throws {
        let message = try context.chatMessage(id)
        if toTask { return try add("tasks", message, context) }
        if toEvent {
            if words.isEmpty, try addShared(message, context) { return }
            return try add("cal", message, context)
        }
        if let link {
            return try context.open(
                link: link, of: message.links, shows: "helix chat message \(message.id.text.prefix(6))")
        }
        let store = try context.store()
        let conversation = try store.conversation(message.conversation)
        if let edit {
            let changed = try store.change("change a message in '\(conversation.name)'", command: "chat message") {
                try $0.edit(message, content: edit)
            }
            try present(changed, context)
            return context.deliverChat(conversation)
        }
        if delete {
            try context.confirm("Delete '\(message.brief.prefix(60))'?", yes: yes)
            // Owners and admins of a group remove the messages of others; the gateway decides.
            if !message.isMine, message.number != nil, conversation.kind == .group,
                conversation.role?.isInCharge == true
            {
                return try context.changeAtGateway(
                    message, "chat.delete", .object([]),
                    plan: "remove a message of \(message.sender) from '\(conversation.name)'")
            }
            try store.change("delete a message in '\(conversation.name)'", command: "chat message") {
                try $0.delete(message)
            }
            var gone = message
            (gone.isDeleted, gone.content, gone.attachments) = (true, "", [])
            try context.present(
                ChatReport(items: try context.chatItems([gone])), shortIDs: [gone.id: String(gone.id.text.prefix(6))])
            return context.deliverChat(conversation)
        }
        if retry {
            guard message.state == .failed || message.state == .pending else {
                throw HelixError(.usage, "the message was sent already")
            }
            try store.change("retry sending a message", command: "chat message") { try $0.retry(message) }
            try present(try store.chatMessage(message.id), context)
            return context.deliverChat(conversation)
        }
        if let save { return try self.save(message, to: save, context) }
        try present(message, context)
        if !output.isMachine, message.isMine, conversation.account != nil, message.number != nil {
            try context.presentMembers(of: conversation)
        }
    }

    private func present(_ message: ChatMessage, _ context: CommandContext) throws {
        var items = try context.chatItems([message])
        for place in items.indices { items[place].isDetailed = true }
        try context.present(ChatReport(items: items), ids: [message.id])
    }

    /// Creates a task or an event, with the command for it.
    private func add(_ noun: String, _ message: ChatMessage, _ context: CommandContext) throws {
        if noun == "tasks" {
            var add = try TasksAdd.parse(["--from-chat", message.id.text])
            (add.text, add.output) = (words, output)
            return try add.run(in: context)
        }
        var add = try CalAdd.parse(["--from-chat", message.id.text])
        (add.words, add.output) = (words, output)
        try add.run(in: context)
    }

    /// Adds the event that was shared with the message.
    /// - Returns: false if there is none.
    private func addShared(_ message: ChatMessage, _ context: CommandContext) throws -> Bool {
        for file in message.attachments where file.type == "text/calendar" {
            let path = try context.chatFile(file, of: message)
            let text = FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            var add = try CalAdd.parse(["--from-chat", message.id.text])
            add.output = output
            if try add.addEvents(in: text, linkedWith: message.id, context) { return true }
        }
        return false
    }

    private func save(_ message: ChatMessage, to folder: String, _ context: CommandContext) throws {
        let folder = UserPath.expanded(folder, context.environment)
        var isFolder = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder else {
            throw HelixError(.notFound, "no folder \(folder)", hint: "Create it first: mkdir -p \(folder)")
        }
        if message.attachments.isEmpty { throw HelixError(.notFound, "the message has no attachments") }
        var items: [MessageAttachment] = []
        for (place, file) in message.attachments.enumerated() {
            let name = FileName.safe(
                file.name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? "", fallback: "file-\(place + 1)")
            let target = folder == "." ? name : folder + "/" + name
            if !force, access(target, F_OK) == 0 {
                throw HelixError(.cannotCreate, "\(target) exists already", hint: "Overwrite it with --force.")
            }
            _ = try context.chatFile(file, of: message)
            try context.store().copy(file, to: target)
            items.append(
                MessageAttachment(part: place + 1, name: file.name, type: file.type, size: file.size, path: target))
        }
        try context.present(AttachmentReport(items: items))
    }
}
