import HelixGraphics
import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A report of mail statistics, with charts.
struct MailStatsReport: ChartedReport {
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
        canvas.panel(senders(numbers))
        drawDays(numbers, first, last, on: &canvas, viewer)
        for panel in times(numbers, viewer) { canvas.panel(panel) }
    }

    private func senders(_ numbers: MailNumbers) -> ChartPanel {
        ChartPanel(
            "Most active senders",
            .bars(
                numbers.senders.prefix(top).map {
                    ChartBar($0.name, value: Double($0.count), text: "\($0.count)", color: .green)
                }))
    }

    private func times(_ numbers: MailNumbers, _ viewer: Viewer) -> [ChartPanel] {
        let weekdays = (0..<7).map { offset -> ChartBar in
            let day = viewer.firstWeekday.advanced(by: offset)
            let count = numbers.byWeekday[day] ?? 0
            return ChartBar(DateWords.fullName(day), value: Double(count), text: "\(count)")
        }
        let hours = numbers.byHour.enumerated().map { hour, count in
            ChartBar(viewer.clock(hour * 3600), value: Double(count), text: "\(count)", color: .cyan)
        }
        return [ChartPanel("By weekday", .bars(weekdays)), ChartPanel("By hour", .bars(hours))]
    }

    func charts(for viewer: Viewer) -> ChartPage {
        guard let numbers = items.first else { return ChartPage("Mail", panels: []) }
        let first = viewer.zone.date(numbers.span.start)
        let last = viewer.zone.date(numbers.span.end - 1)
        let days = "\(DateWords.text(first)) – \(DateWords.text(last))"
        guard numbers.received + numbers.sent > 0 else {
            return ChartPage("Mail", subtitle: days + ". No messages in this range.", panels: [])
        }
        let mailboxes = numbers.mailboxes.prefix(40).map { box in
            let unread = box.unread > 0 ? ", \(box.unread) unread" : ""
            return ChartBar(
                box.name, value: Double(box.count), text: "\(box.count)\(unread), \(ByteCount.text(box.size))",
                color: .orange)
        }
        let hours = ChartPanel(
            "By hour",
            .columns(
                labels: numbers.byHour.indices.map { viewer.clock($0 * 3600) },
                [ChartSeries("", numbers.byHour.map(Double.init), color: .cyan)], .number))
        return ChartPage(
            "Mail", subtitle: "\(days). \(numbers.received) received, \(numbers.sent) sent",
            panels: ChartDays(from: first, to: last).panel(.number, viewer) { numbers.byDay[$0] ?? 0 }
                + [senders(numbers)] + times(numbers, viewer).dropLast() + [hours]
                + (mailboxes.isEmpty ? [] : [ChartPanel("All mailboxes", .bars(mailboxes))]))
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
        let shades = DayShades(counts)
        canvas.line()
        canvas.line(StyledText("By day", .bold))
        canvas.days(days, for: viewer) { shades.level(counts[$0]) }
        canvas.flow(DayCalendar.legend(shades.words))
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
