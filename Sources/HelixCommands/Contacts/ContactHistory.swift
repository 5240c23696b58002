import HelixCalendar
import HelixContacts
import HelixMail
import HelixModel
import HelixStore
import HelixTasks
import HelixTerminal

/// The mail, events, tasks, time and chat with a contact.
struct ContactHistory {
    /// An entity with its title and time.
    struct Entry {
        var id: EntityID
        var title: String
        var when: String
    }

    var messageCount = 0
    /// The latest messages, in either direction.
    var messages: [Entry] = []
    /// The next events, then past ones.
    var events: [Entry] = []
    /// Open tasks.
    var tasks: [Entry] = []
    /// Seconds of work on the tasks.
    var spent = 0
    /// The last chat message.
    var chat: Entry?
    /// The last word in either direction.
    var last: Instant?
    /// The members of a group, for people.
    var members: [String] = []

    var ids: [EntityID] { (messages + events + tasks + [chat].compactMap(\.self)).map(\.id) }

    func draw(on canvas: inout Canvas, for viewer: Viewer) {
        func section(_ name: String, _ entries: [Entry], rest: String? = nil) {
            if entries.isEmpty { return }
            canvas.line()
            canvas.line(StyledText(name, .bold))
            var table = Table([.init(), .init(), .init(minimum: 10)])
            for entry in entries {
                table.row([
                    StyledText(viewer.short(entry.id), .dim), StyledText(entry.when, .dim),
                    StyledText(entry.title.isEmpty ? "(no title)" : entry.title),
                ])
            }
            table.draw(on: &canvas, indent: 2)
            if let rest { canvas.line(StyledText("  " + rest, .dim)) }
        }
        section(
            "Mail", messages,
            rest: messageCount > messages.count ? "\(messageCount) messages; 'helix mail search with:…' lists all" : nil
        )
        section("Events", events)
        section("Tasks", tasks, rest: spent > 0 ? "\(DateWords.text(duration: spent)) spent on their tasks" : nil)
        section("Chat", [chat].compactMap(\.self))
    }
}

extension CommandContext {
    /// The mail, events, tasks, time and chat with a contact, as far as a profile may read them.
    func contactHistory(_ contact: Contact) throws -> ContactHistory {
        let store = try store()
        var history = ContactHistory()
        if contact.kind == .group {
            history.members = try contact.members.map { member in
                if member.contains("@") { return member }
                return try store.contact(uid: member).map { "\($0.name)" + ($0.email.map { " <\($0)>" } ?? "") }
                    ?? member
            }
            return history
        }
        let viewer = viewer
        let reads: (AgentProfile.Domain) -> Bool = { store.profile?.read.contains($0) ?? true }
        let addresses = contact.emails.map(\.text).filter(\.hasIndexedWord)
        if !addresses.isEmpty, reads(.mail) {
            // Mail that came since is part of it.
            _ = try mailStore(.unset)
            let query = MailQuery.any(
                addresses.flatMap {
                    [MailQuery.words($0, field: .from, isPrefix: false), .words($0, field: .to, isPrefix: false)]
                })
            history.messageCount = try store.messageCount(query)
            let latest = try store.messages(query, limit: 5)
            history.messages = latest.map {
                .init(id: $0.id, title: $0.subject, when: viewer.brief($0.date))
            }
            history.last = latest.first?.date
        }
        if !addresses.isEmpty, reads(.calendar) { history.events = try events(with: addresses, viewer) }
        if reads(.tasks) { try addTasks(contact, to: &history) }
        if reads(.chat), contact.name.hasIndexedWord {
            let said = try store.searchChat(.words(contact.name, field: .from, isPrefix: false), limit: 1)
            if let message = said.first?.message {
                history.chat = .init(
                    id: message.id,
                    title: message.content.split(whereSeparator: \.isNewline).first.map(String.init) ?? "",
                    when: viewer.brief(message.sentAt))
                history.last = max(history.last ?? message.sentAt, message.sentAt)
            }
        }
        return history
    }

    private func events(with addresses: [String], _ viewer: Viewer) throws -> [ContactHistory.Entry] {
        let query = EventQuery.any(addresses.map { .words($0, field: .people, isPrefix: false) })
        let hits = try store().searchEvents(query, calendars: .all, zone: zone, limit: 50).hits
            .map(\.occurrence).sorted { $0.start(in: zone) < $1.start(in: zone) }
        let next = hits.filter { $0.time.range(in: zone).end > now }.prefix(3)
        let past = hits.filter { $0.time.range(in: zone).end <= now }.suffix(2).reversed()
        return (Array(next) + Array(past)).map {
            .init(id: $0.event, title: $0.title, when: viewer.span($0.time))
        }
    }

    private func addTasks(_ contact: Contact, to history: inout ContactHistory) throws {
        let store = try store()
        var names = [contact.name] + contact.nicknames + contact.emails.map(\.text)
        // A part of the name alone means the contact if no other one has it.
        for part in [contact.givenName, contact.familyName] where part.hasIndexedWord {
            let others = try store.contacts(.words(part, inName: true, isPrefix: false), limit: 2).contacts
            if others.count == 1 { names.append(part) }
        }
        let known = Set(names.map { $0.lowercased() }.filter { !$0.isEmpty })
        if known.isEmpty { return }
        let query = TaskFilter.any(known.map { .property(TaskProperty.assignee.name, $0) })
        let found = try store.tasks(query, order: .urgency, zone: zone, urgency: urgency).tasks.filter {
            known.contains($0.task.assignee?.lowercased() ?? "")
        }
        history.tasks = found.filter { $0.task.state == .open }.prefix(5).map {
            .init(id: $0.task.id, title: $0.task.title, when: $0.task.due.map(viewer.near) ?? "")
        }
        history.spent = try store.timeSpent(on: found.map(\.task.id)).values.reduce(0, +)
    }
}
