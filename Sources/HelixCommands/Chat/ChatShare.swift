import ArgumentParser
import FoundationEssentials
import HelixCalendar
import HelixMail
import HelixModel
import HelixStore
import HelixSync
import HelixTerminal

/// `helix chat share`
struct ChatShare: ChangingCommand {
    static let about = CommandConfiguration(
        commandName: "share", abstract: "Share an event, a task, a mail or a file in a conversation.",
        discussion: """
            Sends text and a file: iCalendar for events and tasks, the message itself for mail. Recipients add an event \
            with 'helix chat message ID --to-event'. The message is linked to the shared item.

              helix chat share ana k3f7
              helix chat share House x2b9 k3f7 --message 'The plan'
            """)
    static let reports: [PrintedReport] = [.json(ChatReport.self)]

    @Argument(help: "The conversation.", completion: .custom(CompletionLists.conversations))
    var conversation: String

    @Argument(
        help: ArgumentHelp("Events, tasks, messages or files, by their ids.", valueName: "id"),
        completion: .custom(CompletionLists.entityIDs))
    var items: [String]

    @Option(name: [.customShort("m"), .long], help: ArgumentHelp("Send this text with it.", valueName: "text"))
    var message: String?

    @OptionGroup var changes: ChangeOptions
    @OptionGroup var output: OutputOptions

    func run(in context: CommandContext) throws {
        let store = try context.store()
        let found = try context.conversation(conversation)
        let entities = try items.map { try context.entity($0) }.uniqued
        var files: [ChatFile] = []
        defer { for file in files { file.staged.discard() } }
        var words = message.map { [$0] } ?? []
        for entity in entities {
            let (line, file) = try shared(entity, context)
            words.append(line)
            if let file { files.append(file) }
        }
        let sender = try context.chatName(in: found)
        let what = entities.count == 1 ? "'\(entities[0].title)'" : "\(entities.count) things"
        let said = try store.change("share \(what) in '\(found.name)'", command: "chat share") { change in
            let said = try change.say(words.joined(separator: "\n"), in: found, sender: sender, files: files)
            for entity in entities { try change.addLink(said.id, entity.id, .related) }
            return said
        }
        try context.present(ChatReport(items: try context.chatItems([said])), ids: [said.id])
        context.deliverChat(found)
    }

    /// The text and the attachment for a shared entity.
    private func shared(_ entity: EntityCandidate, _ context: CommandContext) throws -> (String, ChatFile?) {
        let store = try context.store()
        func file(_ bytes: [UInt8], _ suffix: String, _ type: String) throws -> ChatFile {
            let staged = try store.stageOutgoing { try $0(bytes) }
            return ChatFile(
                staged: staged, name: FileName.safe(entity.title, fallback: entity.kind.rawValue) + suffix, type: type)
        }
        switch entity.kind {
        case .event:
            let event = try store.event(entity.id)
            var export = CalendarExport(now: context.now)
            export.note(text: event.text, zones: event.zones)
            let bytes = export.header(name: nil) + export.event(event.text) + export.footer
            let group = SchedulingFile.read(String(decoding: bytes, as: UTF8.self)).events.first
            let invitation = group.flatMap { Invitation($0, method: "PUBLISH", zone: context.zone, now: context.now) }
            var line = "Event: \(entity.title)"
            if let time = invitation?.time { line += ", \(context.viewer.span(time)) (\(context.zone.identifier))" }
            if let place = invitation?.event.location, !place.isEmpty { line += ", \(place)" }
            return (line, try file(bytes, ".ics", "text/calendar"))
        case .task:
            let details = try store.task(entity.id)
            var line = "Task: \(entity.title)"
            if let due = details.task.due { line += ", due \(DateWords.text(due.date(in: context.zone)))" }
            let text = try TaskWriter(context: context, tasks: [details]).text(.ics)
            return (line, try file(Array(text.utf8), ".ics", "text/calendar"))
        case .message:
            let mail = try store.message(entity.id)
            let staged = try store.stageFile(try context.wholeFile(entity.id))
            return (
                "Mail: \(mail.subject), from \(mail.from)",
                ChatFile(
                    staged: staged, name: FileName.safe(mail.subject, fallback: "message") + ".eml",
                    type: "message/rfc822")
            )
        case .file:
            let record = try store.file(entity.id)
            guard let path = store.path(of: record) else {
                throw HelixError(.badInput, "the contents of '\(record.name)' are missing")
            }
            return (
                "File: \(record.name)",
                ChatFile(staged: try store.stageFile(path), name: record.name, type: MediaType.of(record.name))
            )
        default: return ("\(entity.kind.name.capitalized): \(entity.title)", nil)
        }
    }
}
