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
            """)
    static let reports: [PrintedReport] = [.json(MailStatsReport.self)]

    @Argument(help: ArgumentHelp("The days to count.", valueName: "range"))
    var range: [String] = []

    @OptionGroup var bounds: RangeOptions

    @Option(name: .long, help: ArgumentHelp("Number of senders to list.", valueName: "n"))
    var top = 10

    @OptionGroup var mail: MailOptions
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
        try context.present(MailStatsReport(items: [numbers], top: top))
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

/// A report of mail statistics, with charts.
struct MailStatsReport: Report {
    static let schema = "helix.mail.stats/1"
    static let isList = false
    let items: [MailNumbers]
    let top: Int

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        guard let numbers = items.first else { return }
        drawMailboxes(numbers, on: &canvas)
        let first = viewer.zone.date(numbers.span.start)
        let last = viewer.zone.date(numbers.span.end - 1)
        canvas.line()
        canvas.line(StyledText("\(DateWords.text(first)) – \(DateWords.text(last))", .bold))
        let total = numbers.received + numbers.sent
        guard total > 0 else {
            canvas.line(StyledText("No messages in this range.", .dim))
            return
        }
        var line = "\(numbers.received) received, \(numbers.sent) sent, \(ByteCount.text(numbers.size))"
        if numbers.unread > 0 { line += "; \(numbers.unread) unread" }
        canvas.paragraph(line)
        if let median = numbers.medianReply {
            canvas.paragraph(
                "Median time to reply: \(DateWords.text(duration: median)) (\(numbers.replyTimes.count) \(numbers.replyTimes.count == 1 ? "reply" : "replies"))"
            )
        }
        canvas.chart("Most active senders") { chart in
            for sender in numbers.senders.prefix(top) {
                chart.bar(
                    StyledText(sender.name), value: Double(sender.count), text: "\(sender.count)",
                    style: TextStyle(.green))
            }
        }
        drawDays(numbers, first, last, on: &canvas, viewer)
        canvas.chart("By weekday") { chart in
            for offset in 0..<7 {
                let day = viewer.firstWeekday.advanced(by: offset)
                let count = numbers.byWeekday[day] ?? 0
                chart.bar(StyledText(DateWords.fullName(day)), value: Double(count), text: "\(count)")
            }
        }
        canvas.chart("By hour") { chart in
            for hour in 0..<24 {
                let count = numbers.byHour[hour]
                chart.bar(
                    StyledText(viewer.clock(hour * 3600)), value: Double(count), text: "\(count)",
                    style: TextStyle(.cyan))
            }
        }
    }

    /// By day and by week in a month, as a calendar and by month up to a year, by month in more.
    private func drawDays(
        _ numbers: MailNumbers, _ first: CivilDate, _ last: CivilDate, on canvas: inout Canvas, _ viewer: Viewer
    ) {
        let days = last - first + 1
        if days <= 31 {
            canvas.chart("By day") { chart in
                for offset in 0..<days {
                    let count = numbers.byDay[first + offset] ?? 0
                    chart.bar(StyledText(DateWords.text(first + offset)), value: Double(count), text: "\(count)")
                }
            }
        }
        if days <= 7 { return }
        if days > 31, days <= 370 { drawCalendar(numbers, (0..<days).map { first + $0 }, on: &canvas, viewer) }
        let isByWeek = days <= 92
        var groups: [CivilDate: Int] = [:]
        var day = first
        while day <= last {
            let group = isByWeek ? max(first, day.startOfWeek(on: .monday)) : day.startOfMonth
            groups[group, default: 0] += numbers.byDay[day] ?? 0
            day = day + 1
        }
        canvas.chart(isByWeek ? "By week" : "By month") { chart in
            for (start, count) in groups.sorted(by: { $0.key < $1.key }).suffix(60) {
                let name =
                    isByWeek ? "from \(DateWords.text(start))" : "\(DateWords.name(month: start.month)) \(start.year)"
                chart.bar(StyledText(name), value: Double(count), text: "\(count)")
            }
        }
    }

    private func drawCalendar(
        _ numbers: MailNumbers, _ days: [CivilDate], on canvas: inout Canvas, _ viewer: Viewer
    ) {
        let counts = days.map { numbers.byDay[$0] ?? 0 }
        let most = max(1, counts.max() ?? 0)
        // The greatest number of each shade; where there are few messages, some shades would be the same.
        let greatest = Set((1...DayCalendar.levels).map { (most * $0 + DayCalendar.levels - 1) / DayCalendar.levels })
            .sorted()
        let lightest = DayCalendar.levels - greatest.count
        canvas.line()
        canvas.line(StyledText("By day", .bold))
        canvas.days(days, for: viewer) { place in
            counts[place] == 0 ? 0 : lightest + 1 + (greatest.firstIndex { $0 >= counts[place] } ?? 0)
        }
        let words = Array(repeating: "", count: lightest + 1) + greatest.map { $0 == 1 ? "1" : "to \($0)" }
        canvas.flow(DayCalendar.legend(words))
    }

    private func drawMailboxes(_ numbers: MailNumbers, on canvas: inout Canvas) {
        let total = numbers.mailboxes.reduce(0) { $0 + $1.count }
        let unread = numbers.mailboxes.reduce(0) { $0 + $1.unread }
        let size = numbers.mailboxes.reduce(0) { $0 + $1.size }
        canvas.line(
            StyledText("\(total) messages, \(unread) unread, \(ByteCount.text(size))", .bold).fitted(canvas.textWidth))
        var table = Table([
            .init(minimum: 10), .init(right: true), .init(right: true), .init(right: true),
            .init(minimum: 4, importance: 1),
        ])
        for box in numbers.mailboxes.prefix(40) {
            table.row([
                StyledText(box.name), StyledText("\(box.count)"),
                StyledText(box.unread > 0 ? "\(box.unread) unread" : "", TextStyle(.blue)),
                StyledText(ByteCount.text(box.size), .dim), StyledText(box.account, .dim),
            ])
        }
        table.draw(on: &canvas, indent: 2)
    }
}
