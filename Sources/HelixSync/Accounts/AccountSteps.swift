import Foundation
import HelixModel
import HelixNetwork
import HelixStore

/// One step of trying an account.
public struct AccountStep: Sendable {
    /// What was tried.
    public var name: String
    /// What was found.
    public var detail = ""
    /// Why it did not work.
    public var failure: HelixError?
}

/// Tries what an account needs, one thing after the other: each step, up to those that need one which failed.
public struct AccountSteps {
    let account: MailAccount
    private var credential = Endpoint.Credential.none
    private var steps: [AccountStep] = []

    /// How a gateway is signed in at.
    let access: GatewayAccess?
    /// The store that is compared with the server; nil for an account that is only being tried.
    let store: Store?

    /// Each step.
    /// - Parameters:
    ///   - access: how a gateway is signed in at; other accounts need none.
    ///   - store: the store, if what it has is to be compared with the server.
    public static func check(
        _ account: MailAccount, access: GatewayAccess? = nil, store: Store? = nil
    ) -> [AccountStep] {
        var check = AccountSteps(account: account, access: access, store: store)
        check.run()
        return check.steps
    }

    private init(account: MailAccount, access: GatewayAccess?, store: Store?) {
        (self.account, self.access, self.store) = (account, access, store)
    }

    private mutating func run() {
        switch account.kind {
        case .caldav: checkCalDAV()
        case .webcal: checkPublished()
        case .gateway: checkGateway()
        case .jmap: checkJMAP()
        case .imap, .maildir, .local, .vdir:
            if account.kind != .imap { checkFolder() }
            if account.kind == .imap || account.settings.canSend { checkMail() }
        }
    }

    mutating func attempt(_ name: String, _ body: () throws -> String) -> Bool {
        var step = AccountStep(name: name)
        do { step.detail = try body() } catch { step.failure = Self.problem(error) }
        steps.append(step)
        return step.failure == nil
    }

    private static func problem(_ error: any Error) -> HelixError {
        if let known = error as? HelixError { return known }
        return HelixError(.protocol, (error as? ServerRefusal)?.text ?? "\(error)")
    }

    // MARK: What several have

    mutating func checkPassword() -> Bool {
        let account = account
        var found = Endpoint.Credential.none
        let isThere = attempt("password") {
            found = try Secrets.credential(account)
            if let oauth = account.settings.oauth { return "a token of \(oauth.provider)" }
            return account.settings.tokenCommand != nil ? "a token" : "there is one"
        }
        credential = found
        return isThere
    }

    /// Whether anybody answers there at all.
    mutating func reach(_ what: String, _ host: String, _ port: Int) -> Bool {
        attempt(what + " server") {
            let place = Endpoint(
                scheme: "http", host: host, port: port, security: .none, user: "", credential: .none)
            _ = try NetworkStream(place, patience: 15)
            return "\(host):\(port) answers"
        }
    }

    /// Signs in at a server, of which encryption is a step of its own.
    private mutating func signIn<Session>(
        _ what: String, _ server: AccountSettings.Server, _ open: () throws -> Session
    ) -> Session? {
        guard reach(what, server.host, server.port) else { return nil }
        let isOpen = server.security == Endpoint.Security.none.rawValue
        let encryption = "\(what) encryption"
        let secured = isOpen ? "none, on this machine" : "\(server.security); the certificate is trusted"
        do {
            let session = try open()
            steps.append(AccountStep(name: encryption, detail: secured))
            steps.append(AccountStep(name: "\(what) sign-in", detail: "as \(account.settings.login)"))
            return session
        } catch {
            let failure = Self.problem(error)
            // What goes wrong before anybody is asked for a name is the encryption's.
            if failure.code == .authentication || isOpen {
                steps.append(AccountStep(name: encryption, detail: secured))
                steps.append(AccountStep(name: "\(what) sign-in", failure: failure))
            } else {
                steps.append(AccountStep(name: encryption, failure: failure))
            }
            return nil
        }
    }

    // MARK: Mail

