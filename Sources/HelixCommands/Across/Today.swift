import ArgumentParser
import HelixMail
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// `helix today`
struct Today: ListingCommand {
    static let about = CommandConfiguration(
        commandName: "today", abstract: "Show the rest of today: events, tasks, mail, timer, free time.",
        discussion: "  helix today")
    static let reports: [PrintedReport] = [.json(TodayReport.self)]

    @OptionGroup var list: ListOptions
    @OptionGroup var output: OutputOptions

    static func plain(_ words: [String]) -> Self? {
        guard words.isEmpty else { return nil }
        var command = Self()
        command.output = .unset
        command.list = .unset
        return command
    }

    func run(in context: CommandContext) throws {
        let report = try report(context)
        try context.present(report, ids: report.ids)
        if !output.isMachine { for remark in report.remarks { context.note(StyledText(remark, TextStyle(.yellow))) } }
        let store = try context.store()
        if output.isMachine || store.profile != nil { return }
        let proposals = try store.pendingProposals()
        if proposals > 0 {
            let what = proposals == 1 ? "1 proposal of an agent waits" : "\(proposals) proposals of agents wait"
            context.note(StyledText("\(what) for your decision: helix review", TextStyle(.yellow)))
        }
    }

    /// The rest of the day.
    /// - Throws: ``HelixError``.
    func report(_ context: CommandContext) throws -> TodayReport {
        let store = try context.store()
        let zone = context.zone
        let day = zone.range(from: context.today, to: context.today + 1)
        let rest = TimeRange(start: min(context.now, day.end - 1), end: day.end)
        let near = try context.near(day)
        let all = try context.linked(
            OccurrenceItem.list(near.filter { $0.time.range(in: zone).touches(day) }, policy: context.conflictPolicy))
        let events = all.filter { $0.occurrence.time.isAllDay || $0.occurrence.time.range(in: zone).end > context.now }
        let due = try store.tasks(
            .all([.state(.open), .kind(.task), .not(.mark(.waiting)), .any([.mark(.overdue), .mark(.today)])]),
            order: .due, limit: bound(20), zone: zone, urgency: context.urgency)
        let running = try store.runningEntry()
        let spent = try store.timeSpent(in: day)
        let free = try context.freeSlots(in: rest, duration: 15 * 60, near: near)
        let tasks = try context.items(due.tasks)
        let mail = try unreadMail(context)
        let outbox = try context.outgoingItems(try store.outbox() + store.chatOutbox())
        let chat = try context.unreadChat()
        return TodayReport(
            items: events.map(TodayItem.event) + tasks.map(TodayItem.task) + mail.items.map(TodayItem.message)
                + outbox.map(TodayItem.outgoing) + chat.map(TodayItem.conversation)
                + context.items(running.map { [$0] } ?? []).map(TodayItem.time)
                + free.map { .free(FreeItem(range: $0)) },
            hiddenTasks: due.total - due.tasks.count, hiddenMail: mail.hidden, day: context.today, spent: spent,
            remarks: try context.unreadDomains())
    }

    /// The number of the newest unread messages of which the most important ones are shown.
    private static let newest = 50

    /// The number of items of a kind to read: for programs one more than they print, which shows that there are more.
    private func bound(_ usual: Int) -> Int? {
        guard output.isMachine else { return output.limit ?? usual }
        return list.readsAll ? nil : output.limit.map { $0 + 1 }
    }

    /// The unread messages of the inboxes: the most important ones of the newest for people, all for programs.
    private func unreadMail(_ context: CommandContext) throws -> (items: [MailItem], hidden: Int) {
        let store = try context.store()
        guard try !store.mailAccounts().isEmpty else { return ([], 0) }
        _ = try context.mailStore(.unset)
        let query = MailQuery.inSight(.all([.has(.unread), .mailbox("inbox")]), now: context.now)
        let limit = bound(5) ?? ListLimit.everything
        var found = try store.messages(query, limit: output.isMachine ? limit : max(limit, Today.newest))
        if !output.isMachine {
            let own = Set(context.ownAddresses.map { $0.address.lowercased() })
            found = Array(try store.byImportance(found, own: own).prefix(limit))
        }
        let items = try context.items(found)
        return (items, items.isEmpty || output.isMachine ? 0 : try store.messageCount(query) - items.count)
    }
}

