import HelixModel
import HelixStore

/// The rules by which notices are announced now, together, or later.
struct NoticePolicy: Sendable {
    /// The hours in which nothing is announced.
    var quiet: NightHours?
    /// Whether notices other than reminders wait for the end of a busy event.
    var waitsWhileBusy = false
    /// The zone of the hours.
    var zone: Zone

    /// The number of notices from which they are announced as one.
    static let summarySize = 5

    /// The notices to announce now, those that wait, and the time to decide again.
    struct Decision: Equatable {
        var announced: [Notice] = []
        var held: [Notice] = []
        var next: Instant?
    }

    /// Decides about notices.
    /// - Parameter busyUntil: the end of a busy event that lasts.
    func decide(_ notices: [Notice], now: Instant, busyUntil: Instant?) -> Decision {
        var decision = Decision()
        let quietEnd = quiet?.end(at: now, in: zone)
        for notice in notices {
            // An event that begins before the quiet hours end would be announced too late.
            let isPressing = notice.until.flatMap { until in quietEnd.map { until < $0 && until >= now } } ?? false
            let isQuiet = quietEnd != nil && !(notice.kind == .reminder && isPressing)
            let isBusy = waitsWhileBusy && busyUntil != nil && notice.kind != .reminder
            guard isQuiet || isBusy else {
                decision.announced.append(notice)
                continue
            }
            decision.held.append(notice)
            let ends = [isQuiet ? quietEnd : nil, isBusy ? busyUntil : nil].compactMap { $0 }
            decision.next = ([decision.next].compactMap { $0 } + ends).min()
        }
        return decision
    }
}

/// A text for people, of one notice or of many.
struct Announcement: Sendable {
    /// The title.
    var title: String
    /// The lines below it.
    var body: String
    /// The notices.
    var notices: [Notice]

    /// The announcements of notices: one for each, or one for all of many.
    static func list(_ notices: [Notice], now: Instant, viewer: Viewer) -> [Announcement] {
        if notices.count >= NoticePolicy.summarySize { return [summary(of: notices)] }
        return notices.map { notice in
            // After sleep, or after quiet hours.
            let isLate = notice.kind == .reminder && now.seconds - notice.time.seconds > 120
            let moment = isLate ? ["missed, \(viewer.moment(notice.time))"] : []
            return Announcement(
                title: line(notice),
                body: (moment + [notice.detail]).filter { !$0.isEmpty }.joined(separator: " · "), notices: [notice])
        }
    }

    private static func summary(of notices: [Notice]) -> Announcement {
        let kinds = notices.map(\.kind).uniqued
        let counts = kinds.map { kind in
            let count = notices.count { $0.kind == kind }
            return "\(count) \(count == 1 ? kind.noun : kind.nouns)"
        }
        let shown = notices.prefix(NoticePolicy.summarySize).map(line)
        let rest = notices.count - shown.count
        return Announcement(
            title: counts.joined(separator: ", "),
            body: (shown + (rest > 0 ? ["and \(rest) more: helix watch log"] : [])).joined(separator: "\n"),
            notices: notices)
    }

    private static func line(_ notice: Notice) -> String { notice.title.isEmpty ? "(no title)" : notice.title }
}

extension Notice.Kind {
    /// Its name in a sentence.
    var noun: String {
        switch self {
        case .reminder: "reminder"
        case .eventStart: "event that begins"
        case .mailNew: "message"
        case .invitation: "invitation"
        case .chatMention: "mention"
        case .chatDirect: "chat message"
        case .timerForgotten: "forgotten timer"
        case .messageStuck: "message that was not sent"
        case .taskDone: "task done"
        case .syncDone: "sync"
        case .syncFailed: "failed sync"
        }
    }

    /// Its name for several.
    var nouns: String {
        switch self {
        case .eventStart: "events that begin"
        case .messageStuck: "messages that were not sent"
        case .taskDone: "tasks done"
        default: noun + "s"
        }
    }
}
