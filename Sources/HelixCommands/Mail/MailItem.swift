import HelixMail
import HelixModel
import HelixStore
import HelixTerminal

/// A message in a report.
struct MailItem: DescribedItem {
    var message: EmailMessage
    /// The entities it is linked with; looked up for machine-readable output only.
    var links: [EntityID] = []

    static let described = list {
        Field("kind", .choice(["message"]), "The kind of item.") { _ in EntityKind.message.rawValue }
        Field("id", .id, "Its identity.") { $0.message.id }
        Field("message_id", .string, required: false, "Message-ID of RFC 5322, without brackets.") {
            $0.message.messageID
        }.foreignUnlessWord
        Field("thread", .string, "The conversation's identity, shared by its messages.") { $0.message.threadText }
        Field("account", .string, "The account's name.") { $0.message.account }
        Field("mailbox", .string, "The mailbox's name.") { $0.message.mailbox }
        Field("from", .array(.string), "Senders, 'Name <address>'.") { lines($0.message.from) }.foreign
        Field("from_name", .string, required: false, "The name of the first sender.") { $0.first(\.name) }.foreign
        Field("from_address", .string, required: false, "The address of the first sender.") { $0.first(\.address) }
            .foreignUnlessWord
        Field("to", .array(.string), "To recipients.") { lines($0.message.to) }.foreign
        Field("cc", .array(.string), "Cc recipients.") { lines($0.message.cc) }.foreign
        Field("bcc", .array(.string), required: false, "Bcc recipients, of own messages.") {
            $0.message.bcc.isEmpty ? nil : lines($0.message.bcc)
        }
        Field("subject", .string, "Subject.") { $0.message.subject }.foreign
        Field("date", .time, "Its Date, or the time of arrival if it has none.") { $1.iso($0.message.date) }
        Field("flags", .array(.string), "read, answered, starred, forwarded, draft, deleted.") {
            $0.message.flags.names
        }
        Field("labels", .array(.string), "Labels.") { $0.message.labels }.foreignUnlessWord
        Field("attachments", .array(.string), "Names of the attachments, as set by the sender.") {
            $0.message.attachments
        }.foreign
        Field("invitation", .bool, "Whether it is an invitation, or a reply to one.") { $0.has(.isInvitation) }
        Field("partial", .bool, "Whether only its headers are stored; the rest is fetched when it is read.") {
            $0.has(.isPartial)
        }
        Field("broken", .bool, "Whether it is malformed, and only partly readable.") { $0.has(.isBroken) }
        Field("snippet", .string, "The beginning of its text, or the matching passage.") {
            $0.message.snippet.filter { $0 != "\u{2}" && $0 != "\u{3}" }
        }.foreign
        Field("size", .integer, "Its size in bytes.") { $0.message.size }
        Field("links", .array(.id), "Identities of entities it is linked with.") { $0.links }
    }

    private static func lines(_ text: String) -> [String] { text.split(separator: "\n").map(String.init) }

    /// A part of the first sender; nil if it is empty.
    private func first(_ part: KeyPath<MailAddress, String>) -> String? {
        let text = message.from.split(separator: "\n").first.map { MailAddress(text: $0)[keyPath: part] }
        return text?.isEmpty == true ? nil : text
    }

    func has(_ trait: MessageSummary.Traits) -> Bool { message.traits & trait.rawValue != 0 }
    var isUnread: Bool { !message.flags.contains(.seen) }

    /// The first sender, by name.
    var sender: String {
        let first = message.from.split(separator: "\n").first ?? ""
        return MailAddress(text: first).label
    }

    /// The first recipient, by name, and the number of the others.
    var recipient: String {
        let all = message.to.split(separator: "\n")
        guard let first = all.first else { return "" }
        return MailAddress(text: first).label + (all.count > 1 ? " +\(all.count - 1)" : "")
    }

    /// The person that a list shows: the sender, or the recipient of an own message.
    var person: String {
        guard isOwn else { return sender }
        return "→ " + (recipient.isEmpty ? "nobody yet" : recipient)
    }

    /// Whether the message is the user's own, judged by its mailbox. Determining a mailbox's role takes a while; common
    /// names are decided first.
    private var isOwn: Bool {
        if message.flags.contains(.draft) { return true }
        switch message.mailbox {
        case "INBOX", "Archive", "Trash", "Junk": return false
        default: return [.sent, .drafts].contains(Mailbox.Role(name: message.mailbox))
        }
    }

