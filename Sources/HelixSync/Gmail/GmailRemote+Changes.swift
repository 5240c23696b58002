import HelixModel
import HelixNetwork
import HelixStore

/// Writes to Gmail with its users' meaning: archiving removes the inbox label, deleting moves to the trash.
extension GmailRemote {
    func store(_ uids: [UInt32], adding: [String], removing: [String]) throws {
        let flags = Set(ServerFlags.names.map(\.name))
        let isFlag = { flags.contains($0) }
        try imap.store(uids, adding: adding.filter(isFlag), removing: removing.filter(isFlag))
        guard opened.isLabelled else { return }
        try change(uids, "+", adding.filter { !isFlag($0) }.map(labels.command))
        try change(uids, "-", removing.filter { !isFlag($0) }.map(labels.command))
    }

    private func change(_ uids: [UInt32], _ sign: String, _ labels: [String]) throws {
        if labels.isEmpty || uids.isEmpty { return }
        let command = "UID STORE \(IMAPSet(uids).text) \(sign)X-GM-LABELS (\(labels.joined(separator: " ")))"
        try imap.session.run(IMAPCommand(command))
    }

    func move(_ uids: [UInt32], to target: String) throws -> [UInt32: UInt32] {
        guard let target = GmailMailbox(rawValue: target) else {
            throw ServerRefusal(command: "move", code: "TRYCREATE", text: "no such mailbox")
        }
        guard opened.isLabelled else { return try moveBack(uids, to: target) }
        guard target.isLabelled else { return try imap.move(uids, to: try holder(of: target)) }
        switch target {
        case .inbox: try change(uids, "+", [GmailMailbox.inbox.rawValue])
        default: if opened == .inbox { try change(uids, "-", [GmailMailbox.inbox.rawValue]) }
        }
        // The mailbox follows from labels that clients cannot set.
        if opened != .inbox && target != .inbox || target == .sent || target == .drafts {
            sayMisplaced(
                "Gmail itself decides what is sent mail, a draft or archived: messages moved to '\(target.label)' may return with the"
                    + " next sync")
        }
        return Dictionary(uids.map { ($0, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Moves messages out of Trash or Spam.
    private func moveBack(_ uids: [UInt32], to target: GmailMailbox) throws -> [UInt32: UInt32] {
        guard target.isLabelled else { return try imap.move(uids, to: try holder(of: target)) }
        let source = opened
        let ids = try gmailIDs(IMAPSet(uids).text)
        let next = try imap.state(of: try holder(of: .archive)).uidNext ?? 1
        try open(source.rawValue)
        // Sent mail is identified by its own label.
        let name = target == .inbox || target == .drafts ? names[target] : names[.archive]
        _ = try imap.move(uids, to: try name ?? holder(of: .archive))
        try open(GmailMailbox.archive.rawValue)
        let numbers = Dictionary(
            try gmailIDs("\(next):*").map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
        try open(source.rawValue)
        return ids.reduce(into: [:]) { found, message in found[message.key] = numbers[message.value] }
    }

    /// The message ids across all mailboxes (X-GM-MSGID) of messages of the open mailbox, by their UIDs.
    private func gmailIDs(_ set: String) throws -> [UInt32: String] {
        var found: [UInt32: String] = [:]
        try imap.session.run(IMAPCommand("UID FETCH \(set) (UID X-GM-MSGID)")) { response in
            guard case .data(_, "FETCH", let values) = response, let items = values.first?.values else { return }
            var (uid, id): (UInt32?, String?)
            for place in stride(from: 0, to: items.count - 1, by: 2) {
                switch items[place].text?.uppercased() {
                case "UID": uid = items[place + 1].number.map { UInt32(clamping: $0) }
                case "X-GM-MSGID": id = items[place + 1].text
                default: break
                }
            }
            if let uid, let id { found[uid] = id }
        }
        return found
    }

    func expunge(_ uids: [UInt32]) throws -> Bool {
        guard opened.isLabelled else { return try imap.expunge(uids) }
        let source = opened
        guard let trash = names[.trash] else {
            throw ServerRefusal(command: "delete", code: "CANNOT", text: "Gmail hides its trash from IMAP")
        }
        let moved = try imap.move(uids, to: trash)
        // The former version of a draft is discarded.
        if source == .drafts, !moved.isEmpty {
            try imap.open(trash)
            try imap.expunge(Array(moved.values))
            try open(source.rawValue)
        }
        return true
    }

    func append(
        _ bytes: [UInt8], to mailbox: String, flags: [String], date: Instant
    ) throws -> (uidValidity: UInt32, uid: UInt32)? {
        guard let target = GmailMailbox(rawValue: mailbox) else { return nil }
        let known = Set(ServerFlags.names.map(\.name))
        let name = try names[target] ?? holder(of: target)
        let place = try imap.append(bytes, to: name, flags: flags.filter(known.contains), date: date)
        guard target.isLabelled else { return place }
        guard let place else { return nil }
        var uid = place.uid
        if name != names[.archive] {
            // Its UID in 'All Mail' is another one.
            try imap.open(name)
            guard let id = try gmailIDs("\(uid)")[uid] else { return nil }
            try open(target.rawValue)
            var found: [UInt32] = []
            try imap.session.run(IMAPCommand("UID SEARCH X-GM-MSGID \(id)")) { found += IMAPRemote.numbers($0) }
            guard let number = found.first else { return nil }
            uid = number
        }
        try open(target.rawValue)
        try change([uid], "+", flags.filter { !known.contains($0) }.map(labels.command))
        return (state?.uidValidity ?? 0, uid)
    }

    // MARK: Mailboxes

    func name(of label: String, like others: [ServerMailbox]) -> String? { nil }
    func foreignDelimiter(in name: String, like others: [ServerMailbox]) -> String? { nil }

    private func refusal(_ what: String) -> ServerRefusal {
        ServerRefusal(command: what, code: "CANNOT", text: "Gmail has labels instead of mailboxes")
    }

    func create(_ label: String, like others: [ServerMailbox]) throws -> String { throw refusal("create") }
    func recreate(_ name: String) throws { throw refusal("create") }
    func rename(_ name: String, to label: String, like others: [ServerMailbox]) throws -> String {
        throw refusal("rename")
    }
    func delete(_ name: String) throws { throw refusal("delete") }
}