    private mutating func checkMail() {
        let (account, store) = (account, store)
        let settings = account.settings
        if settings.imap != nil || settings.smtp != nil {
            guard checkPassword() else { return }
        }
        if let server = settings.imap {
            let credential = credential
            let open = { try account.opening("imap", server, credential) { try IMAPRemote($0, patience: 20) } }
            if let opened = signIn("IMAP", server, open) {
                defer { opened.session.end() }
                var remote: any MailRemote = opened
                var boxes: [ServerMailbox] = []
                let isListed = attempt("IMAP mailboxes") {
                    let selection = settings.mailboxSelection
                    if let store { remote = try opened.specific(store, account) }
                    let found = try remote.mailboxes(asksSubscriptions: selection?.usesSubscriptions ?? false)
                    let names = Set(try store?.remoteMailboxes(account).map(\.name) ?? [])
                    boxes = found.filter { $0.isSelected(by: selection, isKnown: names.contains($0.name)) }
                    let left = found.count - boxes.count
                    let count = "\(found.count)" + (left == 0 ? "" : ", \(left) of them left out")
                    let known = ["QRESYNC", "CONDSTORE", "MOVE", "UIDPLUS", "IDLE"].filter(opened.session.can)
                    return count + (known.isEmpty ? "" : "; the server can \(known.joined(separator: ", "))")
                }
                if isListed, store != nil { countMessages(remote, boxes) }
            }
        }
        checkSending()
    }

    mutating func checkSending() {
        let account = account
        let settings = account.settings
        if let server = settings.smtp {
            let credential = credential
            let open = { try account.opening("smtp", server, credential) { try SMTPSession($0, patience: 20) } }
            if let session = signIn("SMTP", server, open) {
                session.end()
                let size = session.largest.map { "; it takes messages up to \($0 / 1024 / 1024) MB" } ?? ""
                steps[steps.count - 1].detail += size
            }
        }
        if let program = settings.sendmail {
            _ = attempt("sendmail") {
                guard FileManager.default.isExecutableFile(atPath: program) else {
                    throw HelixError(.notFound, "there is no program \(program)")
                }
                return program
            }
        }
    }

    // MARK: Calendars

    private mutating func checkCalDAV() {
        let account = account
        if !account.settings.login.isEmpty || account.settings.oauth != nil, !checkPassword() { return }
        guard reachAddress("CalDAV", account.settings.url) else { return }
        var found: (remote: CalDAVRemote, home: URL)?
        let who = account.settings.login.isEmpty ? "nobody has to" : "as \(account.settings.login)"
        let isIn = attempt("CalDAV sign-in") {
            let remote = try CalDAVRemote(account)
            found = (remote, try remote.home())
            return who
        }
        guard isIn, let (remote, home) = found else { return }
        var collections: [RemoteCollection] = []
        let isListed = attempt("calendars") {
            let found = try remote.collections(in: home)
            let selection = account.settings.calendarSelection
            collections = found.filter { selection?.includes($0.name) ?? true }
            let names = found.map { collection in
                let isLeftOut = !collections.contains { $0.href == collection.href }
                return "'\(collection.name)'\(isLeftOut ? " (left out)" : collection.isReadOnly ? " (to read)" : "")"
            }
            return names.isEmpty
                ? "there are none yet at \(home.absoluteString); helix cal calendars add NAME --account \(account.name)"
                : "there are \(names.joined(separator: ", "))"
        }
        if isListed, store != nil { countObjects(remote, collections) }
    }

    private mutating func checkPublished() {
        let account = account
        guard reachAddress("calendar", account.settings.url) else { return }
        _ = attempt("calendar") {
            let remote = try PublishedCalendar(account, known: PublishedCalendar.RemoteState(marker: nil))
            return try remote.collections().map { "'\($0.name)'" }.joined(separator: ", ")
        }
    }

    /// Whether the server of an address answers, and encrypts.
    mutating func reachAddress(_ what: String, _ address: String?) -> Bool {
        guard let parts = address.flatMap({ URLComponents(string: $0) }), let host = parts.host else {
            return attempt(what + " server") { throw HelixError(.configuration, "the account has no address") }
        }
        let isOpen = parts.scheme?.lowercased() == "http"
        let port = parts.port ?? (isOpen ? 80 : 443)
        guard reach(what, host, port) else { return false }
        if isOpen { return true }
        let authorities = account.settings.authorities
        return attempt(what + " encryption") {
            let place = Endpoint(
                scheme: "http", host: host, port: port, security: .tls, user: "", credential: .none,
                authorities: authorities)
            _ = try NetworkStream(place, patience: 15)
            return "tls; the certificate is trusted"
        }
    }

    private mutating func checkFolder() {
        let account = account
        _ = attempt("folder") {
            guard FileManager.default.isReadableFile(atPath: account.path) else {
                throw HelixError(.notFound, "the folder \(account.path) is not there, or cannot be read")
            }
            return account.path
        }
        guard account.kind == .vdir, steps.last?.failure == nil else { return }
        _ = attempt("calendars") {
            let names = try FolderRemote(root: account.path).collections().map {
                "'\($0.name)'\($0.isReadOnly ? " (to read)" : "")"
            }
            return "there are \(names.joined(separator: ", "))"
        }
    }
}
