import FoundationEssentials
import HelixMail
import HelixModel
import HelixNetwork
import HelixStore

/// Mail on a JMAP server (RFC 8620, 8621), in as few round trips as possible: one if there is no change.
///
/// A message exists once, in one or several mailboxes, with an immutable id. The changes since the last sync are requested
/// for all mailboxes at once; the mailboxes are answered from that.
final class JMAPRemote: MailRemote {
    let client: any JMAPConnection
    let store: Store
    let account: Account
    /// Whether to fetch the whole state, and not only changes.
    private let isFull: Bool
    /// The mailboxes, as last listed by the server.
    var boxes: [JMAPMailbox] = []
    /// The id of the open mailbox.
    private(set) var opened: String?
    /// Messages that are new or have changed since the last sync, by their UIDs; nil for those that were removed.
    private var news: [UInt32: JMAPEmail?] = [:]
    /// Whether `news` contains all messages.
    private var isSnapshot = false
    /// The server's state after `news`; nil before the first request.
    private var state: String?
    /// Whether a sync has ended: the next one in this session requests the changes since then.
    private var isOver = false
    /// Messages from other requests.
    var emails: [UInt32: JMAPEmail] = [:]

    let takesKeywords = true
    // There is no flag for deletion: messages are deleted at once.
    let storable: Set<String>? = ["\\seen", "\\answered", "\\flagged", "\\draft", "\\*"]
    var roundTrips: Int { client.roundTrips }

    /// Signs in.
    /// - Parameter isFull: whether to fetch the whole state, and not only changes.
    /// - Throws: ``HelixError``.
    convenience init(
        _ store: Store, _ account: Account, isFull: Bool = false, gateway: GatewayAccess.Maker? = nil
    ) throws {
        // The state and the session belong to another user if the login has changed since.
        let stored = try store.remoteMailState(account)?.session?.split(separator: "\n", maxSplits: 1)
        let isOwn = stored?.first.map { $0 == account.settings.login } ?? true
        let known = isFull || !isOwn ? nil : stored?.last.flatMap { JMAPSession(stored: String($0)) }
        let client = try JMAPRemote.connection(of: account, store, gateway: gateway, remembered: known)
        self.init(store, account, client, isFull: isFull || !isOwn)
    }

    /// Creates one from a signed-in client.
    init(_ store: Store, _ account: Account, _ client: any JMAPConnection, isFull: Bool = false) {
        (self.store, self.account, self.client, self.isFull) = (store, account, client, isFull)
    }

    /// Connects to the server of an account, or to the gateway that keeps its mail.
    /// - Throws: ``HelixError``.
    static func connection(
        of account: Account, _ store: Store, gateway: GatewayAccess.Maker?, remembered: JMAPSession? = nil
    ) throws -> any JMAPConnection {
        guard let place = account.settings.servedMail else { return try client(of: account, remembered: remembered) }
        let owner = try store.accounts().first { $0.id.text == place.gateway && $0.kind == .gateway }
        guard let gateway, let owner else {
            throw HelixError(
                .configuration, "the gateway that keeps the mail of '\(account.name)' is no account here",
                hint: "Add the gateway again, or remove this account: helix account remove \(account.name)")
        }
        let client = try gateway(owner).connect()
        do {
            guard let served = try GatewayMail.accounts(at: client).first(where: { $0.id == place.account }) else {
                throw HelixError(
                    .notFound, "the gateway '\(owner.name)' no longer keeps the mail of '\(account.name)'",
                    hint: "The messages stay here. To remove the account: helix account remove \(account.name)")
            }
            return GatewayMail(client, served, ownsClient: true)
        } catch {
            client.close()
            throw error
        }
    }

    /// Creates a client that signs in for an account.
    /// - Throws: ``HelixError``.
    static func client(of account: Account, remembered: JMAPSession? = nil) throws -> JMAPClient {
        guard let url = account.settings.url.flatMap({ URL(address: $0) }) else {
            throw HelixError(.configuration, "the account '\(account.name)' has no address")
        }
        return try JMAPClient(url, remembered: remembered) { try account.httpClient(url) }
    }

    func end() { client.end() }

    func settle(isComplete: Bool) throws {
        isOver = true
        guard isComplete, let state else { return }
        let session = account.settings.login + "\n" + (client.isOutdated ? "" : client.session.stored)
        let known = try store.remoteMailState(account)
        if known.map({ $0 == (state, session) }) ?? false { return }
        try store.setRemoteMailState(state, session: session, of: account)
    }

    // MARK: Changes

