import HelixModel
import HelixStore
import HelixTerminal

/// Lays out the items of a day in lines, by section.
struct TodayLines {
    let width: Int
    let viewer: Viewer

    /// The lines of a report.
    func lines(of report: TodayReport) -> [TodayPlace.Line] {
        var lines: [TodayPlace.Line] = []
        func add(_ title: String, _ found: [TodayPlace.Line], nothing: String? = nil, rest: Int = 0) {
            if found.isEmpty, nothing == nil { return }
            if !lines.isEmpty { lines.append(.init(text: StyledText())) }
            lines.append(.init(text: StyledText(title, TextStyle(.cyan, bold: true))))
            lines += found
            if found.isEmpty, let nothing { lines.append(.init(text: StyledText("  " + nothing, .dim))) }
            if rest > 0 { lines.append(.init(text: StyledText("  +\(rest) more", .dim))) }
        }
        func some(_ line: (TodayItem) -> StyledText?) -> [TodayPlace.Line] {
            report.items.compactMap { item in
                line(item).map { TodayPlace.Line(text: StyledText("  ") + $0, item: item) }
            }
        }
        add("Now", some { if case .time(let item) = $0 { timer(item) } else { nil } })
        add("Events", some { if case .event(let item) = $0 { event(item) } else { nil } }, nothing: "None left.")
        add(
            "Tasks", some { if case .task(let item) = $0 { task(item) } else { nil } }, nothing: "Nothing is due.",
            rest: report.hiddenTasks)
        add("Mail", some { if case .message(let item) = $0 { message(item) } else { nil } }, rest: report.hiddenMail)
        add("Outbox", some { if case .outgoing(let item) = $0 { outgoing(item) } else { nil } })
        add("Chat", some { if case .conversation(let item) = $0 { conversation(item) } else { nil } })
        add(
            "Free", some { if case .free(let item) = $0 { free(item) } else { nil } },
            nothing: "Nothing in working hours.")
        return lines
    }

    /// The line of the running timer at the viewer's moment, the same as in the head of the screen.
    func timer(_ entry: TimeItem) -> StyledText {
        let item = TimeItem(details: entry.details, now: viewer.now)
        var line = StyledText("▶ ", TextStyle(.green, bold: true))
        line.append(item.details.title.isEmpty ? "(no title)" : item.details.title, .bold)
        line.append("  \(DateWords.text(hours: item.seconds)) since \(viewer.clock(item.entry.start))", .dim)
        if item.seconds > TimeStatusReport.forgotten { line.append("  forgotten?", TextStyle(.yellow, bold: true)) }
        return line
    }

    private func event(_ item: OccurrenceItem) -> StyledText {
        var hours = "all day"
        if case .timed(let range) = item.occurrence.time {
            hours = viewer.clock(range.start) + (range.duration > 0 ? "–" + viewer.clock(range.end) : "")
        }
        var line = StyledText(hours).padded(viewer.usesTwelveHours ? 15 : 12)
        line.append(item.mark, TextStyle(.red, bold: true))
        line.append(item.label, item.style)
        if let place = item.occurrence.location, width >= 60 { line.append("  " + place, .dim) }
        line.append("  " + item.occurrence.calendar.name, TextStyle(item.occurrence.calendar.color.terminal))
        return line
    }

    private func task(_ item: TaskItem) -> StyledText {
        var line = item.due(viewer).padded(12)
        line.append(item.headline(viewer))
        if let project = item.details.project { line.append("  " + project, TextStyle(.blue)) }
        if width >= 60 { line.append("  " + item.tagLine) }
        return line
    }

    private func message(_ item: MailItem) -> StyledText {
        var line = StyledText(viewer.brief(item.message.date, isNarrow: width < 60), .dim).padded(12)
        line.append(StyledText(item.sender).padded(min(24, max(10, width / 4))))
        line.append("  ")
        if !item.signs.isEmpty { line.append(item.signs + " ") }
        line.append(item.subject, .bold)
        return line
    }

    private func outgoing(_ item: OutgoingItem) -> StyledText {
        let isRefused = item.message.state == .parked
        let isLater = item.message.state == .queued && item.message.leavesAt > viewer.now
        let state =
            isRefused ? "refused" : isLater ? viewer.brief(item.message.leavesAt, isNarrow: width < 60) : "queued"
        var line = StyledText(state, isRefused ? TextStyle(.red, bold: true) : .dim).padded(12)
        line.append(StyledText(item.target).padded(min(24, max(10, width / 4))))
        line.append("  " + item.subject)
        return line
    }

    private func conversation(_ item: ConversationItem) -> StyledText {
        var line = item.counts.padded(12)
        line.append(StyledText(item.conversation.name, .bold).padded(min(24, max(10, width / 4))))
        line.append("  ")
        line.append(item.latest)
        return line
    }

    private func free(_ item: FreeItem) -> StyledText {
        var line = StyledText("\(viewer.clock(item.range.start))–\(viewer.clock(item.range.end))", TextStyle(.green))
            .padded(12)
        line.append(DateWords.text(hours: item.range.duration), .dim)
        return line
    }
}
