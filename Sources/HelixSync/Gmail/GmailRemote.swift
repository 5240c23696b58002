import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Gmail with its IMAP extension (X-GM-EXT-1): each message once, its labels as labels.
///
/// In plain IMAP each label is a mailbox, and a message is in each of them and again in 'All Mail'. Here it is fetched from 'All
/// Mail' into one local mailbox, by its labels (``GmailMailbox``); Trash and Spam are separate mailboxes of Gmail.
final class GmailRemote: MailRemote {
    let imap: IMAPRemote
    let store: Store
    let account: Account
    private let isFull: Bool
    /// Gmail's names for 'All Mail', Trash, Spam, Drafts and Sent, which depend on the user's language.
    private(set) var names: [GmailMailbox: String] = [:]
    private(set) var labels = GmailLabels()
    /// The open mailbox.
    private(set) var opened = GmailMailbox.inbox
    /// Messages of 'All Mail' that are new or have changed since the last sync.
    private var news: [UInt32: GmailMessage] = [:]
    /// Messages that were removed from it.
    private var gone: Set<UInt32> = []
    /// The state of 'All Mail'; nil before the first request.
    private(set) var state: MailboxState?
    /// The messages of each mailbox as of the last sync.
    private var known: [GmailMailbox: Set<UInt32>] = [:]
    /// Whether a message was moved locally to a mailbox that Gmail will not keep, so that the next sync fetches all of them.
    private var isMisplaced = false
    private(set) var notes: [String] = []

    var takesKeywords: Bool { opened.isLabelled }
    var storable: Set<String>? { imap.storable }
    var roundTrips: Int { imap.roundTrips }
    func end() { imap.end() }
    func isStorable(label: String) -> Bool { true }