    /// Whether it is in the trash or among junk, judged as in ``isOwn``.
    fileprivate var isDiscarded: Bool {
        message.mailbox != "INBOX" && [.trash, .junk].contains(Mailbox.Role(name: message.mailbox))
    }

    /// The subject, or `(no subject)`.
    var subject: String { message.subject.isEmpty ? "(no subject)" : message.subject }

    /// Marks that work without colours: unread, starred, answered, forwarded.
    var marks: StyledText { marks(isUnread: isUnread) }

    /// The marks, with `isUnread` set by the caller, such as for a conversation.
    func marks(isUnread: Bool) -> StyledText {
        var text = StyledText()
        text.append(isUnread ? "●" : " ", TextStyle(.blue, bold: true))
        if message.flags.contains(.flagged) {
            text.append("★", TextStyle(.yellow, bold: true))
        } else if message.flags.contains(.answered) {
            text.append("↩", .dim)
        } else if message.flags.contains(.passed) {
            text.append("→", .dim)
        } else if message.flags.contains(.draft) {
            text.append("✎", .dim)
        } else {
            text.append(" ")
        }
        return text
    }

    /// Signs for attachments, invitations, encryption and defects.
    var signs: StyledText {
        var text = StyledText()
        if has(.hasAttachment) { text.append("⎘", .dim) }
        if has(.isInvitation) { text.append("◷", TextStyle(.magenta)) }
        if has(.isEncrypted) { text.append("⚿", .dim) }
        if has(.isBroken) { text.append("⚠", TextStyle(.red)) }
        return text
    }

    func labels(for viewer: Viewer) -> StyledText {
        var text = StyledText()
        for label in message.labels { text.append(" " + viewer.words(label: label), TextStyle(.cyan)) }
        return text
    }
}

extension Viewer {
    /// The words for a label: `+family`; that of a snooze says until when.
    func words(label: String) -> String {
        if let time = MessageAway.followUpTime(label) {
            return time > now ? "(follow-up \(soon(time)))" : "(follow-up was \(brief(time)))"
        }
        guard let time = MessageAway.time(label) else { return "+" + label }
        return time > now ? "(until \(soon(time)))" : "(back since \(brief(time)))"
    }
}

extension CommandContext {
    /// The report items of messages, with their links for machine-readable output.
    /// - Throws: ``HelixError``.
    func items(_ messages: [EmailMessage]) throws -> [MailItem] {
        guard output.isMachine else { return messages.map { MailItem(message: $0) } }
        let links = try store().partners(of: Set(messages.map(\.id)))
        return messages.map { MailItem(message: $0, links: links[$0.id] ?? []) }
    }
}

extension EmailMessage {
    /// The subject without 'Re:' and its like, as a title.
    var plainSubject: String {
        let bare = ThreadSubject.bare(subject).text
        return bare.isEmpty ? "(no subject)" : bare
    }

    /// The conversation's name: the first twelve characters of the identity of its first message.
    var threadText: String { EntityID(head: thread).text.prefix(12).description }
}

extension Viewer {
    /// A short form of a past time: the hour today, the day this year, else the date.
    ///
    /// - Parameter isNarrow: whether there is room for only the hour, the day or the year.
    func brief(_ instant: Instant, isNarrow: Bool = false) -> String {
        let civil = zone.civil(instant)
        if civil.date == today { return clock(civil.secondOfDay) }
        if civil.date > today + -7, civil.date < today {
            return DateWords.name(civil.date.weekday) + (isNarrow ? "" : " " + clock(civil.secondOfDay))
        }
        if civil.date.year == today.year { return "\(civil.date.day) \(DateWords.name(month: civil.date.month))" }
        return isNarrow ? "\(civil.date.year)" : ISO8601.text(civil.date)
    }
}

extension Viewer {
    /// A short form of a future time.
    func soon(_ instant: Instant) -> String {
        let civil = zone.civil(instant)
        if civil.date == today { return clock(civil.secondOfDay) }
        if civil.date < today + 7 { return DateWords.name(civil.date.weekday) + " " + clock(civil.secondOfDay) }
        return civil.date.year == today.year
            ? "\(civil.date.day) \(DateWords.name(month: civil.date.month))" : ISO8601.text(civil.date)
    }
}

