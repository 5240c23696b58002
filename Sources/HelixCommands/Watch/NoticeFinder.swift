import HelixMail
import HelixModel
import HelixStore
import HelixSync

/// Finds what has happened since the watch looked last.
struct NoticeFinder {
    let context: CommandContext
    let store: Store
    /// The time up to which was looked.
    let seen: Instant

    /// The longest time that it looks back, after sleep or before the first look.
    static let reach = 7 * 86_400
    /// The most messages of each kind that one look takes.
    static let limit = 500

    private var now: Instant { context.now }
    private var viewer: Viewer { context.viewer }

    /// The notices but those of mail, in any order.
    /// - Throws: ``HelixError``.
    func find(_ arrivals: Arrivals, _ outcomes: [SyncOutcome], hooked: Set<Notice.Kind>) throws -> [Notice] {
        var found = try reminders() + arrivals.messages.map(notice) + stuck() + timer()
        found += arrivals.done.map {
            Notice(
                .taskDone, key: "\($0.id.text):\($0.change)", entity: $0.id, title: $0.title, detail: "", time: $0.time)
        }
        if hooked.contains(.eventStart) { found += try starts() }
        found += try returned()
        found += outcomes.enumerated().compactMap(notice)
        return found
    }

    /// Whether a notice is of no use any more: its reminder was answered, its task is done, its message was read.
    /// - Throws: ``HelixError``.
    func isStale(_ notice: Notice) throws -> Bool {
        switch notice.kind {
        case .reminder:
            let moment = TimeRange(start: notice.time, end: notice.time + 1)
            return try !store.reminders(
                in: moment, zone: context.zone, allDay: context.configuration.allDayReminder
            ).reminders.contains { $0.id == notice.entity }
        case .mailNew, .invitation:
            guard let id = notice.entity else { return false }
            guard let message = try HelixError.ifFound({ try store.message(id) }) else { return true }
            // An own message is read; its answer may have come.
            if notice.key.contains(":follow-up:") {
                return try !store.unansweredMessages(limit: 1000).contains { $0.id == id }
            }
            return message.flags.contains(.seen)
        case .timerForgotten: return try store.runningEntry()?.entry.id != notice.entity
        case .messageStuck: return try !store.outbox().contains { $0.id == notice.entity && $0.state == .parked }
        case .chatMention, .chatDirect, .eventStart, .taskDone, .syncDone, .syncFailed: return false
        }
    }

    /// The reminders that went off since the last look; and of the day before it, those that became known late and are still of
    /// use.
    private func reminders() throws -> [Notice] {
        let start = max(min(seen, now - 86_400), now - NoticeFinder.reach)
        let found = try store.reminders(
            in: TimeRange(start: start, end: now + 1), zone: context.zone, allDay: context.configuration.allDayReminder
        ).reminders
        return found.compactMap { reminder in
            let begin = reminder.begin(in: context.zone)
            if reminder.time <= seen, begin <= now { return nil }
            return Notice(
                .reminder, key: "\(reminder.id.text):\(reminder.time.seconds)", entity: reminder.id,
                title: reminder.title, detail: reminder.words(viewer), time: reminder.time,
                until: max(begin, reminder.time))
        }
    }

    /// The events that began since the last look.
    private func starts() throws -> [Notice] {
        let range = TimeRange(start: max(seen, now - NoticeFinder.reach) + 1, end: now + 1)
        return try store.occurrences(in: range, zone: context.zone).compactMap { occurrence in
            guard case .timed(let time) = occurrence.time, range.contains(time.start),
                occurrence.status != .cancelled, !occurrence.isDeclined
            else { return nil }
            return Notice(
                .eventStart, key: "\(occurrence.event.text):\(time.start.seconds)", entity: occurrence.event,
                title: occurrence.title, detail: occurrence.location ?? "", time: time.start, until: time.end)
        }
    }

