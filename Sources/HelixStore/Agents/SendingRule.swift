import HelixMail
import HelixModel
import HelixSQLite

/// The rule of a profile for everything that leaves: mail, chat, invitations and assignments.
extension Change {
    /// Checks a change of an entity that makes something leave.
    ///
    /// Here, and not in commands, since undo, replies, invitations and imports end here as well.
    /// - Parameters:
    ///   - old: its fields before; nil if it is created.
    ///   - new: the fields that are set; nil if it is deleted.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireSending(_ kind: EntityKind, _ id: EntityID, old: JournalFields?, new: JournalFields?) throws {
        guard let profile = store.profile, origin != .sync, !store.isReplaying else { return }
        // Others are told when a person has accepted it.
        if store.branch != nil, profile.send != .never, kind != .outgoing { return }
        if kind == .outgoing, case .string(OutgoingMessage.State.held.rawValue)? = old?.values["state"],
            let state = new?.values["state"], state != .string(OutgoingMessage.State.held.rawValue)
        {
            // Also by undo, which would take back that a person held it.
            throw profile.refusal("release held messages, which a person does", rule: .send)
        }
        guard profile.send != .allowed else { return }
        func text(_ name: String) -> String? {
            if case .string(let text)? = new?.values[name] ?? old?.values[name] { return text }
            return nil
        }
        switch kind {
        case .outgoing:
            guard new != nil, let state = text("state").flatMap(OutgoingMessage.State.init) else { return }
            let recipients = (text("recipients") ?? "").split(separator: "\n").map(String.init)
            try require(profile, state, recipients)
        case .conversation, .chatMessage, .chatAttachment:
            guard try isShared(kind, id, text) else { return }
            throw profile.refusal("send or change messages that others receive", rule: .send)
        case .event:
            let (before, after) = (old.flatMap { Self.people($0) } ?? "", new.flatMap { Self.people($0) } ?? "")
            guard !(before + after).isEmpty, let calendar = text("calendar"), try isSynced("calendar", calendar) else {
                return
            }
            throw profile.refusal("change an event with attendees, who would be told", rule: .send)
        case .task, .project:
            guard case .string(let name)? = new?.values["assignee"], name != "me", try hasGateway() else { return }
            throw profile.refusal("assign something to others, who would receive it", rule: .send)
        default: return
        }
    }

    /// Checks all rows of a kind after a row number.
    /// - Throws: ``HelixError`` of code `notAllowed`.
    func requireSending(_ kind: EntityKind, after row: Int64) throws {
        let table = JournaledTable.table(kind)
        let ids = try String.fetchAll(db, sql: "SELECT id FROM \(table.name) WHERE n > ?", arguments: [row])
        for id in ids.map({ EntityID(stored: $0) }) {
            guard let fields = try table.row(db, id) else { continue }
            try requireSending(kind, id, old: nil, new: fields)
        }
    }

    private func require(_ profile: AgentProfile, _ state: OutgoingMessage.State, _ recipients: [String]) throws {
        switch profile.send {
        case .allowed: return
        case .never:
            throw profile.refusal(
                "send messages", rule: .send,
                hint: "Save a draft with --draft, which the person can send.")
        case .held:
            if state == .held { return }
            throw profile.refusal("release held messages", rule: .send)
        case .known:
            if state == .held { return }
            for recipient in recipients {
                let address = MailAddress(text: recipient).address
                if try !isKnown(address) {
                    throw profile.refusal(
                        "write to \(address), to whom nothing was sent before", rule: .send,
                        hint: "Save a draft with --draft, which the person can send.")
                }
            }
        }
    }

    /// Whether mail was sent to an address before.
    private func isKnown(_ address: String) throws -> Bool {
        let address = address.lowercased()
        // Among the messages that the profile sees, without those that an agent made or moved there: a draft that is moved to the
        // sent mail would make anybody known.
        let found = try String.fetchAll(
            db,
            sql: """
                SELECT m.recipients || ', ' || ifnull(m.cc, '') FROM message m JOIN mailbox b ON b.n = m.mailbox
                WHERE b.role = 'sent' AND (instr(lower(m.recipients), ?1) > 0 OR instr(lower(m.cc), ?1) > 0)
                    AND NOT EXISTS (SELECT 1 FROM change c JOIN change_set s ON s.n = c.change_set
                        WHERE c.entity = m.id AND s.actor = 'agent')
                """, arguments: [address])
        // The address may be the end of another one.
        return found.contains { line in
            (try? MailAddress.typed(line))?.contains { $0.address.lowercased() == address } ?? false
        }
    }

    /// Whether others receive a chat entity.
    private func isShared(_ kind: EntityKind, _ id: EntityID, _ text: (String) -> String?) throws -> Bool {
        let conversation: String?
        switch kind {
        case .conversation: return text("account") != nil
        case .chatMessage: conversation = text("conversation")
        default:
            conversation = try text("message").flatMap {
                try String.fetchOne(db, sql: "SELECT conversation FROM chat_message WHERE id = ?", arguments: [$0])
            }
        }
        guard let conversation else { return true }
        return try String.fetchOne(
            db, sql: "SELECT account FROM conversation WHERE id = ?", arguments: [conversation]) != nil
    }

    /// The lines of an event's text that name people.
    private static func people(_ fields: JournalFields) -> String? {
        guard case .string(let text)? = fields.values["text"] else { return nil }
        let lines = text.split(separator: "\n").filter { line in
            let name = line.prefix { $0 != ":" && $0 != ";" }.uppercased()
            return name == "ATTENDEE" || name == "ORGANIZER"
        }
        return lines.joined(separator: "\n")
    }

    /// Whether a calendar is synced with a server, which may tell attendees (RFC 6638).
    private func isSynced(_ column: String, _ id: String) throws -> Bool {
        try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM remote_calendar WHERE \(column) = ?)", arguments: [id]) ?? false
    }

    private func hasGateway() throws -> Bool {
        try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM account WHERE kind = 'gateway')") ?? false
    }
}