/// Messages in a list.
struct MailListReport: OrderedReport {
    static let schema = "helix.mail.list/1"
    var items: [MailItem]
    var isTruncated = false
    /// Whether the mailbox column is hidden, because all messages are in one mailbox.
    var hidesMailbox = false
    /// Whether the snippet shows the matching passage.
    var showsHits = false
    /// The numbers of messages and of unread messages of each conversation, if listed by conversation.
    var threadCounts: [Int64: (all: Int, unread: Int)] = [:]
    var nothing = "No messages."
    /// Messages above the list that were snoozed and are back.
    var returned: [MailItem] = []

    func limited(to count: Int) -> MailListReport {
        var cut = self
        cut.items = Array(items.prefix(count))
        cut.isTruncated = isTruncated || items.count > count
        return cut
    }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        if items.isEmpty, returned.isEmpty { canvas.line(StyledText(nothing, .dim)) }
        let wide = canvas.width >= 60
        var table = Table([
            .init(), .init(), .init(right: true), .init(minimum: wide ? 16 : 6), .init(right: true),
            .init(), .init(minimum: wide ? 12 : 8), .init(minimum: 5),
        ])
        for (item, places) in Self.folded(returned + items) {
            let counts = threadCounts[item.message.thread]
            let isUnread = item.isUnread || counts?.unread ?? 0 > 0
            let style: TextStyle = isUnread ? .bold : .plain
            var subject = StyledText(item.subject, style)
            let count = counts.map { $0.all > 1 ? "\($0.all)" : "" } ?? ""
            subject.append(item.labels(for: viewer))
            if !places.isEmpty { subject.append(" (also in \(places.joined(separator: ", ")))", TextStyle(.green)) }
            if wide, !showsHits, !item.message.snippet.isEmpty { subject.append("  " + item.message.snippet, .dim) }
            table.row([
                StyledText(viewer.short(item.message.id), .dim), item.marks(isUnread: isUnread),
                StyledText(viewer.brief(item.message.date, isNarrow: !wide), .dim),
                canvas.cell(StyledText(item.person, style), most: wide ? 24 : 14),
                StyledText(count, .dim), item.signs, subject,
                canvas.cell(
                    StyledText(wide && !hidesMailbox ? item.message.mailbox : "", TextStyle(.green)), most: 16),
            ])
            if showsHits { table.note(hit(item)) }
        }
        table.draw(on: &canvas)
        if isTruncated { canvas.paragraph("More results: raise --limit or narrow the query.", style: .dim) }
    }

    /// The messages, each once though it is in several places, with the other places. Programs get all.
    private static func folded(_ items: [MailItem]) -> [(item: MailItem, places: [String])] {
        /// Anybody can use a Message-ID once more: only what else is the same, too, is the same message.
        struct Identity: Hashable {
            let id, from, subject: String
            let date: Instant
        }
        var folded: [(item: MailItem, places: [String])] = []
        var known: [Identity: Int] = [:]
        for item in items {
            let message = item.message
            if let id = message.messageID, !id.isEmpty {
                let identity = Identity(id: id, from: message.from, subject: message.subject, date: message.date)
                if let place = known[identity] {
                    var (shown, other) = (folded[place].item, item)
                    // One that is thrown away does not stand for one that is not.
                    if shown.isDiscarded, !other.isDiscarded { swap(&shown, &other) }
                    let account = other.message.account == shown.message.account ? "" : other.message.account + "/"
                    folded[place].item = shown
                    folded[place].places.append(account + other.message.mailbox)
                    continue
                }
                known[identity] = folded.count
            }
            folded.append((item, []))
        }
        return folded
    }

    /// The matching passage, with the matches in bold.
    private func hit(_ item: MailItem) -> StyledText {
        var text = StyledText(String(repeating: " ", count: 10))
        var isHit = false
        var piece: [UInt8] = []
        func flush() {
            text.append(String(decoding: piece, as: UTF8.self), isHit ? TextStyle(.yellow, bold: true) : .dim)
            piece = []
        }
        var wasBlank = false
        for byte in item.message.snippet.utf8 {
            switch byte {
            case 2, 3:
                flush()
                isHit = byte == 2
            // Runs of blanks and line ends become one blank.
            case 0x20, 0x09, 0x0A, 0x0D:
                if !wasBlank { piece.append(0x20) }
                wasBlank = true
                continue
            default: piece.append(byte)
            }
            wasBlank = false
        }
        flush()
        return text
    }
}
