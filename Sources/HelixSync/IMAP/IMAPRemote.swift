import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// The sync requests to an IMAP server, in as few round trips as the server's extensions allow.
final class IMAPRemote: MailRemote {
    let session: IMAPSession
    /// The open mailbox.
    private var opened: String?
    /// Whether the open mailbox accepts custom keywords.
    private(set) var takesKeywords = false
    /// The flags that the open mailbox stores, in lower case; nil for all.
    private(set) var storable: Set<String>?
    /// The prefix of the personal namespace (RFC 2342), such as `INBOX.`; may be empty.
    private(set) var prefix = ""
    var notes: [String] = []
    /// Whether to compress the connection before the first large transfer.
    private var packsLater = false

    /// Enables compression before a fetch of many messages.
    /// - Throws: ``HelixError``.
    func expect(_ messages: Int) throws {
        guard packsLater, messages >= 50 else { return }
        packsLater = false
        try session.compress()
    }

    private var hasQResync: Bool { session.enabled.contains("QRESYNC") }
    var hasModSeq: Bool { hasQResync || session.can("CONDSTORE") }
    private var isUTF8: Bool { session.enabled.contains("UTF8=ACCEPT") }

    /// Connects to a server.
    /// - Throws: ``HelixError``.
    init(_ endpoint: Endpoint, patience: Int = 60) throws {
        session = try IMAPSession(endpoint, patience: patience)
        // Compression costs a round trip: for little data it does not pay.
        packsLater = endpoint.isPacked == nil && !endpoint.isLoopback
        if endpoint.isPacked == true { try session.compress() }
        // Gmail does not document how it encodes labels then.
        let isGmail = session.can("X-GM-EXT-1")
        try session.enable(["QRESYNC", "CONDSTORE"] + (isGmail ? [] : ["UTF8=ACCEPT"]))
    }

    var roundTrips: Int { session.roundTrips }
    func settle(isComplete: Bool) throws {}
    func end() { session.end() }
    func isNew(_ number: UInt32, in base: RemoteMailbox) -> Bool { number >= base.uidNext }

    /// All mailboxes, with their state. One that cannot be opened has its refusal.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    ///
    /// - Parameter asksSubscriptions: whether to ask which ones are subscribed.
    func mailboxes(asksSubscriptions: Bool) throws -> [ServerMailbox] {
        let items =
            "MESSAGES UIDNEXT UIDVALIDITY" + (hasModSeq ? " HIGHESTMODSEQ" : "")
            + (session.can("OBJECTID") ? " MAILBOXID" : "")
        var found = try list(items)
        if asksSubscriptions {
            let shown = try subscribed()
            for index in found.indices where found[index].role != .inbox {
                found[index].isSubscribed = shown.contains(found[index].name)
            }
        }
        try addStates(items, to: &found)
        for place in found.indices where found[place].isSelectable && found[place].uidValidity == 0 {
            try examine(into: &found[place])
        }
        ServerMailbox.removeSharedIDs(&found)
        return found.filter(\.isSelectable)
    }

    /// All mailboxes, with what the server returns about them besides.
    ///
    /// - Parameter items: the items of their state.
    private func list(_ items: String) throws -> [ServerMailbox] {
        var found: [ServerMailbox] = []
        var others: [String] = []
        // Pipelined; its response arrives with the others.
        if session.can("NAMESPACE") { _ = try session.start(IMAPCommand("NAMESPACE")) }
        try session.run(listCommand(items)) { response in
            switch response {
            case .data(_, "LIST", let values):
                if let mailbox = ServerMailbox(values, isUTF8: isUTF8),
                    !found.contains(where: { $0.name == mailbox.name })
                {
                    found.append(mailbox)
                }
            case .data(_, "STATUS", let values): Self.take(values, &found)
            case .data(_, "MYRIGHTS", let values):
                if let name = values.first?.text, let place = Self.place(of: name, in: found) {
                    found[place].rights = values.last?.text.map(MailboxRights.init(letters:))
                }
            case .data(_, "NAMESPACE", let values):
                others = (values.count > 1 ? values[1].values ?? [] : []).compactMap { $0.values?.first?.text }
                prefix = values.first?.values?.first?.values?.first?.text ?? ""
            default: break
            }
        }
        for index in found.indices {
            found[index].isForeign = others.contains { !$0.isEmpty && found[index].name.hasPrefix($0) }
            found[index].removePrefix(prefix)
        }
        return found
    }

