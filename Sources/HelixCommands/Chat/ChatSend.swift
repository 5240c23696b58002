import ArgumentParser
import FoundationEssentials
import Glibc
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// `helix chat send`
struct ChatSend: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "send", abstract: "Send a chat message.",
        discussion: """
            Queues the message if there is no network; --wait returns when the gateway has confirmed or rejected it \
            (status 69 without a network). Without words, or with '-', reads standard input.

              helix chat send ana 'Are you coming?'
              helix chat send House --reply k3f7 'Yes'
              helix chat send House 'The plan' --attach plan.pdf
              df -h | helix chat send Notes -
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(
        help: "The conversation: a name, a person, or an id.", completion: .custom(CompletionLists.conversations)
    )
    var conversation: String

    @Argument(help: "The text; '-' reads standard input.")
    var text: [String] = []

    @Option(
        name: .long, help: ArgumentHelp("The message to reply to.", valueName: "id"),
        completion: .custom(CompletionLists.chatMessageIDs))
    var reply: String?

    @Option(
        name: [.customShort("a"), .long],
        help: ArgumentHelp("Attach a file; may be repeated.", valueName: "file"),
        completion: .file())
    var attach: [String] = []

    @Option(
        name: .long,
        help: ArgumentHelp("Add a text for programs; may be repeated.", valueName: "name=text"))
    var metadata: [String] = []

    @Flag(name: .long, help: "Wait until the gateway confirms.")
    var wait = false

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.count >= 2, words[1] != "-" else { return nil }
        var command = Self()
        (command.conversation, command.text, command.reply) = (words[0], Array(words.dropFirst()), nil)
        (command.attach, command.metadata, command.wait, command.output) = ([], [], false, .unset)
        command.changes = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        try context.checkWritable(found)
        let answered = try reply.map { try context.chatMessage($0) }
        if let answered, answered.conversation != found.id {
            throw HelixError(.usage, "the message \(answered.id.text.prefix(6)) is not in '\(found.name)'")
        }
        let words = try ChatSend.words(text, context.invocation, isNeeded: attach.isEmpty)
        let details = ChatDetails(metadata: try ChatSend.texts(metadata))
        let files = try context.chatFiles(attach)
        defer { for file in files { file.staged.discard() } }
        let sender = try context.chatName(in: found)
        let said = try store.change("send a message in '\(found.name)'", command: "chat send") { change in
            try change.say(words, in: found, sender: sender, replyTo: answered?.id, files: files, details: details)
        }
        if wait, !context.isDryRun, found.account != nil {
            do { try context.sendChat(said, in: found) } catch let error as HelixError where error.code != .conflict {
                // Without this hint the user would send the message again.
                let id = said.id.text.prefix(6)
                throw HelixError(
                    error.code, error.message,
                    hint:
                        "It is queued as \(id); send it with 'helix sync', or run 'helix outbox cancel \(id)'."
                        + (error.hint.map { " " + $0 } ?? ""))
            }
        }
        try context.present(ChatReport(items: try context.chatItems([try store.chatMessage(said.id)])), ids: [said.id])
        if !wait { context.deliverChat(found) }
        if found.kind == .assistant, found.account == nil {
            context.note(StyledText("The assistant is not asked; use helix chat ask --in '\(found.name)'", .dim))
        }
    }

    /// The texts that programs read, by name.
    /// - Throws: ``HelixError`` of code `usage` for one without a name, or too many.
    static func texts(_ arguments: [String]) throws -> [String: String] {
        var texts: [String: String] = [:]
        for argument in arguments {
            guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else {
                throw HelixError(
                    .usage, "'\(argument)' is not of the form name=text", hint: "Example: --metadata place=office.")
            }
            let name = String(argument[..<sign])
            guard texts.updateValue(String(argument[argument.index(after: sign)...]), forKey: name) == nil else {
                throw HelixError(.usage, "the metadata '\(name)' is given twice", hint: "Give each name once.")
            }
        }
        guard ChatDetails.fits(texts) else {
            throw HelixError(
                .usage,
                "metadata is limited to \(ChatDetails.mostMetadata) texts and \(ChatDetails.largestMetadata >> 10) KiB",
                hint: "Send it as an attachment: --attach FILE.")
        }
        return texts
    }

    /// The text of a message: the arguments, or standard input.
    static func words(_ text: [String], _ invocation: Invocation, isNeeded: Bool = true) throws -> String {
        if text == ["-"] || text.isEmpty && isNeeded && !invocation.console.isInputTerminal {
            let data = try invocation.inputData()
            guard let words = String(data: data, encoding: .utf8) else {
                throw HelixError(
                    .badInput, "standard input is not UTF-8 text", hint: "Send it as a file with --attach FILE.")
            }
            return words.hasSuffix("\n") ? String(words.dropLast()) : words
        }
        return text.joined(separator: " ")
    }
}

extension CommandContext {
    /// Attachments for a message, with copies of the files beside the store.
    /// - Throws: ``HelixError``: no such file, one that is too large.
    func chatFiles(_ paths: [String]) throws -> [ChatFile] {
        let store = try store()
        var files: [ChatFile] = []
        do {
            for path in paths {
                let url = URL(fileURLWithPath: path)
                let staged = try store.stageFile(url.path)
                files.append(
                    ChatFile(staged: staged, name: url.lastPathComponent, type: MediaType.of(url.lastPathComponent)))
                guard staged.size <= ChatAttachment.largest else {
                    throw HelixError(
                        .usage,
                        "\(path) has \(ByteCount.text(staged.size)); at most \(ByteCount.text(ChatAttachment.largest))"
                    )
                }
            }
        } catch {
            for file in files { file.staged.discard() }
            throw error
        }
        return files
    }
}
