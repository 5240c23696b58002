import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail read`
struct MailRead: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "read", abstract: "Read a message.",
        discussion: """
            Shows plain text if there is any, else HTML as text with numbered links. Long quotes are folded. Loads \
            nothing from the network. Marks the message as read, except with --json.

              helix mail read k3f7
              helix mail read k3f7 --thread
              helix mail read k3f7 --part 2 > plan.pdf
              helix mail read k3f7 --raw > message.eml
            """)
    static let reports: [PrintedReport] = [.json(MessageReport.self)]
    static let changesSomething = true

    @Argument(
        help: ArgumentHelp("A message by its id.", valueName: "id"), completion: .custom(CompletionLists.messageIDs))
    var id: String

    @Flag(name: .long, help: "Show the whole conversation.")
    var thread = false

    @Flag(name: .long, help: "Show all headers.")
    var headers = false

    @Flag(name: .long, help: "Print the raw message.")
    var raw = false

    @Flag(name: .long, help: "Print the HTML source.")
    var html = false

    @Option(name: .long, help: ArgumentHelp("Only that part, by the number shown.", valueName: "n"))
    var part: Int?

    @Flag(name: .long, help: "Show quoted text in full.")
    var quotes = false

    @Flag(name: .long, help: "Do not mark as read.")
    var keepUnread = false

    @Option(name: .long, help: ArgumentHelp("Wrap lines at this column.", valueName: "columns"))
    var width: Int?

    @Option(
        name: .long, help: ArgumentHelp("Leave out the first bytes of the text, with --json.", valueName: "bytes"))
    var skip: Int?

    @OptionGroup var mail: MailOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.count == 1 else { return nil }
        var command = Self()
        (command.id, command.thread, command.headers, command.raw) = (words[0], false, false, false)
        (command.html, command.part, command.quotes, command.width) = (false, nil, false, nil)
        (command.keepUnread, command.skip) = (false, nil)
        (command.mail, command.output) = (.unset, .unset)
        return command
    }

    static var plainFlags: Set<String> { ["--keep-unread", "--headers", "--quotes"] }

    mutating func take(flag: String) {
        switch flag {
        case "--keep-unread": keepUnread = true
        case "--headers": headers = true
        default: quotes = true
        }
    }

    func validate() throws {
        if let width, !(20...1000).contains(width) { throw ValidationError("--width takes 20 to 1000.") }
        if [raw, html, part != nil, thread].filter({ $0 }).count > 1 {
            throw ValidationError("--raw, --html, --part and --thread exclude each other.")
        }
        if raw || html || part != nil { try output.refuseMachine("what is in the message") }
        if let skip {
            guard output.isMachine, !thread else { throw ValidationError("--skip needs --json, and one message.") }
            guard skip >= 0 else { throw ValidationError("--skip takes a number of bytes from 0.") }
        }
    }

    func run(in context: CommandContext) throws {
        if !raw { MIMEMessage.prepare() }
        let store = try context.mailStore(mail)
        var message = try store.message(try context.messageID(id))
        if raw { return try context.copyFile(try context.wholeFile(&message)) }
        if html || part != nil {
            let readable = try context.readable(try context.wholeFile(&message), verifies: false)
            return try context.writePart(part, isHTML: html, of: readable.message, called: id)
        }
        let messages = thread ? try store.thread(message.thread) : [message]
        try context.presentMessages(
            messages, hasAllHeaders: headers, foldsQuotes: !quotes, width: width, skipping: skip ?? 0)
        if !output.isMachine, !keepUnread { try context.endSnooze(of: messages) }
        let unread = messages.filter { !$0.flags.contains(.seen) }
        // Output for programs does not mark mail as read.
        if !output.isMachine, !keepUnread, !unread.isEmpty, context.terminal.isInteractive || !thread {
            do {
                try store.markSeen(unread.map(\.id))
            } catch let error as HelixError {
                context.note(StyledText("Not marked as read: \(error.message).", .dim))
            }
        }
    }
}

extension CommandContext {
    /// Presents messages with their texts and invitations; none is marked as read.
    /// - Throws: ``HelixError``.
    func presentMessages(
        _ messages: [EmailMessage], hasAllHeaders: Bool = false, foldsQuotes: Bool = true, width: Int? = nil,
        skipping skipped: Int = 0
    ) throws {
        var items = try messageItems(messages, hasAllHeaders: hasAllHeaders)
        if skipped > 0 { for place in items.indices { items[place].skip(skipped) } }
        let report = MessageReport(items: items, showsHeaders: hasAllHeaders, foldsQuotes: foldsQuotes)
        try present(report, ids: messages.map(\.id), width: width)
    }

    /// Messages with their texts and invitations; none is marked as read.
    /// - Throws: ``HelixError``.
    func messageItems(_ messages: [EmailMessage], hasAllHeaders: Bool = false) throws -> [MessageItem] {
        MIMEMessage.prepare()
        var items: [MessageItem] = []
        for var message in messages {
            let file = try wholeFile(&message)
            let own = try self.items([message])[0]
            let readable = try readable(file)
            var item = try MessageItem(own, readable, hasAllHeaders: hasAllHeaders)
            try record(readable, of: message)
            item.senderCheck = try senderCheck(of: readable, message)
            item.invitations = try invitations(in: item.calendars, of: message)
            item.notices = try schedulingNotices(in: item.calendars, besides: item.invitations)
            item.agentLabels = try store().agentLabels(of: message)
            items.append(item)
        }
        return items
    }
}

/// A message with its text, in a report.
struct MessageItem: DescribedItem {
    /// An attachment of the message.
    struct Attachment: Sendable {
        var part: Int
        var name: String
        var type: String
        var size: Int
        /// The words for its protection, if that of the message is not the same everywhere.
        var protection: String?
    }

    let item: MailItem
    let lines: [MessageText.Line]
    private(set) var text: String
    let attachments: [Attachment]
    let headers: [(name: String, value: String)]
    let calendars: [String]
    let isCut: Bool
    let hiddenCount: Int
    /// The addresses to which replies go, if not to the sender; separated by line feeds.
    let replyTo: String
    /// Whether it has a valid date of its own; otherwise the date shown is that of its arrival.
    let hasDate: Bool
    /// The invitations in it.
    var invitations: [Invitation] = []
    /// Other scheduling messages in it.
    var notices: [SchedulingNotice] = []
    /// Its labels that agents or assistants set.
    var agentLabels: [AgentLabel] = []
    /// Its signatures and encryption.
    let security: SecurityItem
    /// The checks of its sender; nil for the user's own messages.
    var senderCheck: SenderCheck?

    /// - Throws: ``HelixError`` if a library is missing.
    init(_ own: MailItem, _ readable: ReadableMessage, hasAllHeaders: Bool) throws {
        var item = own
        let message = readable.message
        // The headers inside are the real ones.
        if readable.security.isDecrypted || !readable.security.differences.isEmpty {
            let inner = MessageSummary(message)
            func lines(_ list: [MailAddress]) -> String { list.map(\.text).joined(separator: "\n") }
            (item.message.subject, item.message.to, item.message.cc) = (inner.subject, lines(inner.to), lines(inner.cc))
            if let date = inner.date { item.message.date = date }
        }
        self.item = item
        security = SecurityItem(security: readable.security, sender: readable.sender)
        let body = MessageBody(message)
        let read = try MessageText(message, body: body, label: readable.label)
        let replyTo = (message.header("Reply-To").map { MailAddress.list($0) } ?? []).map(\.text).joined(
            separator: "\n")
        self.replyTo = replyTo == item.message.from ? "" : replyTo
        lines = read.lines
        hasDate = message.header("Date").flatMap { MailDate.instant($0) } != nil
        text = read.plain
        calendars = read.calendars
        isCut = read.isCut
        hiddenCount = read.hiddenCount
        attachments = body.attachments.map { part in
            Attachment(
                part: part.index + 1, name: part.label, type: part.type, size: message.size(of: part),
                protection: readable.label?(part))
        }
        headers = hasAllHeaders ? message.headers.map { ($0.name, $0.text) } : []
    }

    /// Leaves out the first bytes of the text, and the rest of a character that they cut.
    mutating func skip(_ bytes: Int) {
        text = String(decoding: text.utf8.dropFirst(bytes).drop { $0 & 0xC0 == 0x80 }, as: UTF8.self)
    }

    static let described =
        MailItem.described.of { (message: MessageItem) in message.item }
        + list {
            Field("text", .string, "Its text: plain text, or HTML converted to text.") { $0.text }.foreign
            Field("parts", listing: { $0.attachments }, "Its attachments.") {
                ReportField("part", .integer, "Its number, for --part.") { $0.part }
                ReportField("name", .string, "Its name, as set by the sender.") { $0.name }.foreign
                ReportField("type", .string, "Its media type.") { $0.type }.foreignUnlessWord
                ReportField("size", .integer, "Its size in the message, in bytes.") { $0.size }
                ReportField(
                    "protection", .string, required: false,
                    "How it is signed and encrypted, if the message is not so as a whole."
                ) { $0.protection }
            }
            Field(
                "headers", listing: { $0.headers.isEmpty ? nil : $0.headers }, required: false,
                "All headers, with --headers."
            ) {
                ReportField("name", .string, "Its name.") { $0.name }.foreignUnlessWord
                ReportField("value", .string, "Its value, decoded.") { $0.value }.foreign
            }
            Field("security", .object(SecurityItem.fields), required: false, "Its signatures and encryption.") {
                item, viewer in item.security.security.isPlain ? nil : item.security.json(for: viewer)
            }
            Field("sender_check", .object(SenderCheck.fields), required: false, "The checks of its sender.") {
                item, viewer in item.senderCheck?.json(for: viewer)
            }
            Field("invitations", .array(.object(Invitation.fields)), "Its invitations, and replies to them.") {
                item, viewer in item.invitations.map { $0.json(for: viewer) }
            }
            Field("calendar_problems", .array(.string), "The reasons for which its calendar parts cannot be read.") {
                $0.notices.flatMap(\.problems)
            }.foreign
            Field(
                "agent_labels", listing: { $0.agentLabels.isEmpty ? nil : $0.agentLabels }, required: false,
                "Its labels that agents or assistants set."
            ) {
                ReportField("label", .string, "The label.") { $0.label }
                ReportField("agent", .string, "The name of the agent.") { $0.agent }
            }
            Field(
                "hidden_characters", .integer, required: false,
                "The number of characters that the sender hid from readers, which are left out."
            ) { $0.hiddenCount > 0 ? $0.hiddenCount : nil }
            Field("cut", .bool, required: false, "Whether the text is truncated.") { $0.isCut ? true : nil }
        }
}

/// Messages with their texts.
struct MessageReport: CuttableReport {
    static let schema = "helix.mail.read/1"
    var items: [MessageItem]
    var isTruncated = false
    var showsHeaders = false
    var foldsQuotes = true
    /// The option that shows a single part.
    var partOption = "--part"

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        for (place, message) in items.enumerated() {
            if place > 0 {
                canvas.line()
                canvas.line(StyledText(String(repeating: "─", count: min(canvas.width, 72)), .dim))
            }
            drawHead(of: message, on: &canvas, viewer)
            canvas.line()
            for invitation in message.invitations {
                invitation.draw(on: &canvas, for: viewer, isAlone: message.lines.isEmpty)
            }
            for notice in message.notices { notice.draw(on: &canvas) }
            if !message.invitations.isEmpty || !message.notices.isEmpty { canvas.line() }
            drawText(of: message, on: &canvas)
            drawAttachments(of: message, on: &canvas, viewer)
        }
    }

    private func drawText(of message: MessageItem, on canvas: inout Canvas) {
        let lines = message.lines
        if lines.isEmpty, message.invitations.isEmpty, message.notices.isEmpty {
            canvas.line(StyledText("(no text)", .dim))
        }
        var place = 0
        while place < lines.count {
            guard case .quote = lines[place].kind else {
                draw(lines[place], on: &canvas)
                place += 1
                continue
            }
            let end = lines[place...].firstIndex { if case .quote = $0.kind { false } else { true } } ?? lines.count
            let shown = foldsQuotes && end - place > 8 ? 3 : end - place
            for line in lines[place..<(place + shown)] { draw(line, on: &canvas) }
            if shown < end - place {
                canvas.line(StyledText("│ … \(end - place - shown) more quoted lines (--quotes)", .dim))
            }
            place = end
        }
        if message.isCut { canvas.paragraph("Text truncated; --raw prints all of it.", style: .dim) }
    }

    private func draw(_ line: MessageText.Line, on canvas: inout Canvas) {
        let text = SafeText.line(line.text)
        switch line.kind {
        case .quote(let depth):
            let marks = String(repeating: "│", count: min(depth, 6)) + " "
            let colors: [TerminalColor] = [.green, .cyan, .magenta, .blue]
            let style = TextStyle(colors[(depth - 1) % colors.count])
            for piece in text.wrapped(max(20, canvas.textWidth - marks.count), keepsAddresses: true) {
                canvas.line(StyledText(marks + piece, style))
            }
        case .signature:
            for piece in text.wrapped(canvas.textWidth, keepsAddresses: true) { canvas.line(StyledText(piece, .dim)) }
        case .attribution:
            for piece in text.wrapped(canvas.textWidth, keepsAddresses: true) { canvas.line(StyledText(piece, .dim)) }
        case .heading:
            for piece in text.wrapped(canvas.textWidth, keepsAddresses: true) {
                canvas.line(StyledText(piece, TextStyle(.cyan)))
            }
        // A URL is copied, so it is not wrapped: the terminal does that itself.
        case .link: canvas.line(StyledText(text, .dim))
        case .own:
            // Text laid out with blanks, such as a table, keeps its layout where it fits.
            if TextWidth.of(text) <= canvas.textWidth {
                canvas.line(text)
            } else {
                for piece in text.wrapped(canvas.textWidth, keepsAddresses: true) { canvas.line(piece) }
            }
        }
    }

    private func drawAttachments(of message: MessageItem, on canvas: inout Canvas, _ viewer: Viewer) {
        if message.attachments.isEmpty { return }
        canvas.line()
        for part in message.attachments.prefix(50) {
            // The number is needed to open the part: it is first, and stays on narrow terminals.
            var line = StyledText("⎘ ", TextStyle(.yellow)) + StyledText("\(partOption) \(part.part)  ", .dim)
            line.append(part.name, .bold)
            line.append("  \(ByteCount.text(part.size)), \(part.type)", .dim)
            if let protection = part.protection {
                canvas.line(line.fitted(canvas.textWidth))
                canvas.paragraph("  " + SafeText.line(protection), style: TextStyle(.yellow))
                continue
            }
            canvas.line(line.fitted(canvas.textWidth))
        }
        if message.attachments.count > 50 {
            canvas.line(StyledText("… and \(message.attachments.count - 50) more.", .dim))
        }
    }
}