    /// The command that lists all mailboxes, with their use, state and rights if the server can return them.
    private func listCommand(_ items: String) -> IMAPCommand {
        let isExtended = session.can("LIST-EXTENDED") || session.can("LIST-STATUS") || session.can("SPECIAL-USE")
        var returns: [String] = []
        if session.can("SPECIAL-USE"), isExtended { returns.append("SPECIAL-USE") }
        if session.can("LIST-STATUS") { returns.append("STATUS (\(items))") }
        if session.can("LIST-MYRIGHTS") { returns.append("MYRIGHTS") }
        let list = IMAPCommand("LIST \"\" \"*\"")
        guard !returns.isEmpty, ["LIST-EXTENDED", "LIST-STATUS", "LIST-MYRIGHTS"].contains(where: session.can) else {
            return list
        }
        return list.word("RETURN (\(returns.joined(separator: " ")))")
    }

    /// The names of the subscribed mailboxes.
    private func subscribed() throws -> Set<String> {
        var shown: Set<String> = []
        try session.run(IMAPCommand("LSUB \"\" \"*\"")) { response in
            if case .data(_, "LSUB", let values) = response, values.count >= 3, let name = values[2].text {
                shown.insert(name)
            }
        }
        return shown
    }

    /// Asks for the state of all mailboxes that LIST has left open; STATUS is pipelined.
    private func addStates(_ items: String, to found: inout [ServerMailbox]) throws {
        let open = found.indices.filter { found[$0].isSelectable && found[$0].uidValidity == 0 }
        let tags = try open.map { place in
            try session.start(IMAPCommand("STATUS").string(found[place].name).word("(\(items))"))
        }
        for (place, tag) in zip(open, tags) {
            do {
                try session.finish(tag) { response in
                    if case .data(_, "STATUS", let values) = response { Self.take(values, &found) }
                }
            } catch let refusal as ServerRefusal { found[place].refusal = ServerMailbox.Refusal(refusal) }
        }
    }

    /// Opens a mailbox whose STATUS was refused or incomplete.
    private func examine(into mailbox: inout ServerMailbox) throws {
        do {
            let (state, _) = try select(IMAPCommand("SELECT").string(mailbox.name), mailbox.name)
            (mailbox.uidValidity, mailbox.uidNext, mailbox.count) = (state.uidValidity, state.uidNext, state.count)
            mailbox.refusal =
                state.uidValidity == 0
                ? ServerMailbox.Refusal(text: "it has no persistent UIDs (UIDVALIDITY)") : nil
        } catch let refusal as ServerRefusal { mailbox.refusal = ServerMailbox.Refusal(refusal) }
    }

    private static func take(_ values: [IMAPValue], _ found: inout [ServerMailbox]) {
        guard values.count >= 2, let name = values[0].text, let items = values[1].values,
            let place = place(of: name, in: found)
        else { return }
        found[place].take(status: items)
    }

    private static func place(of name: String, in found: [ServerMailbox]) -> Int? {
        found.firstIndex { $0.name == name }
            ?? found.firstIndex { $0.label == "INBOX" && name.uppercased() == "INBOX" }
    }