    func mailboxes(asksSubscriptions: Bool) throws -> [ServerMailbox] {
        if isOver || state == nil {
            let since = isOver ? state : isFull ? nil : try store.remoteMailState(account)?.state
            (news, emails, isSnapshot, isOver) = ([:], [:], false, false)
            try askForNews(since)
        } else {
            let answers = try client.call([("Mailbox/get", ["ids": .null])])
            boxes = try JMAPMailbox.list(answers.of(0))
        }
        let touched = try touchedMailboxes()
        return boxes.map { box in
            var mailbox = box.mailbox
            // A mailbox without changes is as it was.
            mailbox.modSeq = touched.contains(box.id) || isSnapshot ? nil : JMAPMailbox.unchanged
            return mailbox
        }
    }

    private func touchedMailboxes() throws -> Set<String> {
        guard !news.isEmpty, !isSnapshot else { return [] }
        return news.values.reduce(into: try store.remoteMailboxNames(holding: Array(news.keys), of: account)) {
            $0.formUnion($1?.mailboxes ?? [])
        }
    }

    /// Requests the mailboxes and the changes, in one request.
    private func askForNews(_ last: String?) throws {
        guard var since = last else { return try askForAll() }
        var isFirst = true
        while true {
            let first: [(String, JSONText)] = isFirst ? [("Mailbox/get", ["ids": .null])] : []
            let place = first.count
            func emails(_ path: String) -> (String, JSONText) {
                (
                    "Email/get",
                    ["#ids": JMAPClient.result(of: place, "Email/changes", path), "properties": JMAPEmail.properties]
                )
            }
            let answers = try client.call(
                first + [
                    (
                        "Email/changes",
                        ["sinceState": .string(since), "maxChanges": .integer(client.session.mostInGet / 2)]
                    ),
                    emails("/created"), emails("/updated"),
                ])
            if isFirst { boxes = try JMAPMailbox.list(answers.of(0)) }
            if answers.isRefused(place, for: "cannotCalculateChanges") { return try askForAll() }
            let changes = try answers.of(place)
            let gone = changes["destroyed"]?.strings ?? []
            for place in [place + 1, place + 2] {
                let found = try answers.of(place)
                try take(found["list"]?.elements ?? [])
                try forget(found["notFound"]?.strings ?? [])
            }
            try forget(gone)
            guard let new = changes["newState"]?.text else {
                throw HelixError(.protocol, "the server did not return the new state")
            }
            state = new
            isFirst = false
            guard changes["hasMoreChanges"]?.bool == true, new != since else { return }
            since = new
        }
    }

    /// Requests all messages, the newest first.
    private func askForAll() throws {
        (news, isSnapshot) = ([:], true)
        // Changes that happen between the pages are requested by the next sync, from this state on.
        let answers = try client.call([("Mailbox/get", ["ids": .null]), ("Email/get", ["ids": .array([])])])
        boxes = try JMAPMailbox.list(answers.of(0))
        state = try answers.of(1)["state"]?.text
        var position = 0
        while true {
            let answers = try client.call([
                (
                    "Email/query",
                    [
                        "filter": .null, "sort": [["property": "receivedAt", "isAscending": false]],
                        "position": .integer(position), "limit": .integer(client.session.mostInGet),
                        "calculateTotal": true,
                    ]
                ),
                (
                    "Email/get",
                    ["#ids": JMAPClient.result(of: 0, "Email/query", "/ids"), "properties": JMAPEmail.properties]
                ),
            ])
            let page = try answers.of(0)
            let ids = page["ids"]?.elements?.count ?? 0
            try take(try answers.of(1)["list"]?.elements ?? [])
            position += ids
            let total = page["total"]?.integer.map { Int(clamping: $0) }
            if ids == 0 || total.map({ position >= $0 }) ?? false { break }
        }
    }

    private func take(_ list: [JSONText]) throws {
        let found = list.compactMap { JMAPEmail($0) }
        let numbers = try store.remoteEmailNumbers(found.map(\.id), of: account)
        for email in found { if let number = numbers[email.id] { news[number] = email } }
    }

    private func forget(_ ids: [String]) throws {
        for (_, number) in try store.remoteEmailNumbers(ids, of: account) { news[number] = .some(nil) }
    }

    // MARK: One mailbox

