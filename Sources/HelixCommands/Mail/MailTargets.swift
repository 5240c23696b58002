import ArgumentParser
import FoundationEssentials
import HelixMail
import HelixModel
import HelixStore
import HelixSystem
import HelixTerminal

/// The messages that a command changes, and `--dry-run`.
struct MailTargets: ParsableArguments {
    @Argument(
        help: ArgumentHelp("Messages by their ids, '-' for ids on standard input, or a query.", valueName: "messages"),
        completion: .custom(CompletionLists.messageIDs))
    var messages: [String] = []

    @Option(
        name: [.long, .customShort("q")],
        help: ArgumentHelp("Select messages by a query; required if a word could be an id.", valueName: "query"),
        completion: .custom(CompletionLists.mailQuery))
    var query: String?

    @Flag(name: .long, help: "Show what would change, and change nothing.")
    var dryRun = false
}

extension CommandContext {
    /// Resolves arguments to messages: ids, ids on standard input, or a query, which contains a field or a bracket.
    ///
    /// Ambiguous words are never a query: a mistyped id must not change other messages.
    /// - Throws: ``HelixError``.
    func messageIDs(_ words: [String], query: String?) throws -> [EntityID] {
        targeted(try allMessageIDs(words, query: query), "messages")
    }

    private func allMessageIDs(_ words: [String], query: String?) throws -> [EntityID] {
        let store = try store()
        func all(_ text: String) throws -> [EntityID] {
            let asked = try mailQueries.parse(text)
            guard asked != .everything || text.trimmingBlanks() == "*" else {
                throw HelixError(
                    .usage, "no query and no message ids given", hint: "'in:inbox' matches all messages in the inbox.")
            }
            return try store.messages(asked, limit: 1_000_000).map(\.id)
        }
        if let query { return try all((words + [query]).joined(separator: " ")) }
        if words == ["-"] {
            let text = String(decoding: try invocation.inputData(), as: UTF8.self)
            return try text.split(whereSeparator: \.isWhitespace).map { try messageID(String($0)) }
        }
        if words.isEmpty {
            throw HelixError(
                .usage, "no messages given",
                hint: "Give ids, or a query such as from:ana is:unread.")
        }
        let joined = words.joined(separator: " ")
        if joined.contains(":") || joined.contains("(") || joined.hasPrefix("@") || joined == "*" {
            return try all(joined)
        }
        do {
            return try words.map { try messageID($0) }
        } catch let error as HelixError where error.code == .notFound {
            throw HelixError(
                error.code, error.message,
                hint:
                    "An id has 4 to 16 letters and digits. To match messages that contain the word: --query '\(joined)'."
            )
        }
    }

    /// Changes the selected messages, and reports them.
    /// - Throws: ``HelixError``.
    func changeMessages(
        _ targets: MailTargets, _ options: MailOptions, words: [String]? = nil, ids given: [EntityID]? = nil,
        verb: String, command: String, _ edit: MessageEdit
    ) throws {
        let store = try mailStore(options)
        let ids = try given ?? messageIDs(words ?? targets.messages, query: targets.query)
        let what = ids.count == 1 ? "a message" : "\(ids.count) messages"
        // Only the messages that are shown are read again.
        func shown(_ count: Int) -> Int { output.isMachine ? count : MailChangeReport.shown(of: count) }
        var changed: [EntityID] = []
        try store.trying("\(verb): \(what)", command: command, isDryRun: targets.dryRun) { change in
            changed = try change.editMessages(ids, edit)
            change.summary = "\(verb): \(changed.count == 1 ? "a message" : "\(changed.count) messages")"
            if changed.count == 1, let id = changed.first { change.summary = "\(verb): \(try change.subject(of: id))" }
        }
        let items = try items(store.messages(ids: Array(changed.prefix(shown(changed.count)))))
        var report = MailChangeReport(verb: verb, items: items)
        (report.further, report.isDryRun) = (changed.count - items.count, targets.dryRun)
        try present(report, ids: items.map(\.message.id))
    }
}

/// Changed messages.
struct MailChangeReport: CuttableReport {
    static let schema = "helix.mail.changed/1"
    let verb: String
    var items: [MailItem]
    var isTruncated = false
    /// The number of changed messages that are not shown.
    var further = 0
    var isDryRun = false

    init(verb: String, items: [MailItem]) {
        self.verb = verb
        self.items = items
    }

    /// The number of messages to show, of `count`.
    static func shown(of count: Int) -> Int { count > 12 ? 5 : count }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty { canvas.line(StyledText("Nothing changed.", .dim)) }
        var table = Table([.init(), .init(), .init(minimum: 10), .init(minimum: 12)])
        for item in items {
            table.row([
                StyledText(viewer.short(item.message.id), .dim),
                StyledText((isDryRun ? "would be " : "") + verb, TextStyle(.green)),
                canvas.cell(StyledText(item.person), most: 24), StyledText(item.subject) + item.labels(for: viewer),
            ])
        }
        table.draw(on: &canvas)
        if further > 0 { canvas.line(StyledText("… and \(further) more.", .dim)) }
    }
}
