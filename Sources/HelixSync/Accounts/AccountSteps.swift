import FoundationEssentials
import HelixModel
import HelixNetwork
import HelixStore

/// One step of an account check.
public struct AccountStep: Sendable {
    /// The name of the step.
    public var name: String
    /// The result.
    public var detail = ""
    /// The error, if it failed.
    public var failure: HelixError?
}

/// Checks an account step by step; steps that depend on a failed one are skipped.
public struct AccountSteps {
    let account: Account
    private var credential = Endpoint.Credential.none
    private var steps: [AccountStep] = []

    /// The access to a gateway.
    let access: GatewayAccess?
    /// Returns the access to the gateway that keeps the account's mail.
    let gateway: GatewayAccess.Maker?
    /// The store to compare with the server; nil for an account that is not added yet.
    let store: Store?

    /// Runs the check, and returns its steps.
    /// - Parameters:
    ///   - access: the access to a gateway; other accounts need none.
    ///   - gateway: returns the access to the gateway that keeps an account's mail.
    ///   - store: the store, to compare its contents with the server's.
    public static func check(
        _ account: Account, access: GatewayAccess? = nil, gateway: GatewayAccess.Maker? = nil, store: Store? = nil
    ) -> [AccountStep] {
        var check = AccountSteps(account: account, access: access, gateway: gateway, store: store)
        account.kind.connector.check(&check)
        return check.steps
    }

    private init(account: Account, access: GatewayAccess?, gateway: GatewayAccess.Maker?, store: Store?) {
        (self.account, self.access, self.gateway, self.store) = (account, access, gateway, store)
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

    // MARK: Shared steps

    mutating func checkPassword() -> Bool {
        let account = account
        var found = Endpoint.Credential.none
        let isThere = attempt("password") {
            found = try Secrets.credential(account)
            if let oauth = account.settings.oauth { return "a token of \(oauth.provider)" }
            return account.settings.tokenCommand != nil ? "a token" : "found"
        }
        credential = found
        return isThere
    }

    /// Whether the server accepts connections.
    mutating func reach(_ what: String, _ host: String, _ port: Int) -> Bool {
        attempt(what + " server") {
            let place = Endpoint(
                scheme: "http", host: host, port: port, security: .none, user: "", credential: .none)
            _ = try NetworkStream(place, patience: 15)
            return "\(host):\(port) answers"
        }
    }

    /// Signs in at a server, with encryption as a separate step.
    private mutating func signIn<Session>(
        _ what: String, _ server: AccountSettings.Server, _ open: () throws -> Session
    ) -> Session? {
        guard reach(what, server.host, server.port) else { return nil }
        let isOpen = server.security == Endpoint.Security.none.rawValue
        let encryption = "\(what) encryption"
        let secured = isOpen ? "none, local connection" : "\(server.security); the certificate is trusted"
        do {
            let session = try open()
            steps.append(AccountStep(name: encryption, detail: secured))
            steps.append(AccountStep(name: "\(what) sign-in", detail: "as \(account.settings.login)"))
            return session
        } catch {
            let failure = Self.problem(error)
            // A failure before the sign-in is one of the encryption.
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

    mutating func checkMail() {
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
                    return count + (known.isEmpty ? "" : "; the server supports \(known.joined(separator: ", "))")
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
                let size = session.largest.map { "; it accepts messages up to \($0 / 1024 / 1024) MB" } ?? ""
                steps[steps.count - 1].detail += size
            }
        }
        if let program = settings.sendmail {
            _ = attempt("sendmail") {
                let sendmail = Sendmail(program: program)
                guard sendmail.isThere else { throw HelixError(.notFound, "no program \(sendmail.program)") }
                return program
            }
        }
    }

    // MARK: Calendars

    mutating func checkCalDAV() {
        let account = account
        let isBook = account.kind == .carddav
        let protocolName = isBook ? "CardDAV" : "CalDAV"
        if !account.settings.login.isEmpty || account.settings.oauth != nil, !checkPassword() { return }
        guard reachAddress(protocolName, account.settings.url) else { return }
        var found: (remote: CalDAVRemote, home: URL)?
        let who = account.settings.login.isEmpty ? "not required" : "as \(account.settings.login)"
        let isIn = attempt(protocolName + " sign-in") {
            let remote = try CalDAVRemote(account)
            found = (remote, try remote.home())
            return who
        }
        guard isIn, let (remote, home) = found else { return }
        var collections: [RemoteCollection] = []
        let isListed = attempt(isBook ? "address books" : "calendars") {
            let found = try remote.collections(in: home)
            let selection = account.settings.calendarSelection
            collections = found.filter { selection?.includes($0.name) ?? true }
            let names = found.map { collection in
                let isLeftOut = !collections.contains { $0.href == collection.href }
                return "'\(collection.name)'\(isLeftOut ? " (left out)" : collection.isReadOnly ? " (read-only)" : "")"
            }
            return names.isEmpty
                ? "none yet at \(home.absoluteString); to add one: helix \(isBook ? "contacts books" : "cal calendars") add NAME --account \(account.name)"
                : names.joined(separator: ", ")
        }
        if isListed, store != nil { countObjects(remote, collections) }
    }

    mutating func checkPublished() {
        let account = account
        guard reachAddress("calendar", account.settings.url) else { return }
        _ = attempt("calendar") {
            let remote = try PublishedCalendar(account, known: PublishedCalendar.RemoteState(marker: nil))
            return try remote.collections().map { "'\($0.name)'" }.joined(separator: ", ")
        }
    }

    /// Whether the server of an address accepts connections, and encrypts them.
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

    /// Whether the account's folder can be read.
    mutating func checkFolder() -> Bool {
        let path = account.path
        return attempt("folder") {
            guard FileManager.default.isReadableFile(atPath: path) else {
                throw HelixError(.notFound, "the folder \(path) does not exist, or cannot be read")
            }
            return path
        }
    }
}