extension CommandContext {
    /// A remark that names the kinds that the profile does not read: an empty list would be taken for the truth.
    /// - Throws: ``HelixError``.
    func unreadDomains() throws -> [String] {
        guard let profile = try store().profile else { return [] }
        let unread = AgentProfile.Domain.allCases.filter { !profile.read.contains($0) }.map(\.noun)
        if unread.isEmpty { return [] }
        return [
            "The profile '\(profile.name)' does not read \(unread.joined(separator: ", ")): nothing of that is here."
        ]
    }
}

/// An item of a day.
enum TodayItem: MixedItem {
    case event(OccurrenceItem)
    case task(TaskItem)
    case time(TimeItem)
    case free(FreeItem)
    case message(MailItem)
    case outgoing(OutgoingItem)
    case conversation(ConversationItem)

    static let variants: [any DescribedItem.Type] = [
        OccurrenceItem.self, TaskItem.self, MailItem.self, OutgoingItem.self, ConversationItem.self, TimeItem.self,
        FreeItem.self,
    ]

    /// Its identity; nil for free time, which has none.
    var id: EntityID? {
        switch self {
        case .event(let item): item.occurrence.event
        case .task(let item): item.task.id
        case .time(let item): item.entry.id
        case .free: nil
        case .message(let item): item.message.id
        case .outgoing(let item): item.message.id
        case .conversation(let item): item.conversation.id
        }
    }

    var variant: any DescribedItem {
        switch self {
        case .event(let item): item
        case .task(let item): item
        case .time(let item): item
        case .free(let item): item
        case .message(let item): item
        case .outgoing(let item): item
        case .conversation(let item): item
        }
    }
}

/// The rest of a day.
struct TodayReport: Report {
    static let schema = "helix.today/1"
    let items: [TodayItem]
    let hiddenTasks: Int
    let hiddenMail: Int
    let day: CivilDate
    /// Seconds tracked today.
    let spent: Int
    var remarks: [String] = []