    func open(_ name: String) throws {
        if boxes.isEmpty { boxes = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0)) }
        guard boxes.contains(where: { $0.id == name }) else {
            throw ServerRefusal(command: "open", code: "NONEXISTENT", text: "no such mailbox")
        }
        opened = name
    }

    func changes(since base: RemoteMailbox, known: () throws -> Set<UInt32>) throws -> MailboxChanges {
        try open(base.name)
        var state = MailboxState()
        (state.uidValidity, state.modSeq) = (JMAPMailbox.validity, JMAPMailbox.unchanged)
        let box = boxes.first { $0.id == base.name }
        state.count = box?.mailbox.count ?? 0
        state.rights = box?.mailbox.rights ?? .all
        state.hasNamedRights = true
        var changes = MailboxChanges(state: state)
        guard base.uidValidity == JMAPMailbox.validity else { return changes }
        let known = try known()
        // A mailbox that was left out by the last sync is requested completely.
        let isWhole = base.modSeq == nil && !isSnapshot
        if isWhole { for (number, email) in try self.known(try numbers()) { news[number] = email } }
        var missing: [UInt32] = []
        for number in known {
            guard let new = news[number] else {
                // A message that is not listed is unchanged, or is missing from the complete list.
                if isSnapshot || isWhole { missing.append(number) }
                continue
            }
            if let email = new, email.mailboxes.contains(base.name) {
                changes.flags[number] = email.flags
            } else {
                changes.gone.append(number)
            }
        }
        // A page may have skipped one during other removals: each is requested by its id before it counts as removed.
        let present = try self.known(missing).filter { $1.mailboxes.contains(base.name) }
        for (number, email) in present { (news[number], changes.flags[number]) = (email, email.flags) }
        changes.gone += Set(missing).subtracting(present.map(\.0))
        return changes
    }

    func heads(from uid: UInt32) throws -> [FetchedMessage] {
        news.compactMap { number, email in
            guard let email, let opened, email.mailboxes.contains(opened) else { return nil }
            return email.fetched(number)
        }
    }

    func heads(of uids: [UInt32]) throws -> [FetchedMessage] {
        try known(uids).map { $1.fetched($0) }
    }

    /// The server's data of messages, from earlier responses if possible.
    func known(_ uids: [UInt32]) throws -> [(UInt32, JMAPEmail)] {
        let missing = uids.filter { news[$0].flatMap { $0 } == nil && emails[$0] == nil }
        let names = try store.remoteEmailNames(missing, of: account)
        let ids = missing.compactMap { names[$0] }
        for first in stride(from: 0, to: ids.count, by: client.session.mostInGet) {
            let part = ids[first..<min(first + client.session.mostInGet, ids.count)]
            let answers = try client.call([("Email/get", ["ids": .strings(part), "properties": JMAPEmail.properties])])
            let found = (try answers.of(0)["list"]?.elements ?? []).compactMap { JMAPEmail($0) }
            let numbers = try store.remoteEmailNumbers(found.map(\.id), of: account)
            for email in found { if let number = numbers[email.id] { emails[number] = email } }
        }
        return uids.compactMap { number in
            (news[number].flatMap { $0 } ?? emails[number]).map { (number, $0) }
        }
    }

    func numbers() throws -> [UInt32] {
        let ids = try query(["inMailbox": .string(opened ?? "")])
        return try store.remoteEmailNumbers(ids, of: account).map(\.value)
    }

    func find(_ messageID: String) throws -> [UInt32] {
        let ids = try query([
            "inMailbox": .string(opened ?? ""), "header": .strings(["Message-ID", messageID]),
        ])
        return try store.remoteEmailNumbers(ids, of: account).map(\.value)
    }

    func hasSent(_ messageID: String) throws -> Bool {
        if boxes.isEmpty { boxes = try JMAPMailbox.list(client.call([("Mailbox/get", ["ids": .null])]).of(0)) }
        for box in boxes where box.mailbox.role == .sent || box.mailbox.role == .inbox {
            let header: JSONText = .strings(["Message-ID", messageID])
            if try !query(["inMailbox": .string(box.id), "header": header]).isEmpty { return true }
        }
        return false
    }

    /// The ids of all messages that match a filter (RFC 8621 §4.4).
    private func query(_ filter: JSONText) throws -> [String] {
        var found: [String] = []
        while true {
            let answers = try client.call([
                (
                    "Email/query",
                    ["filter": filter, "position": .integer(found.count), "limit": .integer(client.session.mostInGet)]
                )
            ])
            let answer = try answers.of(0)
            let ids = answer["ids"]?.strings ?? []
            found += ids
            // A server may return fewer than requested (RFC 8620 §5.5).
            let most = answer["limit"]?.integer.map { Int(clamping: $0) } ?? client.session.mostInGet
            if ids.isEmpty || ids.count < most { return found }
        }
    }

    func count(in name: String) throws -> Int {
        let answers = try client.call([("Mailbox/get", ["ids": .strings([name]), "properties": ["totalEmails"]])])
        return Int(clamping: try answers.of(0)["list"]?.elements?.first?["totalEmails"]?.integer ?? 0)
    }

    func count(byNumber name: String) throws -> (claimed: Int, uidValidity: UInt32, numbers: Set<UInt32>) {
        try open(name)
        return (try count(in: name), JMAPMailbox.validity, Set(try numbers()))
    }

    /// Whether a message arrived after the last sync; if not, it was left out.
    func isNew(_ number: UInt32, in base: RemoteMailbox) -> Bool { news[number] != nil }
}