    /// The snoozed messages that came back since the last look, and those that nobody has answered in time.
    private func returned() throws -> [Notice] {
        let back: [Notice] = try store.returnedMessages(limit: 100).compactMap { message in
            guard let time = message.labels.compactMap(MessageAway.time).max(), time > seen else { return nil }
            return Notice(
                .mailNew, key: "\(message.id.text):\(time.seconds)", entity: message.id, title: message.subject,
                detail: message.from, time: time)
        }
        return try back
            + store.unansweredMessages(limit: 100).compactMap { message in
                guard let time = message.labels.compactMap(MessageAway.followUpTime).max(), time > seen else {
                    return nil
                }
                return Notice(
                    .mailNew, key: NoticeFinder.followUpKey(message, time), entity: message.id,
                    title: "No answer: \(message.subject)", detail: message.to, time: time)
            }
    }

    private static func followUpKey(_ message: EmailMessage, _ time: Instant) -> String {
        "\(message.id.text):follow-up:\(time.seconds)"
    }

    /// The new messages that the settings ask for.
    /// - Throws: ``HelixError`` for a query that cannot be used.
    func mail(_ arrivals: Arrivals) throws -> [Notice] {
        let text = context.configuration.text(.notifyMail) ?? ""
        guard !arrivals.mail.isEmpty, text.lowercased() != "none" else { return [] }
        let query = try context.mailQueries.parse(QueryNoun.mail.line([text], dates: context.dates))
        return try store.messages(.all([query, .oneOf(arrivals.mail)]), limit: arrivals.mail.count).map { message in
            let isInvitation = message.traits & MessageSummary.Traits.isInvitation.rawValue != 0
            return Notice(
                isInvitation ? .invitation : .mailNew, key: message.id.text, entity: message.id,
                title: message.subject, detail: message.from, time: min(message.date, now))
        }
    }

    private func notice(_ line: Arrivals.ChatLine) -> Notice {
        let text = line.text.split(whereSeparator: \.isNewline).first.map { String($0.prefix(200)) } ?? ""
        return Notice(
            line.isMention ? .chatMention : .chatDirect, key: line.id.text, entity: line.id,
            title: line.isMention && line.conversation != line.sender
                ? "\(line.sender) in \(line.conversation)" : line.sender,
            detail: text, time: line.time)
    }

    private func stuck() throws -> [Notice] {
        try store.outbox().filter { $0.state == .parked }.map {
            Notice(
                .messageStuck, key: "\($0.id.text):\($0.tries)", entity: $0.id, title: $0.subject,
                detail: $0.problem ?? "it was refused", time: now)
        }
    }

    private func timer() throws -> [Notice] {
        let text = context.configuration.text(.notifyTimer) ?? ""
        guard let running = try store.runningEntry()?.entry, let length = try? context.dates.duration(text), length > 0,
            now - running.start >= length
        else { return [] }
        return [
            Notice(
                .timerForgotten, key: "\(running.id.text):\(running.start.seconds)", entity: running.id,
                title: running.title ?? "A timer runs",
                detail: "since \(viewer.moment(running.start)); is it forgotten?",
                time: running.start + length)
        ]
    }

    private func notice(_ index: Int, _ outcome: SyncOutcome) -> Notice? {
        let key = "\(outcome.account):\(now.seconds):\(index)"
        if let failure = outcome.failure {
            return Notice(.syncFailed, key: key, title: outcome.account, detail: failure.message, time: now)
        }
        guard !outcome.steps.isEmpty else { return nil }
        return Notice(.syncDone, key: key, title: outcome.account, detail: "", time: now)
    }
}

extension Reminder {
    /// When its subject begins, or the way to it, or it is due; the end of a day.
    func begin(in zone: Zone) -> Instant {
        switch subject {
        case .days(let first, _): zone.startOfDay(first + 1)
        case .timed(let range): range.start - travel
        }
    }

    /// The time of its subject in words: `at 10:00`, `due today`.
    func words(_ viewer: Viewer) -> String {
        let isTask = kind == .task
        if isTask, !isDue { return "" }
        switch subject {
        case .days(let first, _): return (isTask ? "due " : "") + viewer.day(first)
        case .timed(let range):
            let isSameDay = viewer.zone.date(range.start) == viewer.zone.date(time)
            let words = isSameDay ? viewer.clock(range.start) : viewer.moment(range.start)
            let way = travel > 0 ? ", leave at \(viewer.clock(range.start - travel))" : ""
            return (isTask ? "due " : "at ") + words + way
        }
    }
}
