import HelixGateway
import HelixMail
import HelixModel
import HelixStore

/// Search and statistics of messages.
enum EmailSearch {
    static func run(_ call: inout MethodCall, _ store: Store) throws -> JSONText {
        let limit = try call.params.integer("limit", in: 1...500) ?? (call.session.dialect.isAndroid ? 50 : 20)
        var parts: [MailQuery] = []
        if let words = try call.params.text("query"), !words.isEmpty {
            // The query language of the command line.
            parts.append(try MailQueryParser(dates: DatePhraseParser(now: call.now, zone: .utc), own: []).parse(words))
        }
        for (name, field) in [("from", MailQuery.Field.from), ("to", .to), ("subject", .subject)] {
            // A text, or a list of texts that must all be there.
            let texts =
                call.params.isList(name)
                ? try call.params.texts(name, most: 20) : try call.params.text(name).map { [$0] }
            for text in texts ?? [] where !text.isEmpty {
                parts.append(.words(text, field: field, isPrefix: true))
            }
        }
        if let mailbox = try mailbox(&call), mailbox.lowercased() != "all" { parts.append(.mailbox(mailbox)) }
        if let thread = try call.params.text("threadId", most: 32) ?? call.params.text("thread_id", most: 32) {
            guard let number = Int64(thread) else { throw call.params.wrong("threadId", "is not a thread") }
            parts.append(.thread(number))
        }
        if let label = try call.params.text("label", most: 256) { parts.append(.label(label)) }
        for label in try call.params.texts("labels", most: 50) ?? [] { parts.append(.label(label)) }
        if let isRead = try call.params.bool("is_read") ?? call.params.bool("isRead") {
            parts.append(isRead ? .not(.has(.unread)) : .has(.unread))
        }
        if let isStarred = try call.params.bool("is_starred") ?? call.params.bool("isStarred") {
            parts.append(isStarred ? .has(.flag(.flagged)) : .not(.has(.flag(.flagged))))
        }
        let start = try call.params.instant("start_date") ?? call.params.instant("after_date")
        let end = try call.params.instant("end_date") ?? call.params.instant("before_date")
        if start != nil || end != nil { parts.append(.dated(from: start, to: end)) }
        if let has = try call.params.bool("has_attachments") ?? call.params.bool("has_attachment") {
            parts.append(has ? .has(.trait(.hasAttachment)) : .not(.has(.trait(.hasAttachment))))
        }
        try call.params.end()
        let query: MailQuery = parts.isEmpty ? .everything : parts.count == 1 ? parts[0] : .all(parts)
        let found = try store.messages(query, limit: limit).map { EmailWire.json($0, call) }
        return ["results": .array(found)]
    }

    /// The mailbox that a call names: a name, a role, or `all`.
    static func mailbox(_ call: inout MethodCall) throws -> String? {
        try call.params.text("mailbox", most: 256) ?? call.params.text("folder", most: 256)
    }

    static func analytics(_ account: String?, _ call: MethodCall, _ store: Store) throws -> JSONText {
        func count(_ query: MailQuery) throws -> Int {
            try store.messageCount(account.map { .all([.account($0), query]) } ?? query)
        }
        let boxes = try store.mailboxes().filter { account == nil || $0.account == account }
        func total(_ role: Mailbox.Role) -> Int { boxes.filter { $0.mailbox.role == role }.reduce(0) { $0 + $1.count } }
        var senders: [String: (name: String, count: Int, last: Instant)] = [:]
        try store.countMessages(in: TimeRange(start: call.now - 90 * 86_400, end: call.now + 86_400)) { message in
            guard let first = Optional(message.sender), !first.isEmpty else { return }
            let sender = MailAddress(text: first)
            let known = senders[sender.address.lowercased()] ?? (sender.name, 0, message.date)
            senders[sender.address.lowercased()] = (
                known.name.isEmpty ? sender.name : known.name, known.count + 1, max(known.last, message.date)
            )
        }
        let active = senders.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.prefix(10)
        let sizes = try store.mailboxSizes()
        return [
            "total_emails": .integer(try count(.everything)), "unread_count": .integer(try count(.has(.unread))),
            "starred_count": .integer(try count(.has(.flag(.flagged)))), "spam_count": .integer(total(.junk)),
            "draft_count": .integer(total(.drafts)), "storage_used_bytes": .integer(sizes.values.reduce(0, +)),
            "storage_quota_bytes": 0,
            "most_active_senders": .array(
                active.map { address, found in
                    [
                        "email": .string(address), "display_name": found.name.isEmpty ? nil : .string(found.name),
                        "message_count": .integer(found.count), "last_message_date": EmailWire.text(found.last),
                    ]
                }),
            "email_frequency_by_day": .array(
                try days(TimeRange(start: call.now - 30 * 86_400, end: call.now + 86_400), store)),
            "frequency_data": try frequency(call, store, active.map { ($0.key, $0.value.count) }),
        ]
    }

    /// The number of messages received in the last thirty days by day of the week, by hour and by sender.
    private static func frequency(
        _ call: MethodCall, _ store: Store, _ senders: [(String, Int)]
    ) throws -> JSONText {
        var (days, hours): ([Int: Int], [Int: Int]) = ([:], [:])
        try store.countMessages(in: TimeRange(start: call.now - 30 * 86_400, end: call.now + 86_400)) { message in
            let seconds = message.date.seconds
            // 1 January 1970 was a Thursday; 1 is Monday.
            days[Int(((seconds / 86_400 + 3) % 7 + 7) % 7) + 1, default: 0] += 1
            hours[Int((seconds % 86_400 + 86_400) % 86_400 / 3600), default: 0] += 1
        }
        func object(_ counts: [Int: Int]) -> JSONText {
            .object(counts.sorted { $0.key < $1.key }.map { .init(name: String($0.key), value: .integer($0.value)) })
        }
        return [
            "by_day_of_week": object(days), "by_hour_of_day": object(hours),
            "by_sender": .object(senders.map { .init(name: $0.0, value: .integer($0.1)) }),
        ]
    }

    /// The number of messages received each day.
    static func days(_ range: TimeRange, _ store: Store) throws -> [JSONText] {
        var counts: [CivilDate: Int] = [:]
        try store.countMessages(in: range) { counts[Zone.utc.date($0.date), default: 0] += 1 }
        return counts.sorted { $0.key < $1.key }.map { day, count in
            [
                "date": EmailWire.text(Zone.utc.instant(CivilDateTime(day))), "count": .integer(count),
            ]
        }
    }
}
