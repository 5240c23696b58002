import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail list`
struct MailList: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "list", abstract: "List messages, newest first.",
        discussion: """
            Accepts a query; see 'helix mail search --help'.

              helix mail list
              helix mail list from:ana is:unread
              helix mail list --mailbox Archive --limit 20
              helix mail list --threads subject:invoice
              helix mail list --senders before:2025-01-01
            """)
    static let reports: [PrintedReport] = [
        .json(MailListReport.self), .json(SendersReport.self, with: "--senders"),
    ]

    @Argument(help: "A query.")
    var query: [String] = []

    @Option(
        name: [.long, .customShort("m")], help: ArgumentHelp("Only this mailbox.", valueName: "name"),
        completion: .custom(CompletionLists.mailboxes))
    var mailbox: String?

    @Flag(name: .long, help: "Print one line per conversation, with the number of messages.")
    var threads = false

    @Flag(name: .long, help: "Print one line per sender, with the number of messages, to clean up.")
    var senders = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.query, command.mailbox, command.threads, command.senders) = (words, nil, false, false)
        (command.mail, command.list, command.output) = (.unset, .unset, .unset)
        return command
    }

    mutating func take(_ option: String, _ value: String) -> Bool {
        guard option == "--mailbox" || option == "-m" else { return false }
        mailbox = value
        return true
    }

    func validate() throws {
        if senders, threads || list.ids { throw ValidationError("--senders excludes --threads and --ids.") }
    }

    func run(in context: CommandContext) throws {
        var asked = try context.mailQueries.parse(QueryNoun.mail.line(query, dates: context.dates))
        if let mailbox { asked = asked == .everything ? .mailbox(mailbox) : .all([asked, .mailbox(mailbox)]) }
        if senders {
            let found = try context.mailStore(mail).senders(asked)
            let limit = context.listLimit(50)
            return try context.present(
                SendersReport(items: found.prefix(limit).map(SenderItem.init), isTruncated: found.count > limit))
        }
        try context.presentMail(asked, mail, threads: threads, hidesMailbox: mailbox != nil, words: query)
    }
}

/// `helix mail inbox`
struct MailInbox: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "inbox", abstract: "List the newest messages in your inboxes.",
        discussion: """
            Without those that are snoozed or muted; those that came back are first, and own ones that nobody has answered in \
            time ('helix mail follow-up').

              helix mail inbox
            """)
    static let reports: [PrintedReport] = [.json(MailListReport.self)]

    @Flag(name: .long, help: "Print one line per conversation, with the number of messages.")
    var threads = false

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        (command.threads, command.mail, command.list, command.output) = (false, .unset, .unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        // Programs get them in the order of time, with the label that says that they are back.
        let returned =
            output.isMachine || list.ids
            ? []
            : try context.mailStore(mail).returnedMessages(limit: 50)
                + context.store().unansweredMessages(limit: 50)
        try context.presentMail(
            .inSight(.mailbox("inbox"), now: context.now), mail, threads: threads, hidesMailbox: true,
            nothing: "The inbox is empty.", returned: returned)
    }
}

/// `helix mail unread`
struct MailUnread: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "unread", abstract: "List unread messages.",
        discussion: """
              helix mail unread
              helix mail unread from:ana
            """)
    static let reports: [PrintedReport] = [.json(MailListReport.self)]

    @Argument(help: "A query.")
    var query: [String] = []

    @OptionGroup var mail: MailOptions
    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        var command = Self()
        (command.query, command.mail, command.list, command.output) = (words, .unset, .unset, .unset)
        return command
    }

    func run(in context: CommandContext) throws {
        let asked = try context.mailQueries.parse(QueryNoun.mail.line(query, dates: context.dates))
        let unread = MailQuery.inSight(.has(.unread), now: context.now)
        try context.presentMail(
            asked == .everything ? unread : .all([asked, unread]), mail, nothing: "Nothing unread.", words: query)
    }
}

extension CommandContext {
    /// Lists the messages that match a query, which was typed as some words.
    /// - Throws: ``HelixError``.
    func presentMail(
        _ query: MailQuery, _ options: MailOptions, order: MailOrder = .date, snippets: Bool = false,
        threads: Bool = false, hidesMailbox: Bool = false, nothing: String = "No messages.",
        words: [String] = [], returned: [EmailMessage] = []
    ) throws {
        let store = try mailStore(options)
        if query.asksVerification { try noteUnverified(store) }
        let limit = min(listLimit(50), 100_000_000)
        if try store.mailAccounts().isEmpty {
            explain("No mail accounts yet: 'helix account add home maildir ~/Mail' adds one.")
        }
        var found: [EmailMessage]
        var counts: [Int64: (all: Int, unread: Int)] = [:]
        if threads {
            (found, counts) = try store.conversations(query, limit: limit + 1)
        } else {
            found = try store.messages(query, order: order, limit: limit + 1, snippets: snippets)
        }
        if !returned.isEmpty {
            let known = Set(returned.map(\.id))
            found.removeAll { known.contains($0.id) }
        }
        let isTruncated = found.count > limit
        if isTruncated { found.removeLast() }
        var report = MailListReport(items: try items(found), isTruncated: isTruncated)
        (report.hidesMailbox, report.showsHits, report.threadCounts) = (hidesMailbox, snippets, counts)
        (report.nothing, report.returned) = (nothing, try items(returned))
        try present(report, ids: (returned + found).map(\.id))
        if found.isEmpty { noteWhole(words, of: .mail) }
        if query.asksText { try noteUnreadAttachments() }
    }
}
