import HelixModel
import HelixStore
import HelixSync

/// One look of the watch: finds what has happened, tells people, and runs hooks.
struct NoticeRound {
    /// The result of a look.
    struct End {
        /// When to look again, at the latest.
        var next: Instant
        /// Sentences about failures: a channel that is away, a folder that cannot be read.
        var problems: [String] = []

        /// - Throws: ``HelixError`` if something could not be done.
        func finish() throws {
            if let problem = problems.first { throw HelixError(.unexpected, problem) }
        }
    }

    private let context: CommandContext
    /// Whether the watch lasts, so that it can follow the buttons of a notification.
    private let lasts: Bool

    init(_ context: CommandContext, lasts: Bool) { (self.context, self.lasts) = (context, lasts) }

    /// The longest time between two looks.
    private static let pause = 600
    /// The seconds after which the time of the last look is written though nothing happened.
    private static let markAge = 60

    /// Looks once.
    /// - Parameter outcomes: what syncs did meanwhile.
    /// - Throws: ``HelixError`` for errors of the store and the settings.
    func run(outcomes: [SyncOutcome]) throws -> End {
        let store = try context.store()
        let (now, hooked) = (context.now, HookRunner.kinds(context.configuration))
        let seen = try store.beginWatch()
        var end = End(next: now + NoticeRound.pause)
        end.problems += try context.readFolders().map { "mail: \($0)" }
        var arrivals = try store.arrivals(limit: NoticeFinder.limit)
        let finder = NoticeFinder(context: context, store: store, seen: seen)
        var found = try finder.find(arrivals, outcomes, hooked: hooked)
        do { found += try finder.mail(arrivals) } catch let error as HelixError {
            // Its messages wait for a query that can be used; everything else is announced.
            (arrivals.mail, arrivals.looked) = ([], [])
            end.problems.append("notify.mail: \(error.message.split(separator: "\n").first ?? "it cannot be used")")
        }
        let notices = try store.unknown(found.sorted { $0.time < $1.time })
        let isNews = !notices.isEmpty || arrivals.isAhead || !arrivals.looked.isEmpty || !arrivals.messages.isEmpty
        if isNews || now - seen >= NoticeRound.markAge {
            try store.keep(notices, hooked: hooked, lookedAt: arrivals)
        }
        try tell(store, finder, &end)
        let hooks = HookRunner(context: context, store: store)
        if try hooks.run() == 0, !hooked.isEmpty, try store.hasUnhookedNotices() { end.next = min(end.next, now + 15) }
        if arrivals.looked.count >= NoticeFinder.limit || arrivals.messages.count >= NoticeFinder.limit {
            end.next = now
        }
        let coming = TimeRange(start: now + 1, end: end.next)
        if coming.start < coming.end {
            let next = try store.reminders(
                in: coming, zone: context.zone, allDay: context.configuration.allDayReminder
            ).reminders.first?.time
            end.next = min(end.next, next ?? end.next)
            if hooked.contains(.eventStart) {
                let starts = try store.occurrences(in: coming, zone: context.zone).compactMap { occurrence in
                    if case .timed(let time) = occurrence.time, time.start > now { time.start } else { nil }
                }
                end.next = min(end.next, starts.min() ?? end.next)
            }
        }
        return end
    }

    /// Tells people what they are to be told now.
    private func tell(_ store: Store, _ finder: NoticeFinder, _ end: inout End) throws {
        var untold = try store.untoldNotices(limit: 1000)
        guard !untold.isEmpty else { return }
        // Notices that waited may be answered, read, done or deleted meanwhile.
        let stale = try untold.filter { try finder.isStale($0) }
        try store.markTold(stale)
        untold.removeAll { stale.contains($0) }
        let configuration = context.configuration
        let policy = NoticePolicy(
            quiet: configuration.text(.notifyQuiet).flatMap { NightHours($0, context.dates) },
            waitsWhileBusy: configuration.bool(.notifyBusy), zone: context.zone)
        let decision = policy.decide(
            untold, now: context.now, busyUntil: policy.waitsWhileBusy ? try busyUntil(store) : nil)
        if let next = decision.next { end.next = min(end.next, next) }
        let channels = try context.noticeChannels(lasts: lasts)
        // Notices without any channel are not kept waiting for ever.
        if channels.isEmpty { return try store.markTold(decision.announced) }
        for announcement in Announcement.list(decision.announced, now: context.now, viewer: context.viewer) {
            var isTold = false
            for channel in channels {
                do {
                    try channel.show(announcement)
                    isTold = true
                } catch let error as HelixError { end.problems.append("\(channel.name): \(error.message)") }
            }
            guard isTold else {
                end.next = min(end.next, context.now + 60)
                continue
            }
            try store.markTold(announcement.notices)
        }
    }

    /// The end of the busy events that last now.
    private func busyUntil(_ store: Store) throws -> Instant? {
        let range = TimeRange(start: context.now, end: context.now + 1)
        return try store.occurrences(in: range, zone: context.zone).compactMap { occurrence in
            if occurrence.isBusy, case .timed(let time) = occurrence.time { time.end } else { nil }
        }.max()
    }
}