    /// Opens a mailbox and asks for the changes since the last sync.
    ///
    /// - Parameter known: returns the UIDs as of the last sync; called only if the server does not list removed messages.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> MailboxChanges {
        var command = IMAPCommand("SELECT").string(base.name)
        let isQuick = hasQResync && base.modSeq != nil
        if isQuick, let modSeq = base.modSeq {
            command = command.word("(QRESYNC (\(base.uidValidity) \(modSeq)))")
        } else if hasModSeq {
            command = command.word("(CONDSTORE)")
        }
        let (state, responses) = try select(command, base.name, asksRights: true)
        var changes = MailboxChanges(state: state)
        guard state.uidValidity == base.uidValidity else { return changes }
        if isQuick {
            for response in responses {
                changes.take(response)
                if case .data(_, "VANISHED", let values) = response, let text = values.last?.text {
                    changes.gone += IMAPSet(text)?.numbers() ?? []
                }
            }
            return changes
        }
        let known = try known()
        // Messages that arrived since then have higher UIDs than the known ones.
        guard let last = known.max() else { return changes }
        let isCounted = base.modSeq != nil && state.modSeq != nil
        let since = isCounted ? " (CHANGEDSINCE \(base.modSeq ?? 1))" : ""
        let news = try session.start(IMAPCommand("UID FETCH 1:\(last) (UID FLAGS)" + since))
        var present: Set<UInt32> = []
        guard isCounted else {
            try session.finish(news) { changes.take($0) }
            changes.gone = known.subtracting(changes.flags.keys).sorted()
            return changes
        }
        let search = try session.start(
            IMAPCommand(session.can("ESEARCH") ? "UID SEARCH RETURN (ALL) ALL" : "UID SEARCH ALL"))
        try session.finish(news) { changes.take($0) }
        try session.finish(search) { response in
            changes.take(response)
            present.formUnion(Self.numbers(response))
        }
        changes.gone = known.subtracting(present).sorted()
        return changes
    }

    /// The UIDs that a search found.
    static func numbers(_ response: IMAPResponse) -> [UInt32] {
        switch response {
        case .data(_, "ESEARCH", let values):
            for (place, value) in values.enumerated() where value.text?.uppercased() == "ALL" {
                let set = place + 1 < values.count ? values[place + 1].text.flatMap { IMAPSet($0) } : nil
                return set?.numbers() ?? []
            }
            return []
        case .data(_, "SEARCH", let values): return values.compactMap { $0.number.map { UInt32(clamping: $0) } }
        default: return []
        }
    }

    /// Opens a mailbox and returns its state.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func state(of name: String) throws -> MailboxState {
        let command = IMAPCommand("SELECT").string(name)
        return try select(hasModSeq ? command.word("(CONDSTORE)") : command, name).0
    }

    /// Opens a mailbox, if it is not open already.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func open(_ name: String) throws {
        if opened != name { _ = try select(IMAPCommand("SELECT").string(name), name) }
    }

    /// The present number of messages in a mailbox.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func count(in name: String) throws -> Int { try select(IMAPCommand("SELECT").string(name), name).0.count }

    /// The number of messages that a mailbox reports, and the UIDs of those that it lists.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func count(byNumber name: String) throws -> (claimed: Int, uidValidity: UInt32, numbers: Set<UInt32>) {
        let (state, _) = try select(IMAPCommand("EXAMINE").string(name), name)
        let numbers = state.count == 0 ? [] : Set(try self.numbers())
        opened = nil
        return (state.count, state.uidValidity, numbers)
    }

    /// Opens another mailbox, if it is the open one: that cannot be deleted.
    /// - Throws: ``HelixError``, ``ServerRefusal``.
    func leave(_ name: String) throws {
        if opened == name { try open("INBOX") }
    }

    /// - Parameter asksRights: whether to ask for the user's rights in it, pipelined.
    private func select(
        _ command: IMAPCommand, _ name: String, asksRights: Bool = false
    ) throws -> (MailboxState, [IMAPResponse]) {
        opened = nil
        takesKeywords = false
        storable = nil
        var state = MailboxState()
        var responses: [IMAPResponse] = []
        let opening = try session.start(command)
        let isAsked = asksRights && session.can("ACL") && !session.can("LIST-MYRIGHTS")
        let asking = isAsked ? try session.start(IMAPCommand("MYRIGHTS").string(name)) : nil
        let code = try session.finish(opening) { response in
            switch response {
            case .data(let number?, "EXISTS", _): state.count = number
            case .status(nil, .ok, let code, _):
                let value = code.count > 1 ? code[1] : IMAPValue.none
                switch code.first?.text?.uppercased() {
                case "UIDVALIDITY": state.uidValidity = UInt32(clamping: value.number ?? 0)
                case "UIDNEXT": state.uidNext = value.number.flatMap { $0 > 0 ? UInt32(clamping: $0) : nil }
                case "HIGHESTMODSEQ": state.modSeq = value.number.flatMap { $0 > 0 ? $0 : nil }
                case "PERMANENTFLAGS": storable = Set((value.values ?? []).compactMap { $0.text?.lowercased() })
                default: break
                }
            default: responses.append(response)
            }
        }
        takesKeywords = storable?.contains("\\*") ?? false
        opened = name
        let named = try asking.flatMap { try rights(asked: $0) }
        state.hasNamedRights = named != nil
        state.rights = named ?? .all
        if code.first?.text?.uppercased() == "READ-ONLY" {
            state.rights.subtract(named == nil ? .all : [.keepSeen, .keepFlags, .remove])
        }
        if let storable { state.rights.formIntersection(MailboxRights(permanentFlags: storable)) }
        return (state, responses)
    }

    /// The user's rights in a mailbox (RFC 4314 §3.5); nil if the server refuses to list them.
    private func rights(asked tag: String) throws -> MailboxRights? {
        var found: MailboxRights?
        do {
            try session.finish(tag) { response in
                if case .data(_, "MYRIGHTS", let values) = response, values.count >= 2 {
                    found = values.last?.text.map(MailboxRights.init(letters:))
                }
            }
        } catch is ServerRefusal {}
        return found
    }
}

extension MailboxChanges {
    /// Reads the present flags of a message.
    fileprivate mutating func take(_ response: IMAPResponse) {
        guard case .data(_, "FETCH", let values) = response, let found = FetchedMessage(values), let flags = found.flags
        else { return }
        self.flags[found.uid] = flags
    }
}

extension IMAPRemote {
    /// The remote of an account by its server's extensions: Gmail's labels are no mailboxes.
    /// - Throws: ``HelixError``.
    func specific(_ store: Store, _ account: Account, isFull: Bool = false) throws -> any MailRemote {
        do { return try GmailRemote(self, store, account, isFull: isFull) ?? self } catch let refusal as ServerRefusal {
            throw ServerRefusal.problem(refusal, refusal.command)
        }
    }
}
