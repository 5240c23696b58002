import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// What helix asks of an IMAP server, in as few round trips as the server's extensions allow.
final class MailServer {
    let session: IMAPSession
    /// The mailbox that is open.
    private var opened: String?
    /// Whether the open mailbox takes keywords of our own.
    private(set) var takesKeywords = false
    /// What the names of one's own mailboxes begin with (RFC 2342), such as `INBOX.`; empty where they do not.
    private(set) var prefix = ""

    private var hasQResync: Bool { session.enabled.contains("QRESYNC") }
    private var hasModSeq: Bool { hasQResync || session.can("CONDSTORE") }
    private var isUTF8: Bool { session.enabled.contains("UTF8=ACCEPT") }

    /// - Throws: ``HelixError``.
    init(_ endpoint: Endpoint, patience: Int = 60) throws {
        session = try IMAPSession(endpoint, patience: patience)
        try session.enable(["QRESYNC", "CONDSTORE", "UTF8=ACCEPT"])
    }

    /// What was asked for was refused.
    static func problem(_ refusal: IMAPRefusal, _ what: String) -> HelixError {
        let code: HelixError.Code =
            switch refusal.code {
            case "AUTHENTICATIONFAILED", "AUTHORIZATIONFAILED", "EXPIRED", "NOPERM": .notAllowed
            case "NONEXISTENT", "TRYCREATE": .notFound
            case "OVERQUOTA", "LIMIT": .io
            case "UNAVAILABLE", "INUSE", "SERVERBUG": .offline
            default: .protocol
            }
        return HelixError(code, "the server refuses \(what): \(refusal.text)")
    }

    /// All mailboxes, with how they stand.
    /// - Throws: ``HelixError``, ``IMAPRefusal``.
    func mailboxes() throws -> [ServerMailbox] {
        let items = "MESSAGES UIDNEXT UIDVALIDITY" + (hasModSeq ? " HIGHESTMODSEQ" : "")
        let isExtended = session.can("LIST-EXTENDED") || session.can("LIST-STATUS") || session.can("SPECIAL-USE")
        var returns: [String] = []
        if session.can("SPECIAL-USE"), isExtended { returns.append("SPECIAL-USE") }
        if session.can("LIST-STATUS") { returns.append("STATUS (\(items))") }
        var list = IMAPCommand("LIST \"\" \"*\"")
        if !returns.isEmpty, session.can("LIST-EXTENDED") || session.can("LIST-STATUS") {
            list = list.word("RETURN (\(returns.joined(separator: " ")))")
        }
        var found: [ServerMailbox] = []
        // Asked for in one breath; its answer comes with the others.
        if session.can("NAMESPACE") { _ = try session.start(IMAPCommand("NAMESPACE")) }
        try session.run(list) { response in
            switch response {
            case .data(_, "LIST", let values):
                if let mailbox = ServerMailbox(values, isUTF8: isUTF8),
                    !found.contains(where: { $0.name == mailbox.name })
                {
                    found.append(mailbox)
                }
            case .data(_, "STATUS", let values): Self.take(values, &found)
            case .data(_, "NAMESPACE", let values): prefix = values.first?.values?.first?.values?.first?.text ?? ""
            default: break
            }
        }
        for index in found.indices { found[index].removePrefix(prefix) }
        if !session.can("LIST-STATUS") {
            // All are asked for before the first is answered.
            let tags = try found.filter(\.isSelectable).map { mailbox in
                try session.start(IMAPCommand("STATUS").string(mailbox.name).word("(\(items))"))
            }
            for tag in tags {
                try session.finish(tag) { response in
                    if case .data(_, "STATUS", let values) = response { Self.take(values, &found) }
                }
            }
        }
        return found.filter { $0.isSelectable && $0.uidValidity > 0 }
    }

    private static func take(_ values: [IMAPValue], _ found: inout [ServerMailbox]) {
        guard values.count >= 2, let name = values[0].text, let items = values[1].values else { return }
        let place =
            found.firstIndex { $0.name == name }
            ?? found.firstIndex { $0.label == "INBOX" && name.uppercased() == "INBOX" }
        if let place { found[place].take(status: items) }
    }

    /// What is different on the server.
    struct Changes {
        /// The mailbox as it stands.
        var state: MailboxState
        /// The flags of messages that may have changed; of all, if the server does not tell which.
        var flags: [UInt32: ServerFlags] = [:]
        /// Messages that are gone.
        var gone: [UInt32] = []
    }

    /// How a mailbox stands.
    struct MailboxState {
        var uidValidity: UInt32 = 0
        var uidNext: UInt32 = 1
        var count = 0
        var modSeq: Int?
    }

    /// Opens a mailbox and asks what is different since both sides agreed.
    ///
    /// - Parameter known: gives the numbers that were there; asked only where the server does not tell what is gone.
    /// - Throws: ``HelixError``, ``IMAPRefusal``.
    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> Changes {
        var command = IMAPCommand("SELECT").string(base.name)
        let isQuick = hasQResync && base.modSeq != nil
        if isQuick, let modSeq = base.modSeq {
            command = command.word("(QRESYNC (\(base.uidValidity) \(modSeq)))")
        } else if hasModSeq {
            command = command.word("(CONDSTORE)")
        }
        let (state, responses) = try select(command, base.name)
        var changes = Changes(state: state)
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
        // What was sent since then has higher numbers than what was there.
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

    /// The numbers that a search found.
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

    /// Opens a mailbox, if it is not the open one.
    /// - Throws: ``HelixError``, ``IMAPRefusal``.
    func open(_ name: String) throws {
        if opened != name { _ = try select(IMAPCommand("SELECT").string(name), name) }
    }

    /// How many messages a mailbox has now.
    /// - Throws: ``HelixError``, ``IMAPRefusal``.
    func count(in name: String) throws -> Int { try select(IMAPCommand("SELECT").string(name), name).0.count }

    /// Opens another mailbox, if it is the open one: that cannot go.
    /// - Throws: ``HelixError``, ``IMAPRefusal``.
    func leave(_ name: String) throws {
        if opened == name { try open("INBOX") }
    }

    private func select(_ command: IMAPCommand, _ name: String) throws -> (MailboxState, [IMAPResponse]) {
        opened = nil
        takesKeywords = false
        var state = MailboxState()
        var responses: [IMAPResponse] = []
        try session.run(command) { response in
            switch response {
            case .data(let number?, "EXISTS", _): state.count = number
            case .status(nil, .ok, let code, _):
                let value = code.count > 1 ? code[1] : IMAPValue.none
                switch code.first?.text?.uppercased() {
                case "UIDVALIDITY": state.uidValidity = UInt32(clamping: value.number ?? 0)
                case "UIDNEXT": state.uidNext = UInt32(clamping: value.number ?? 1)
                case "HIGHESTMODSEQ": state.modSeq = value.number
                case "PERMANENTFLAGS": takesKeywords = (value.values ?? []).contains(.atom("\\*"))
                default: break
                }
            default: responses.append(response)
            }
        }
        opened = name
        return (state, responses)
    }
}

extension MailServer.Changes {
    /// Takes the flags that a message has now.
    fileprivate mutating func take(_ response: IMAPResponse) {
        guard case .data(_, "FETCH", let values) = response, let found = FetchedMessage(values), let flags = found.flags
        else { return }
        self.flags[found.uid] = flags
    }
}