    /// Nil for another server, a hidden 'All Mail', or an account synced in plain IMAP before: then each label is a mailbox.
    /// - Parameter isFull: whether to fetch the whole state, and not only changes.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    init?(_ imap: IMAPRemote, _ store: Store, _ account: Account, isFull: Bool) throws {
        guard imap.session.can("X-GM-EXT-1") else { return nil }
        (self.imap, self.store, self.account, self.isFull) = (imap, store, account, isFull)
        let own = try store.remoteMailboxes(account).filter { GmailMailbox(rawValue: $0.name) == nil }
        guard own.isEmpty else {
            imap.notes.append(
                "Gmail's labels are mailboxes in '\(account.name)', and its messages are stored once per label; to store each message"
                    + " once, add the account again")
            return nil
        }
        try list()
        guard names[.archive] != nil else {
            imap.notes.append(
                "Gmail hides 'All Mail' from IMAP, so that each label is a mailbox; to change that: Settings, Labels, 'Show in IMAP'"
            )
            return nil
        }
    }

    /// The name of Gmail's 'All Mail'; nil for another server, or if it is hidden.
    static func heap(in session: IMAPSession) -> String? {
        guard session.can("X-GM-EXT-1") else { return nil }
        var name: String?
        _ = try? session.run(IMAPCommand("LIST \"\" \"*\"")) { response in
            guard case .data(_, "LIST", let values) = response, values.count >= 3 else { return }
            let attributes = (values[0].values ?? []).compactMap { $0.text?.lowercased() }
            if attributes.contains(GmailMailbox.archive.rawValue.lowercased()) { name = values[2].text }
        }
        return name
    }

    private func list() throws {
        (names, labels) = ([:], GmailLabels())
        try imap.session.run(IMAPCommand("LIST \"\" \"*\"")) { response in
            guard case .data(_, "LIST", let values) = response, values.count >= 3, let name = values[2].text else {
                return
            }
            let attributes = Set((values[0].values ?? []).compactMap { $0.text?.lowercased() })
            if let own = GmailMailbox.allCases.first(where: { attributes.contains($0.rawValue.lowercased()) }) {
                names[own] = name
            } else if !attributes.contains("\\noselect"), name.uppercased() != "INBOX" {
                labels.add(ModifiedUTF7.decoded(name))
            }
        }
        names[.inbox] = "INBOX"
    }

    /// The mailbox of Gmail that contains the messages of a local one.
    func holder(of mailbox: GmailMailbox) throws -> String {
        guard let name = names[mailbox.isLabelled ? .archive : mailbox] else {
            throw ServerRefusal(command: "open", code: "NONEXISTENT", text: "Gmail hides this mailbox from IMAP")
        }
        return name
    }

    func mailboxes(asksSubscriptions: Bool) throws -> [ServerMailbox] {
        if names.isEmpty { try list() }
        state = nil
        let listed = GmailMailbox.allCases.filter { $0 == .archive || !$0.isLabelled && names[$0] != nil }
        let items = "MESSAGES UIDNEXT UIDVALIDITY" + (imap.hasModSeq ? " HIGHESTMODSEQ" : "")
        let tags = try listed.map {
            try imap.session.start(IMAPCommand("STATUS").string(names[$0] ?? "").word("(\(items))"))
        }
        var found: [GmailMailbox: ServerMailbox] = [:]
        for (mailbox, tag) in zip(listed, tags) {
            var status = ServerMailbox(name: mailbox.rawValue, label: mailbox.label)
            do {
                try imap.session.finish(tag) { response in
                    guard case .data(_, "STATUS", let values) = response, values.count >= 2,
                        values[0].text == names[mailbox]
                    else { return }
                    status.take(status: values[1].values ?? [])
                }
            } catch let refusal as ServerRefusal { status.refusal = ServerMailbox.Refusal(refusal) }
            found[mailbox] = status
        }
        guard let all = found[.archive] else { return [] }
        let bases = try self.bases()
        // A removal changes none of the compared counters: the number of messages is compared, too.
        let isCounted = bases.count == 4 && bases.values.reduce(0) { $0 + $1.count } == all.count
        return GmailMailbox.allCases.compactMap { mailbox in
            guard var box = mailbox.isLabelled ? all : found[mailbox] else { return nil }
            (box.name, box.label, box.role) = (mailbox.rawValue, mailbox.label, mailbox.role)
            box.rights = .all.subtracting(.delete)
            if mailbox.isLabelled {
                box.count = nil
                if !isCounted { box.modSeq = nil }
            }
            return box
        }
    }

    /// The mailboxes of 'All Mail' as of the last sync, without those that are left out.
    private func bases() throws -> [GmailMailbox: RemoteMailbox] {
        let selection = account.settings.mailboxSelection
        return try store.remoteMailboxes(account).reduce(into: [:]) { found, base in
            guard let mailbox = GmailMailbox(rawValue: base.name), mailbox.isLabelled,
                selection.map({ $0.usesSubscriptions || $0.includes(mailbox.label) }) ?? true
            else { return }
            found[mailbox] = base
        }
    }

    /// Asks for the changes in 'All Mail' since the last sync, for all of its mailboxes at once.
    private func readState() throws -> MailboxState {
        if let state { return state }
        (news, gone, known) = ([:], [], [:])
        let state = try imap.state(of: try holder(of: .archive))
        self.state = state
        let bases = try self.bases().filter { $0.value.uidValidity == state.uidValidity }
        for (mailbox, base) in bases { known[mailbox] = Set(try store.remoteMessages(base).keys) }
        let all = known.values.reduce(into: Set<UInt32>()) { $0.formUnion($1) }
        let isWhole = bases.count == GmailMailbox.labelled.count
        let last = isWhole || account.settings.mailboxSelection != nil ? bases.values.map(\.modSeq) : []
        let since = isFull || last.contains(nil) || state.modSeq == nil ? nil : last.compactMap { $0 }.min()
        if state.count > 0 { try take("1:*", since.map { " (CHANGEDSINCE \($0))" } ?? "") }
        guard since != nil else {
            gone = all.subtracting(news.keys)
            // An empty response is requested twice.
            if news.count < state.count { try takeMissing(all) }
            return state
        }
        let expected = all.union(news.keys).count
        if !isWhole || expected != state.count { try takeMissing(all, besides: isWhole) }
        return state
    }

    /// Asks for the UIDs of all messages, to find removed ones and those that were left out.
    private func takeMissing(_ all: Set<UInt32>, besides: Bool = true) throws {
        let present = Set(try imap.numbers())
        gone = all.subtracting(present)
        let rest = present.subtracting(all).subtracting(news.keys)
        if besides, !rest.isEmpty { try take(IMAPSet(rest).text, "") }
        for uid in gone { news[uid] = nil }
    }

    private func take(_ set: String, _ modifier: String) throws {
        for message in try messages(set, modifier) { news[message.uid] = message }
    }

    /// Messages of 'All Mail', which must be open.
    func messages(_ set: String, _ modifier: String = "") throws -> [GmailMessage] {
        var found: [GmailMessage] = []
        try imap.session.run(IMAPCommand("UID FETCH \(set) (UID FLAGS X-GM-LABELS)" + modifier)) { response in
            if case .data(_, "FETCH", let values) = response, let message = GmailMessage(values, labels) {
                found.append(message)
            }
        }
        return found
    }

    // MARK: One mailbox

    func open(_ name: String) throws {
        guard let mailbox = GmailMailbox(rawValue: name) else {
            throw ServerRefusal(command: "open", code: "NONEXISTENT", text: "no such mailbox")
        }
        try imap.open(try holder(of: mailbox))
        opened = mailbox
    }

    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> MailboxChanges {
        guard let mailbox = GmailMailbox(rawValue: base.name) else {
            throw ServerRefusal(command: "open", code: "NONEXISTENT", text: "no such mailbox")
        }
        guard mailbox.isLabelled else {
            var own = base
            own.name = try holder(of: mailbox)
            let changes = try imap.changes(since: own, known: known)
            opened = mailbox
            return changes
        }
        var changes = MailboxChanges(state: try readState())
        try open(base.name)
        (changes.state.rights, changes.state.hasNamedRights) = (.all.subtracting(.delete), true)
        var held: Set<UInt32> = []
        if base.uidValidity == changes.state.uidValidity { held = try self.known[mailbox] ?? known() }
        self.known[mailbox] = held
        for uid in held {
            if let new = news[uid], new.mailbox == mailbox {
                changes.flags[uid] = new.flags
            } else if news[uid] != nil || gone.contains(uid) {
                changes.gone.append(uid)
            }
        }
        let arrivals = news.values.filter { $0.mailbox == mailbox && !held.contains($0.uid) }.count
        changes.state.count = held.count - changes.gone.count + arrivals
        return changes
    }

    /// The new messages of the open mailbox; their UIDs do not show which mailbox they were in.
    func heads(from uid: UInt32) throws -> [FetchedMessage] {
        guard opened.isLabelled else { return try imap.heads(from: uid) }
        let held = known[opened] ?? []
        return try heads(of: news.values.filter { $0.mailbox == opened && !held.contains($0.uid) }.map(\.uid).sorted())
    }

    func heads(of uids: [UInt32]) throws -> [FetchedMessage] {
        guard opened.isLabelled else { return try imap.heads(of: uids) }
        try learn(uids)
        return try imap.heads(of: uids).map(labelled)
    }

    /// Asks for the labels of messages that are unknown so far.
    private func learn(_ uids: [UInt32]) throws {
        let unknown = uids.filter { news[$0] == nil }
        if !unknown.isEmpty { try take(IMAPSet(unknown).text, "") }
    }

    private func labelled(_ message: FetchedMessage) -> FetchedMessage {
        var message = message
        if let flags = news[message.uid]?.flags { message.flags = flags }
        return message
    }

    func numbers() throws -> [UInt32] {
        guard opened.isLabelled else { return try imap.numbers() }
        let held = (known[opened] ?? []).subtracting(gone).filter { news[$0].map { $0.mailbox == opened } ?? true }
        return held + news.values.filter { $0.mailbox == opened && !held.contains($0.uid) }.map(\.uid)
    }

    func find(_ messageID: String) throws -> [UInt32] {
        let found = try imap.find(messageID)
        guard opened.isLabelled, !found.isEmpty else { return found }
        return try messages(IMAPSet(found).text).filter { $0.mailbox == opened }.map(\.uid)
    }

    func hasSent(_ messageID: String) throws -> Bool {
        try open(GmailMailbox.sent.rawValue)
        let found = try imap.find(messageID)
        if found.isEmpty { return false }
        return try messages(IMAPSet(found).text).contains { $0.mailbox == .sent || $0.mailbox == .inbox }
    }

    func fetch(
        _ batches: [[UInt32]], isWhole: Bool, piece: ([UInt8]) throws -> Void, _ body: (FetchedMessage) throws -> Void,
        batchEnd: ([UInt32]) throws -> Void
    ) throws {
        if opened.isLabelled { try learn(batches.flatMap { $0 }) }
        let isLabelled = opened.isLabelled
        try imap.fetch(
            batches, isWhole: isWhole, piece: piece, { try body(isLabelled ? labelled($0) : $0) }, batchEnd: batchEnd)
    }

    func count(in name: String) throws -> Int { try count(byNumber: name).numbers.count }

    func count(byNumber name: String) throws -> (claimed: Int, uidValidity: UInt32, numbers: Set<UInt32>) {
        try open(name)
        guard opened.isLabelled else { return try imap.count(byNumber: try holder(of: opened)) }
        let state = try imap.state(of: try holder(of: opened))
        let all = state.count == 0 ? [] : try messages("1:*")
        let own = Set(all.filter { $0.mailbox == opened }.map(\.uid))
        // Unlisted messages may belong to any of these mailboxes.
        return (own.count + max(0, state.count - Set(all.map(\.uid)).count), state.uidValidity, own)
    }

    func isNew(_ number: UInt32, in base: RemoteMailbox) -> Bool {
        guard GmailMailbox(rawValue: base.name)?.isLabelled ?? false else { return imap.isNew(number, in: base) }
        if number >= base.uidNext { return true }
        // It may have been in another mailbox of 'All Mail'.
        return (try? bases().values.contains { try !store.remoteMessages($0, [number]).isEmpty }) ?? false
    }

    /// Notes once that Gmail may return a message to another mailbox.
    func sayMisplaced(_ text: String) {
        isMisplaced = true
        if !notes.contains(text) { notes.append(text) }
    }

    func settle(isComplete: Bool) throws {
        guard isMisplaced else { return }
        try store.writeRemoteMail(account) { writer in
            for var base in try bases().values {
                base.modSeq = nil
                try writer.save(base)
            }
        }
    }
}
