/// The connection settings of an account. They contain no secrets.
public struct AccountSettings: Hashable, Sendable, Codable {
    /// A server.
    public struct Server: Hashable, Sendable, Codable {
        /// The host name or address.
        public var host: String
        /// The port.
        public var port: Int
        /// `tls`, `starttls` or `none`.
        public var security: String

        /// Creates a server.
        public init(host: String, port: Int, security: String) {
            self.host = host
            self.port = port
            self.security = security
        }
    }

    /// The resolution of a conflict: both sides changed the same thing since the last sync.
    public enum Strategy: String, Hashable, Sendable, Codable, CaseIterable {
        /// The later change wins, the other one stays in the history.
        case merge
        /// The server's change wins.
        case server
        /// The local change wins.
        case local
        /// The user decides.
        case ask
    }

    /// The sender address.
    public var address: String?
    /// The user name, if it differs from the address.
    public var user: String?
    /// The server for reading mail.
    public var imap: Server?
    /// The server for sending mail.
    public var smtp: Server?
    /// The server for scripts that sort arriving mail (ManageSieve); nil for the usual port of the server for reading mail.
    public var sieve: Server?
    /// A program that accepts mail on its standard input, instead of a server: `/usr/sbin/sendmail`.
    public var sendmail: String?
    /// Whether the server for reading mail sends it, too (JMAP).
    public var submits: Bool?
    /// The URL of a CalDAV server, of a calendar, or of a JMAP session.
    public var url: String?
    /// A command that prints the password.
    public var passwordCommand: String?
    /// A command that prints an OAuth 2 token.
    public var tokenCommand: String?
    /// The OAuth 2.0 login that helix performs itself.
    public var oauth: OAuthSettings?
    /// Whether the password is stored in the system's keyring.
    public var usesKeyring: Bool?
    /// A file of CA certificates to trust instead of the system's.
    public var authorities: String?
    /// The SHA-256 of the only trusted certificate, in lower-case hexadecimal digits.
    public var fingerprint: String?
    /// Whether secrets may be sent to a gateway in plain text, in a trusted network.
    public var allowsPlaintext: Bool?
    /// The conflict resolution; ``Strategy/merge`` by default.
    public var strategy: Strategy?
    /// The messages that are downloaded in full, in the form of ``BodyPolicy``; all by default.
    public var bodies: String?
    /// Whether changes are never written to the remote side.
    public var isReadOnly: Bool?
    /// The mailboxes to sync, in the form of ``CollectionSelection``; by default all but those of other users.
    public var mailboxes: String?
    /// The calendars to sync, likewise; all by default.
    public var calendars: String?
    /// The mail accounts of a gateway to sync, in the form of ``CollectionSelection``, or `none`; all by default.
    public var mailAccounts: String?
    /// The side that files a copy of sent mail; nil detects it.
    public var sentCopy: SentCopyPolicy?

    /// Whether the connection to an IMAP server is compressed; by default only to other hosts.
    public var compresses: Bool?

    /// The side that files a copy of sent mail.
    public enum SentCopyPolicy: String, Hashable, Sendable, Codable, CaseIterable {
        /// helix.
        case yes
        /// The server, or no side.
        case no
    }

    /// Creates empty settings.
    public init() {}

    /// The server for scripts: the one that is set, or the usual port of ManageSieve (RFC 5804 §1.8) beside IMAP.
    public var sieveServer: Server? {
        sieve ?? imap.map { Server(host: $0.host, port: 4190, security: "starttls") }
    }

    /// The user name for login.
    public var login: String { user ?? address ?? "" }

    /// Whether mail can be sent.
    public var canSend: Bool { smtp != nil || sendmail != nil || submits == true }
}

extension AccountSettings {
    /// The place of mail that a gateway keeps: the identity of the gateway's account, and the gateway's id of the mail account.
    public struct ServedMail: Hashable, Sendable {
        /// The identity of the account of the gateway.
        public var gateway: String
        /// The gateway's id of the mail account.
        public var account: String

        /// Creates a place.
        public init(gateway: String, account: String) { (self.gateway, self.account) = (gateway, account) }

        /// The URL that stands for it in the settings.
        public var url: String { "gateway:\(gateway)/\(account)" }
    }

    /// The place of mail that a gateway keeps; nil for accounts that helix syncs with a server.
    public var servedMail: ServedMail? {
        guard let url, url.hasPrefix("gateway:") else { return nil }
        let parts = url.dropFirst("gateway:".count).split(separator: "/")
        return parts.count == 2 ? ServedMail(gateway: String(parts[0]), account: String(parts[1])) : nil
    }

    /// Leaves out a mail account of a gateway from now on.
    public mutating func leaveOut(mailAccount name: String) {
        guard mailAccounts != "none" else { return }
        let names = (mailAccounts ?? "").split(separator: ",").map { String($0).trimmingBlanks() }
        let rest = names.filter { $0.lowercased() != name.lowercased() }
        // The last one that was selected by its name.
        let isLast = !rest.contains { !$0.hasPrefix("-") } && rest.count < names.count
        mailAccounts = isLast ? "none" : (rest + ["-" + name]).joined(separator: ",")
    }

    /// Whether a mail account of a gateway is synced.
    public func includesMailAccount(_ name: String) -> Bool {
        guard let mailAccounts else { return true }
        return mailAccounts != "none" && CollectionSelection(mailAccounts)?.includes(name) ?? true
    }

    /// The mailboxes to sync; nil for all but those of other users.
    public var mailboxSelection: CollectionSelection? { mailboxes.flatMap(CollectionSelection.init) }
    /// The calendars to sync; nil for all.
    public var calendarSelection: CollectionSelection? { calendars.flatMap(CollectionSelection.init) }

    /// The messages that are downloaded in full.
    public var bodyPolicy: BodyPolicy { bodies.flatMap(BodyPolicy.init) ?? .all }
}
