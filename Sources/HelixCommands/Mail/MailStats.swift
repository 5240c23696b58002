import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// `helix mail stats`
struct MailStats: HelixCommand {
    static let about = CommandConfiguration(
        commandName: "stats", abstract: "Show mail statistics: mailboxes, senders, days, hours, response times.",
        discussion: """
            Mailboxes are counted as a whole, everything else in the range (default: the last 30 days).

              helix mail stats
              helix mail stats 2026
              helix mail stats --from 2026-10-01 --to 2026-11-01 --top 20
              helix mail stats 2026 --output mail.svg
            """)
    static let reports: [PrintedReport] = [.json(MailStatsReport.self)]

    @Argument(help: ArgumentHelp("The days to count.", valueName: "range"))
    var range: [String] = []

    @OptionGroup var bounds: RangeOptions

    @Option(name: .long, help: ArgumentHelp("Number of senders to list.", valueName: "n"))
    var top = 10

    @OptionGroup var mail: MailOptions
    @OptionGroup var charts: ChartOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !(1...1000).contains(top) { throw ValidationError("--top takes 1 to 1000.") }
    }

    func run(in context: CommandContext) throws {
        let store = try context.mailStore(mail)
        let today = context.today
        let span = try bounds.range(range, context, of: .month) {
            PhraseRange(start: .date(today + -29), end: .date(today + 1))
        }.timeRange(in: context.zone)
        let own = context.configuration.list(.email)
        let addresses = own.map { $0.lowercased() }
        var numbers = MailNumbers(span: span)
        let zone = context.zone
        try store.countMessages(in: span) { numbers.add($0, own: addresses, zone: zone) }
        numbers.replyTimes = try store.replyTimes(in: span, own: own).sorted()
        let sizes = try store.mailboxSizes()
        numbers.mailboxes = try store.mailboxes().map { box in
            MailNumbers.Box(
                name: box.mailbox.name, account: box.account, count: box.count, unread: box.unread,
                size: sizes[box.mailbox.number] ?? 0)
        }
        try context.present(MailStatsReport(items: [numbers], top: top), charts: charts)
    }
}

/// Mail statistics of a range.
struct MailNumbers: DescribedItem {
    struct Box: Sendable {
        var name: String
        var account: String
        var count: Int
        var unread: Int
        var size: Int
    }

    let span: TimeRange
    var mailboxes: [Box] = []
    var replyTimes: [Int] = []
    private(set) var received = 0
    private(set) var sent = 0
    private(set) var unread = 0
    private(set) var size = 0
    private(set) var bySender: [String: (count: Int, name: String)] = [:]
    private(set) var byDay: [CivilDate: Int] = [:]
    private(set) var byWeekday: [Weekday: Int] = [:]
    private(set) var byHour = [Int](repeating: 0, count: 24)

    init(span: TimeRange) { self.span = span }

    mutating func add(_ message: CountedMessage, own: [String], zone: Zone) {
        size += message.size
        let sender = message.sender.lowercased()
        if message.isSent || own.contains(where: { sender.contains($0) }) {
            sent += 1
        } else {
            received += 1
            let address = MailAddress(text: message.sender)
            let key = address.address.isEmpty ? message.sender : address.address.lowercased()
            let known = bySender[key]
            bySender[key] = ((known?.count ?? 0) + 1, known?.name ?? address.label)
        }
        if message.isUnread { unread += 1 }
        let civil = zone.civil(message.date)
        byDay[civil.date, default: 0] += 1
        byWeekday[civil.date.weekday, default: 0] += 1
        byHour[civil.secondOfDay / 3600] += 1
    }

    /// The median time to reply, in seconds.
    var medianReply: Int? {
        guard !replyTimes.isEmpty else { return nil }
        let middle = replyTimes.count / 2
        return replyTimes.count % 2 == 1 ? replyTimes[middle] : (replyTimes[middle - 1] + replyTimes[middle]) / 2
    }

    var senders: [(name: String, address: String, count: Int)] {
        bySender.map { ($0.value.name, $0.key, $0.value.count) }.sorted { ($1.2, $0.1) < ($0.2, $1.1) }
    }

    static let described = list {
        Field("start", .time, "Start of the range.") { $1.iso($0.span.start) }
        Field("end", .time, "End of the range, exclusive.") { $1.iso($0.span.end) }
        Field("received", .integer, "Messages received.") { $0.received }
        Field("sent", .integer, "Messages sent.") { $0.sent }
        Field("unread", .integer, "Unread messages.") { $0.unread }
        Field("size", .integer, "Total size in bytes.") { $0.size }
        Field("median_reply", .seconds, required: false, "The median time to reply, in seconds.") { $0.medianReply }
        Field("replies", .integer, "Number of replies the median is based on.") { $0.replyTimes.count }
        Field("mailboxes", listing: { $0.mailboxes }, "The mailboxes, with all their messages.") {
            ReportField("account", .string, "The account.") { $0.account }
            ReportField("name", .string, "The mailbox.") { $0.name }
            ReportField("messages", .integer, "Number of messages.") { $0.count }
            ReportField("unread", .integer, "Unread messages.") { $0.unread }
            ReportField("size", .integer, "Total size in bytes.") { $0.size }
        }
        share("by_sender", "Received messages by sender, most frequent first.") {
            $0.senders.map { ($0.address, $0.count) }
        }
        share("by_day", "Messages by day.") {
            $0.byDay.sorted { $0.key < $1.key }.map { (ISO8601.text($0.key), $0.value) }
        }
        share("by_weekday", "Messages by weekday.") { item in
            Weekday.allCases.map { (DateWords.fullName($0), item.byWeekday[$0] ?? 0) }
        }
        share("by_hour", "Messages by hour of the day.") {
            $0.byHour.enumerated().map { (ISO8601.padded($0.offset, 2), $0.element) }
        }
    }

    /// A field with the messages of each group.
    private static func share(
        _ name: String, _ summary: String, _ groups: @escaping @Sendable (MailNumbers) -> [(String, Int)]
    ) -> Field {
        Field(name, listing: groups, summary) {
            ReportField("name", .string, "The group.") { $0.0 }.foreignUnlessWord
            ReportField("messages", .integer, "Number of messages.") { $0.1 }
        }
    }
}
