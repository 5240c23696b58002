import HelixCalendar
import HelixMail
import HelixModel
import HelixStore

/// Updates events from scheduling messages (RFC 5546): answers, cancellations, changes.
public struct InvitationIntake {
    private let store: Store
    private let own: Set<String>

    /// - Parameter own: the user's own addresses.
    public init(_ store: Store, own: [String]) {
        self.store = store
        self.own = Set(own.map { $0.lowercased() })
    }

    /// Processes the messages that arrived since the last run.
    /// - Returns: descriptions of the changes.
    /// - Throws: ``HelixError``.
    public func run() throws -> [String] {
        let messages = try store.newInvitations()
        if messages.isEmpty { return [] }
        var words: [String] = []
        for message in messages {
            // An unreadable message does not stop the others.
            do { words += try take(message) } catch let error as HelixError where error.code == .busy {
                throw error
            } catch {}
        }
        try store.noteInvitationsSeen(messages)
        return words
    }

    private func take(_ message: EmailMessage) throws -> [String] {
        guard let sender = message.from.split(separator: "\n").first.map({ MailAddress(text: $0) }) else { return [] }
        let parsed = try MIMEMessage(path: try store.messageFile(message.id))
        guard let part = parsed.parts.first(where: \.isCalendar) else { return [] }
        let (method, groups) = SchedulingFile.read(parsed.text(of: part))
        guard ["REPLY", "COUNTER", "CANCEL", "REQUEST"].contains(method) else { return [] }
        var words: [String] = []
        for group in groups {
            let incoming = ICalendarComponent.list(String(decoding: group.text, as: UTF8.self))
            var said: String?
            try store.change("import scheduling message from '\(sender.address)'", from: .sync) { change in
                guard let known = try change.event(uid: group.uid) else { return }
                let stored = try change.storedEvent(known.id)
                guard
                    let next = SchedulingChange(
                        method, incoming, stored: ICalendarComponent.list(stored.text),
                        sender: sender.address.lowercased(), own: own)
                else { return }
                let zones = method == "REQUEST" ? group.keptZones ?? stored.zones : stored.zones
                try change.setEventText(known.id, next.event.map(\.text).joined(), zones: zones)
                try change.addLinkOnce(known.id, message.id)
                change.summary = next.words
                said = next.words
            }
            if let said { words.append(said) }
        }
        return words
    }
}

/// The iCalendar data of a message.
public enum SchedulingFile {
    /// The method and the events; unreadable ones are left out.
    public static func read(_ text: String) -> (method: String, events: [EventGroup]) {
        let all = parts(text)
        return (all.method, all.events)
    }

    /// The method, the events, and the components of other kinds.
    public static func parts(_ text: String) -> (method: String, events: [EventGroup], others: [RawComponent]) {
        var reader = CalendarFileReader(Array(text.utf8))
        var method = "PUBLISH"
        for line in text.split(whereSeparator: \.isNewline).prefix(50) where line.uppercased().hasPrefix("METHOD:") {
            method = line.dropFirst(7).uppercased().filter { $0.isLetter }
        }
        var (events, others) = ([EventGroup](), [RawComponent]())
        while let part = try? reader.next(), events.count + others.count < 20 {
            switch part {
            case .events(let group): events.append(group)
            case .other(let raw): others.append(raw)
            default: break
            }
        }
        return (method, events, others)
    }
}