    /// The identities of its items.
    var ids: [EntityID] { items.compactMap(\.id) }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        var head = StyledText(viewer.day(day), .bold)
        head.append("  \(viewer.clock(viewer.now))", .dim)
        canvas.line(head)
        for case .time(let item) in items {
            var line = StyledText("▶ ", TextStyle(.green, bold: true))
            line.append(item.details.title.isEmpty ? "(no title)" : item.details.title, .bold)
            line.append("  \(DateWords.text(hours: item.seconds)) since \(viewer.clock(item.entry.start))", .dim)
            if item.seconds > TimeStatusReport.forgotten { line.append("  forgotten?", TextStyle(.yellow, bold: true)) }
            canvas.line(line.fitted(canvas.textWidth))
        }
        section("Events", on: &canvas)
        let events = items.compactMap { if case .event(let item) = $0 { item } else { nil } }
        if events.isEmpty { canvas.line(StyledText("  None left.", .dim)) }
        var table = Table([.init(), .init(), .init(minimum: 12), .init(minimum: 6), .init(minimum: 4)])
        for item in events {
            var title = StyledText(item.mark, TextStyle(.red, bold: true))
            title.append(item.label, item.style)
            let wide = canvas.width >= 60
            table.row([
                StyledText(viewer.short(item.occurrence.event), .dim), StyledText(hours(item, viewer)), title,
                StyledText(wide ? item.occurrence.location ?? "" : "", .dim),
                StyledText(
                    wide ? item.occurrence.calendar.name : "", TextStyle(item.occurrence.calendar.color.terminal)),
            ])
        }
        table.draw(on: &canvas, indent: 2)
        section("Tasks", on: &canvas)
        let tasks = items.compactMap { if case .task(let item) = $0 { item } else { nil } }
        if tasks.isEmpty { canvas.line(StyledText("  Nothing is due.", .dim)) }
        var list = Table([.init(), .init(), .init(minimum: 12), .init(minimum: 6), .init(minimum: 5)])
        for item in tasks {
            let wide = canvas.width >= 60
            list.row([
                StyledText(viewer.short(item.task.id), .dim), item.due(viewer), item.headline(viewer),
                StyledText(wide ? item.details.project ?? "" : "", TextStyle(.blue)), wide ? item.tagLine : "",
            ])
        }
        list.draw(on: &canvas, indent: 2)
        if hiddenTasks > 0 { canvas.line(StyledText("  +\(hiddenTasks) more", .dim)) }
        drawMail(on: &canvas, viewer)
        drawChat(on: &canvas, viewer)
        let free = items.compactMap { if case .free(let item) = $0 { item } else { nil } }
        let total = free.reduce(0) { $0 + $1.range.duration }
        canvas.line()
        var foot = StyledText("Free: ", .dim)
        if free.isEmpty {
            foot.append("nothing in working hours", .dim)
        } else {
            foot.append(
                free.prefix(4).map { viewer.clock($0.range.start) + "–" + viewer.clock($0.range.end) }
                    .joined(separator: ", "), TextStyle(.green))
            foot.append(" (\(DateWords.text(hours: total)))", .dim)
        }
        canvas.flow([foot, StyledText(spent > 0 ? "Tracked: \(DateWords.text(hours: spent))" : "", .dim)])
    }

    private func drawMail(on canvas: inout Canvas, _ viewer: Viewer) {
        let unread = items.compactMap { if case .message(let item) = $0 { item } else { nil } }
        let outbox = items.compactMap { if case .outgoing(let item) = $0 { item } else { nil } }
        if unread.isEmpty, outbox.isEmpty { return }
        section("Mail", on: &canvas)
        var table = Table([.init(), .init(right: true), .init(minimum: 10), .init(minimum: 12)])
        for item in unread {
            table.row([
                StyledText(viewer.short(item.message.id), .dim),
                StyledText(viewer.brief(item.message.date, isNarrow: canvas.width < 60), .dim),
                canvas.cell(StyledText(item.sender), most: 20),
                StyledText(item.subject) + (item.signs.isEmpty ? "" : " " + item.signs),
            ])
        }
        table.draw(on: &canvas, indent: 2)
        if hiddenMail > 0 { canvas.line(StyledText("  +\(hiddenMail) more unread", .dim)) }
        if outbox.isEmpty { return }
        let parked = outbox.count { $0.message.state == .parked }
        var line = StyledText("  Outbox: \(outbox.count) queued for sending", .dim)
        if parked > 0 { line.append(", \(parked) refused", TextStyle(.red, bold: true)) }
        canvas.line(line)
    }

    private func drawChat(on canvas: inout Canvas, _ viewer: Viewer) {
        let chat = items.compactMap { if case .conversation(let item) = $0 { item } else { nil } }
        if chat.isEmpty { return }
        section("Chat", on: &canvas)
        var table = Table([.init(), .init(), .init(minimum: 8), .init(minimum: 10)])
        for item in chat {
            table.row([
                StyledText(viewer.short(item.conversation.id), .dim), item.counts,
                canvas.cell(StyledText(item.conversation.name, .bold), most: 24), item.latest,
            ])
        }
        table.draw(on: &canvas, indent: 2)
    }

    private func section(_ name: String, on canvas: inout Canvas) {
        canvas.line()
        canvas.line(StyledText(name, TextStyle(.cyan, bold: true)))
    }

    private func hours(_ item: OccurrenceItem, _ viewer: Viewer) -> String {
        guard case .timed(let range) = item.occurrence.time else { return "all day" }
        if range.duration <= 0 { return viewer.clock(range.start) }
        let from = viewer.zone.date(range.start) < day ? "…" : viewer.clock(range.start)
        let to = viewer.zone.date(range.end - 1) > day ? "…" : viewer.clock(range.end)
        return "\(from)–\(to)"
    }
}
